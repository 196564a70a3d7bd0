"""A match of a pattern: what was found, from where to where."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class Match(NamedTuple):
    """One find: its kind, and the half-open range of characters it covers."""

    kind: str
    start: int
    end: int


def disjoint(found: Iterable[Match]) -> tuple[Match, ...]:
    """Sort matches by start; of two that overlap keep the one that starts first, of those the longer one."""
    kept: list[Match] = []
    for match in sorted(found, key=lambda item: (item.start, -item.end, item.kind)):
        if not kept or match.start >= kept[-1].end:
            kept.append(match)
    return tuple(kept)


def entropy(text: str) -> float:
    """Return the Shannon entropy of the characters of a text, in bits each."""
    total = len(text)
    return -sum(count / total * math.log2(count / total) for count in Counter(text).values())
