"""Five skills of one age: only the one that is proved to be disused, and nobody's, is proposed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hermes_git.curator import apply, run
from hermes_git.curator.report import Run, render
from hermes_git.provenance import spool
from hermes_git.provenance.ledger import Use
from hermes_git.settings import CuratorSettings, Settings
from tests.curator.conftest import NOW, Garden, ago

SETTINGS = Settings(curator=CuratorSettings(pinned=("pinned",)))
NAMES = ("in-workflow", "edited", "by-person", "pinned", "forgotten")


def plant(garden: Garden) -> None:
    for name in NAMES:
        garden.skill(
            f"ops/{name}", f"How to do what {name} says, in many words of its own.", 500, agent=name != "by-person"
        )
    garden.write(".github/workflows/nightly.yml", "run: agent --skill in-workflow\n")
    garden.commit(450)
    for name in NAMES[1:]:
        garden.use(f"ops/{name}", 400)
    garden.write("knowledge/skills/ops/edited/SKILL.md", "---\nname: edited\ndescription: New.\n---\n\nNew words.\n")
    garden.commit(1, "edit")


def curate(garden: Garden) -> Run:
    return run.prepare(garden.repo, garden.head(), SETTINGS, now=int(NOW.timestamp()))


def test_only_what_is_proved_disused_is_archived(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    assert [done.step.target for done in made.applied] == ["ops/forgotten"]
    reasons = {row.key: row.exempt or row.reason for row in made.plan.transitions}
    assert reasons == {
        "ops/by-person": "written by a person, and curator.person_authored is off",
        "ops/edited": "changed 1 day ago",
        "ops/forgotten": "nothing happened to it for 400 days",
        "ops/in-workflow": "named in .github/workflows/nightly.yml:1",
        "ops/pinned": "pinned",
    }
    text = render(made)
    for row in made.plan.transitions:
        assert all(fact in text for fact in row.evidence)


def test_a_second_run_after_merging_changes_nothing(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    apply.publish(garden.repo, made.plan, made.tip)
    garden.repo.git("merge", "-q", "--ff-only", made.plan.branch)
    assert curate(garden).steps == ()


def remove_ledger(garden: Garden) -> None:
    garden.repo.git("branch", "-qD", "hermes/sessions")


def damage_ledger(garden: Garden) -> None:
    from hermes_git.sessions.store import open_store

    month = NOW.strftime("%Y-%m")
    open_store(garden.repo, SETTINGS).write({f"ledger/{month}.jsonl": b"\0\0\0 torn"}, message="damage")


def empty_ledger(garden: Garden) -> None:
    from hermes_git.sessions.store import open_store

    store = open_store(garden.repo, SETTINGS)
    files = store.files("ledger")
    assert files, "there was one"
    store.write(dict.fromkeys(files, b""), message="nothing left")


@pytest.mark.parametrize("spoil", [remove_ledger, damage_ledger, empty_ledger])
def test_without_a_ledger_that_can_be_read_nothing_is_archived(garden: Garden, spoil: Callable[[Garden], None]) -> None:
    plant(garden)
    spoil(garden)
    made = curate(garden)
    assert made.steps == ()
    assert "no evidence" in {row.key: row.exempt for row in made.plan.transitions}["ops/forgotten"]


def test_a_shallow_clone_archives_nothing(garden: Garden, tmp_path: object) -> None:
    plant(garden)
    garden.repo.git("config", "uploadpack.allowFilter", "true")
    shallow = garden.repo.git_dir / "shallow"
    shallow.write_text(garden.head() + "\n", encoding="utf-8")
    assert curate(garden).steps == ()


def test_a_skill_restored_from_the_archive_is_not_archived_again(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    apply.publish(garden.repo, made.plan, made.tip)
    garden.repo.git("merge", "-q", "--ff-only", made.plan.branch)
    place = made.applied[0].step.into
    (garden.repo.work_tree() / "knowledge/skills/ops").mkdir(exist_ok=True)
    garden.repo.git("mv", place, "knowledge/skills/ops/forgotten")
    garden.commit(0, "take it back\n\nHermes-Change: restore ops/forgotten -..- actor=person:kim", agent=False)
    later = run.prepare(garden.repo, garden.head(), SETTINGS, now=int(NOW.timestamp()) + 20 * 86_400)
    assert later.steps == ()
    much_later = run.prepare(garden.repo, garden.head(), SETTINGS, now=int(NOW.timestamp()) + 91 * 86_400)
    assert [done.step.target for done in much_later.applied] == ["ops/edited", "ops/forgotten"]


def test_a_use_in_the_future_makes_nothing_immortal(garden: Garden) -> None:
    plant(garden)
    garden.use("ops/forgotten", -4000)
    assert [done.step.target for done in curate(garden).applied] == ["ops/forgotten"]
    assert any("dated in the future" in line for line in curate(garden).snapshot.evidence.partial)


def test_uses_that_are_not_in_the_ledger_here_make_the_evidence_partial(garden: Garden) -> None:
    plant(garden)
    assert not any("flushed" in line or "merged here" in line for line in curate(garden).snapshot.evidence.partial)
    spool.record_use(garden.repo, Use(ago(1), "skill", "ops/forgotten", "applied"))
    made = curate(garden)
    assert "not flushed to the ledger yet, but counted: 1 use" in made.snapshot.evidence.partial
    assert made.steps == (), "a use that waits counts"
    here = garden.repo.ask("rev-parse", "hermes/sessions")
    spool.flush(garden.repo, SETTINGS, now=NOW)
    garden.repo.git("update-ref", "refs/remotes/origin/hermes/sessions", "hermes/sessions")
    garden.repo.git("update-ref", "refs/heads/hermes/sessions", str(here))
    partial = curate(garden).snapshot.evidence.partial
    assert "origin/hermes/sessions has uses that are not merged here: hermes-git session merge" in partial
    assert "partial: origin/hermes/sessions" in render(curate(garden))


def test_a_look_and_what_came_of_it_in_one_session_are_one_use(garden: Garden) -> None:
    plant(garden)
    garden.use("ops/edited", 3, "viewed", session="s9")
    garden.use("ops/edited", 2, "succeeded", session="s9")
    garden.use("ops/edited", 1, "viewed", session="s10")
    facts = next(row for row in curate(garden).snapshot.skills if row.key == "ops/edited")
    assert sorted((use.session, use.outcome) for use in facts.uses) == [
        ("s1", "applied"), ("s10", "viewed"), ("s9", "succeeded"),
    ]  # fmt: skip


def test_a_look_by_the_curator_is_no_use(garden: Garden) -> None:
    from hermes_git.provenance import spool
    from hermes_git.provenance.ledger import Use

    plant(garden)
    look = Use(ago(2), "skill", "ops/forgotten", "viewed", maintenance=True)
    spool.add(garden.repo, SETTINGS, [look], now=NOW)
    assert [done.step.target for done in curate(garden).applied] == ["ops/forgotten"]


def test_folders_named_in_an_archived_skill_count_as_moved_with_it(garden: Garden) -> None:
    plant(garden)
    garden.write("knowledge/skills/ops/forgotten/references/deep/x.md", "See `references/deep/` and ../SKILL.md.\n")
    text = "---\nname: forgotten\ndescription: d\n---\n\nAll of `references/` and [deep](references/deep/x.md).\n"
    garden.write("knowledge/skills/ops/forgotten/SKILL.md", text)
    garden.commit(420)
    made = curate(garden)
    assert made.findings == ()
    assert [done.step.target for done in made.applied] == ["ops/forgotten"]
