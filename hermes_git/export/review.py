"""Review data: what was proposed, accepted, refused, rewritten and taken back, as preference pairs and judgements.

A change that the history kept is preferred to what stood before it; one that was reverted, or a proposal that a person
refused, is not. Each row names the commit and the session it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hermes_git.knowledge import entries
from hermes_git.provenance import change
from hermes_git.provenance.change import Change
from hermes_git.provenance.log import Commit, Row
from hermes_git.sessions.redact import Redactor

PREFERENCES, JUDGEMENTS = "preferences", "judgements"
MEMORY_NAMES = {"MEMORY.md": "memory", "USER.md": "user"}
SKILL_NAME = "SKILL.md"
MAX_CHARS = 20_000
REVISE = "Review this {what}. Write its better version, or repeat it unchanged if it is good as it is.\n\n{text}"
REMEMBER = "Write an entry for the agent's {what}.{evidence}"

Blobs = Callable[[list[str]], Mapping[str, bytes]]


@dataclass(frozen=True, slots=True)
class Edit:
    """One entry or skill before and after a change, and whether the history kept it; `before` is "" for a new entry."""

    what: str
    before: str
    after: str
    is_kept: bool
    commit: str
    change: Change


@dataclass(slots=True)
class Review:
    """The rows, by file, with what was left out and what was redacted."""

    preferences: list[dict[str, Any]] = field(default_factory=list)
    judgements: list[dict[str, Any]] = field(default_factory=list)
    dropped: dict[str, int] = field(default_factory=dict)
    redactions: dict[str, int] = field(default_factory=dict)


def edits(commits: Iterable[Commit], *, is_kept: Callable[[str], bool], blobs: Blobs) -> Iterator[Edit]:
    """Yield the edits that commits declare in `Hermes-Change` lines; merges and plain commits hold none."""
    for commit in commits:
        declared = change.parse(commit.message)
        rows = [row for row in commit.rows if row.after.strip("0") and _name(row) in (*MEMORY_NAMES, SKILL_NAME)]
        if not declared or not rows:
            continue
        data = blobs([found for row in rows for found in (row.before, row.after) if found.strip("0")])
        for row in rows:
            yield from _of_row(commit, row, declared, data, is_kept=is_kept(commit.id))


def _of_row(
    commit: Commit, row: Row, declared: tuple[Change, ...], data: Mapping[str, bytes], *, is_kept: bool
) -> Iterator[Edit]:
    before, after = (data.get(found, b"").decode("utf-8", "replace") for found in (row.before, row.after))
    target = MEMORY_NAMES.get(_name(row))
    if target is None:
        if before and len(declared) == 1:
            yield Edit("skill", before, after, is_kept, commit.id, declared[0])
        return
    old, new = ({entries.entry_id(one): one for one in _entries(text)} for text in (before, after))
    for one in declared:
        text = next((found for name, found in new.items() if one.after and name.startswith(one.after)), "")
        if one.target.endswith(target) and text:
            earlier = next((found for name, found in old.items() if one.before and name.startswith(one.before)), "")
            yield Edit(f"{target} entry", earlier, text, is_kept, commit.id, one)


def _entries(text: str) -> list[str]:
    return [entry.text for entry in entries.parse(text).entries]


def _name(row: Row) -> str:
    return row.path.rsplit("/", 1)[-1]


def review(found: Iterable[Edit], style: str) -> Review:
    """Make rows of edits: a pair where something was rewritten, a judgement for each proposal or write."""
    made = Review()
    seen: set[tuple[str, str, bool]] = set()
    for edit in found:
        reason = _unusable(edit) or ("duplicate" if (edit.before, edit.after, edit.is_kept) in seen else "")
        if reason:
            made.dropped[reason] = made.dropped.get(reason, 0) + 1
            continue
        seen.add((edit.before, edit.after, edit.is_kept))
        _add(made, edit, style)
    return made


def _unusable(edit: Edit) -> str:
    if edit.before == edit.after:
        return "nothing changed"
    return "longer than 20,000 characters" if max(len(edit.before), len(edit.after)) > MAX_CHARS else ""


def _add(made: Review, edit: Edit, style: str) -> None:
    redactor = Redactor()
    before, after = redactor.text(edit.before), redactor.text(edit.after)
    about = {"commit": edit.commit, "session": edit.change.session, "actor": str(edit.change.actor),
             "action": edit.change.action, "target": edit.change.target,
             "outcome": "kept" if edit.is_kept else "refused"}  # fmt: skip
    prompt = REVISE.format(what=edit.what, text=before) if before else _remember(edit, redactor)
    if before:
        chosen, rejected = (after, before) if edit.is_kept else (before, after)
        made.preferences.append({**_pair(prompt, chosen, rejected, style), "metadata": about})
    made.judgements.append({**_judgement(prompt, after, edit.is_kept, style), "metadata": about})
    for kind, count in redactor.counts.items():
        made.redactions[kind] = made.redactions.get(kind, 0) + count


def _remember(edit: Edit, redactor: Redactor) -> str:
    quote = edit.change.extra.get("quote", "")
    evidence = f" This was said: {redactor.text(quote)}" if quote else ""
    return REMEMBER.format(what=edit.what.removesuffix(" entry"), evidence=evidence)


def _pair(prompt: str, chosen: str, rejected: str, style: str) -> dict[str, Any]:
    if style in ("sharegpt", "hermes"):
        return {
            "conversations": [{"from": "human", "value": prompt}],
            "chosen": {"from": "gpt", "value": chosen},
            "rejected": {"from": "gpt", "value": rejected},
        }
    return {
        "prompt": [{"role": "user", "content": prompt}],
        "chosen": [{"role": "assistant", "content": chosen}],
        "rejected": [{"role": "assistant", "content": rejected}],
    }


def _judgement(prompt: str, text: str, is_good: bool, style: str) -> dict[str, Any]:
    if style in ("sharegpt", "hermes"):
        turns = [{"from": "human", "value": prompt}, {"from": "gpt", "value": text}]
        return {"conversations": turns, "kto_tag": is_good}
    return {
        "prompt": [{"role": "user", "content": prompt}],
        "completion": [{"role": "assistant", "content": text}],
        "label": is_good,
    }
