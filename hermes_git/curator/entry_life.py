"""Which memory entries have had their day: said twice, overtaken by a newer one, or about what no longer exists. Pure.

A retired entry is moved to the archive in the same format, never dropped; `git revert` brings it back.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from hermes_git.curator.facts import DAY, EntryFacts, Snapshot, days
from hermes_git.curator.lifecycle import day
from hermes_git.curator.units import units
from hermes_git.gate.duplicates import clashes, contradiction
from hermes_git.provenance.anchors import ALIVE, GONE
from hermes_git.screen import amount
from hermes_git.settings import CuratorSettings

ACTIVE, RETIRE = "active", "retire"


@dataclass(frozen=True, slots=True)
class EntryState:
    """Where an entry stands: active, or to be retired; why, in favour of which entry, on what evidence.

    `exempt` is why it stays although something speaks against it.
    """

    facts: EntryFacts
    state: str
    reason: str
    by: str = ""
    evidence: tuple[str, ...] = ()
    exempt: str = ""


def states(snapshot: Snapshot, settings: CuratorSettings) -> tuple[EntryState, ...]:
    """Say of every entry where it stands, in file order; of two that clash only one is retired."""
    gone: set[str] = set()
    found: dict[int, EntryState] = {}
    for position, facts in enumerate(snapshot.entries):
        found[position] = _state(facts, snapshot, settings, frozenset(gone))
        if found[position].state == RETIRE:
            gone.add(_place(facts))
    return tuple(found[position] for position in range(len(snapshot.entries)))


FEW_WORDS = 4


def _is_near(text: str, other: str) -> bool:
    """Say whether two entries can clash at all: they differ in few words, or one has all the words of the other."""
    mine, theirs = _words(text), _words(other)
    left, right = len(mine - theirs), len(theirs - mine)
    return left == 0 or right == 0 or left + right <= FEW_WORDS


@functools.lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _place(facts: EntryFacts) -> str:
    return f"{facts.path}:{facts.entry.line}"


def _state(facts: EntryFacts, snapshot: Snapshot, settings: CuratorSettings, gone: frozenset[str]) -> EntryState:
    others = [
        other
        for other in snapshot.entries
        if _place(other) not in gone and _place(other) != _place(facts) and _is_near(facts.text, other.text)
    ]
    charge = next(charges(facts, others), None)
    evidence = tuple(_evidence(facts))
    if charge is None:
        return EntryState(facts, ACTIVE, "", evidence=evidence)
    reason, by = charge
    exempt = next(exemptions(facts, snapshot, settings), "")
    return EntryState(facts, ACTIVE if exempt else RETIRE, reason, by, evidence, exempt)


def charges(facts: EntryFacts, others: list[EntryFacts]) -> Iterator[tuple[str, str]]:
    """Yield what speaks against an entry, as a reason and the id of the entry it gives way to ("" for none)."""
    for other in others:
        if not _gives_way(facts, other):
            continue
        for clash in clashes(facts.text, [other.text]):
            if clash.kind == "contradiction":
                yield f"contradicted by entry {other.id} of {day(other.changed)}: {clash.why}", other.id
            else:
                yield f"says what entry {other.id} says: {clash.why}", other.id
        if other.text != facts.text and _is_contained(facts.text, other.text):
            yield f"superseded: all of it stands in entry {other.id}", other.id
    lost = [anchor.text for anchor, state in facts.anchors if state == GONE]
    alive = [anchor.text for anchor, state in facts.anchors if state == ALIVE]
    if lost and not alive:
        yield f"stale: {', '.join(lost)} {'is' if len(lost) == 1 else 'are'} gone", ""


def _gives_way(one: EntryFacts, other: EntryFacts) -> bool:
    """Say which of two clashing entries goes: the older of two that contradict; of two that agree the less useful."""
    if contradiction(one.text, other.text):
        return 0 < one.changed < other.changed
    if _is_contained(one.text, other.text) and not _is_contained(other.text, one.text):
        return True
    mine = (len(one.uses), len(one.text), -one.changed, -_order(one))
    theirs = (len(other.uses), len(other.text), -other.changed, -_order(other))
    return mine < theirs


def _order(facts: EntryFacts) -> int:
    return facts.entry.line + (10**9 if facts.target == "user" else 0)


def _is_contained(text: str, other: str) -> bool:
    """Say whether every sentence of a text stands in another, word for word."""
    mine = {unit.key for unit in units(text)}
    return bool(mine) and mine <= {unit.key for unit in units(other)}


def exemptions(facts: EntryFacts, snapshot: Snapshot, settings: CuratorSettings) -> Iterator[str]:
    """Yield why an entry must stay: pinned, a person's, too young, in use, or of unknown age."""
    if facts.id in settings.pinned:
        yield "pinned"
    if facts.author == "person" and not settings.person_authored:
        yield "written by a person, and curator.person_authored is off"
    if not facts.changed or snapshot.is_shallow:
        yield "no evidence: its history is not here"
    elif snapshot.now - facts.changed < settings.min_age_days * DAY:
        yield f"only {amount(days(snapshot, facts.changed), 'day')} old"
    if facts.last_used and snapshot.now - facts.last_used < settings.stale_after_days * DAY:
        yield f"quoted {amount(days(snapshot, facts.last_used), 'day')} ago"


def _evidence(facts: EntryFacts) -> Iterator[str]:
    if facts.changed:
        yield f"written {day(facts.changed)} by {facts.author}"
    yield f"quoted {len(facts.uses)} times" + (f", last on {day(facts.last_used)}" if facts.uses else "")
    for anchor, state in facts.anchors:
        if state != "unknown":
            yield f"{anchor.text} is {state}"
