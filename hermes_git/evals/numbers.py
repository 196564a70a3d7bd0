"""Repeatable chance and small statistics: resampling by a counter and a digest instead of a clock."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence

SAMPLES = 1000


def stream(seed: str) -> Iterator[int]:
    """Yield 32-bit numbers that depend on the seed alone."""
    counter = 0
    while True:
        block = hashlib.sha256(f"{seed}\0{counter}".encode()).digest()
        yield from (int.from_bytes(block[start : start + 4], "big") for start in range(0, 32, 4))
        counter += 1


def mean(values: Sequence[float]) -> float:
    """Return the mean, 0 for no values."""
    return math.fsum(values) / len(values) if values else 0.0


def interval(groups: Sequence[Sequence[float]], seed: str, *, samples: int = SAMPLES) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the mean of all values, resampling whole groups.

    A group is a transcript: its questions share a fate, so drawing them one by one would promise too much.
    """
    full = [(math.fsum(group), len(group)) for group in groups if group]
    if not full:
        return 0.0, 0.0
    numbers = stream(seed)
    means = []
    for _ in range(samples):
        drawn = [full[next(numbers) % len(full)] for _ in full]
        means.append(math.fsum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    return means[int(samples * 0.025)], means[int(samples * 0.975) - 1]
