"""Replaying a range: differences and listings as git itself gives them, on histories with merges and odd names."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gate.replay import Listings, commits
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository

Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
FOLDERS = ("knowledge/skills", "knowledge/archive")


def grow(repo: Repository, write: Write, commit: Commit, seed: int) -> None:
    """Make a history of twenty commits with branches, merges, removals, renames and odd names."""
    dice = random.Random(seed)
    names = ["a b.md", "ü.md", "new\nline.md", "plain.md", "x/y.md"]
    for number in range(20):
        action = dice.choice(["edit", "edit", "remove", "branch", "merge"])
        path = f"{dice.choice([*FOLDERS, 'elsewhere'])}/{dice.choice(names)}"
        if action == "branch":
            repo.git("checkout", "-q", "-B", f"side-{number % 3}")
        elif action == "merge" and number > 2:
            repo.git("merge", "-q", "--no-edit", "-X", "ours", f"side-{dice.randrange(3)}", accept=(0, 1, 128))
            repo.git("reset", "-q", "--hard")
        elif action == "remove" and (repo.work_tree() / path).exists():
            (repo.work_tree() / path).unlink()
        else:
            write(path, f"{number}\n")
        commit(f"step {number}\n\nA body with a line\n:100644 that looks like a row\n")


@pytest.mark.parametrize("seed", range(4))
def test_every_commit_is_as_git_shows_it(repo: Repository, write: Write, commit: Commit, seed: int) -> None:
    write("start.md", "s\n")
    base = commit("base")
    grow(repo, write, commit, seed)
    rows = commits(repo, base, "HEAD")
    assert [row.id for row in rows] == read.commits(repo, base, "HEAD") and len(rows) >= 10
    listings = Listings(repo, rows, FOLDERS)
    for row in rows:
        assert list(row.differences) == read.compare(repo, row.parents[0], row.id)
        assert row.message.rstrip("\n") == repo.git("log", "-1", "--format=%B", row.id).decode().rstrip("\n")
        assert listings.of(row) == read.tree(repo, row.id, *FOLDERS)


def test_a_history_from_its_first_commit(repo: Repository, write: Write, commit: Commit) -> None:
    write(f"{FOLDERS[0]}/a.md", "a\n")
    first = commit("first")
    rows = commits(repo, None, "HEAD")
    assert [(row.id, row.parents, [change.status for change in row.differences]) for row in rows] == [
        (first, (), ["A"])
    ]
    assert Listings(repo, rows, FOLDERS).of(rows[0]) == read.tree(repo, first, *FOLDERS)


def test_nothing_to_replay(repo: Repository, commit: Commit) -> None:
    base = commit()
    assert commits(repo, base, base) == []
