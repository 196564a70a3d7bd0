"""Two clones that both imported and recorded: a merge keeps what either has, and brings nothing forgotten back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository, require
from hermes_git.provenance import spool
from hermes_git.provenance.ledger import Use
from hermes_git.sessions.store import open_store
from hermes_git.settings import DEFAULTS
from tests.commands.skills import Ran, run

BRANCH = "hermes/sessions"
THEIRS = f"refs/remotes/origin/{BRANCH}"


def transcript(path: Path, name: str, *texts: str) -> str:
    rows = [
        {
            "type": "user",
            "uuid": f"{name}-{number}",
            "parentUuid": f"{name}-{number - 1}" if number else None,
            "sessionId": name,
            "timestamp": f"2026-09-01T08:00:0{number}Z",
            "message": {"role": "user", "content": text},
        }
        for number, text in enumerate(texts)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def used(repo: Repository, key: str, second: int = 0) -> None:
    spool.record_use(repo, Use(1_790_000_000 + second, "skill", key, "applied"))


@pytest.fixture
def clones(repo: Repository, commit: Callable[..., str], tmp_path: Path) -> tuple[Repository, Repository]:
    """Return two clones that share one session and one use."""
    commit("start")
    run(repo, "session", "import", transcript(tmp_path / "a.jsonl", "shared", "hello"))
    used(repo, "web/links")
    spool.flush(repo, DEFAULTS)
    repo.git("clone", "-q", "--no-local", str(repo.work_tree()), str(tmp_path / "other"))
    other = require(tmp_path / "other")
    for name in ("user.name", "user.email"):
        other.git("config", name, repo.ask("config", name) or "t@example.invalid")
    other.git("branch", "-q", BRANCH, f"origin/{BRANCH}")
    return repo, other


def fetch(repo: Repository, other: Repository) -> None:
    repo.git("fetch", "-q", str(other.work_tree()), f"+{BRANCH}:{THEIRS}")


def merged(repo: Repository, other: Repository) -> Ran:
    fetch(repo, other)
    return run(repo, "session", "merge", "--json")


def names(repo: Repository) -> set[str]:
    return {item.id for item in open_store(repo, DEFAULTS).sessions()}


def test_both_keep_everything(clones: tuple[Repository, Repository], tmp_path: Path) -> None:
    one, two = clones
    run(one, "session", "import", transcript(tmp_path / "b.jsonl", "mine", "here"))
    used(one, "ops/deploy", 1)
    spool.flush(one, DEFAULTS)
    run(two, "session", "import", transcript(tmp_path / "c.jsonl", "yours", "there"))
    used(two, "ops/backup", 2)
    spool.flush(two, DEFAULTS)
    used(one, "ops/late", 3)
    tips = {one.ask("rev-parse", BRANCH), two.ask("rev-parse", BRANCH)}
    done = merged(one, two)
    assert done.code == 0 and done.json["how"] == "merged" and done.json["rows"] == 1, done.err
    assert names(one) == {"shared", "mine", "yours"}
    reading = spool.read_ledger(one, DEFAULTS)
    assert not reading.damaged
    assert sorted(use.key for use in reading.uses) == ["ops/backup", "ops/deploy", "ops/late", "web/links"]
    parents = one.git("log", "-1", "--format=%P", BRANCH).decode().split()
    assert len(parents) == 2 and (two.ask("rev-parse", BRANCH) in parents)
    assert all(one.ask("merge-base", "--is-ancestor", str(tip), BRANCH) is not None for tip in tips)
    assert merged(one, two).json["how"] == "current"
    assert merged(two, one).json["how"] == "moved"
    assert two.ask("rev-parse", BRANCH) == one.ask("rev-parse", BRANCH)
    assert one.git("fsck", "--no-dangling") == b""


def test_a_session_that_grew_on_one_side_is_taken_whole(clones: tuple[Repository, Repository], tmp_path: Path) -> None:
    one, two = clones
    run(two, "session", "import", transcript(tmp_path / "a.jsonl", "shared", "hello", "and more"))
    used(one, "ops/deploy", 1)
    done = merged(one, two)
    assert done.json["how"] == "merged" and done.json["differing"] == []
    assert len(open_store(one, DEFAULTS).session("shared").messages) == 2


def test_a_session_that_grew_on_both_sides_is_named(clones: tuple[Repository, Repository], tmp_path: Path) -> None:
    one, two = clones
    run(one, "session", "import", transcript(tmp_path / "a.jsonl", "shared", "hello", "mine"))
    run(two, "session", "import", transcript(tmp_path / "a.jsonl", "shared", "hello", "yours", "and more"))
    done = merged(one, two)
    assert len(done.json["differing"]) == 1 and "it grew on both sides" in done.err
    assert [row.content for row in open_store(one, DEFAULTS).session("shared").messages][1:] == ["yours", "and more"]


@pytest.mark.parametrize("here", [True, False])
def test_what_one_side_forgot_is_not_brought_back(clones: tuple[Repository, Repository], here: bool) -> None:
    forgetful, other = clones if here else clones[::-1]
    assert run(forgetful, "session", "forget", "shared").code in (0, 1)
    used(other, "ops/deploy", 1)
    spool.flush(other, DEFAULTS)
    one, two = clones
    before = one.ask("rev-parse", BRANCH)
    done = merged(one, two)
    assert done.code == 2 and "shared" in done.err and "session forget shared" in done.err
    assert one.ask("rev-parse", BRANCH) == before
    run(other, "session", "forget", "shared")
    assert merged(one, two).code == 0
    assert names(one) == set()


def test_mistakes_are_told(repo: Repository, write: Callable[[str, str], Path], commit: Callable[..., str]) -> None:
    write("src/app.py", "print()\n")
    commit("start")
    nothing = run(repo, "session", "merge")
    assert nothing.code == 2 and "git fetch origin hermes/sessions" in nothing.err
    assert run(repo, "session", "merge", "no-such-ref").code == 2
    foreign = run(repo, "session", "merge", "HEAD")
    assert foreign.code == 2 and repo.ask("rev-parse", "--verify", "-q", f"refs/heads/{BRANCH}") is None
