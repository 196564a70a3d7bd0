"""Undo: the last commit this tool made is taken back by a new commit; later edits stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from tests.conftest import Ran

Hg = Callable[..., Ran]
Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]


def entry_texts(hg: Hg) -> list[str]:
    return [row["text"] for row in hg("memory", "list", "--json").json["entries"]]


def test_undo_walks_back_through_own_commits(repo: Repository, hg: Hg) -> None:
    for text in ("one", "two", "three"):
        hg("memory", "add", text)
    assert hg("undo").code == 0 and entry_texts(hg) == ["one", "two"]
    assert hg("undo").code == 0 and entry_texts(hg) == ["one"]
    assert repo.git("rev-list", "--count", "HEAD").strip() == b"5", "nothing was rewritten"


def test_later_entries_stay(repo: Repository, hg: Hg, write: Write, commit: Commit) -> None:
    hg("memory", "add", "one")
    hg("memory", "add", "two")
    write("knowledge/memory/MEMORY.md", "one\n§\ntwo\n§\nby hand")
    commit("by hand")
    assert hg("undo").code == 0 and entry_texts(hg) == ["one", "by hand"]


def test_a_commit_of_which_nothing_is_left_is_passed_over(
    repo: Repository, hg: Hg, write: Write, commit: Commit
) -> None:
    for text in ("one", "two", "three"):
        hg("memory", "add", text)
    write("knowledge/memory/MEMORY.md", "one\n§\ntwo")
    commit("three is wrong")
    done = hg("undo")
    assert done.code == 0 and "took back" in done.out and "add two" in done.out and entry_texts(hg) == ["one"]
    assert "nothing is left of" in done.err and "add three" in done.err, "a success that changed nothing is none"


def test_nothing_to_undo_is_said(repo: Repository, hg: Hg, commit: Commit) -> None:
    commit("by hand")
    refused = hg("undo")
    assert refused.code == 2 and "git revert" in refused.err


def test_a_later_edit_of_the_same_entry_is_not_overwritten(
    repo: Repository, hg: Hg, write: Write, commit: Commit
) -> None:
    hg("memory", "add", "one")
    hg("memory", "add", "the host is alpha")
    write("knowledge/memory/MEMORY.md", "one\n§\nthe host is beta")
    commit("by hand")
    refused = hg("undo")
    assert refused.code == 2 and "same entry" in refused.err and entry_texts(hg) == ["one", "the host is beta"]


def test_what_a_person_committed_with_git_is_theirs(repo: Repository, hg: Hg, write: Write) -> None:
    hg("init")
    hg("memory", "add", "one")
    hg("memory", "add", "two")
    write("knowledge/memory/MEMORY.md", "one\n§\ntwo\n§\nby hand")
    repo.git("commit", "-q", "-a", "-m", "by hand")
    write("app.py", "x = 1\n")
    repo.git("add", "app.py")
    repo.git("commit", "-q", "-m", "code")
    messages = repo.git("log", "-2", "--format=%B").decode()
    assert messages.count("Hermes-Change: ") == 2, "the hooks say who acted, which makes them no commits of the tool"
    assert hg("undo").code == 0 and entry_texts(hg) == ["one", "by hand"]
    assert (repo.work_tree() / "app.py").exists()


def test_in_a_clone_only_commits_of_nothing_but_knowledge_count(
    repo: Repository, hg: Hg, write: Write, tmp_path: Path
) -> None:
    hg("init")
    hg("memory", "add", "one")
    hg("memory", "add", "two")
    write("app.py", "x = 1\n")
    write("knowledge/memory/MEMORY.md", "one\n§\ntwo\n§\nthree")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "a feature, and what was learnt")
    clone = tmp_path / "clone"
    repo.git("clone", "-q", str(repo.work_tree()), str(clone))
    assert hg("undo", folder=clone).code == 0
    listed = hg("memory", "list", "--json", folder=clone).json["entries"]
    assert [row["text"] for row in listed] == ["one", "three"] and (clone / "app.py").exists()


def test_the_first_commit_can_be_taken_back_and_the_start_of_a_repository_cannot(
    repo: Repository, hg: Hg, tmp_path: Path
) -> None:
    hg("memory", "add", "one")
    assert hg("undo").code == 0 and entry_texts(hg) == []
    assert hg("undo").code == 2
    other = tmp_path / "other"
    assert hg("init", str(other)).code == 0
    assert hg("undo", folder=other).code == 2 and (other / "hermes-git.toml").exists()


def approved(repo: Repository, hg: Hg, monkeypatch: pytest.MonkeyPatch, *command: str) -> str:
    """Let an agent propose something and a person approve it; return the merge commit."""
    with monkeypatch.context() as patch:
        patch.setenv("HERMES_GIT_ACTOR", "agent:codex")
        assert hg(*command).code == 0
    assert hg("memory", "approve", hg("memory", "pending", "--json").json[0]["id"]).code == 0
    return repo.git("rev-parse", "HEAD").decode().strip()


@pytest.fixture
def approving(write: Write, commit: Commit) -> None:
    write("hermes-git.toml", 'format = 1\n[gate]\napproval = "agents"\n')
    write("knowledge/memory/MEMORY.md", "The host is alpha.")
    write("app.py", "x = 1\n")
    commit()


def test_an_approved_proposal_is_taken_back_whole(
    approving: None, repo: Repository, hg: Hg, monkeypatch: pytest.MonkeyPatch
) -> None:
    hg("memory", "add", "before")
    merge = approved(repo, hg, monkeypatch, "memory", "replace", "--old-text", "alpha", "--new-text", "Host: beta.")
    hg("memory", "add", "--target", "user", "after")
    assert hg("undo").code == 0
    ran = hg("undo", "--json")
    assert ran.json["reverted"] == merge and ran.err == "" and entry_texts(hg) == ["The host is alpha.", "before"]
    message = repo.git("log", "-1", "--format=%P%n%B").decode()
    assert f"This reverts commit {merge}" in message and len(message.split("\n")[0].split()) == 1
    assert repo.git("status", "--porcelain") == b"" and (repo.work_tree() / "app.py").exists()
    assert "add before" in hg("undo").out and entry_texts(hg) == ["The host is alpha."]
    assert hg("undo").code == 2


def test_the_approval_of_an_agents_undo_is_no_commit_to_take_back(
    approving: None, repo: Repository, hg: Hg, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("one", "two"):
        hg("memory", "add", text)
    approved(repo, hg, monkeypatch, "undo")
    assert entry_texts(hg) == ["The host is alpha.", "one"]
    done = hg("undo")
    assert "add one" in done.out and entry_texts(hg) == ["The host is alpha."] and done.err == ""


def test_an_approval_that_was_edited_since_is_left_to_git(
    approving: None, repo: Repository, hg: Hg, monkeypatch: pytest.MonkeyPatch, write: Write, commit: Commit
) -> None:
    merge = approved(repo, hg, monkeypatch, "memory", "add", "The port is 80.")
    write("knowledge/memory/MEMORY.md", "The host is alpha.\n§\nThe port is 8080.")
    commit("by hand")
    refused = hg("undo")
    assert refused.code == 2 and f"git revert -m 1 {merge[:12]}" in refused.err


def test_an_approval_from_another_clone_is_taken_back_and_a_merge_by_hand_is_not(
    approving: None, repo: Repository, hg: Hg, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hg("memory", "add", "one")
    merge = approved(repo, hg, monkeypatch, "memory", "add", "two")
    repo.git("switch", "-q", "-c", "topic")
    hg("memory", "add", "three")
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "merge a topic", "topic")
    clone = tmp_path / "clone"
    repo.git("clone", "-q", str(repo.work_tree()), str(clone))
    for folder in (clone, repo.work_tree()):
        done = hg("undo", "--json", folder=folder)
        assert done.json["reverted"] == merge and "merge a topic" in done.err and "git revert -m 1 " in done.err
        listed = hg("memory", "list", "--json", folder=folder).json["entries"]
        assert [row["text"] for row in listed] == ["The host is alpha.", "one", "three"]
