"""Repeatable chance and small statistics: resampling by a counter and a digest instead of a clock."""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Iterator, Sequence

SAMPLES = 1000
Groups = Sequence[Sequence[float]]
"""Values in groups that share a fate, as the questions about one transcript do."""


def stream(seed: str) -> Iterator[int]:
    """Yield 32-bit numbers that depend on the seed alone."""
    counter = 0
    while True:
        block = hashlib.sha256(f"{seed}\0{counter}".encode()).digest()
        yield from (int.from_bytes(block[start : start + 4], "big") for start in range(0, 32, 4))
        counter += 1


@functools.lru_cache(maxsize=16)
def draws(count: int, samples: int = SAMPLES) -> tuple[tuple[int, ...], ...]:
    """Return samples of `count` groups drawn with replacement; all figures of one size are drawn alike."""
    numbers = stream(f"bootstrap {count}")
    return tuple(tuple(next(numbers) % count for _ in range(count)) for _ in range(samples))


def mean(values: Sequence[float]) -> float:
    """Return the mean, 0 for no values."""
    return math.fsum(values) / len(values) if values else 0.0


def interval(groups: Groups) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the mean of all values, resampling whole groups."""
    full = [(math.fsum(group), len(group)) for group in groups if group]
    if not full:
        return 0.0, 0.0
    found = []
    for drawn in draws(len(full)):
        total = math.fsum(full[place][0] for place in drawn)
        found.append(total / sum(full[place][1] for place in drawn))
    return _middle(found)


def paired(ours: Groups, theirs: Groups) -> tuple[float, float]:
    """Return the 95 % interval of the mean difference of values that belong together."""
    return interval([[a - b for a, b in zip(one, other, strict=True)] for one, other in zip(ours, theirs, strict=True)])


def ratio(ours: Groups, theirs: Groups) -> tuple[float, float]:
    """Return the 95 % interval of the ratio of two sums over the same groups; infinite where the second sum is 0."""
    sums = [(math.fsum(one), math.fsum(other)) for one, other in zip(ours, theirs, strict=True) if one]
    if not sums:
        return 0.0, 0.0
    found = []
    for drawn in draws(len(sums)):
        below = math.fsum(sums[place][1] for place in drawn)
        found.append(math.fsum(sums[place][0] for place in drawn) / below if below else math.inf)
    return _middle(found)


def _middle(found: list[float]) -> tuple[float, float]:
    found.sort()
    return found[int(len(found) * 0.025)], found[int(len(found) * 0.975) - 1]
