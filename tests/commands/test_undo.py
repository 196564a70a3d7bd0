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
