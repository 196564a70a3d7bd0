from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.export.journal import Journal

ITEMS = [f"item {number}" for number in range(6)]


def journal(stream: io.BytesIO, key: str = "k") -> Journal[str]:
    stream.seek(0)
    return Journal(stream, key, str.encode, bytes.decode)


def go(stream: io.BytesIO, items: list[str], *, key: str = "k", until: int = 99) -> tuple[list[str], list[str]]:
    """Return the results, up to a number of them, and the items that the step was asked for."""
    asked: list[str] = []

    def step(rest: Iterable[str]) -> Iterator[str]:
        for item in rest:
            asked.append(item)
            yield item.upper()

    outs = journal(stream, key).carry_on(items, step, str)
    return [out for _, out in zip(range(until), outs, strict=False)], asked


@pytest.mark.parametrize("done", range(len(ITEMS) + 1))
def test_only_what_is_missing_is_asked_for(done: int) -> None:
    stream = io.BytesIO()
    go(stream, ITEMS, until=done)
    outs, asked = go(stream, ITEMS)
    assert outs == [item.upper() for item in ITEMS]
    assert asked == ITEMS[done:]


def test_another_run_begins_anew() -> None:
    stream = io.BytesIO()
    go(stream, ITEMS)
    assert go(stream, ITEMS, key="other")[1] == ITEMS


def test_what_follows_a_changed_item_is_forgotten() -> None:
    stream = io.BytesIO()
    go(stream, ITEMS)
    changed = [*ITEMS[:2], "changed", *ITEMS[3:]]
    assert go(stream, changed)[1] == changed[2:]
    assert go(stream, changed)[1] == []


@given(st.integers(0, 400), st.binary(max_size=12))
def test_a_torn_or_damaged_journal_costs_time_and_nothing_else(cut: int, tail: bytes) -> None:
    stream = io.BytesIO()
    go(stream, ITEMS)
    stream.seek(cut)
    stream.truncate()
    stream.write(tail)
    assert go(stream, ITEMS)[0] == [item.upper() for item in ITEMS]
    assert go(stream, ITEMS) == ([item.upper() for item in ITEMS], [])


def test_workers_that_are_ahead_keep_names_and_results_together() -> None:
    def hasty(rest: Iterable[str]) -> Iterator[str]:
        return iter([item.upper() for item in rest])

    stream = io.BytesIO()
    outs = journal(stream).carry_on(ITEMS, hasty, str)
    assert [next(outs), next(outs)] == ["ITEM 0", "ITEM 1"]
    assert go(stream, ITEMS)[1] == ITEMS[2:]
