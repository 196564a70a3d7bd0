"""Undo: the last commit this tool made is taken back by a new commit; later edits stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
