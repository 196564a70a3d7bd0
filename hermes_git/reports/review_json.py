"""A review as JSON; keys may be added later, never changed."""

from __future__ import annotations

import json
from dataclasses import asdict

from hermes_git.finding import Report
from hermes_git.knowledge.entries import entry_id
from hermes_git.provenance.reviewed import Approval, EntryRow, Hand, MemoryFile, Review, SkillRow
from hermes_git.reports.json import as_json as report_json

FORMAT = 1


def as_json(review: Review) -> dict[str, object]:
    """Return the review as plain values."""
    return {
        "format": FORMAT,
        "base": review.base,
        "tip": review.tip,
        "commits": [_hand(hand) for hand in review.commits],
        "memory": [_memory(item) for item in review.memory],
        "skills": [_skill(row) for row in review.skills],
        "check": report_json(review.report),
        "fixed": report_json(Report(review.fixed))["findings"],
        "losses": {"units": dict(review.loss_counts), "rows": [asdict(row) for row in review.losses]},
        "others": list(review.others),
        "approval": _approval(review.approval),
    }


def _hand(hand: Hand) -> dict[str, str]:
    row = {"actor": str(hand.actor), "commit": hand.commit, "subject": hand.subject}
    optional = {"session": hand.session, "evidence": hand.evidence, "quote": hand.quote}
    return row | {key: value for key, value in optional.items() if value}


def _memory(item: MemoryFile) -> dict[str, object]:
    return {
        "target": item.target,
        "path": item.path,
        "used": {"before": item.used_before, "after": item.used_after, "limit": item.limit, "unit": item.unit},
        "entries": item.entries_after,
        "changes": [_entry(row) for row in item.rows],
    }


def _entry(row: EntryRow) -> dict[str, object]:
    return {
        "action": row.action,
        "before": [{"id": entry_id(text), "text": text} for text in row.before],
        "after": [{"id": entry_id(text), "text": text} for text in row.after],
        "by": _hand(row.hand) if row.hand else None,
        "uses": asdict(row.usage),
        "clashes": list(row.clashes),
    }


def _skill(row: SkillRow) -> dict[str, object]:
    return {
        "skill": row.key,
        "path": row.root,
        "how": row.how,
        "description": row.description,
        "changes": [asdict(item) for item in row.altered],
        "gained": [asdict(item) for item in row.gained],
        "gave_up": [asdict(item) for item in row.gave_up],
        "by": [_hand(hand) for hand in row.hands],
        "uses": asdict(row.usage),
        "taught": row.taught,
    }


def _approval(found: Approval) -> dict[str, object]:
    return {
        "needed": found.is_needed,
        "given": found.is_given,
        "reasons": list(found.reasons),
        "approvers": list(found.approvers),
        "unverified": list(found.unverified),
    }


def render(review: Review) -> str:
    """Render the review as indented JSON with a final newline."""
    return json.dumps(as_json(review), ensure_ascii=False, indent=2) + "\n"
