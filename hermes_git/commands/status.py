"""`hermes-git status`: budgets, drift, what is pending, hooks and sessions on one screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from hermes_git import errors
from hermes_git.commands import hook_files
from hermes_git.commands.call import Call, common
from hermes_git.errors import UserError
from hermes_git.gate import drift as drifts
from hermes_git.gate import journal
from hermes_git.gate.doors import token_counter
from hermes_git.gate.memory import shorten
from hermes_git.gitrepo import read
from hermes_git.knowledge import budget
from hermes_git.knowledge.changes import EntryChange
from hermes_git.knowledge.layout import TARGETS, memory_path, skill_roots
from hermes_git.provenance import spool
from hermes_git.screen import amount
from hermes_git.sessions.store import open_store
from hermes_git.version import RULES_VERSION, __version__

Row = dict[str, object]
BAR = 20
KEEP_OR_NOT = "keep it: hermes-git memory adopt; give it up: hermes-git memory discard"
WAITING = ("refs/heads/proposal/", "refs/heads/curator/")


@click.command()
@common(json_output=True, now=True)
def status(call: Call) -> int:
    """Show budgets, drift, what waits for a person, hooks and sessions on one screen.

    A memory file that cannot be read, such as a symbolic link, is named beside the rest; exit 1 then.

    \b
    hermes-git status
    hermes-git status --json
    """
    unread: list[UserError] = []
    found = {
        "tool": __version__,
        "rules": RULES_VERSION,
        "repository": str(call.repo.work_tree()),
        "memory": _read_all(lambda target: _budget(call, target), unread),
        "drift": _read_all(lambda target: _drift(call, target), unread),
        "not_understood": _reasons(unread),
        "pending": _pending(call),
        "skills": _skills(call),
        "stale": _stale(call),
        "hooks": [{"hook": row.name, "state": row.state} for row in hook_files.status(call.repo)],
        "sessions": len(open_store(call.repo, call.settings).sessions()),
        "unflushed_uses": len(spool.spooled(call.repo).uses),
        "unfinished_writes": len(journal.waiting(call.repo)),
    }
    if call.json:
        call.emit(found)
    else:
        for line in _lines(found):
            call.say(line)
    return errors.FINDINGS if found["not_understood"] else errors.OK


def _read_all(read_one: Callable[[str], Row | None], unread: list[UserError]) -> list[Row]:
    """Read something of each memory file; why one cannot be read is added to `unread`."""
    found = []
    for target in TARGETS:
        try:
            row = read_one(target)
        except UserError as error:
            unread.append(error)
        else:
            found += [row] if row is not None else []
    return found


def _reasons(unread: list[UserError]) -> list[Row]:
    rows = dict.fromkeys((error.where, error.message, error.hint) for error in unread)
    return [{"path": where, "reason": message, "hint": hint} for where, message, hint in rows]


def _budget(call: Call, target: str) -> Row:
    file = drifts.head_file(call.repo, memory_path(call.settings, target))
    settings = call.settings.memory
    return {
        "target": target,
        "path": memory_path(call.settings, target),
        "entries": len(file.entries),
        "used": budget.used(file.texts, settings, token_counter(call.settings)),
        "limit": budget.limit_of(target, settings),
        "unit": settings.unit,
    }


def _drift(call: Call, target: str) -> Row | None:
    row = drifts.drift_of(call.repo, call.settings, target)
    if row is None:
        return None
    return {"path": row.path, "missing": row.missing, "changes": [_change(change) for change in row.changes]}


def _change(change: EntryChange) -> Row:
    return {"action": change.action, "before": list(change.before), "after": list(change.after)}


def _pending(call: Call) -> list[str]:
    """List the branches that wait for a person: proposals and curator runs that HEAD does not hold yet."""
    merged = ["--no-merged", "HEAD"] if read.head(call.repo) else []
    return [name.removeprefix("refs/heads/") for name in read.ref_names(call.repo, *merged, *WAITING)]


def _skills(call: Call) -> int:
    head = read.head(call.repo)
    return len(skill_roots(read.tree(call.repo, head, call.settings.paths.skills))) if head else 0


def _stale(call: Call) -> list[str]:
    """List the skills that nothing happened to for `curator.stale_after_days`, but none that is not the curator's."""
    head = read.head(call.repo)
    if head is None:
        return []
    from hermes_git.curator import lifecycle, snapshot

    taken = snapshot.take(call.repo, head, call.settings, now=int(call.clock().timestamp()))
    rows = lifecycle.transitions(taken, call.settings.curator)
    kept = {facts.root for facts in taken.skills if any(lifecycle.ownership(facts, call.settings.curator))}
    return [row.key for row in rows if row.state != lifecycle.ACTIVE and row.root not in kept]


def _lines(found: dict[str, Any]) -> list[str]:
    """Return one screen for people: what there is, and beside what needs somebody, the command for it."""
    lines = [f"{found['repository']}  (hermes-git {found['tool']}, rules {found['rules']})"]
    lines += [_bar(row) for row in found["memory"]]
    for row in found["drift"]:
        lines.append(f"drift    {row['path']}: {'the file is gone' if row['missing'] else ''}".rstrip())
        lines += [f"           {_words(change)}" for change in row["changes"]]
    lines += [_not_understood(row) for row in found["not_understood"]]
    if found["drift"]:
        lines.append(f"{'':9}{KEEP_OR_NOT}")
    elif not found["not_understood"]:
        lines.append("drift    none")
    pending = found["pending"]
    lines.append(f"pending  {', '.join(pending) if pending else 'none'}")
    lines += [f"{'':9}look at it: hermes-git review --range HEAD..{pending[0]}"] if pending else []
    stale = found["stale"]
    lines.append(f"skills   {found['skills']}, stale: {', '.join(stale) if stale else 'none'}")
    lines += [f"{'':9}see why, and what would go: hermes-git curate"] if stale else []
    by_state: dict[str, list[str]] = {}
    for row in found["hooks"]:
        by_state.setdefault(row["state"], []).append(row["hook"])
    lines.append("hooks    " + "; ".join(f"{state}: {', '.join(names)}" for state, names in by_state.items()))
    lines += [] if by_state.keys() <= {"installed", "chained"} else [f"{'':9}mend them: hermes-git doctor --fix"]
    lines.append(f"sessions {found['sessions']}, {amount(found['unflushed_uses'], 'use')} not flushed yet")
    if found["unfinished_writes"]:
        lines.append(f"writes   {found['unfinished_writes']} unfinished; the next write completes them")
    return lines


def _not_understood(row: dict[str, str]) -> str:
    words = ": ".join(word for word in (row["path"], row["reason"]) if word)
    return f"unread   {words}\n{'':9}{row['hint']}"


def _bar(row: dict[str, int]) -> str:
    share = min(1.0, row["used"] / row["limit"]) if row["limit"] else 1.0
    filled = round(share * BAR)
    bar = "█" * filled + "·" * (BAR - filled)
    over = "  over budget" if row["used"] > row["limit"] else ""
    numbers = f"{row['used']:,} of {row['limit']:,} {row['unit']}"
    return f"{row['target']:<8} {bar} {numbers}, {amount(row['entries'], 'entry')}{over}"


def _words(change: dict[str, list[str]]) -> str:
    texts = change["after"] or change["before"]
    return f"{change['action']} {shorten(texts[0], 70)}"
