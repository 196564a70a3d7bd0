"""A whole run on a real repository: what it archives and merges, that it repeats itself exactly, and can be undone."""

from __future__ import annotations

import json

from hermes_git.curator import apply, run
from hermes_git.curator.report import Run
from hermes_git.settings import DEFAULTS
from tests.curator.conftest import NOW, Garden

STEPS = "\n".join(
    f"{number}. {text}"
    for number, text in enumerate(
        [
            "Check that the working tree is clean before anything else.",
            "Fetch the remote and compare the release branch with it.",
            "Build the container image and tag it with the commit id.",
            "Push the image to the registry and wait for the scan.",
            "Roll the deployment forward one zone at a time.",
            "Watch the error rate for ten minutes after every zone.",
            "Roll back at once when the rate doubles.",
            "Write the outcome into the release log.",
        ],
        1,
    )
)


def curate(garden: Garden) -> Run:
    made = run.prepare(garden.repo, garden.head(), DEFAULTS, now=int(NOW.timestamp()))
    apply.publish(garden.repo, made.plan, made.tip)
    return made


def plant(garden: Garden) -> None:
    garden.skill("devops/old-report", "Collect the numbers by hand and mail them.", 400)
    garden.skill("devops/fresh", "Restart the queue when it stalls.", 400)
    garden.skill("devops/release", STEPS, 40)
    garden.skill("devops/ship", STEPS + "\n9. Never ship on a Friday afternoon.", 40)
    garden.use("old-report", 390)
    garden.use("devops/fresh", 3)
    garden.use("devops/release", 3)


def test_archives_the_disused_and_merges_the_duplicate(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    assert [(done.step.kind, done.step.target, done.step.into) for done in made.steps] == [
        ("archive", "devops/old-report", made.steps[0].step.into),
        ("consolidate", "devops/ship", "devops/release"),
    ]
    assert not made.findings
    files = garden.files(made.plan.branch)
    assert any(path.startswith("knowledge/archive/devops/old-report@20261129-") for path in files)
    assert "knowledge/skills/devops/ship/SKILL.md" not in files
    merged = garden.show(f"{made.plan.branch}:knowledge/skills/devops/release/SKILL.md")
    moved = garden.show(f"{made.plan.branch}:knowledge/skills/devops/release/references/ship.md")
    assert "[ship](references/ship.md). Load when this fits: Do the thing." in merged
    assert "Never ship on a Friday afternoon." in moved


def test_two_runs_give_the_same_commits_and_a_second_changes_nothing(garden: Garden) -> None:
    plant(garden)
    first, second = curate(garden), curate(garden)
    assert first.tip == second.tip
    assert [done.commit for done in first.steps] == [done.commit for done in second.steps]
    garden.repo.git("merge", "-q", "--ff-only", first.plan.branch)
    again = (
        curate(garden) if run.prepare(garden.repo, garden.head(), DEFAULTS, now=int(NOW.timestamp())).steps else None
    )
    assert again is None


def test_reverting_one_step_restores_exactly_that(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    garden.repo.git("switch", "-q", made.plan.branch)
    for done in made.steps:
        before = garden.repo.git("rev-parse", f"{done.commit}^:knowledge/skills").decode()
        garden.repo.git("checkout", "-q", "--detach", done.commit)
        garden.repo.git("revert", "--no-edit", "HEAD")
        assert garden.repo.git("rev-parse", "HEAD:knowledge/skills").decode() == before
    garden.repo.git("switch", "-q", made.plan.branch)
    garden.repo.git("revert", "--no-edit", made.steps[0].commit)
    assert "knowledge/skills/devops/old-report/SKILL.md" in garden.files()
    assert "knowledge/skills/devops/ship/SKILL.md" not in garden.files()


def test_the_report_is_on_the_branch_in_both_forms(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    stem = f"{made.plan.branch}:knowledge/curator/{made.plan.run}"
    table = json.loads(garden.show(f"{stem}.json"))
    assert [step["commit"] for step in table["steps"]] == [done.commit for done in made.steps]
    assert "Archive devops/old-report" in garden.show(f"{stem}.md")


def test_the_work_tree_and_index_stay_as_they_are(garden: Garden) -> None:
    plant(garden)
    garden.write("knowledge/skills/devops/fresh/SKILL.md", "half written")
    garden.write("staged.md", "staged")
    garden.repo.git("add", "staged.md")
    before = garden.repo.git("status", "--porcelain=v2").decode()
    curate(garden)
    assert garden.repo.git("status", "--porcelain=v2").decode() == before


TOKEN = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"


def plant_secret(garden: Garden) -> None:
    """Plant two duplicates of which the one that moves holds a token and a link: the merge would write both anew."""
    garden.skill("devops/release", STEPS + "\n\nMore of it here.", 40)
    garden.write("knowledge/skills/devops/ship/references/x.md", "About x.\n")
    garden.skill("devops/ship", STEPS + f"\n\n[x](references/x.md) token = {TOKEN}", 40)
    garden.use("devops/release", 3)


def test_the_gate_refuses_a_step_and_the_rest_goes_on(garden: Garden) -> None:
    plant_secret(garden)
    garden.skill("devops/old-report", "Collect the numbers by hand and mail them.", 400)
    garden.use("old-report", 390)
    made = curate(garden)
    assert [done.step.kind for done in made.applied] == ["archive"]
    (refused,) = (done for done in made.steps if not done.commit)
    assert refused.blocked and all(finding in made.findings for finding in refused.blocked)
    report = garden.show(f"{made.tip}:knowledge/curator/{made.plan.run}.md")
    assert "**not applied:**" in report and TOKEN not in report


def test_what_only_moves_is_not_held_against_a_step(garden: Garden) -> None:
    garden.skill("devops/old-report", f"token = {TOKEN}", 400)
    garden.use("old-report", 390)
    made = curate(garden)
    assert [done.step.target for done in made.applied] == ["devops/old-report"]
