"""Intent: does the message of a commit say what the commit takes away? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hermes_git.finding import Finding
from hermes_git.gate.findings import finding
from hermes_git.gate.memory import shorten
from hermes_git.knowledge.changes import EntryChange
from hermes_git.knowledge.entries import entry_id
from hermes_git.patterns.lazy import pattern
from hermes_git.provenance.change import Actor, Change, parse

REVERTS = pattern(r"^\s*This reverts commit ([0-9a-f]{7,64})\b", re.MULTILINE)
SHORTEST_ID = 7


@dataclass(frozen=True, slots=True)
class Loss:
    """What a commit takes away: entries of one memory file, or one skill, with the ids a declaration must name."""

    path: str
    target: str
    change: EntryChange | None = None
    before: str = ""
    after: str = ""


def holds_for(whom: str, actor: Actor) -> bool:
    """Say whether a policy of `always`, `never` or `agents` holds for an actor; unknown actors count as agents."""
    return whom == "always" or (whom == "agents" and actor.is_agent)


def undeclared(
    losses: Iterable[Loss], messages: Sequence[str], actor: Actor, reverted: frozenset[str] = frozenset()
) -> Iterator[Finding]:
    """Yield a finding for every loss that no message declares; `reverted` are ids that a revert takes back."""
    declared = [change for message in messages for change in parse(message)]
    for loss in losses:
        if loss.change is None:
            if loss.before not in reverted and not any(_names(change, loss.target, loss.before) for change in declared):
                yield _skill_finding(loss, actor)
            continue
        for text in loss.change.before:
            gone = entry_id(text)
            if gone not in reverted and not any(_names(change, loss.target, gone) for change in declared):
                yield _entry_finding(loss, loss.change, text, actor)


def is_declared(change: Change, declared: Iterable[Change]) -> bool:
    """Say whether a change that takes something away stands among the declared ones."""
    return any(_names(other, change.target, change.before) for other in declared)


def _names(change: Change, target: str, before: str) -> bool:
    """Say whether a declared change is about this target and this id, full or abbreviated to seven digits or more."""
    return (
        change.target.removeprefix("skill:") == target
        and len(change.before) >= SHORTEST_ID
        and before.startswith(change.before)
    )


def _entry_finding(loss: Loss, change: EntryChange, text: str, actor: Actor) -> Finding:
    after = entry_id(change.after[0]) if change.after else ""
    line = Change(change.action, loss.target, entry_id(text), after, actor).line()
    verb = {"remove": "is gone", "replace": "was rewritten"}.get(change.action, f"was {change.action}ed")
    return finding(
        "HG710",
        loss.path,
        f"entry {entry_id(text)} {verb} and the message does not declare it: {shorten(text)}",
        text=text,
        hint=f"add this line to the message: {line}",
    )


def _skill_finding(loss: Loss, actor: Actor) -> Finding:
    line = Change("delete", loss.target, loss.before, "", actor).line()
    return finding(
        "HG711",
        loss.path,
        f"skill {loss.target} is gone and the message does not declare it",
        text=loss.target,
        hint=f"add this line to the message: {line}",
    )
