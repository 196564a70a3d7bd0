from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hermes_git.cli import main
from hermes_git.errors import UserError
from hermes_git.export import run as export_run
from hermes_git.export.recipe import Kitchen, Recipe
from hermes_git.export.workers import chunks, run
from hermes_git.tokens import choose
from hermes_git.trajectories.compress import Options
from tests.export.test_run import ALL, COMMITS
from tests.trajectories.rows import hermes


@dataclass(frozen=True)
class Square:
    """Squares numbers; dies at 13."""

    def build(self) -> Callable[[int], int]:
        return square


def square(number: int) -> int:
    if number == 13:
        os._exit(1)
    return number * number


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order(workers: int) -> None:
    numbers = [*range(12), *range(20, 300)]
    assert list(run(Square(), numbers, workers)) == [number * number for number in numbers]


def test_a_dead_worker_is_an_error() -> None:
    with pytest.raises(UserError, match="worker process died"):
        list(run(Square(), range(200), 2))


def test_items_are_read_only_a_little_ahead() -> None:
    read: list[int] = []

    def items() -> Iterator[int]:
        for number in range(100, 10_000):
            read.append(number)
            yield number

    first = next(iter(run(Square(), items(), 2, size=lambda _: 10**9)))
    assert first == 100 * 100
    assert len(read) < 20


def test_chunks_are_bounded_by_bytes_and_number() -> None:
    assert [len(chunk) for chunk in chunks(range(130), lambda _: 1)] == [64, 64, 2]
    assert [len(chunk) for chunk in chunks(range(4), lambda _: 300_000)] == [2, 2]


def test_workers_change_no_byte(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"".join(json.dumps(hermes(size=50 + n)).encode() + b"\n" for n in range(30)))
    for workers in ("1", "2"):
        out = f"out{workers}.jsonl"
        assert (
            main(["compress", "-q", "-C", str(tmp_path), "in.jsonl", out, "--budget", "900", "--workers", workers]) == 0
        )
    assert (tmp_path / "out1.jsonl").read_bytes() == (tmp_path / "out2.jsonl").read_bytes()
    kitchen = Kitchen(Recipe("sharegpt", 2000, Options(2000)), choose.default())
    one, two = (
        export_run.export(ALL, kitchen, tmp_path / str(n), commits=COMMITS, steps=export_run.here(kitchen, n))
        for n in (1, 2)
    )
    assert one == two
