"""Forgetting: out of the tree and the history, sub-agents with their parent, never imported again, remains told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.sessions import forget
from hermes_git.sessions.erase import remains
from hermes_git.sessions.model import Message, Session
from hermes_git.sessions.store import Store, open_folder, open_store, session_files
from hermes_git.settings import DEFAULTS


def made(name: str, *, prompt: str = "", parent: str = "", ended: str = "") -> Session:
    said = Message(1, "user", f"words of {name}")
    kind = "subagent" if parent else ""
    return Session(
        name, "codex", system_prompt=prompt, parent=parent, parent_kind=kind, ended_at=ended, messages=(said,)
    )  # type: ignore[arg-type]


def fill(store: Store) -> None:
    store.write(session_files(made("a", prompt="shared")), message="one")
    store.write(session_files(made("b", prompt="only b", ended="2026-01-01T00:00:00Z")), message="two")
    store.write(session_files(made("b.agent-1", parent="b")), message="three")
    store.write(session_files(made("c", prompt="shared")), message="four")


@pytest.fixture(params=["branch", "folder"])
def store(request: pytest.FixtureRequest, repo: Repository, tmp_path: Path) -> Store:
    found = open_store(repo, DEFAULTS) if request.param == "branch" else open_folder(tmp_path / "store")
    fill(found)
    return found


def ids(plan: forget.Plan) -> list[str]:
    return [stored.id for stored in plan.sessions]


def test_a_session_goes_with_its_sub_agents_and_the_texts_that_only_it_names(store: Store) -> None:
    plan = forget.plan(store, ["b"])
    assert ids(plan) == ["b.agent-1", "b"]
    assert len(plan.texts) == 1
    forget.forget(store, plan, message="forget")
    assert sorted(stored.id for stored in store.sessions()) == ["a", "c"]
    assert store.session("a").system_prompt == "shared"
    assert b"only b" not in b"".join(data for _, data in store.read(store.files()))


def test_a_text_that_others_name_stays(store: Store) -> None:
    forget.forget(store, forget.plan(store, ["a"]), message="forget")
    assert store.session("c").system_prompt == "shared"


@pytest.mark.parametrize(
    ("pattern", "found"), [("b*", ["b.agent-1", "b"]), ("?", ["a", "b.agent-1", "b", "c"]), ("[ac]", ["a", "c"])]
)
def test_patterns(store: Store, pattern: str, found: list[str]) -> None:
    assert ids(forget.plan(store, [pattern])) == found


@pytest.mark.parametrize("name", ["zz", "zz*"])
def test_what_matches_nothing_is_an_error(store: Store, name: str) -> None:
    with pytest.raises(UserError, match=r"no sessions? match"):
        forget.plan(store, [name])


def test_only_what_ended_long_ago_expires(store: Store) -> None:
    assert ids(forget.plan(store, before="2026-06-01T00:00:00Z")) == ["b.agent-1", "b"]
    assert ids(forget.plan(store, before="2025-06-01T00:00:00Z")) == []


def test_forgotten_sessions_are_remembered_by_digest_only(store: Store) -> None:
    plan = forget.plan(store, ["b"])
    forget.forget(store, plan, message="forget")
    assert forget.forgotten(store) == set(plan.digests)
    assert b'"b"' not in (store.read_one("forgotten.jsonl") or b"")
    forget.forget(store, forget.plan(store, ["a"]), message="forget")
    assert len(forget.forgotten(store)) == 3


def test_the_history_of_the_branch_no_longer_holds_it(repo: Repository) -> None:
    store = open_store(repo, DEFAULTS)
    fill(store)
    before = repo.git("log", "--format=%H %an %ad %s", "hermes/sessions").decode().splitlines()
    plan = forget.plan(store, ["b"])
    forget.forget(store, plan, message="sessions: forget 2")
    after = repo.git("log", "--format=%H %an %ad %s", "hermes/sessions").decode().splitlines()
    assert [line.split(" ", 1)[1] for line in after[1:]] == [line.split(" ", 1)[1] for line in before]
    assert after[-1] == before[-1], "commits before the first that held it keep their ids"
    held = {path for commit in read.commits(repo, None, "hermes/sessions") for path in read.tree(repo, commit)}
    assert not held & plan.paths
    left = remains(repo, plan.blobs)
    assert (left.references, left.in_reflog, left.stored) == ((), True, 3)
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert remains(repo, plan.blobs).stored == 0
    assert repo.ask("fsck", "--strict") is not None


def test_a_reference_that_still_reaches_it_is_named(repo: Repository, tmp_path: Path) -> None:
    store = open_store(repo, DEFAULTS)
    fill(store)
    repo.git("branch", "copy", "hermes/sessions")
    plan = forget.plan(store, ["b"])
    forget.forget(store, plan, message="forget")
    assert remains(repo, plan.blobs).references == ("refs/heads/copy",)


def test_a_check_finds_what_another_reference_brings_back(repo: Repository) -> None:
    store = open_store(repo, DEFAULTS)
    fill(store)
    assert forget.traces(repo, store) == []
    repo.git("update-ref", "refs/remotes/origin/hermes/sessions", "hermes/sessions")
    forget.forget(store, forget.plan(store, ["b"]), message="forget")
    found = forget.traces(repo, store)
    assert found == [(("refs/remotes/origin/hermes/sessions"), name) for name in ("b", "b.agent-1")]
    repo.git("update-ref", "-d", "refs/remotes/origin/hermes/sessions")
    assert forget.traces(repo, store) == []


def test_a_check_finds_what_was_committed_in_the_tree(repo: Repository, commit: Callable[..., str]) -> None:
    settings = replace(DEFAULTS, sessions=replace(DEFAULTS.sessions, place="tree"))
    store = open_store(repo, settings)
    fill(store)
    commit()
    forget.forget(store, forget.plan(store, ["b"]), message="forget")
    commit()
    assert sorted(stored.id for stored in store.sessions()) == ["a", "c"]
    assert forget.traces(repo, store) == [("refs/heads/main", name) for name in ("b", "b.agent-1")]


def test_merged_histories_are_written_anew_too(repo: Repository, tmp_path: Path) -> None:
    store = open_store(repo, DEFAULTS)
    fill(store)
    repo.git("commit", "-q", "--allow-empty", "-m", "main")
    repo.git("clone", "-q", str(repo.work_tree()), str(tmp_path / "clone"))
    clone = open_store(require(tmp_path / "clone"), DEFAULTS)
    clone.write(session_files(made("d")), message="theirs")
    store.write(session_files(made("e")), message="ours")
    repo.git("fetch", "-q", str(tmp_path / "clone"), "hermes/sessions:theirs")
    tree = (
        repo.git("merge-tree", "--write-tree", "hermes/sessions", "theirs").decode().split()[0] if merges(repo) else ""
    )
    if not tree:
        pytest.skip("this git cannot merge without a work tree")
    merge = repo.git("commit-tree", tree, "-p", "hermes/sessions", "-p", "theirs", "-m", "merge").decode().strip()
    repo.git("update-ref", "refs/heads/hermes/sessions", merge)
    repo.git("update-ref", "-d", "refs/heads/theirs")
    plan = forget.plan(store, ["b"])
    forget.forget(store, plan, message="forget")
    assert sorted(stored.id for stored in store.sessions()) == ["a", "c", "d", "e"]
    assert remains(repo, plan.blobs).references == ()


def merges(repo: Repository) -> bool:
    from hermes_git.gitrepo import run

    return run.version(repo.cwd) >= (2, 38)
