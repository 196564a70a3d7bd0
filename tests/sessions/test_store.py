"""The store: one behaviour in three places, atomic, and safe when several write at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.errors import UserError
from hermes_git.gitrepo import read, write
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.sessions.model import Session
from hermes_git.sessions.places import BranchPlace
from hermes_git.sessions.source import SAFE_ID
from hermes_git.sessions.store import Store, open_folder, open_store, session_files, session_path, stored_id
from hermes_git.settings import DEFAULTS, parse

HELLO = Session("s-1", "codex", started_at="2026-09-01T08:00:00Z", system_prompt="Be kind.", tools="[]")


@pytest.fixture(params=["branch", "tree", "folder"])
def store(request: pytest.FixtureRequest, repo: Repository, tmp_path: Path) -> Store:
    repo.git("config", "hermes-git.sessionsFolder", str(tmp_path / "outside"))
    return open_store(repo, parse(f'[sessions]\nplace = "{request.param}"\n'))


def test_an_empty_store_is_empty_not_an_error(store: Store) -> None:
    assert (store.revision, store.files(), store.sessions()) == ("", {}, [])
    assert store.read_one("sessions/2026/09/s-1.jsonl") is None


def test_files_come_back_with_git_blob_ids(store: Store, repo: Repository) -> None:
    files = {"ledger/2026-09.jsonl": b'{"use":1}\n', "sessions/unknown/\xe4.jsonl": b"\r\n\0"}
    revision = store.write(files, message="sessions: test")
    assert revision == store.revision != ""
    assert dict(store.read([*files, "no/such"])) == files
    assert store.files() == {path: write.blob_id(repo, data) for path, data in files.items()}
    assert list(store.files("ledger/")) == ["ledger/2026-09.jsonl"]


def test_writing_the_same_again_changes_nothing(store: Store) -> None:
    first = store.write({"ledger/b": b"1"}, message="one")
    assert store.write({"ledger/b": b"1"}, message="two") == first


def test_a_file_given_as_none_is_removed(store: Store) -> None:
    store.write({"ledger/b": b"1", "ledger/c": b"2"}, message="one")
    store.write({"ledger/b": None, "ledger/gone": None}, message="two")
    assert list(store.files()) == ["ledger/c"]


def test_a_session_is_found_by_id_and_by_prefix(store: Store) -> None:
    other = Session("t-2", "codex")
    store.write({**session_files(HELLO), **session_files(other)}, message="import")
    assert [item.path for item in store.sessions()] == ["sessions/2026/09/s-1.jsonl", "sessions/unknown/t-2.jsonl"]
    assert store.session("s-1") == HELLO
    assert store.session("t") == other


IDS = st.from_regex(SAFE_ID, fullmatch=True)


@given(IDS)
def test_a_path_says_whose_session_it_holds(name: str) -> None:
    assert stored_id(session_path(Session(name, "codex"))) == name


@given(IDS.flatmap(lambda name: st.tuples(st.just(name), st.sampled_from([name.lower(), name.upper(), name.title()]))))
def test_no_two_ids_share_a_file_where_case_is_not_told_apart(names: tuple[str, str]) -> None:
    paths = {session_path(Session(name, "codex")).casefold() for name in names}
    assert len(paths) == len(set(names))


def test_an_id_without_capitals_is_the_name_of_its_file() -> None:
    assert session_path(HELLO) == "sessions/2026/09/s-1.jsonl"
    assert session_path(Session("Abc", "codex")) == "sessions/unknown/Abc~06d90109.jsonl"


@pytest.mark.parametrize(("name", "said"), [("s-9", "no sessions match 's-9'"), ("s", "2 sessions match 's'")])
def test_a_name_that_is_not_one_session_lists_the_nearest(store: Store, name: str, said: str) -> None:
    store.write({**session_files(HELLO), **session_files(Session("s-2", "codex"))}, message="import")
    with pytest.raises(UserError, match=said) as caught:
        store.find(name)
    assert "s-1" in caught.value.hint and "s-2" in caught.value.hint


def test_a_torn_last_line_does_not_swallow_the_next(store: Store) -> None:
    store.write({"ledger/x.jsonl": b'{"a":1}\n{"torn'}, message="one")
    store.append("ledger/x.jsonl", [b'{"b":2}'], message="two")
    assert store.read_one("ledger/x.jsonl") == b'{"a":1}\n{"torn\n{"b":2}\n'


@pytest.mark.parametrize("path", ["../x", "/etc/x", ".git/config", "a/../../b"])
def test_no_path_leads_out_of_the_store(store: Store, path: str) -> None:
    with pytest.raises(UserError, match="not a path inside"):
        store.write({path: b""}, message="one")
    assert store.read_one(path) is None


def test_appends_of_two_writers_are_all_kept(store: Store) -> None:
    def writer(name: str) -> None:
        for number in range(8):
            store.append("ledger/m.jsonl", [f"{name}{number}".encode()], message="ledger: append")

    threads = [threading.Thread(target=writer, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = (store.read_one("ledger/m.jsonl") or b"").decode().split()
    assert sorted(lines) == sorted(f"{name}{number}" for name in "abc" for number in range(8))


def test_the_branch_is_written_beside_the_work_tree(repo: Repository, commit: Callable[..., str]) -> None:
    head = commit("first")
    store = open_store(repo, DEFAULTS)
    tip = store.write(session_files(HELLO), message="sessions: import\n\nHermes-Change: import x -..-\n")
    assert read.head(repo) == head
    assert repo.ask("status", "--porcelain") == ""
    assert repo.ask("rev-list", "--count", "hermes/sessions") == "1"
    assert "Hermes-Change: import" in (repo.ask("log", "-1", "--format=%B", tip) or "")
    assert repo.ask("fsck", "--strict") is not None


def test_a_branch_that_moved_meanwhile_is_merged_not_overwritten(repo: Repository) -> None:
    store = open_store(repo, DEFAULTS)
    store.write({"ledger/n": b"1"}, message="one")
    intruded: list[str] = []

    def merge(present: Mapping[str, bytes]) -> dict[str, bytes | None]:
        if not intruded:
            intruded.append(_foreign_commit(repo, "ledger/n", b"10"))
        return {"ledger/n": present["ledger/n"] + b"!", "ledger/mine": b"x"}

    store.update(["ledger/n"], merge, message="two")
    assert dict(store.read(["ledger/n", "ledger/mine"])) == {"ledger/n": b"10!", "ledger/mine": b"x"}


def _foreign_commit(repo: Repository, path: str, data: bytes) -> str:
    """Commit to the branch as another program would, without asking for our lock."""
    ref = "refs/heads/hermes/sessions"
    tip = read.ref(repo, ref)
    assert tip
    tree = write.write_tree(repo, tip, [write.Edit(path, write.write_blob(repo, data))])
    new = write.commit_tree(repo, tree, [tip], "foreign")
    write.move_ref(repo, ref, new, tip, "foreign")
    return new


def test_a_fresh_clone_reads_and_continues_the_branch_of_its_origin(repo: Repository, tmp_path: Path) -> None:
    first = open_store(repo, DEFAULTS).write(session_files(HELLO), message="one")
    repo.git("commit", "-q", "--allow-empty", "-m", "main")
    repo.git("clone", "-q", str(repo.work_tree()), str(tmp_path / "clone"))
    clone = open_store(require(tmp_path / "clone"), DEFAULTS)
    assert clone.session("s-1") == HELLO
    clone.write({"ledger/x.jsonl": b"1\n"}, message="two")
    assert isinstance(clone.place, BranchPlace)
    assert clone.place.repo.ask("rev-parse", "hermes/sessions^") == first


def test_the_moment_given_makes_the_same_commit_everywhere(repo: Repository) -> None:
    now = datetime(2026, 9, 1, tzinfo=UTC)
    store = open_store(repo, DEFAULTS, now=now)
    tip = store.write({"ledger/a": b"1"}, message="one")
    assert repo.ask("log", "-1", "--format=%at %ct", tip) == f"{int(now.timestamp())} {int(now.timestamp())}"
    write.delete_ref(repo, "refs/heads/hermes/sessions", tip)
    assert store.write({"ledger/a": b"1"}, message="one") == tip


def test_many_files_are_one_commit(repo: Repository) -> None:
    store = open_store(repo, DEFAULTS)
    store.write({f"texts/{number}": b"%d\n" % number for number in range(300)}, message="one")
    assert len(store.files()) == 300
    assert repo.ask("rev-list", "--count", "hermes/sessions") == "1"


def test_a_branch_that_somebody_works_on_is_refused(repo: Repository, commit: Callable[..., str]) -> None:
    (repo.work_tree() / "a.txt").write_bytes(b"1")
    head = commit("first")
    repo.git("branch", "develop")
    for name, why in (("main", "is checked out"), ("develop", "holds other files")):
        store = open_store(repo, parse(f'[sessions]\nbranch = "{name}"\n'))
        with pytest.raises(UserError, match=why):
            store.write(session_files(HELLO), message="one")
    assert repo.ask("rev-parse", "main", "develop") == f"{head}\n{head}"


def test_repositories_with_long_ids_work_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "--object-format=sha256", str(folder)], check=True)
    repo = require(folder)
    store = open_store(repo, DEFAULTS)
    store.write({**session_files(HELLO), **{f"ledger/{n}": b"%d" % n for n in range(5)}}, message="one")
    assert store.session("s-1") == HELLO
    assert store.files()["ledger/3"] == write.blob_id(repo, b"3") and len(store.revision) == 64


def test_a_folder_outside_git_must_come_from_the_user(repo: Repository) -> None:
    with pytest.raises(UserError, match="your configuration names none"):
        open_store(repo, parse('[sessions]\nplace = "folder"\nfolder = "/etc"\n'))


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "x").write_bytes(b"private")
    store = open_folder(tmp_path / "store")
    store.write({"a": b"1"}, message="one")
    (tmp_path / "store" / "link").symlink_to(secret / "x")
    (tmp_path / "store" / "sessions").symlink_to(secret)
    assert list(store.files()) == ["a"]
    assert dict(store.read(["link", "sessions/x"])) == {}
    with pytest.raises(UserError, match="symbolic link"):
        store.write({"sessions/x": b"2"}, message="two")
    assert (secret / "x").read_bytes() == b"private"


def test_a_killed_writer_leaves_the_old_state_or_the_new_one(repo: Repository) -> None:
    code = (
        "import sys, pathlib\n"
        "from hermes_git.gitrepo.repository import require\n"
        "from hermes_git.sessions.store import open_store\n"
        "from hermes_git.settings import DEFAULTS\n"
        "store = open_store(require(pathlib.Path(sys.argv[1])), DEFAULTS)\n"
        "print('ready', flush=True)\n"
        "for n in range(10**6):\n"
        "    store.write({'ledger/a': b'%d' % n, 'ledger/b': b'%d' % n}, message=str(n))\n"
    )
    for pause in (0.05, 0.11, 0.17):
        child = subprocess.Popen([sys.executable, "-c", code, str(repo.work_tree())], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(pause)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
        found = dict(open_store(repo, DEFAULTS).read(["ledger/a", "ledger/b"]))
        assert found.get("ledger/a") == found.get("ledger/b")
    assert repo.ask("fsck", "--strict") is not None
    before = time.monotonic()
    open_store(repo, DEFAULTS).write({"ledger/a": b"end"}, message="end")
    assert time.monotonic() - before < 10


def test_paths_follow_the_start_of_the_session() -> None:
    assert session_path(HELLO) == "sessions/2026/09/s-1.jsonl"
    assert session_path(Session("x", "codex", started_at="soon")) == "sessions/unknown/x.jsonl"
