"""The life of a skill as a pure function: active, stale, archived; each exemption with its reason.

Boundaries are inclusive: exactly `stale_after_days` old is stale. Missing evidence is never taken for disuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from hermes_git.curator.facts import BUILTIN, DAY, SkillFacts, Snapshot, days
from hermes_git.knowledge.layout import is_below
from hermes_git.provenance.references import Reference
from hermes_git.screen import amount
from hermes_git.settings import CuratorSettings

ACTIVE, STALE, ARCHIVE = "active", "stale", "archive"


@dataclass(frozen=True, slots=True)
class Transition:
    """Where a skill stands and why.

    `state` is active, stale, or archive (to be archived by this run); `was` the state in the last report, "" if it
    had none. `exempt` is why it stays although its age says otherwise. `evidence` are the facts used, as sentences.
    """

    root: str
    key: str
    state: str
    was: str
    reason: str
    evidence: tuple[str, ...]
    exempt: str = ""

    @property
    def change(self) -> str:
        """Name what changed since the last report: marked_stale, reactivated, archived, or ""."""
        if self.state == ARCHIVE:
            return "archived"
        if self.state == STALE and self.was in ("", ACTIVE):
            return "marked_stale"
        return "reactivated" if self.state == ACTIVE and self.was == STALE else ""


def transitions(snapshot: Snapshot, settings: CuratorSettings) -> tuple[Transition, ...]:
    """Say of every skill where it stands, sorted by folder."""
    leaving = _leaving(snapshot, settings)
    ordered = sorted(snapshot.skills, key=lambda facts: facts.root)
    return tuple(_transition(facts, snapshot, settings, leaving) for facts in ordered)


def _leaving(snapshot: Snapshot, settings: CuratorSettings) -> frozenset[str]:
    """Return the skills that may go: the largest set in which none is named by a skill that stays."""
    wait = settings.archive_after_days * DAY
    old = [facts for facts in snapshot.skills if snapshot.now - facts.anchor >= wait]
    leaving = frozenset(facts.root for facts in old if not any(_own_exemptions(facts, snapshot, settings)))
    while True:
        kept = frozenset(facts.root for facts in old if facts.root in leaving and not named_by(facts, leaving))
        if kept == leaving:
            return kept
        leaving = kept


def named_by(facts: SkillFacts, leaving: frozenset[str]) -> list[Reference]:
    """Return the references that would be left pointing to nothing: prose aside, and skills that leave as well."""
    return [
        row for row in facts.references if row.kind != "prose" and not any(is_below(row.path, root) for root in leaving)
    ]


def _transition(
    facts: SkillFacts, snapshot: Snapshot, settings: CuratorSettings, leaving: frozenset[str]
) -> Transition:
    age = snapshot.now - facts.anchor
    was = snapshot.states.get(facts.key, "")
    evidence = tuple(_evidence(facts, snapshot))
    idle = f"nothing happened to it for {amount(days(snapshot, facts.anchor), 'day')}"
    if age < settings.stale_after_days * DAY:
        return Transition(facts.root, facts.key, ACTIVE, was, _why_active(facts, snapshot), evidence)
    reason = "" if facts.root in leaving else next(exemptions(facts, snapshot, settings, leaving), "")
    if age < settings.archive_after_days * DAY:
        return Transition(facts.root, facts.key, STALE, was, idle, evidence, reason)
    if reason:
        return Transition(facts.root, facts.key, STALE, was, idle, evidence, reason)
    return Transition(facts.root, facts.key, ARCHIVE, was, idle, evidence)


def _why_active(facts: SkillFacts, snapshot: Snapshot) -> str:
    moments = (
        ("restored", facts.restored),
        ("used", facts.last_used),
        ("changed", facts.changed),
        ("created", facts.created),
    )
    word, moment = max(moments, key=lambda pair: pair[1])
    return f"{word} {amount(days(snapshot, moment), 'day')} ago"


def exemptions(
    facts: SkillFacts, snapshot: Snapshot, settings: CuratorSettings, leaving: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Yield every reason why a skill must not be archived; `leaving` are the skills that the same run archives."""
    named = named_by(facts, leaving)
    if named:
        more = f" and {len(named) - 1} more" if len(named) > 1 else ""
        yield f"named in {named[0].path}:{named[0].line}{more}"
    yield from _own_exemptions(facts, snapshot, settings)


