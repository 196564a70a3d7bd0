"""Active, stale, archived: boundaries, exemptions with their reasons, and evidence that is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes_git.curator.facts import DAY, Evidence, SkillFacts, Snapshot
from hermes_git.curator.lifecycle import transitions
from hermes_git.curator.tree import Tree
from hermes_git.document import Document
from hermes_git.knowledge.skill import read_skill
from hermes_git.provenance.ledger import Use
from hermes_git.provenance.references import Reference
from hermes_git.settings import CuratorSettings

NOW = 1_000 * DAY
SETTINGS = CuratorSettings()
EVIDENCE = Evidence(uses=5, first=1, last=NOW)


def facts(days: float = 400, header: str = "", root: str = "skills/a", **values: object) -> SkillFacts:
    text = f"---\nname: {root.rsplit('/', 1)[-1]}\ndescription: d\n{header}---\nbody\n"
    skill = read_skill(root, [Document(f"{root}/SKILL.md", text.encode())])
    moment = int(NOW - days * DAY)
    made = SkillFacts(skill, root.removeprefix("skills/"), "t", moment, moment, author="agent")
    return replace(made, **values)  # type: ignore[arg-type]


def used(days: float) -> tuple[Use, ...]:
    return (Use(int(NOW - days * DAY), "skill", "a", "applied"),)


def judge(
    *skills: SkillFacts, settings: CuratorSettings = SETTINGS, evidence: Evidence = EVIDENCE, **values: object
) -> list[tuple[str, str]]:
    snapshot = Snapshot("b", NOW, Tree(), skills, evidence=evidence, **values)  # type: ignore[arg-type]
    return [(row.state, row.exempt) for row in transitions(snapshot, settings)]


BOUNDARIES = [
    (0, "active"),
    (29.99, "active"),
    (30, "stale"),
    (89.99, "stale"),
    (90, "archive"),
    (5000, "archive"),
]


@pytest.mark.parametrize(("days", "state"), BOUNDARIES)
def test_boundaries_are_inclusive(days: float, state: str) -> None:
    assert judge(facts(days, uses=used(max(days, 1)))) == [(state, "")]


ACTIVITY = [
    {"uses": used(5)},
    {"changed": NOW - 5 * DAY},
    {"restored": NOW - 5 * DAY},
]


@pytest.mark.parametrize("values", ACTIVITY)
def test_a_use_a_change_or_a_restore_keeps_it_active(values: dict[str, object]) -> None:
    assert judge(facts(400, **values)) == [("active", "")]


EXEMPT = [
    ({}, CuratorSettings(pinned=("a",)), "pinned"),
    ({"header": "pinned: true\n"}, SETTINGS, "pinned"),
    ({"header": "metadata:\n  pinned: true\n"}, SETTINGS, "pinned"),
    ({"header": "metadata:\n  status: probation\n"}, SETTINGS, "in probation"),
    ({}, CuratorSettings(protected=("a",)), "protected"),
    ({"author": "person"}, SETTINGS, "written by a person"),
    ({"origin": "builtin"}, SETTINGS, "built in"),
    ({"origin": "https://example.invalid/skills.git"}, CuratorSettings(prune_builtins=True), "installed from https://"),
    ({"header": "broken: [\n"}, SETTINGS, "cannot be read"),
    ({"references": (Reference(".github/workflows/ci.yml", 3, "job"),)}, SETTINGS, "named in .github/workflows/ci.yml"),
    ({"references": (Reference("AGENTS.md", 1, "instructions"),)}, SETTINGS, "named in AGENTS.md:1"),
    ({"references": (Reference("skills/b/SKILL.md", 1, "skill"),)}, SETTINGS, "named in skills/b"),
    ({"created": NOW - 3 * DAY, "changed": NOW - 3 * DAY},
     CuratorSettings(stale_after_days=1, archive_after_days=2), "only 3 days old"),
    ({"restored": NOW - 20 * DAY}, CuratorSettings(stale_after_days=1, archive_after_days=2), "restored 20 days ago"),
]  # fmt: skip


@pytest.mark.parametrize(("values", "settings", "reason"), EXEMPT)
def test_exemptions_say_why(values: dict[str, object], settings: CuratorSettings, reason: str) -> None:
    header = str(values.pop("header", "")) if "header" in values else ""
    ((state, exempt),) = judge(facts(400, header, uses=used(400), **values), settings=settings)
    assert state == "stale"
    assert reason in exempt


ALLOWED = [
    ({"author": "person"}, CuratorSettings(person_authored=True)),
    ({"origin": "builtin"}, CuratorSettings(prune_builtins=True)),
    ({"references": (Reference("README.md", 3, "prose"),)}, SETTINGS),
    ({"author": "unknown"}, SETTINGS),
]


@pytest.mark.parametrize(("values", "settings"), ALLOWED)
def test_what_is_no_exemption(values: dict[str, object], settings: CuratorSettings) -> None:
    assert judge(facts(400, uses=used(400), **values), settings=settings) == [("archive", "")]


NO_EVIDENCE = [
    ({}, Evidence(), {}, "the ledger of uses is empty"),
    ({}, Evidence(uses=5, first=NOW - 60 * DAY), {}, "recorded for 60 days only"),
    ({}, Evidence(uses=5, first=1, last=NOW - 31 * DAY), {}, "none of any skill since 1972-"),
    ({"uses": used(400)}, EVIDENCE, {"is_shallow": True}, "history is not here"),
    ({"uses": used(400), "created": 0}, EVIDENCE, {}, "history is not here"),
    ({"uses": used(400)}, replace(EVIDENCE, damaged_months=frozenset({"1972-09"})), {}, "damaged in 1972-09"),
    ({"uses": used(400)}, replace(EVIDENCE, damaged_months=frozenset({"uses"})), {}, "damaged in uses"),
]


@pytest.mark.parametrize(("values", "evidence", "world", "reason"), NO_EVIDENCE)
def test_no_evidence_is_not_disuse(
    values: dict[str, object], evidence: Evidence, world: dict[str, object], reason: str
) -> None:
    ((state, exempt),) = judge(facts(400, **values), evidence=evidence, **world)
    assert state == "stale" and "no evidence" in exempt and reason in exempt


ENOUGH = [
    ({"uses": used(400)}, Evidence(uses=1, first=NOW - 400 * DAY)),
    ({}, Evidence(uses=5, first=NOW - 90 * DAY, last=NOW - 30 * DAY)),
    ({"uses": used(400)}, replace(EVIDENCE, damaged_months=frozenset({"1970-01"}))),
]


@pytest.mark.parametrize(("values", "evidence"), ENOUGH)
def test_what_is_evidence_enough(values: dict[str, object], evidence: Evidence) -> None:
    assert judge(facts(400, **values), evidence=evidence) == [("archive", "")]


def test_skills_that_only_name_each_other_go_together() -> None:
    one = facts(root="skills/a", uses=used(400), references=(Reference("skills/b/SKILL.md", 1, "skill"),))
    two = facts(root="skills/b", uses=used(400), references=(Reference("skills/a/SKILL.md", 1, "skill"),))
    assert [state for state, _ in judge(one, two)] == ["archive", "archive"]
    fresh = replace(two, uses=used(1))
    assert [state for state, _ in judge(one, fresh)] == ["stale", "active"]


CHANGES = [(400, "active", "archived"), (40, "", "marked_stale"), (40, "stale", ""), (1, "stale", "reactivated")]


@pytest.mark.parametrize(("days", "was", "change"), CHANGES)
def test_what_changed_since_the_last_report_is_told(days: int, was: str, change: str) -> None:
    snapshot = Snapshot("b", NOW, Tree(), (facts(days, uses=used(days)),), evidence=EVIDENCE, states={"a": was})
    assert [row.change for row in transitions(snapshot, SETTINGS)] == [change]
