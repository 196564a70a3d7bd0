"""Landing a commit: whatever stands in the way of index and work tree, HEAD and the user's copies agree afterwards."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_git.gate import journal, sync
from hermes_git.gate.sync import Followed, Plan
from hermes_git.gitrepo import create, read, write
from hermes_git.gitrepo.repository import Repository

MEMORY = "knowledge/memory/MEMORY.md"
ALPHA = "Alpha keeps its logs for a month."
BETA = "Beta answers on port 8080."


@pytest.fixture
def standing(hg: Callable[..., Any], repo: Repository, commit: Callable[..., str]) -> Repository:
    """Return the repository with one entry in its memory."""
    commit("start")
    assert hg("memory", "add", ALPHA).code == 0
    return repo


def state(repo: Repository) -> str:
    return repo.git("status", "--porcelain", "--untracked-files=all").decode()


def at_head(repo: Repository) -> str:
    return (read.file_at(repo, "HEAD", MEMORY) or b"").decode()


def plan_of(repo: Repository, content: bytes) -> tuple[str, Plan]:
    """Commit new memory without letting anything follow; return the commit and what has to follow."""
    base = read.head(repo)
    assert base
    blob = write.write_blob(repo, content)
    tree = write.write_tree(repo, base, [write.Edit(MEMORY, blob)])
    made = write.commit_tree(repo, tree, [base], "memory")
    return base, sync.plan(repo, base, made, {MEMORY: blob}, modes={})


def test_an_index_that_stays_locked_is_told_and_followed_later(
    standing: Repository, hg: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "INDEX_WAIT_SECONDS", 0.0)
    lock = standing.git_dir / "index.lock"
    lock.touch()
    done = hg("memory", "add", BETA)
    assert done.code == 2
    assert "is made, but your copies could not follow it" in done.err and "index.lock" in done.err
    assert BETA in at_head(standing)
    lock.unlink()
    assert hg("doctor", "--fix").code in (0, 1)
    assert state(standing) == ""
    assert not journal.waiting(standing)


def test_a_plan_is_kept_only_where_head_moved(standing: Repository) -> None:
    base, todo = plan_of(standing, b"new")
    with pytest.raises(KeyboardInterrupt), journal.keep(standing, todo):
        raise KeyboardInterrupt
    assert not journal.waiting(standing)
    with pytest.raises(KeyboardInterrupt), journal.keep(standing, todo):
        write.move_ref(standing, "HEAD", todo.commit, base, "test")
        raise KeyboardInterrupt
    assert len(journal.waiting(standing)) == 1
    assert journal.recover(standing) == [todo.commit]
    assert state(standing) == "" and not journal.waiting(standing)


def test_a_plan_is_finished_after_later_commits_of_other_files(
    standing: Repository, write: Callable[..., Path]
) -> None:
    base, todo = plan_of(standing, b"new")
    with pytest.raises(KeyboardInterrupt), journal.keep(standing, todo):
        standing.git("update-ref", "HEAD", todo.commit, base)
        raise KeyboardInterrupt
    write("other.txt", "other")
    standing.git("add", "other.txt")
    standing.git("commit", "-q", "-m", "other", "--", "other.txt")
    assert journal.recover(standing) == [todo.commit]
    assert state(standing) == ""


def test_a_plan_that_head_has_left_behind_changes_nothing(standing: Repository) -> None:
    base, todo = plan_of(standing, b"new")
    with pytest.raises(KeyboardInterrupt), journal.keep(standing, todo):
        standing.git("update-ref", "HEAD", todo.commit, base)
        raise KeyboardInterrupt
    standing.git("update-ref", "HEAD", base, todo.commit)
    assert journal.recover(standing) == []
    assert state(standing) == "" and ALPHA in (standing.work_tree() / MEMORY).read_text()


OUTSIDE = ("../outside", "/tmp/outside", ".git/hooks/pre-commit", "a/../../outside", "")


def plan_file(*row: str, commit: str = "a" * 40) -> bytes:
    return json.dumps({"format": 2, "work_tree": ".", "commit": commit, "paths": [row] if row else []}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"{broken",
        b"[]",
        b"[" * 100_000,
        b"\xff",
        plan_file(commit="HEAD"),
        *(plan_file(path, "", "b" * 40, "100644", "", "") for path in OUTSIDE),
        plan_file("a", "-x", "", "100644", "", ""),
        plan_file("a", "", "", "160000", "", ""),
    ],
)
def test_a_plan_that_is_none_of_ours_is_reported_and_left_alone(
    standing: Repository, hg: Callable[..., Any], content: bytes
) -> None:
    path = standing.state / "journal" / "x.json"
    path.write_bytes(content)
    assert hg("memory", "add", BETA).code == 0
    assert journal.damaged(standing) == [path]
    told = hg("doctor")
    assert str(path) in told.out and "Traceback" not in told.err
    assert path.read_bytes() == content


def test_what_a_killed_writer_of_the_journal_left_is_removed(standing: Repository, hg: Callable[..., Any]) -> None:
    left = standing.state / "journal" / ".abc.json.1-0.tmp"
    left.write_bytes(b'{"forma')
    assert hg("memory", "add", BETA).code == 0
    assert not left.exists()


def test_a_plan_of_a_moved_checkout_is_finished(standing: Repository, tmp_path: Path) -> None:
    base, todo = plan_of(standing, b"new")
    with pytest.raises(KeyboardInterrupt), journal.keep(standing, todo):
        write.move_ref(standing, "HEAD", todo.commit, base, "test")
        raise KeyboardInterrupt
    moved = standing.work_tree().rename(tmp_path / "elsewhere")
    repo = create.create(moved)
    assert journal.recover(repo) == [todo.commit]
    assert state(repo) == ""


def test_a_plan_of_another_work_tree_waits_for_it(standing: Repository, tmp_path: Path) -> None:
    standing.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    linked = create.create(tmp_path / "linked")
    base, todo = plan_of(linked, b"new")
    with pytest.raises(KeyboardInterrupt), journal.keep(linked, todo):
        write.move_ref(linked, "HEAD", todo.commit, base, "test")
        raise KeyboardInterrupt
    assert journal.recover(standing) == [] and len(journal.waiting(standing)) == 1
    assert journal.recover(linked) == [todo.commit] and state(linked) == ""


@pytest.mark.parametrize("name", ["HEAD.lock", "refs/heads/main.lock"])
def test_a_lock_on_the_branch_is_named(standing: Repository, hg: Callable[..., Any], name: str) -> None:
    (standing.git_dir / name).touch()
    done = hg("memory", "add", BETA)
    assert done.code == 2 and name in done.err
    assert BETA not in at_head(standing) and not journal.waiting(standing)
    assert state(standing) == ""


@pytest.mark.parametrize("linked", ["knowledge", "knowledge/memory"])
def test_nothing_is_written_through_a_linked_folder(
    standing: Repository, hg: Callable[..., Any], tmp_path: Path, linked: str
) -> None:
    folder = standing.work_tree() / linked
    outside = folder.rename(tmp_path / "outside")
    folder.symlink_to(outside)
    before = {path: path.read_bytes() for path in outside.rglob("*.md")}
    for command in (["memory", "add", BETA], ["memory", "adopt"], ["memory", "drift"], ["undo"]):
        done = hg(*command)
        assert done.code == 2 and "symbolic link" in done.err, command
    assert {path: path.read_bytes() for path in outside.rglob("*.md")} == before
    assert BETA not in at_head(standing)


def test_a_linked_memory_file_is_neither_read_nor_written(
    standing: Repository, hg: Callable[..., Any], tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("Somebody's own words.")
    target = standing.work_tree() / MEMORY
    target.unlink()
    target.symlink_to(secret)
    for command in (["memory", "add", BETA], ["memory", "adopt"], ["memory", "drift"], ["memory", "discard"], ["undo"]):
        done = hg(*command)
        assert done.code == 2 and "symbolic link" in done.err, command
    assert secret.read_text() == "Somebody's own words." and target.is_symlink()


def test_a_link_at_head_is_not_replaced_by_a_folder(
    standing: Repository, hg: Callable[..., Any], commit: Callable[..., str]
) -> None:
    standing.git("rm", "-r", "-q", "knowledge/memory")
    (standing.work_tree() / "knowledge").mkdir(exist_ok=True)
    (standing.work_tree() / "knowledge" / "memory").write_text("a file")
    commit("a file where the folder should be")
    (standing.work_tree() / "knowledge" / "memory").unlink()
    done = hg("memory", "add", BETA)
    assert done.code == 2 and "knowledge/memory" in done.err and "in the way" in done.err
    assert standing.git("ls-tree", "-r", "--name-only", "HEAD").decode().split() == ["knowledge/memory"]


def test_a_folder_of_the_user_stays_where_a_new_file_would_go(standing: Repository, hg: Callable[..., Any]) -> None:
    (standing.work_tree() / "knowledge" / "memory" / "USER.md").mkdir()
    sync.carry_out(
        standing, Plan("", (Followed("knowledge/memory/USER.md", "", write.write_blob(standing, b"x"), "100644"),))
    )
    assert (standing.work_tree() / "knowledge" / "memory" / "USER.md").is_dir()


def test_a_sparse_checkout_stays_sparse(standing: Repository, hg: Callable[..., Any]) -> None:
    standing.git("update-index", "--skip-worktree", MEMORY)
    (standing.work_tree() / MEMORY).unlink()
    assert hg("memory", "drift").code == 0
    assert hg("memory", "add", BETA).code == 0
    assert state(standing) == "" and BETA in at_head(standing)
    assert read.index_flags(standing, MEMORY) == {MEMORY: "S"}


def test_a_copy_in_another_encoding_is_read_as_git_stores_it(
    standing: Repository, hg: Callable[..., Any], write: Callable[..., Path], commit: Callable[..., str]
) -> None:
    write(".gitattributes", "knowledge/memory/*.md working-tree-encoding=UTF-16LE\n")
    target = write(MEMORY, ALPHA.encode("utf-16-le"))
    commit("attributes")
    assert at_head(standing) == ALPHA
    assert hg("memory", "drift").code == 0
    target.write_bytes(f"{ALPHA}\n§\nGamma was noted by hand.".encode("utf-16-le"))
    assert hg("memory", "add", BETA).code == 0
    assert target.read_bytes().decode("utf-16-le") == f"{ALPHA}\n§\nGamma was noted by hand.\n§\n{BETA}"
    assert hg("memory", "adopt").code == 0
    assert at_head(standing) == target.read_bytes().decode("utf-16-le") and state(standing) == ""


def test_undo_takes_the_entry_out_of_edited_copies_too(standing: Repository, hg: Callable[..., Any]) -> None:
    target = standing.work_tree() / MEMORY
    target.write_text(f"{ALPHA}\n§\nStaged by hand.")
    standing.git("add", MEMORY)
    target.write_text(f"{ALPHA}\n§\nStaged by hand.\n§\nWritten by hand.")
    assert hg("memory", "add", BETA).code == 0
    assert BETA in target.read_text()
    assert hg("undo").code == 0
    assert target.read_text() == f"{ALPHA}\n§\nStaged by hand.\n§\nWritten by hand."
    assert standing.git("show", f":{MEMORY}").decode() == f"{ALPHA}\n§\nStaged by hand."


def test_undo_leaves_a_copy_alone_that_it_cannot_read(standing: Repository, hg: Callable[..., Any]) -> None:
    assert hg("memory", "add", BETA).code == 0
    target = standing.work_tree() / MEMORY
    target.write_bytes(b"\xff\xfe not text")
    assert hg("undo").code == 0
    assert target.read_bytes() == b"\xff\xfe not text" and BETA not in at_head(standing)


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
def test_a_pipe_in_place_of_the_memory_file_is_an_error_not_a_wait(
    standing: Repository, hg: Callable[..., Any]
) -> None:
    target = standing.work_tree() / MEMORY
    target.unlink()
    os.mkfifo(target)
    for command in (["memory", "add", BETA], ["memory", "adopt"], ["memory", "drift"], ["undo"]):
        assert hg(*command).code == 2, command
    status = hg("status")
    assert status.code == 1 and MEMORY in status.out, "the rest is shown, and the file named"


def test_what_killed_writers_left_is_swept_after_a_day(standing: Repository, hg: Callable[..., Any]) -> None:
    old, fresh = standing.state / "tmp" / "index-old", standing.state / "tmp" / "index-fresh"
    for folder in (old, fresh):
        folder.mkdir()
        (folder / "index").write_bytes(b"")
    os.utime(old, (0, 0))
    assert hg("memory", "add", BETA).code == 0
    assert not old.exists() and fresh.exists()