def _own_exemptions(facts: SkillFacts, snapshot: Snapshot, settings: CuratorSettings) -> Iterator[str]:
    yield from ownership(facts, settings)
    if facts.restored and snapshot.now - facts.restored < settings.restore_grace_days * DAY:
        yield f"restored {amount(days(snapshot, facts.restored), 'day')} ago"
    if facts.created and snapshot.now - facts.created < settings.min_age_days * DAY:
        yield f"only {amount(days(snapshot, facts.created), 'day')} old"
    yield from missing_evidence(facts, snapshot, settings)


def ownership(facts: SkillFacts, settings: CuratorSettings) -> Iterator[str]:
    """Yield why a skill is not the curator's to move at all: protected, built in, pinned, a person's, unreadable."""
    if is_named(facts, settings.protected):
        yield "protected by curator.protected"
    if facts.origin == BUILTIN and not settings.prune_builtins:
        yield "built in, and curator.prune_builtins is off"
    if facts.origin not in ("", BUILTIN):
        yield f"installed from {facts.origin}; its source looks after it"
    if is_named(facts, settings.pinned) or _is_pinned(facts):
        yield "pinned"
    if facts.author == "person" and not settings.person_authored:
        yield "written by a person, and curator.person_authored is off"
    if facts.skill.problem:
        yield f"its header cannot be read: {facts.skill.problem.message}"
    if _in_probation(facts):
        yield "in probation"


def is_named(facts: SkillFacts, names: tuple[str, ...]) -> bool:
    """Say whether a list of names or keys names this skill."""
    return bool({facts.key, facts.skill.name, facts.skill.folder} & set(names))


def _metadata(facts: SkillFacts, key: str) -> object:
    values = facts.skill.header.values
    inside = values.get("metadata")
    return values.get(key, inside.get(key) if isinstance(inside, dict) else None)


def _is_pinned(facts: SkillFacts) -> bool:
    return _metadata(facts, "pinned") in (True, "true")


def _in_probation(facts: SkillFacts) -> bool:
    return _metadata(facts, "status") == "probation" or _metadata(facts, "probation") in (True, "true")


def missing_evidence(facts: SkillFacts, snapshot: Snapshot, settings: CuratorSettings) -> Iterator[str]:
    """Yield why disuse is not proved: history cut off, no ledger, a ledger that is damaged or younger than the wait."""
    evidence = snapshot.evidence
    window = snapshot.now - settings.archive_after_days * DAY
    if snapshot.is_shallow or not facts.created:
        yield "no evidence: its history is not here (fetch it with: git fetch --unshallow)"
    if not evidence.uses:
        yield "no evidence: the ledger of uses is empty"
    damaged = sorted(month for month in evidence.damaged_months if month >= _month(window) or not month[:1].isdigit())
    if damaged:
        yield f"no evidence: the ledger is damaged in {', '.join(damaged)}"
    if not facts.uses and evidence.uses and evidence.first > window:
        kept = max(0, snapshot.now - evidence.first) // DAY
        yield f"no evidence: it has no use on record, and uses are recorded for {amount(kept, 'day')} only"
    elif not facts.uses and evidence.uses and snapshot.now - evidence.last > settings.stale_after_days * DAY:
        yield f"no evidence: it has no use on record, and none of any skill since {day(evidence.last)}"


def _month(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m")


def day(moment: int) -> str:
    """Return the date of a moment in UTC."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")


def _evidence(facts: SkillFacts, snapshot: Snapshot) -> Iterator[str]:
    if facts.created:
        yield f"created {day(facts.created)} by {facts.author}"
    if facts.changed > facts.created:
        yield f"changed {day(facts.changed)}"
    if facts.restored:
        yield f"restored {day(facts.restored)}"
    if facts.uses:
        yield f"{amount(len(facts.uses), 'use')} on record, the last on {day(facts.last_used)}"
    else:
        yield f"no use among {snapshot.evidence.uses} on record"
    named = amount(len(facts.references), "place")
    yield f"named in {named}" if facts.references else "named nowhere in the repository"
    yield from facts.notes
