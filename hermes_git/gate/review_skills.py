"""The skills of a review: what happened to each, by section, and what it is able to do now that it was not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hermes_git.gate.proposal import Proposal
from hermes_git.gate.replay import Commit
from hermes_git.gate.review_past import Past
from hermes_git.gitrepo.read import Difference
from hermes_git.knowledge.compare import Altered, compare
from hermes_git.knowledge.conformance import altered_hosts
from hermes_git.knowledge.layout import SKILL_FILE, is_below, place, skill_key, skill_roots
from hermes_git.knowledge.skill import Skill, group, read_skill
from hermes_git.provenance.actor import actor_of_message
from hermes_git.provenance.change import Actor, parse
from hermes_git.provenance.reviewed import Ability, Hand, SkillRow
from hermes_git.settings import Settings

if TYPE_CHECKING:
    from hermes_git.checks.run import Scan

HARMLESS = ("imports",)
"""Axes that are shown and need no approval: what a program imports says less than what it then does."""

GRANT = re.compile(r"[^\s,(]+(?:\([^)]*\))?")


@dataclass(frozen=True, slots=True)
class _Side:
    """The skills of one side of a range, by folder, and what the scan of that side found."""

    skills: dict[str, Skill]
    scan: Scan


def scans(before: Proposal, after: Proposal, settings: Settings, trust: str) -> tuple[Scan, Scan]:
    """Scan both sides of a range alike, so that only the change makes a difference."""
    from hermes_git.checks.run import scan

    origins = {**before.origins, **after.origins}
    return (
        scan(before.documents, settings=settings, trust=trust, only=before.changed, origins=origins),
        scan(after.documents, settings=settings, trust=trust, only=after.changed, origins=origins),
    )


def rows(
    differences: Sequence[Difference],
    proposals: tuple[Proposal, Proposal],
    done: tuple[Scan, Scan],
    settings: Settings,
    known: tuple[Sequence[Commit], Past],
) -> tuple[SkillRow, ...]:
    """Compare the skills of both sides, moved ones with what they were."""
    old, new = (_side(proposal, scan) for proposal, scan in zip(proposals, done, strict=True))
    touched = {root for root in {*old.skills, *new.skills} if any(is_below(row.path, root) for row in differences)}
    pairs = _pairs(old, new, touched)
    found = [_row(before, after, (old, new), settings, known) for before, after in pairs]
    return tuple(sorted(found, key=lambda row: row.key))


def _side(proposal: Proposal, scan: Scan) -> _Side:
    roots = skill_roots(document.path for document in proposal.documents)
    return _Side({root: read_skill(root, files) for root, files in group(proposal.documents, roots).items()}, scan)


def _pairs(old: _Side, new: _Side, touched: set[str]) -> list[tuple[str, str]]:
    """Pair folders before and after: the same folder, else one with the same SKILL.md or name that took its place."""
    same = {root for root in touched if root in old.skills and root in new.skills}
    gone = sorted(root for root in touched - same if root in old.skills)
    came = sorted(root for root in touched - same if root in new.skills)
    pairs = [(root, root) for root in sorted(same)]
    for root in gone:
        match = next((other for other in came if _same(old.skills[root], new.skills[other])), "")
        if match:
            came.remove(match)
        pairs.append((root, match))
    return pairs + [("", root) for root in came]


def _same(one: Skill, other: Skill) -> bool:
    return one.name == other.name or (one.body == other.body and bool(one.body.strip()))


def _row(
    before: str, after: str, sides: tuple[_Side, _Side], settings: Settings, known: tuple[Sequence[Commit], Past]
) -> SkillRow:
    old, new = sides[0].skills.get(before), sides[1].skills.get(after)
    root = after or before
    keys = [skill_key(part, settings) for part in (after, before) if part]
    could = abilities(old, sides[0].scan, before)
    can = abilities(new, sides[1].scan, after)
    return SkillRow(
        keys[0],
        root,
        _how(before, after, settings),
        (new or old).description if (new or old) else "",  # type: ignore[union-attr]
        _altered(old, new, before, after),
        tuple(sorted(can - could)),
        tuple(sorted(could - can)),
        tuple(_hands(known[0], {*keys, before, after})),
        known[1].usage("skill", [*keys, *(key.rsplit("/", 1)[-1] for key in keys)]),
        known[1].taught.get(before, ""),
    )


def _how(before: str, after: str, settings: Settings) -> str:
    if not before:
        return "added"
    if not after:
        return "removed"
    if before == after:
        return "changed"
    return "archived" if place(f"{after}/{SKILL_FILE}", settings).area == "archived-skill" else "moved"


def _altered(old: Skill | None, new: Skill | None, before: str, after: str) -> tuple[Altered, ...]:
    if new is None or old is None:
        only = new or old
        empty = replace(only, header=replace(only.header, values={}, body=""), documents=()) if only else None
        pair = (old or empty, new or empty)
    else:
        pair = (old, new)
    if pair[0] is None or pair[1] is None:
        return ()
    found = compare(pair[0], pair[1]).rows
    moved = (Altered("folder", after, "renamed", before, after),) if before and after and before != after else ()
    return (*moved, *found, *altered_hosts(old, new))


def abilities(skill: Skill | None, scan: Scan, root: str) -> set[Ability]:
    """Return what a skill is able to do: the facts of its files, and the tools its header asks for."""
    if skill is None:
        return set()
    found = {Ability(fact.axis, fact.value) for fact in scan.facts if is_below(fact.path, root)}
    granted = skill.header.values.get("allowed-tools", "")
    words = granted if isinstance(granted, list) else GRANT.findall(str(granted))
    return found | {Ability("tool", str(word)) for word in words}


def _hands(commits: Iterable[Commit], names: set[str]) -> Iterable[Hand]:
    """Yield who touched a skill: the commits that declare it, or that change its files."""
    for row in commits:
        declared = [change for change in parse(row.message) if change.target.removeprefix("skill:") in names]
        touched = any(is_below(change.path, name) for change in row.differences for name in names if name)
        if declared or (touched and not row.is_merge):
            said = declared[0] if declared else None
            actor = said.actor if said else actor_of_message(row.message) or Actor()
            extra = said.extra if said else {}
            subject = row.message.split("\n", 1)[0]
            session = said.session if said else ""
            yield Hand(actor, row.id, subject, session, extra.get("evidence", ""), extra.get("quote", ""))
