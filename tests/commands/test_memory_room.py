"""A full store, a text that selects no single entry, and what a character counts: exact numbers, the same each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git import files
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.entries import entry_id
from tests.conftest import Ran

Hg = Callable[..., Ran]
Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
MEMORY = "knowledge/memory/MEMORY.md"
FULL = ("The build host is alpha.", "The build log lies in /srv/log.", "z" * (2200 - 24 - 31 - 2 * 3))
COUNTS = [("é", 1), ("e\u0301", 2), ("👩‍👩‍👧", 5), ("好", 1)]


@pytest.fixture
def full(repo: Repository, write: Write, commit: Commit) -> Repository:
    write(MEMORY, "\n§\n".join(FULL))
    commit()
    return repo


def replaced(hg: Hg, old: str, new: str = "The build host is omega.") -> Ran:
    return hg("memory", "replace", "--old-text", old, "--new-text", new)


def test_no_match_in_a_full_file_names_the_nearest_and_the_numbers_each_time(full: Repository, hg: Hg) -> None:
    before = full.git("rev-parse", "HEAD")
    first, second = replaced(hg, "The build host is gamma"), replaced(hg, "The build host is gamma")
    assert (first.code, first.err) == (2, second.err)
    assert f"{entry_id(FULL[0])}  {FULL[0]}" in first.err
    assert "the file holds 2,200 of 2,200 chars; the new text needs 24\n" in first.err
    assert full.git("rev-parse", "HEAD") == before


def test_two_matches_in_a_full_file_are_both_named(full: Repository, hg: Hg) -> None:
    refused = replaced(hg, "The build")
    assert refused.code == 2 and "2 entries hold" in refused.err
    assert all(f"{entry_id(text)}  {text}" in refused.err for text in FULL[:2])
    assert (full.work_tree() / MEMORY).read_text(encoding="utf-8") == "\n§\n".join(FULL)


def test_what_is_removed_needs_no_room(full: Repository, hg: Hg) -> None:
    refused = hg("memory", "remove", "--old-text", "nothing like it")
    assert refused.code == 2 and refused.err.endswith("the file holds 2,200 of 2,200 chars\n")


@pytest.mark.parametrize(("text", "length"), COUNTS)
def test_a_character_counts_the_same_in_list_gate_and_pages(
    repo: Repository, write: Write, commit: Commit, hg: Hg, text: str, length: int
) -> None:
    write("hermes-git.toml", "format = 1\n[memory]\nmemory_limit = 5\n")
    commit()
    assert hg("memory", "add", text).code == 0
    assert hg("memory", "list", "--json").json["used"] == length
    assert hg("status", "--json").json["memory"][0]["used"] == length
    write(MEMORY, text + "aaaaaa")
    repo.git("add", MEMORY)
    refused = hg("hook", "pre-commit")
    assert refused.code == 1 and f"{length + 6} of 5 chars" in refused.err


def test_the_page_of_the_format_gives_these_counts() -> None:
    page = (Path(__file__).parents[2] / "docs/formats/memory.md").read_text(encoding="utf-8")
    assert "`é` is 1, `e` + U+0301 is 2, 👩‍👩‍👧 is 5, 好 is 1" in page


def test_the_page_of_the_format_gives_the_longest_wait_for_another_writer() -> None:
    page = (Path(__file__).parents[2] / "docs/formats/memory.md").read_text(encoding="utf-8")
    assert f"at most {files.LOCK_WAIT_SECONDS:g} seconds" in page
