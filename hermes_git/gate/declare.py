"""Filling in the change lines of a commit message: who did what to which entry and skill. Pure.

What is new or moved is stated for everybody. What is taken away is stated for persons only, and not where policy asks
everybody to declare: an agent must write that line itself, because a lost update looks just like a removal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hermes_git.gate.intent import Loss, is_declared
from hermes_git.gate.judge import losses, memory_file
from hermes_git.gate.proposal import Proposal
from hermes_git.knowledge.changes import classify
from hermes_git.knowledge.entries import entry_id
from hermes_git.knowledge.layout import place, skill_key
from hermes_git.patterns.lazy import pattern
from hermes_git.provenance.change import Actor, Change, parse
from hermes_git.settings import Settings

MAX_LINES = 40
"""So many lines state what is new; a larger change is summed up in one line, losses always have one each."""

WHOLE = "repository"
"""Target of a line that only says who acted."""

SCISSORS = pattern(r"^.{0,4}-{24} >8 -{24}$", re.MULTILINE)
TRAILER = pattern(r"[A-Za-z][A-Za-z0-9-]*: \S")


def body_of(text: str) -> str:
    """Return what git will keep of a message file: everything above the scissors that is no comment."""
    scissors = SCISSORS.search(text)
    above = text[: scissors.start()] if scissors else text
    return "\n".join(line for line in above.split("\n") if not line.startswith("#"))


def filled(
    text: str, proposal: Proposal, settings: Settings, actor: Actor, *, session: str = "", others: Sequence[str] = ()
) -> str:
    """Return the message file with the change lines it lacks; an empty message stays empty, so that git refuses it."""
    body = body_of(text)
    if not body.strip() or actor.kind == "unknown" or not proposal.differences:
        return text
    lines = list(missing(body, proposal, settings, actor, session=session, others=others))
    return insert(text, [change.line() for change in lines]) if lines else text


def missing(
    body: str, proposal: Proposal, settings: Settings, actor: Actor, *, session: str, others: Sequence[str]
) -> Iterator[Change]:
    """Yield the changes that a message should declare and does not."""
    declared = parse(body)
    found = losses(proposal, settings)
    fresh = [] if declared or others else list(_additions(proposal, settings, found))
    if len(fresh) > MAX_LINES:
        fresh = []
    taken = [] if actor.is_agent or settings.gate.intent == "always" else list(_taken(found))
    said = [change for message in others for change in parse(message)]
    wanted = [*fresh, *(change for change in taken if not is_declared(change, [*declared, *said]))]
    if not wanted and not declared:
        wanted = [Change("merge" if others else "write", WHOLE)]
    for change in dict.fromkeys((row.action, row.target, row.before, row.after) for row in wanted):
        yield Change(*change, actor, session)


def adopted(text: str, actor: Actor, session: str = "") -> str:
    """Return the message of a patch with a line that says who takes it in, unless it says already who wrote it."""
    body = body_of(text)
    if not body.strip() or actor.kind == "unknown" or parse(body):
        return text
    return insert(text, [Change("adopt", WHOLE, "", "", actor, session).line()])


def _taken(found: Sequence[Loss]) -> Iterator[Change]:
    for loss in found:
        if loss.change is None:
            yield Change("delete", loss.target, loss.before)
            continue
        after = entry_id(loss.change.after[0]) if loss.change.after else ""
        for text in loss.change.before:
            yield Change(loss.change.action, loss.target, entry_id(text), after)


def _additions(proposal: Proposal, settings: Settings, found: Sequence[Loss]) -> Iterator[Change]:
    """Yield what is new or moved; the new text of a rewritten entry belongs to the line of the old one."""
    old, new = _texts(proposal.old, settings), _texts(proposal.new, settings)
    rewritten = {text for loss in found if loss.change for text in loss.change.after}
    before = {text: target for target, texts in old.items() for text in texts}
    for path, data in sorted(proposal.new.items()):
        spot = place(path, settings)
        if spot.area not in ("memory", "archived-memory"):
            continue
        target = spot.target if spot.area == "memory" else f"archive:{spot.target}"
        was = memory_file(proposal.old.get(path, b"")).texts
        for change in classify(was, memory_file(data).texts):
            for text in change.after if change.action != "move" else ():
                if text not in rewritten:
                    yield _entry(text, target, before.get(text, ""), new)
    yield from _skills(proposal, settings)


def _texts(side: dict[str, bytes], settings: Settings) -> dict[str, tuple[str, ...]]:
    """Return target → entries for the memory files among one side of a proposal."""
    found = {}
    for path, data in sorted(side.items()):
        spot = place(path, settings)
        if spot.area in ("memory", "archived-memory"):
            prefix = "" if spot.area == "memory" else "archive:"
            found[prefix + spot.target] = memory_file(data).texts
    return found


def _entry(text: str, target: str, source: str, new: dict[str, tuple[str, ...]]) -> Change:
    name = entry_id(text)
    if not source or text in new.get(source, ()):
        return Change("add", target, "", name)
    if target.startswith("archive:"):
        return Change("archive", source, name, name)
    return Change("restore" if source.startswith("archive:") else "move", target, name, name)


def _skills(proposal: Proposal, settings: Settings) -> Iterator[Change]:
    """Yield one line for each SKILL.md that is new, edited or moved."""
    gone = {row.id_before for row in proposal.differences if row.id_before and not row.id_after}
    for row in proposal.differences:
        if not row.path.endswith("/SKILL.md") or not row.id_after:
            continue
        root = row.path.removesuffix("/SKILL.md")
        area = place(row.path, settings, frozenset({root})).area
        key = skill_key(root, settings)
        if area == "archived-skill":
            yield Change("archive", key, row.id_before[:12], row.id_after[:12])
        elif area == "skill" and row.id_before:
            yield Change("edit", key, row.id_before[:12], row.id_after[:12])
        elif area == "skill":
            moved = row.id_after in gone
            yield Change("rename" if moved else "create", key, row.id_after[:12] if moved else "", row.id_after[:12])


def insert(text: str, lines: Sequence[str]) -> str:
    """Return a message file with lines at the end of what git keeps, in the block of trailers if there is one."""
    match = SCISSORS.search(text)
    above, below = (text[: match.start()], text[match.start() :]) if match else (text, "")
    rows = above.split("\n")
    end = len(rows)
    while end and (not rows[end - 1].strip() or rows[end - 1].startswith("#")):
        end -= 1
    start = end
    while start and TRAILER.match(rows[start - 1]):
        start -= 1
    joined = start < end and start > 0 and not rows[start - 1].strip()
    tail = "\n".join(rows[end:]).lstrip("\n") if any(row.strip() for row in rows[end:]) else ""
    head = "\n".join(rows[:end]) + ("\n" if joined else "\n\n") + "\n".join(lines) + "\n"
    return head + (f"\n{tail}" if tail else "") + below
