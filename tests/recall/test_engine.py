"""Ranked passages are made when somebody looks at them, and not before."""

from __future__ import annotations

import pytest

from hermes_git.recall.engine import Found, Rows
from hermes_git.recall.source import Key, Source

SOURCE = Source(*Key("session", "b" * 40, "sessions/one.jsonl"), id="one")


def test_only_what_is_looked_at_is_made() -> None:
    made: list[int] = []

    def make(row: int) -> Found:
        made.append(row)
        return Found(float(row), SOURCE, (), row)

    rows = Rows([9, 7, 5, 3], make)
    later = rows[1:]
    assert (len(rows), len(later), made) == (4, 3, [])
    assert (rows[0].score, later[0].score, made) == (9.0, 7.0, [9, 7])
    assert [found.time for found in rows] == [9, 7, 5, 3]
    with pytest.raises(IndexError):
        rows[4]
