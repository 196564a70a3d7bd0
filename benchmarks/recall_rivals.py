"""The same messages and queries in bare SQLite FTS5, for ratios."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.recall_corpus import rows, texts

LIMIT = 10
WORD = re.compile(r"\w+")


class Fts5:
    """One FTS5 table, unicode61, contentless but for the text it must keep to answer."""

    name = "fts5"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "fts5.db"
        self.connection = sqlite3.connect(self.path)

    def drop(self) -> None:
        """Forget an earlier run."""
        self.connection.close()
        self.path.unlink()
        self.connection = sqlite3.connect(self.path)

    def build(self, corpus: Path) -> float:
        """Index all messages and return the CPU seconds it took."""
        start = time.process_time()
        with self.connection as db:
            db.execute("create virtual table message using fts5(body, content='')")
            number = 0
            for row in rows(corpus):
                batch = [(number + at, text) for at, text in enumerate(texts(row), start=1)]
                number += len(batch)
                db.executemany("insert into message(rowid, body) values (?, ?)", batch)
        return time.process_time() - start

    def size(self) -> int:
        """Return the bytes on disk."""
        return self.path.stat().st_size

    def run(self, match: str) -> int:
        """Return how many rows a MATCH text finds, at most `LIMIT`, ranked by bm25."""
        found = self.connection.execute(
            "select rowid from message where message match ? order by rank limit ?", (match, LIMIT)
        ).fetchall()
        return len(found)

    @staticmethod
    def all_of(words: str) -> str:
        """Return the MATCH text for all words."""
        return " ".join(f'"{word}"' for word in WORD.findall(words))

    @staticmethod
    def any_of(words: str) -> str:
        """Return the MATCH text for any of the words."""
        return " OR ".join(f'"{word}"' for word in WORD.findall(words))

    @staticmethod
    def phrase(words: str) -> str:
        """Return the MATCH text for a phrase."""
        return '"' + " ".join(WORD.findall(words)) + '"'


def measure(run: Callable[[str], object], queries: list[str], rounds: int = 3) -> dict[str, float]:
    """Return p50, p95 and maximum of the CPU milliseconds of queries, each the best of a few rounds over all."""
    best = [float("inf")] * len(queries)
    for _ in range(rounds):
        for number, query in enumerate(queries):
            start = time.process_time()
            run(query)
            best[number] = min(best[number], (time.process_time() - start) * 1000)
    return {"p50": percentile(best, 0.5), "p95": percentile(best, 0.95), "max": round(max(best), 2)}


def percentile(values: list[float], share: float) -> float:
    """Return a percentile, rounded to hundredths."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))], 2)
