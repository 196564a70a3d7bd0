"""Every way into a branch, good and bad, played with real git: what the hooks stop, and what the range check finds."""

from __future__ import annotations

import re
import sys

import pytest

from hermes_git.commands import hook_files
from hermes_git.gate.range import judge_range
from hermes_git.gitrepo import create, read
from hermes_git.gitrepo.repository import Repository
from tests.ways_in import BAD, DOCS, GOOD, WAYS, Play, Way, table


@pytest.fixture
def started(repo: Repository) -> Repository:
    """Return a repository with one commit on main, tagged start, and no hooks yet."""
    create.configure(repo, {"hermes-git.python": sys.executable, "receive.denyCurrentBranch": "ignore"})
    (repo.work_tree() / "notes.md").write_text("notes\n", encoding="utf-8")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "start")
    repo.git("tag", "start")
    return repo


def played(repo: Repository, way: Way, text: str, *, hooks: bool = True, strict: bool = False) -> tuple[bool, str]:
    """Play a way in; say whether the branch took the change, and which of our hooks stopped it."""
    if hooks:
        hook_files.install(repo, strict=strict)
    play = Play(repo, text, hooks)
    way.play(play)
    stopped = re.findall(r"hermes-git ([a-z-]+): ", "\n".join(play.said))
    return took(repo, way, text), ", ".join(dict.fromkeys(stopped))


def took(repo: Repository, way: Way, text: str) -> bool:
    tip = read.ref(repo, f"refs/heads/{way.branch}")
    if tip is None:
        return False
    wanted = write_id(repo, text)
    found = [entry.id for path, entry in read.tree(repo, tip).items() if path.endswith("/SKILL.md")]
    moved = way.branch != "side" or read.merge_base(repo, tip, "main") == read.ref(repo, "refs/heads/main")
    return wanted in found and moved


def write_id(repo: Repository, text: str) -> str:
    return repo.git("hash-object", "--stdin", stdin=text.encode()).decode().strip()


def ids(way: Way) -> str:
    return way.id


@pytest.mark.parametrize("way", WAYS, ids=ids)
def test_a_bad_change_is_stopped_where_the_table_says(started: Repository, way: Way) -> None:
    assert played(started, way, BAD) == (not way.stops, way.stops)
    assert started.git("fsck", "--strict", "--no-dangling") == b""


@pytest.mark.parametrize("way", [way for way in WAYS if not way.stops], ids=ids)
def test_strict_hooks_stop_what_moves_a_branch_without_a_commit(started: Repository, way: Way) -> None:
    assert played(started, way, BAD, strict=True) == (not way.strict, way.strict)


@pytest.mark.parametrize("way", WAYS, ids=ids)
def test_a_good_change_comes_in_whatever_hooks_there_are(started: Repository, way: Way) -> None:
    assert played(started, way, GOOD, strict=not way.stops) == (True, "")
    assert judge_range(started, "start", way.branch).verdict == "pass"


@pytest.mark.parametrize("way", WAYS, ids=ids)
def test_the_range_check_catches_what_no_hook_saw(started: Repository, way: Way) -> None:
    assert played(started, way, BAD, hooks=False) == (True, "")
    report = judge_range(started, "start", way.branch)
    assert report.verdict == "block" and {found.path for found in report.findings} == {
        "knowledge/skills/web/one/SKILL.md"
    }


def test_the_documented_table_is_this_one() -> None:
    assert table() in DOCS.read_text(encoding="utf-8"), "write it with: python -m tests.ways_in"


def test_a_refused_fast_forward_is_undone_by_the_command_that_is_printed(started: Repository) -> None:
    hook_files.install(started, strict=True)
    play = Play(started, BAD)
    play.side(main_moves=False)
    assert play.git("merge", "--ff-only", "side") != 0
    assert started.git("status", "--porcelain") != b"", "git had moved the index already"
    assert play.git("reset", "--merge", "HEAD") == 0
    assert started.git("status", "--porcelain") == b""
