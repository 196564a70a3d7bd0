"""Approval mode: an agent proposes, a person approves, and the base is checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import entry_history as history
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
Hg = Callable[..., Ran]


@pytest.fixture
def approving(repo: Repository, write: Write, commit: Commit, hg: Hg) -> None:
    write("hermes-git.toml", 'format = 1\n[gate]\napproval = "agents"\n')
    write("knowledge/memory/MEMORY.md", "The host is alpha.\n§\nThe user likes tea.")
    commit()


@pytest.fixture
def as_agent(monkeypatch: pytest.MonkeyPatch, hg: Hg) -> Callable[..., Ran]:
    def run(*args: str) -> Ran:
        with monkeypatch.context() as patch:
            patch.setenv("HERMES_GIT_ACTOR", "agent:codex")
            return hg(*args)

    return run


def entry_texts(hg: Hg) -> list[str]:
    return [row["text"] for row in hg("memory", "list", "--json").json["entries"]]


def test_an_agent_proposes_and_a_person_approves(approving: None, repo: Repository, hg: Hg, as_agent: Hg) -> None:
    before = repo.git("rev-parse", "HEAD")
    done = as_agent("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.", "--json").json
    assert done["proposal"].startswith("proposal/") and repo.git("rev-parse", "HEAD") == before
    assert hg("status", "--json").json["pending"] == [done["proposal"]]
    id = hg("memory", "pending", "--json").json[0]["id"]
    refused = as_agent("memory", "approve", id)
    assert refused.code == 2 and "takes a person" in refused.err
    hg("memory", "add", "A fact in between.")
    assert hg("memory", "approve", id[:6]).code == 0
    assert entry_texts(hg) == ["The host is beta.", "The user likes tea.", "A fact in between."]
    assert repo.git("status", "--porcelain") == b"" and hg("memory", "pending", "--json").json == []
    origin = history.blame(history.load(repo, "HEAD"))["The host is beta."]
    assert str(origin.actor) == "agent:codex", "who proposed it stays its author"
    assert "approved=person:tester" in repo.git("log", "-1", "--format=%B").decode()


def test_the_base_is_checked(approving: None, repo: Repository, hg: Hg, as_agent: Hg) -> None:
    as_agent("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.")
    hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is gamma.")
    id = hg("memory", "pending", "--json").json[0]["id"]
    refused = hg("memory", "approve", id)
    assert refused.code == 2 and all(word in refused.err for word in ("alpha", "beta", "gamma"))
    assert entry_texts(hg)[0] == "The host is gamma."


def test_nothing_is_merged_where_no_branch_would_hold_it(
    approving: None, repo: Repository, hg: Hg, as_agent: Hg
) -> None:
    as_agent("memory", "add", "A new fact.")
    id = hg("memory", "pending", "--json").json[0]["id"]
    repo.git("checkout", "-q", "--detach")
    refused = hg("memory", "approve", id)
    assert refused.code == 2 and "git switch" in refused.err
    repo.git("checkout", "-q", "main")
    assert hg("memory", "approve", id).code == 0


def test_whatever_an_agent_writes_is_called_a_proposal(
    approving: None, repo: Repository, hg: Hg, as_agent: Hg, write: Write, commit: Commit
) -> None:
    write("knowledge/skills/web/one/SKILL.md", "---\nname: one\ndescription: Checks links.\n---\n\n# One\n")
    commit()
    hg("memory", "add", "By a person.")
    write("knowledge/memory/USER.md", "By hand.")
    for command in (["skill", "archive", "one", "--reason", "old"], ["memory", "adopt"], ["undo"]):
        before = repo.git("rev-parse", "HEAD")
        done = as_agent(*command)
        assert done.code == 0 and repo.git("rev-parse", "HEAD") == before
        assert "proposed on proposal/" in done.out and "a person approves it" in done.out, command
        assert "take it back with" not in done.out and "took back" not in done.out, command


def test_a_rejected_proposal_is_kept_aside(approving: None, repo: Repository, hg: Hg, as_agent: Hg) -> None:
    as_agent("memory", "add", "Something doubtful.")
    id = hg("memory", "pending", "--json").json[0]["id"]
    assert hg("memory", "reject", id).code == 0 and hg("memory", "pending", "--json").json == []
    assert b"Something doubtful." in repo.git("log", "-1", "--format=%B", f"refs/hermes-git/rejected/{id}")
    assert hg("memory", "approve", "../../x").code == 2


def test_a_person_writes_directly(approving: None, hg: Hg) -> None:
    assert hg("memory", "add", "By a person.", "--json").json["proposal"] == ""
    assert "By a person." in entry_texts(hg)


def test_a_branch_is_brought_up_to_date_without_a_checkout(
    approving: None, repo: Repository, hg: Hg, as_agent: Hg, write: Write, commit: Commit
) -> None:
    done = as_agent("memory", "add", "From the agent.", "--json").json
    hg("memory", "add", "From a person.")
    write("notes.txt", "plain\n")
    commit("more")
    assert hg("update-branch", done["proposal"]).code == 0
    merged = repo.git("show", f"{done['proposal']}:knowledge/memory/MEMORY.md").decode().split("\n§\n")
    assert {"From the agent.", "From a person."} <= set(merged)
    assert repo.git("show", f"{done['proposal']}:notes.txt") == b"plain\n"
    assert "already" in hg("update-branch", done["proposal"]).out


def test_an_edited_copy_takes_the_approved_entry_in(approving: None, repo: Repository, hg: Hg, as_agent: Hg) -> None:
    as_agent("memory", "add", "The port is 8080.")
    memory = repo.work_tree() / "knowledge" / "memory" / "MEMORY.md"
    memory.write_text(f"{memory.read_text()}\n§\nNoted by hand.")
    assert hg("memory", "approve", hg("memory", "pending", "--json").json[0]["id"]).code == 0
    assert hg("memory", "adopt").code == 0
    assert entry_texts(hg) == ["The host is alpha.", "The user likes tea.", "Noted by hand.", "The port is 8080."]


@pytest.mark.parametrize(("message", "passes"), [("tidy up", False), ("tidy up\n\n{line}", True)])
def test_a_branch_made_by_hand_must_declare_what_it_takes_away(
    approving: None, repo: Repository, hg: Hg, write: Write, commit: Commit, message: str, passes: bool
) -> None:
    line = "Hermes-Change: remove memory 5d0a56d8bb2b..- actor=agent:codex"
    line = line.replace("5d0a56d8bb2b", hg("memory", "list", "--json").json["entries"][1]["id"])
    head = repo.git("rev-parse", "HEAD").decode().strip()
    write("knowledge/memory/MEMORY.md", "The host is alpha.")
    made = commit(message.format(line=line))
    repo.git("branch", "proposal/byhand", made)
    repo.git("reset", "-q", "--hard", head)
    done = hg("memory", "approve", "byhand")
    assert (done.code == 0) is passes, done.err
    assert len(entry_texts(hg)) == (1 if passes else 2)


def test_a_proposal_that_a_killed_approval_left_is_not_merged_twice(
    approving: None, repo: Repository, hg: Hg, as_agent: Hg
) -> None:
    done = as_agent("memory", "add", "The port is 8080.", "--json").json
    id = hg("memory", "pending", "--json").json[0]["id"]
    assert hg("memory", "approve", id).code == 0
    repo.git("branch", done["proposal"], done["commit"])
    head = repo.git("rev-parse", "HEAD")
    again = hg("memory", "approve", id)
    assert again.code == 2 and "merged already" in again.err
    assert repo.git("rev-parse", "HEAD") == head and hg("memory", "pending", "--json").json == []


def test_what_was_rejected_can_be_rejected_again(approving: None, repo: Repository, hg: Hg, as_agent: Hg) -> None:
    done = as_agent("memory", "add", "The port is 8080.", "--json").json
    for _ in range(2):
        assert hg("memory", "reject", done["commit"][:10]).code == 0
        repo.git("branch", done["proposal"], done["commit"])


def test_a_proposal_without_a_history_is_shown_and_refused(approving: None, repo: Repository, hg: Hg) -> None:
    tree = repo.git("rev-parse", "HEAD^{tree}").decode().strip()
    root = repo.git("commit-tree", tree, "-m", "from nowhere").decode().strip()
    repo.git("branch", "proposal/root", root)
    assert "from nowhere" in hg("memory", "pending", "--diff").out
    assert hg("memory", "approve", "root").code == 2


def test_a_branch_of_another_work_tree_is_not_moved(
    approving: None, repo: Repository, hg: Hg, tmp_path: Path, commit: Commit
) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    commit("more")
    side = repo.git("rev-parse", "side")
    missing = hg("update-branch", "nowhere")
    assert missing.code == 2 and "no branch called 'nowhere'" in missing.err
    refused = hg("update-branch", "side")
    assert refused.code == 2 and "checked out" in refused.err and repo.git("rev-parse", "side") == side
