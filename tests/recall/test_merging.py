"""When to merge: each byte is copied a few times only, no add waits for a large merge, and segments stay few."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from hermes_git.recall import merging
from hermes_git.recall.manifest import FileRecord, SegmentRecord


def segment(number: int, size: int, *, shelf: str = "sessions", dead: int = 0) -> SegmentRecord:
    data = FileRecord(f"{number}.seg", size, "", ())
    return SegmentRecord(f"s{number:05}", shelf, 100, 1000, 1, data, data, dead_passages=dead)


def grow(sizes: list[int], *, fully: bool, full: Sequence[int] = ()) -> Iterator[tuple[int, list[SegmentRecord]]]:
    """Add segments one by one to a full index; yield the bytes that merges read after each, and what is there then."""
    numbers = itertools.count()
    held = [segment(next(numbers), size) for size in full]
    for size in sizes:
        held.append(segment(next(numbers), size))
        copied = 0
        while (fully or not copied) and (names := merging.choose(held, fully=fully)):
            chosen = [one for one in held if one.name in names]
            copied += sum(one.data.bytes for one in chosen)
            held = [one for one in held if one.name not in names]
            held.append(segment(next(numbers), sum(one.data.bytes for one in chosen)))
        yield copied, [*held]


@pytest.mark.parametrize("fully", [False, True])
def test_a_thousand_adds_cost_little_each_and_leave_few_segments(fully: bool) -> None:
    chance = random.Random(5)
    sizes = [chance.choice((8_000, 20_000, 40_000, 40_000, 40_000, 80_000, 120_000)) for _ in range(1000)]
    rounds = list(grow(sizes, fully=fully))
    copied = sorted(cost for cost, _ in rounds)
    most = max(len(held) for _, held in rounds)
    assert most <= (merging.MAX_SEGMENTS if fully else merging.MAX_IN_PASSING)
    assert sum(copied) <= 7 * sum(sizes), "each byte is copied a few times"
    assert copied[600] <= 200_000, "most adds merge nothing, or the smallest"
    assert fully or (copied[970] <= merging.IN_PASSING and copied[-1] <= merging.CROWDED)
    assert sum(one.data.bytes for one in rounds[-1][1]) == sum(sizes)


@pytest.mark.parametrize("size", [20_000, 60_000, 120_000])
def test_a_hundred_adds_to_a_full_index_never_wait_for_a_large_merge(size: int) -> None:
    chance = random.Random(7)
    sizes = [round(size * chance.uniform(0.8, 1.2)) for _ in range(100)]
    rounds = list(grow(sizes, fully=False, full=[15_500_000] * 5))
    assert max(cost for cost, _ in rounds) <= merging.IN_PASSING
    assert max(len(held) for _, held in rounds) <= merging.MAX_IN_PASSING


def test_segments_of_different_sizes_and_shelves_are_left_alone() -> None:
    held = [segment(number, 50_000 * 5**number) for number in range(6)]
    held += [segment(10 + number, 50_000, shelf="knowledge") for number in range(merging.FEW - 1)]
    assert merging.choose(held, fully=False) == ()


def test_large_merges_wait_for_an_unhurried_update() -> None:
    held = [segment(number, 2_000_000) for number in range(merging.FAN)]
    assert merging.choose(held, fully=False) == ()
    assert merging.choose(held, fully=True) == tuple(one.name for one in held)


def test_an_index_that_was_built_at_once_is_not_merged_at_once() -> None:
    held = [segment(number, 15_000_000) for number in range(6)]
    assert merging.choose(held, fully=True) == ()


def test_what_is_mostly_dead_is_rewritten_by_an_unhurried_update_only() -> None:
    held = [segment(1, 5_000_000, dead=40), segment(2, 5_000_000, dead=20)]
    assert merging.choose(held, fully=False) == ()
    assert merging.choose(held, fully=True) == ("s00001",)
