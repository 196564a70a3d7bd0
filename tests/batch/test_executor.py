"""Every item comes back: workers that crash, hang or raise cost their own item and no other."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hermes_git.batch.executor import Lost, Pool
from hermes_git.errors import UserError
from tests.batch.jobs import Misbehave, Unbuildable


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().split(") ")[1][:1] if Path("/proc").is_dir() else True


def test_every_item_comes_back(tmp_path: Path) -> None:
    words = [*"abcdefghij", "die", "kill", "raise", "once:x", "once:y", *"klmno"]
    found = dict(Pool(Misbehave(tmp_path), 2, 30.0).run(words))
    assert set(found) == set(words)
    lost = {word: result for word, result in found.items() if isinstance(result, Lost)}
    assert {word: result.reason for word, result in lost.items()} == {
        "die": "worker-died",
        "kill": "worker-died",
        "raise": "bug",
    }
    assert "exit code 7" in lost["die"].message and "signal 9" in lost["kill"].message
    assert "ValueError: no" in lost["raise"].message and "jobs.py" in lost["raise"].message
    assert found["once:x"] == "ONCE:X" and found["a"] == "A"
    tried = [line.split()[1] for line in (tmp_path / "log").read_text().splitlines()]
    assert tried.count("die") == 2 and tried.count("a") == 1


def test_a_hanging_item_is_ended_with_all_it_started(tmp_path: Path) -> None:
    start = time.monotonic()
    found = dict(Pool(Misbehave(tmp_path), 2, 1.5).run(["a", "hang", "b", "c"]))
    assert isinstance(found["hang"], Lost) and found["hang"].reason == "timeout" and found["c"] == "C"
    assert time.monotonic() - start < 30
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + 5
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(child)


@pytest.mark.parametrize(
    ("how", "said"),
    [("user", "the key is empty"), ("bug", "a worker cannot begin: KeyError"), ("die", "before they begin")],
)
def test_workers_that_cannot_begin_end_the_run(how: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        list(Pool(Unbuildable(how), 2).run(str(number) for number in range(100)))


def test_no_items_need_no_workers(tmp_path: Path) -> None:
    assert list(Pool(Misbehave(tmp_path), 4).run([])) == []
