"""What is known to go wrong in curators that keep their state beside the files, each shown not to happen here."""

from __future__ import annotations

import json

import pytest

from hermes_git.curator import apply, run
from hermes_git.curator.nudge import signals
from hermes_git.curator.report import Run, as_json, render
from hermes_git.provenance import spool
from hermes_git.provenance.history import history
from hermes_git.provenance.ledger import Use
from hermes_git.sessions.model import Message, Session, ToolCall
from hermes_git.settings import DEFAULTS
from tests.curator.conftest import NOW, Garden, ago
from tests.curator.test_run import plant

MOMENT = int(NOW.timestamp())


def curate(garden: Garden, days: float = 0) -> Run:
    made = run.prepare(garden.repo, garden.head(), DEFAULTS, now=MOMENT + int(days * 86_400))
    if made.applied:
        apply.publish(garden.repo, made.plan, made.tip)
    return made


def test_provenance_is_in_the_history_and_not_in_memory(garden: Garden) -> None:
    garden.write("knowledge/skills/dev/a/SKILL.md", "---\nname: a\ndescription: d\n---\nx\n")
    line = "Hermes-Change: create dev/a -..abc1234 actor=agent:hermes session=20261101_1"
    garden.commit(10, f"add\n\n{line}", agent=False)
    created = history(garden.repo, garden.head()).skills["knowledge/skills/dev/a"].created
    assert str(created.author) == "agent:hermes"
    assert line in garden.repo.git("log", "-1", "--format=%B").decode()


def test_a_corrupt_ledger_forgets_no_pin_and_no_author(garden: Garden) -> None:
    garden.skill("dev/a", "x", 400, extra="metadata:\n  pinned: true\n")
    garden.skill("dev/b", "y", 400)
    garden.use("dev/b", 300)
    spool.record_use(garden.repo, Use(ago(1), "skill", "dev/a", "viewed"))
    with spool.spool_path(garden.repo).open("ab") as stream:
        stream.write(b"\0\0\0")
    made = curate(garden)
    assert made.steps == ()
    reasons = {row.key: row.exempt for row in made.plan.transitions}
    assert "damaged" in reasons["dev/b"] and {facts.author for facts in made.snapshot.skills} == {"agent"}
    assert made.snapshot.evidence.damaged


def test_a_renamed_skill_keeps_its_uses_and_its_age(garden: Garden) -> None:
    garden.skill("dev/old-name", "Some words that stay the same in both.", 400)
    garden.use("dev/old-name", 20)
    garden.repo.git("mv", "knowledge/skills/dev/old-name", "knowledge/skills/dev/new-name")
    garden.commit(5, "rename")
    (facts,) = curate(garden).snapshot.skills
    assert (facts.created, len(facts.uses), facts.key) == (ago(400), 1, "dev/new-name")


def test_archived_names_are_in_the_report(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    table = as_json(made)
    assert [step["target"] for step in table["steps"]] == ["devops/old-report", "devops/ship"]  # type: ignore[index]
    assert "Archive devops/old-report" in render(made)


def test_a_dry_run_lists_what_a_real_run_does(garden: Garden) -> None:
    plant(garden)
    dry = run.prepare(garden.repo, garden.head(), DEFAULTS, now=MOMENT)
    real = curate(garden)
    assert [done.step for done in dry.steps] == [done.step for done in real.steps] != []


def test_the_target_of_a_merge_holds_what_was_merged(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    (merged,) = (done for done in made.applied if done.step.kind == "consolidate")
    assert merged.loss.count("dropped") == 0 and merged.loss.count("moved") > 0


def test_long_evidence_is_not_cut_into_a_wrong_story(garden: Garden) -> None:
    """A merge of a long skill is told as a merge: what happened is read from the trees, not from cut-off calls."""
    long = "\n".join(f"{number}. Step number {number} of a long procedure, told at length." for number in range(200))
    garden.skill("dev/long-one", long, 20)
    garden.skill("dev/long-two", long + "\n\nOne more line.", 20)
    made = curate(garden)
    assert [(done.step.kind, bool(done.commit)) for done in made.steps] == [("consolidate", True)]


def test_no_quota_pushes_for_more(garden: Garden) -> None:
    garden.skill("dev/a", "Restart the queue when it stalls.", 20)
    garden.skill("dev/b", "Rotate the keys of the mail server.", 20)
    assert curate(garden).steps == ()


def test_archive_and_restore_keep_the_category(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    assert made.applied[0].step.into.startswith("knowledge/archive/devops/old-report@")


def test_an_undo_is_one_step_and_not_a_whole_snapshot(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    garden.repo.git("merge", "-q", "--ff-only", made.plan.branch)
    garden.skill("devops/newer", "Written after the run.", 0)
    garden.repo.git("revert", "--no-edit", made.applied[0].commit)
    files = garden.files()
    assert "knowledge/skills/devops/newer/SKILL.md" in files
    assert "knowledge/skills/devops/old-report/SKILL.md" in files


def test_quality_counts_beside_age(garden: Garden) -> None:
    """Of two duplicates the used one takes the other in, whichever is older or longer."""
    plant(garden)
    garden.use("devops/ship", 1, session="s2")
    garden.use("devops/ship", 2, session="s3")
    made = curate(garden)
    (merged,) = (done.step for done in made.applied if done.step.kind == "consolidate")
    assert (merged.target, merged.into) == ("devops/release", "devops/ship")


def test_two_runs_at_once_agree_or_one_says_no(garden: Garden) -> None:
    plant(garden)
    one = run.prepare(garden.repo, garden.head(), DEFAULTS, now=MOMENT)
    two = run.prepare(garden.repo, garden.head(), DEFAULTS, now=MOMENT)
    assert apply.publish(garden.repo, one.plan, one.tip) == "created"
    assert apply.publish(garden.repo, two.plan, two.tip) == "unchanged"


INTERRUPTED = (
    Message(1, "user", "go"),
    Message(2, "assistant", "done"),
    Message(3, "user", "No, use the other host"),
    Message(4, "assistant", "", tool_calls=(ToolCall("c4", "memory", json.dumps({"action": "add"})),)),
    Message(5, "tool", "Error: refused", tool_call_id="c4", is_error=True),
)


@pytest.mark.parametrize("cut", [3, 4, 5])
def test_an_interrupted_turn_or_a_refused_write_loses_no_nudge(cut: int) -> None:
    found = signals(Session("s", "hermes", messages=INTERRUPTED[:cut]))
    assert [(signal.kind, signal.message) for signal in found] == [("correction", 3)]


def test_counters_do_not_start_anew_with_each_process() -> None:
    rows = tuple(Message(number, "user" if number % 2 else "assistant", "x") for number in range(1, 25))
    first = signals(Session("s", "hermes", messages=rows[:12]))
    assert first == () and [row.kind for row in signals(Session("s", "hermes", messages=rows))] == [
        "memory-counter",
        "skill-counter",
    ]
