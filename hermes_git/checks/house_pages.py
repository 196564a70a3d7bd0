"""House rules that need every skill at once: their ids are explained here, `hermes-git skill check` raises them.

A commit hook sees the skills of one change; a related skill that was not touched would look missing to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hermes_git.checks.registry import declare
from hermes_git.finding import NOTE, WARNING, Finding, digest
from hermes_git.knowledge.skill import Skill

declare(
    "HG239",
    severity=WARNING,
    title="Related skill does not exist",
    doc="""
    `related_skills` names a skill that is not in the repository, so an agent that follows it finds nothing. Raised by
    `hermes-git skill check`, which sees all skills.

    Fix: correct the name, or take it off the list.
    """,
)
declare(
    "HG240",
    severity=NOTE,
    title="Skill says nearly the same as another one",
    doc="""
    Two skills are alike to at least `curator.similarity` (TF-IDF over words and word pairs, section by section). An
    agent sees both in its index and loads one of them by chance. Raised by `hermes-git skill check`.

    Fix: merge them, or say in each description what sets it apart. `hermes-git curate` proposes a merge.
    """,
)


def related(skill: Skill) -> tuple[str, ...]:
    """Return the names under `related_skills`, at the top or below `metadata.hermes`, as a list or with commas."""
    metadata = skill.header.values.get("metadata")
    hermes = metadata.get("hermes") if isinstance(metadata, dict) else None
    found = hermes.get("related_skills") if isinstance(hermes, dict) else None
    found = skill.header.values.get("related_skills") if found is None else found
    names = found.split(",") if isinstance(found, str) else found if isinstance(found, list) else []
    return tuple(name.strip() for name in map(str, names) if name.strip())


def missing_related(skills: Mapping[str, Skill], wanted: Iterable[str]) -> Iterator[Finding]:
    """Yield HG239 for each related skill that none of `skills` is called, for the roots wanted."""
    known = {name for skill in skills.values() for name in (skill.name, skill.folder)}
    for root in wanted:
        skill = skills[root]
        for name in related(skill):
            if name.rsplit("/", 1)[-1] not in known:
                line = skill.header.lines.get("related_skills", skill.header.lines.get("metadata", 1))
                message = f"the related skill {name!r} does not exist"
                hint = "correct the name, or take it off the list"
                yield Finding(skill.path, line, 1, "HG239", WARNING, message, digest(name), hint)


def overlap(one: Skill, other: Skill, score: float) -> Finding:
    """Return HG240 for two skills that are alike to a score from 0 to 1."""
    message = f"says nearly the same as {other.path} ({score:.0%} alike)"
    hint = "merge them, or say in each description what sets it apart"
    return Finding(one.path, 1, 1, "HG240", NOTE, message, digest(other.path), hint)
