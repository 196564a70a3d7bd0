"""The guards trust no planner: an honest plan passes, and each way to spoil it is named by the guard that is for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hermes_git.curator import guards
from hermes_git.curator.facts import Evidence, SkillFacts, Snapshot
from hermes_git.curator.plan import Plan, Step, build
from hermes_git.curator.snapshot import take
from hermes_git.curator.tree import Edit
from hermes_git.provenance.references import Reference
from hermes_git.settings import DEFAULTS, CuratorSettings, Settings
from tests.curator.conftest import NOW, Garden, ago
from tests.curator.test_run import plant

OLD, RELEASE, SHIP = (f"knowledge/skills/devops/{name}" for name in ("old-report", "release", "ship"))
Case = tuple[Plan, Snapshot, Settings]


@pytest.fixture
def honest(garden: Garden) -> Case:
    garden.write(f"{OLD}/assets/chart.png", b"\x89PNG\r\n\x1a\n" + bytes(40))
    plant(garden)
    snapshot = take(garden.repo, garden.head(), DEFAULTS, now=int(NOW.timestamp()))
    return build(snapshot, DEFAULTS), snapshot, DEFAULTS


def curator(**values: object) -> Callable[[Case], Case]:
    """Return a change of the settings that were not there when the plan was made."""
    settings = replace(DEFAULTS, curator=replace(CuratorSettings(), **values))  # type: ignore[arg-type]
    return lambda case: (case[0], case[1], settings)


def facts(root: str, **values: object) -> Callable[[Case], Case]:
    """Return a change of what is known of one skill."""

    def changed(row: SkillFacts) -> SkillFacts:
        return replace(row, **values) if row.root == root else row  # type: ignore[arg-type]

    return lambda case: (case[0], replace(case[1], skills=tuple(map(changed, case[1].skills))), case[2])


def evidence(known: Evidence) -> Callable[[Case], Case]:
    return lambda case: (case[0], replace(case[1], evidence=known), case[2])


def step(number: int, change: Callable[[Step], Step]) -> Callable[[Case], Case]:
    """Return a change of one step of the plan."""

    def changed(case: Case) -> Case:
        rows = tuple(change(row) if row.number == number else row for row in case[0].steps)
        return replace(case[0], steps=rows), case[1], case[2]

    return changed


def only_removals(row: Step) -> Step:
    return replace(row, edits=tuple(edit for edit in row.edits if edit.leaf is None))


def shortened(case: Case) -> Case:
    """Cut the last line off the target's SKILL.md, and one more, so that it is shorter than before."""
    plan, snapshot, settings = case
    before = snapshot.tree.leaves[f"{RELEASE}/SKILL.md"]
    lines = (before.data or b"").decode().rstrip("\n").split("\n")[:-1]
    edit = Edit(f"{RELEASE}/SKILL.md", snapshot.tree.leaf("\n".join(lines).encode(), before.mode))
    return step(2, lambda row: replace(row, edits=(*row.edits, edit)))((plan, snapshot, settings))


def twice(case: Case) -> Case:
    plan, snapshot, settings = case
    return replace(plan, steps=(*plan.steps, replace(plan.steps[0], number=3))), snapshot, settings


def into_each_other(case: Case) -> Case:
    plan, snapshot, settings = case
    back = replace(plan.steps[1], number=3, roots=(SHIP, RELEASE), target="devops/release", into="devops/ship")
    return replace(plan, steps=(*plan.steps, back)), snapshot, settings


def target_leaves(case: Case) -> Case:
    plan, snapshot, settings = case
    gone = replace(plan.steps[0], number=3, roots=(RELEASE,))
    return replace(plan, steps=(*plan.steps, gone)), snapshot, settings


def test_an_honest_plan_passes(honest: Case) -> None:
    assert [row.kind for row in honest[0].steps] == ["archive", "consolidate"]
    assert guards.check(*honest) == ()


@pytest.mark.parametrize(
    ("spoil", "check", "word"),
    [
        (curator(pinned=("devops/old-report",)), "HG801", "pinned"),
        (curator(protected=("ship",)), "HG801", "protected"),
        (facts(OLD, author="person"), "HG801", "written by a person"),
        (facts(SHIP, origin="builtin"), "HG801", "built in"),
        (step(1, only_removals), "HG802", "last copy"),
        (step(1, only_removals), "HG804", "Collect the numbers by hand and mail them."),
        (step(1, lambda row: replace(row, roots=("knowledge/skills/no/such",))), "HG803", "does not exist"),
        (step(2, lambda row: replace(row, into="devops/elsewhere")), "HG803", "devops/elsewhere, which is not there"),
        (target_leaves, "HG803", "which the same plan moves away"),
        (shortened, "HG804", "Write the outcome into the release log."),
        (shortened, "HG805", "shorter after step 2"),
        (twice, "HG806", "steps 1 and 3 both concern it"),
        (into_each_other, "HG806", "steps 2 and 3 both concern it"),
        (curator(max_steps=1), "HG808", "2 steps, at most 1"),
        (evidence(Evidence()), "HG809", "the ledger of uses is empty"),
        (evidence(Evidence(3, ago(400), ago(3), damaged_months=frozenset({"2026-10"}))), "HG809", "damaged in 2026-10"),
        (facts(OLD, restored=ago(5)), "HG810", "restored"),
        (facts(OLD, references=(Reference("AGENTS.md", 7, "instructions"),)), "HG811", "AGENTS.md:7 names it"),
    ],
)
def test_a_spoilt_plan_is_named(honest: Case, spoil: Callable[[Case], Case], check: str, word: str) -> None:
    found = guards.check(*spoil(honest))
    assert [row for row in found if row.check == check and word in row.message], [str(row) for row in found]
    assert all(row.severity.word == "error" for row in found)
