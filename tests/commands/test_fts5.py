"""The rival index: the best row of each of the best groups, for any words."""

from __future__ import annotations

from contextlib import closing

import pytest

from hermes_git.commands.fts5 import Fts5

ROWS = [
    ("one", 1, "the deploy of staging failed with a timeout"),
    ("one", 2, "deploy deploy deploy staging"),
    ("two", 1, "the importer of staging is fine"),
    ("three", 1, "部署 失败 \ud800"),
]


@pytest.mark.parametrize(
    ("words", "limit", "found"),
    [
        ("deploy staging", 10, [("one", 2), ("two", 1)]),
        ("deploy staging", 1, [("one", 2)]),
        ("importer", 10, [("two", 1)]),
        ("部署", 10, [("three", 1)]),
        ('"*" OR ( NEAR', 10, []),
        ("nowhere", 10, []),
        ("", 10, []),
        ("\ud800", 10, []),
    ],
)
def test_the_best_row_of_each_group(words: str, limit: int, found: list[tuple[str, int]]) -> None:
    with closing(Fts5(ROWS)) as rival:
        assert rival.find(words, limit) == found
