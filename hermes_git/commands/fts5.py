"""BM25 of SQLite's FTS5 over the same texts, as a rival: any word of a query may match, in memory, nothing written."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable

WORD = re.compile(r"\w+")
DEPTH = 20
"""Rows looked at for each group that is wanted; several best rows may be of one group."""


class Fts5:
    """One table of texts; each has a group, of which the best row alone is an answer, and an id."""

    def __init__(self, rows: Iterable[tuple[str, int, str]]) -> None:
        """Index rows of group, id and text."""
        self.connection = sqlite3.connect(":memory:")
        self.connection.execute("create virtual table text using fts5(body, content='')")
        self.places: list[tuple[str, int]] = []
        for group, number, text in rows:
            self.places.append((group, number))
            self.connection.execute("insert into text(rowid, body) values (?, ?)", (len(self.places), _clean(text)))

    def find(self, words: str, limit: int) -> list[tuple[str, int]]:
        """Return the group and id of the best row of each of the best groups."""
        match = " OR ".join(f'"{word}"' for word in WORD.findall(_clean(words)))
        if not match:
            return []
        wanted = "select rowid from text where text match ? order by rank limit ?"
        found: dict[str, tuple[str, int]] = {}
        for (row,) in self.connection.execute(wanted, (match, limit * DEPTH)):
            group, number = self.places[row - 1]
            found.setdefault(group, (group, number))
        return list(found.values())[:limit]

    def close(self) -> None:
        """Give the memory back."""
        self.connection.close()


def _clean(text: str) -> str:
    """Return a text that SQLite can store: lone surrogates are no Unicode."""
    return text.encode("utf-8", "replace").decode("utf-8")
