"""Writing files in one step: permissions, links, leftovers of a killed process, and several writers at once."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git import files
from hermes_git.errors import UserError


@pytest.mark.parametrize("durable", [True, False])
def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path, durable: bool) -> None:
    target = tmp_path / "deep" / "a.txt"
    files.write_atomic(target, b"one", durable=durable)
    target.chmod(0o640)
    files.write_atomic(target, b"two", durable=durable)
    assert target.read_bytes() == b"two" and target.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in target.parent.iterdir()] == ["a.txt"], "nothing is left beside it"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"one")
    (tmp_path / "link").symlink_to("real")
    files.write_atomic(tmp_path / "link", b"two")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_bytes() == b"two"


def test_a_leftover_with_our_number_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / f".a.txt.{os.getpid()}-0.tmp").write_bytes(b"left by a killed process")
    files.write_atomic(tmp_path / "a.txt", b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"new"


def test_a_trap_laid_under_the_temporary_name_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"mine")
    (tmp_path / f".a.txt.{os.getpid()}-0.tmp").symlink_to("victim")
    files.write_atomic(tmp_path / "a.txt", b"new")
    assert (tmp_path / "victim").read_bytes() == b"mine" and (tmp_path / "a.txt").read_bytes() == b"new"


def test_writers_in_several_threads_do_not_share_a_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    contents = [bytes([65 + number]) * 100_000 for number in range(8)]
    threads = [threading.Thread(target=files.write_atomic, args=(target, data)) for data in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert target.read_bytes() in contents and list(tmp_path.iterdir()) == [target]


def test_a_scratch_folder_takes_the_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, scratch = tmp_path / "tree" / "a.txt", tmp_path / "scratch"

    def stop(source: str, _: Path) -> None:
        raise KeyboardInterrupt(source)

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt) as stopped:
        files.write_atomic(target, b"new", scratch=scratch)
    assert Path(str(stopped.value)).parent == scratch
    monkeypatch.undo()
    files.write_atomic(target, b"new", mode=0o755, scratch=scratch)
    assert target.read_bytes() == b"new" and target.stat().st_mode & 0o777 == 0o755 and not [*scratch.iterdir()]


@pytest.mark.parametrize("name", ["a" * 250, "記" * 83])
def test_a_very_long_name_can_be_written(tmp_path: Path, name: str) -> None:
    files.write_atomic(tmp_path / name, b"new")
    assert (tmp_path / name).read_bytes() == b"new"


def test_a_lock_is_not_taken_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"mine")
    (tmp_path / "x.lock").symlink_to("victim")
    with pytest.raises(UserError, match="no lock file"), files.lock(tmp_path / "x.lock"):
        pass
    assert (tmp_path / "victim").read_bytes() == b"mine"


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_neither_locked_nor_read(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "odd"
    make(path)
    with pytest.raises(UserError, match="no lock file"), files.lock(path):
        pass
    for read in (files.read_bytes, files.read_optional, files.read_unpacked, lambda it: list(files.raw_lines(it))):
        with pytest.raises(UserError, match="not a regular file"):
            read(path)


@pytest.mark.parametrize("holder", [b"[]", b'"x"', b"[" * 100_000, b"\xff", b""])
def test_a_lock_file_that_says_nothing_useful(tmp_path: Path, holder: bytes) -> None:
    path = tmp_path / "x.lock"
    with files.lock(path):
        path.write_bytes(holder)
        with pytest.raises(UserError, match="another process holds"), files.lock(path, wait=0):
            pass


def test_a_cache_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    files.keep(tmp_path / "file" / "cache.json", b"{}")
    assert (tmp_path / "file").read_bytes() == b"in the way"


def test_only_the_newest_caches_stay(tmp_path: Path) -> None:
    for number in range(5):
        files.keep(tmp_path / f"log-{number}.json", b"{}", alike="log-*.json", most=2)
        os.utime(tmp_path / f"log-{number}.json", (number, number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log-3.json", "log-4.json"]


def test_a_lock_holds_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with files.lock(tmp_path / "lock"), pytest.raises(UserError, match="lock"), files.lock(tmp_path / "lock", wait=0):
        pass


def test_a_row_that_the_disk_took_only_in_part_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "write", lambda _, data: len(data) - 1)
    with pytest.raises(OSError, match="space"):
        files.append_line(tmp_path / "a.jsonl", b"{}")


def test_a_folder_that_cannot_be_read_is_not_an_empty_one(tmp_path: Path) -> None:
    assert list(files.walk(tmp_path / "missing")) == []
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError):
        list(files.walk(tmp_path / "file"))
