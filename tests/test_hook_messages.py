"""What the hooks do with messages, run by git itself: who acts, what is declared, and that CI sees the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gate.range import judge_range
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.entries import entry_id
from hermes_git.provenance.actor import actor_of_message
from hermes_git.provenance.change import parse
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
GitCommit = Callable[..., Ran]
MEMORY = "knowledge/memory/MEMORY.md"
AGENT = {"HERMES_GIT_ACTOR": "agent:codex"}
B = entry_id("second fact")
REMOVES = f"Hermes-Change: remove memory {B}..- actor=agent:codex"


@pytest.fixture
def started(hooked: Repository, write: Write, git_commit: GitCommit) -> Repository:
    """Return a repository with hooks and two entries, committed by a person and tagged start."""
    write(MEMORY, "first fact\n§\nsecond fact")
    hooked.git("add", "-A")
    assert git_commit("-m", "start").code == 0
    hooked.git("tag", "start")
    return hooked


def message(repo: Repository, commit: str = "HEAD") -> str:
    return repo.git("log", "-1", "--format=%B", commit).decode()


def actions(repo: Repository, commit: str = "HEAD") -> list[str]:
    return [f"{change.action} {change.actor}" for change in parse(message(repo, commit))]


def test_an_ordinary_commit_says_who_acted_and_what(started: Repository, write: Write, git_commit: GitCommit) -> None:
    assert actions(started) == ["add person:tester", "add person:tester"]
    write(MEMORY, "first fact")
    assert git_commit("-a", "-m", "tidy", "-m", "Signed-off-by: T <t@t>").code == 0
    assert actions(started) == ["remove person:tester"]
    trailers = started.git("log", "-1", "--format=%(trailers:key=Signed-off-by,valueonly)").decode().strip()
    assert trailers == "T <t@t>", "other trailers are still trailers"
    assert judge_range(started, "start", "HEAD").verdict == "pass", "CI sees the same person"


def test_an_agent_states_what_it_adds_and_must_mean_what_it_removes(
    started: Repository, write: Write, git_commit: GitCommit
) -> None:
    write(MEMORY, "first fact\n§\nsecond fact\n§\nthird fact")
    assert git_commit("-a", "-m", "learn", env={**AGENT, "HERMES_GIT_SESSION": "s1"}).code == 0
    assert actions(started) == ["add agent:codex"] and "session=s1" in message(started)
    write(MEMORY, "first fact\n§\nthird fact")
    for args in (["-m", "tidy"], ["-m", "tidy", "--no-verify"]):
        refused = git_commit("-a", *args, env=AGENT)
        assert refused.code != 0 and REMOVES in refused.err
    refused = git_commit("-a", "-m", "tidy", env=AGENT)
    assert "what is staged stays staged" in refused.err and "git reset" not in refused.err, "nothing is to be given up"
    assert git_commit("-a", "-m", "tidy", "-m", REMOVES, env=AGENT).code == 0
    assert judge_range(started, "start", "HEAD").verdict == "pass"


def test_an_agent_cannot_sign_as_a_person(started: Repository, write: Write, git_commit: GitCommit) -> None:
    write(MEMORY, "first fact")
    said = "Hermes-Change: write repository -..- actor=person:alice"
    assert git_commit("-a", "-m", "tidy", "-m", said, env=AGENT).code != 0


def test_a_co_author_makes_the_change_an_agents(started: Repository, write: Write, git_commit: GitCommit) -> None:
    co_author = "Co-Authored-By: Claude <noreply@anthropic.com>"
    write(MEMORY, "first fact")
    assert git_commit("-a", "-m", "tidy", "-m", co_author).code != 0, "a removal by an agent must be declared"
    write("hermes-git.toml", "format = 1\n[memory]\nmemory_limit = 9000\n")
    started.git("checkout", "-q", "--", MEMORY)
    started.git("add", "-A")
    assert git_commit("-m", "more room", "-m", co_author).code != 0, "content is judged again, as an agent's"
    assert git_commit("-m", "more room").code == 0


def test_the_editor_comes_first(started: Repository, write: Write, git_commit: GitCommit) -> None:
    write(MEMORY, "first fact")
    editor = {"GIT_EDITOR": f"printf 'tidy\\n\\n{REMOVES}\\n' >", **AGENT}
    assert git_commit("-a", env=editor).code == 0, "a declaration written in the editor counts"
    assert actions(started) == ["remove agent:codex"]


@pytest.mark.parametrize("template", [False, True], ids=["empty", "untouched template"])
def test_a_message_that_nobody_wrote_still_aborts(
    started: Repository, write: Write, git_commit: GitCommit, tmp_path: Path, template: bool
) -> None:
    if template:
        (tmp_path / "template").write_text("Why:\n", encoding="utf-8")
        started.git("config", "commit.template", str(tmp_path / "template"))
    write(MEMORY, "first fact")
    assert git_commit("-a", env={"GIT_EDITOR": "true"}).code != 0
    assert message(started).startswith("start")


def test_amending_away_a_declaration_is_seen(started: Repository, write: Write, git_commit: GitCommit) -> None:
    write(MEMORY, "first fact")
    assert git_commit("-a", "-m", "tidy", "-m", REMOVES, env=AGENT).code == 0
    refused = git_commit("--amend", "-m", "tidy", env=AGENT)
    assert refused.code != 0 and REMOVES in refused.err
    assert git_commit("--amend", "-m", "tidied", "-m", REMOVES, env=AGENT).code == 0
    assert git_commit("--amend", "--no-edit", env=AGENT).code == 0
    write(MEMORY, "first fact\n§\nsecond fact")
    assert git_commit("-a", "--amend", "-m", "nothing after all", "--allow-empty", env=AGENT).code == 0


def test_amending_the_first_commit(hooked: Repository, write: Write, git_commit: GitCommit) -> None:
    write(MEMORY, "first fact\n§\nsecond fact")
    hooked.git("add", "-A")
    git_commit("-m", "start", env=AGENT)
    write(MEMORY, "first fact")
    assert git_commit("-a", "--amend", "--no-edit", env=AGENT).code == 0, "nothing stood before it"


def test_a_merge_counts_what_the_merged_commits_declare(
    started: Repository, write: Write, git_commit: GitCommit
) -> None:
    started.git("checkout", "-q", "-b", "side")
    write(MEMORY, "first fact")
    assert git_commit("-a", "-m", "tidy", "-m", REMOVES, env=AGENT).code == 0
    started.git("checkout", "-q", "main")
    write("notes.md", "n\n")
    started.git("add", "-A")
    assert git_commit("-m", "notes").code == 0
    started.git("merge", "--no-ff", "--no-edit", "side")
    assert actions(started) == ["merge person:tester"]
    assert judge_range(started, "start", "HEAD").verdict == "pass"


def test_a_lost_update_in_a_merge_is_seen(started: Repository, write: Write, git_commit: GitCommit) -> None:
    started.git("checkout", "-q", "-b", "side")
    write("notes.md", "n\n")
    started.git("add", "-A")
    git_commit("-m", "notes", env=AGENT)
    started.git("checkout", "-q", "main")
    write(MEMORY, "first fact\n§\nsecond fact\n§\nthird fact")
    git_commit("-a", "-m", "learn")
    started.git("merge", "--no-ff", "--no-commit", "side")
    write(MEMORY, "first fact\n§\nsecond fact")
    refused = git_commit("-a", "-m", "merged", env=AGENT)
    assert refused.code != 0 and entry_id("third fact") in refused.err


def test_a_cherry_picked_line_keeps_its_actor(started: Repository, write: Write, git_commit: GitCommit) -> None:
    started.git("checkout", "-q", "-b", "side")
    write(MEMORY, "first fact\n§\nsecond fact\n§\nthird fact")
    git_commit("-a", "-m", "learn", env=AGENT)
    started.git("checkout", "-q", "main")
    started.git("cherry-pick", "side")
    assert actions(started) == ["add agent:codex"]


def test_a_cherry_pick_of_an_unmarked_commit_says_who_picked(started: Repository, write: Write) -> None:
    off = ("-c", f"core.hooksPath={os.devnull}")
    started.git("checkout", "-q", "-b", "side")
    write(MEMORY, "first fact")
    started.git(*off, "commit", "-q", "-a", "-m", "from elsewhere")
    started.git("checkout", "-q", "main")
    assert judge_range(started, "start", "side").verdict == "block", "nobody knows who removed it"
    started.git("cherry-pick", "side")
    assert actions(started) == ["remove person:tester"]
    assert judge_range(started, "start", "HEAD").verdict == "pass"


def test_every_commit_of_one_process_is_judged(started: Repository, write: Write, git_commit: GitCommit) -> None:
    off = ("-c", f"core.hooksPath={os.devnull}")
    started.git("checkout", "-q", "-b", "side")
    for number, text in enumerate(("first fact\n§\nsecond fact\n§\nthird fact", "first fact\n§\n" + "x" * 3000)):
        write(MEMORY, text)
        started.git(*off, "commit", "-q", "-a", "-m", f"step {number}")
    started.git("checkout", "-q", "main")
    started.git("cherry-pick", "side~1", "side", accept=(1, 128))
    assert message(started).startswith("step 0"), "the first came in, the second did not"
    assert actions(started) == ["add person:tester"]
    started.git("cherry-pick", "--abort")
    started.git("checkout", "-q", "side")
    write("notes.md", "n\n")
    started.git("checkout", "-q", "main")
    started.git("add", "-A")
    assert git_commit("-m", "main moves").code == 0
    started.git("checkout", "-q", "side")
    started.git("rebase", "main", accept=(1, 128))
    assert message(started).startswith("step 0"), "and so in a rebase"
    started.git("rebase", "--abort")


@pytest.mark.parametrize(
    "command", [["revert", "HEAD"], ["cherry-pick", "--edit", "side"]], ids=["revert", "cherry-pick"]
)
def test_an_editor_without_a_later_hook_gets_a_message_that_is_filled_in(
    started: Repository, write: Write, git_commit: GitCommit, command: list[str]
) -> None:
    started.git("checkout", "-q", "-b", "side")
    write(MEMORY, "first fact\n§\nsecond fact\n§\nthird fact")
    started.git("-c", f"core.hooksPath={os.devnull}", "commit", "-q", "-a", "-m", "from elsewhere")
    if command[0] == "cherry-pick":
        started.git("checkout", "-q", "main")
    started.git(*command, env={"GIT_EDITOR": "true"})
    assert actions(started) == ["remove person:tester" if command[0] == "revert" else "add person:tester"]


def test_a_patch_says_who_took_it_in(started: Repository, write: Write) -> None:
    off = ("-c", f"core.hooksPath={os.devnull}")
    started.git("checkout", "-q", "-b", "side")
    write(MEMORY, "first fact")
    started.git(*off, "commit", "-q", "-a", "-m", "from elsewhere")
    patch = started.git("format-patch", "-1", "--stdout", "side")
    started.git("checkout", "-q", "main")
    started.git("am", stdin=patch)
    assert actions(started) == ["adopt person:tester"]
    assert judge_range(started, "start", "HEAD").verdict == "pass"


def test_an_agent_may_not_take_in_a_patch_that_loses_an_entry(started: Repository, write: Write) -> None:
    off = ("-c", f"core.hooksPath={os.devnull}")
    started.git("checkout", "-q", "-b", "side")
    write(MEMORY, "first fact")
    started.git(*off, "commit", "-q", "-a", "-m", "from elsewhere")
    patch = started.git("format-patch", "-1", "--stdout", "side")
    started.git("checkout", "-q", "main")
    before = started.git("rev-parse", "HEAD")
    started.git("am", stdin=patch, env=AGENT, accept=(1,))
    assert started.git("rev-parse", "HEAD") == before


def test_an_agent_may_revert_and_nothing_else_under_that_name(
    started: Repository, write: Write, git_commit: GitCommit
) -> None:
    write(MEMORY, "first fact\n§\nsecond fact\n§\nthird fact")
    git_commit("-a", "-m", "learn")
    started.git("revert", "--no-edit", "HEAD", env=AGENT)
    assert actor_of_message(message(started)) is not None
    write(MEMORY, "first fact")
    refused = git_commit("-a", "-m", message(started), env=AGENT)
    assert refused.code != 0 and B in refused.err


def test_a_message_in_another_encoding_keeps_its_bytes(
    started: Repository, write: Write, git_commit: GitCommit
) -> None:
    started.git("config", "i18n.commitEncoding", "latin-1")
    note = started.work_tree().parent / "message"
    note.write_bytes("über\n".encode("latin-1"))
    write(MEMORY, "first fact\n§\nsecond fact\n§\nthird fact")
    assert git_commit("-a", "-F", str(note)).code == 0
    assert "über".encode("latin-1") in started.git("cat-file", "commit", "HEAD")
