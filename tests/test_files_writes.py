"""Writing files in one step: permissions, links, leftovers of a killed process, and several writers at once."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from hermes_git import files


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
