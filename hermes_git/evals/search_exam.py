"""Does search find the message? The same queries to several searches, judged by where the sentence stands."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hermes_git.evals import ranking
from hermes_git.evals.session_bank import Place, Query
from hermes_git.sessions.model import Session

LIMIT = 10
Find = Callable[[str, int], Sequence[Place]]
"""A search: words and a limit in, the best message of each session out, best first."""
Watch = Callable[[Sequence[Query]], Iterable[Query]]
"""Hands the queries on, one after the other."""


def sample(sessions: Sequence[Session], most: int) -> list[Session]:
    """Return up to `most` sessions, by the digest of their ids; 0 for all."""
    found = sorted(sessions, key=lambda one: hashlib.sha256(one.id.encode("utf-8", "surrogatepass")).digest())
    return found[:most] if most else found


def examined(queries: Sequence[Query], searches: Mapping[str, Find], watch: Watch = iter) -> dict[str, Any]:
    """Return for each search and form of query how well it ranks sessions, and messages; `watch` sees them go by."""
    lines: dict[str, Any] = {}
    for name, find in searches.items():
        found = [(query, find(query.text, LIMIT)) for query in watch(queries)]
        for form in dict.fromkeys(query.form for query in queries):
            mine = [(query, hits) for query, hits in found if query.form == form]
            lines[f"{name}, {form}: session"] = ranking.quality(_grouped(mine, is_message=False))
            lines[f"{name}, {form}: message"] = ranking.quality(_grouped(mine, is_message=True))
    return lines


def _grouped(found: Sequence[tuple[Query, Sequence[Place]]], *, is_message: bool) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for query, hits in found:
        place = (
            ranking.place_of(hits, frozenset(query.places))
            if is_message
            else ranking.place_of([session for session, _ in hits], frozenset(query.sessions))
        )
        groups.setdefault(query.session, []).append(place)
    return list(groups.values())
