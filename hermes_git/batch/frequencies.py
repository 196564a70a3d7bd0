"""Are sampled toolsets what a distribution promises? Counts, expected counts, and a chi-square test. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from hermes_git.batch.toolsets import Distribution

LEAST_EXPECTED = 5.0
"""Combinations expected less often than this are counted together, as the test needs."""

Z99 = 2.5758293035489004
"""The normal deviate of the 99 % interval."""


@dataclass(frozen=True, slots=True)
class Row:
    """One toolset: its expected probability, how often it was drawn, and the 99 % interval of that count."""

    toolset: str
    expected: float
    drawn: int
    low: float
    high: float

    @property
    def is_within(self) -> bool:
        """Say whether the count lies in the interval."""
        return self.low <= self.drawn <= self.high


@dataclass(frozen=True, slots=True)
class Comparison:
    """A sample held against its distribution."""

    samples: int
    rows: tuple[Row, ...]
    chi_square: float
    freedom: int
    p_value: float

    def as_json(self) -> dict[str, object]:
        """Return the published JSON form."""
        return {
            "samples": self.samples,
            "toolsets": [
                {
                    "toolset": row.toolset,
                    "expected": round(row.expected, 6),
                    "sampled": row.drawn / self.samples if self.samples else 0.0,
                    "count": row.drawn,
                    "interval_99": [round(row.low, 1), round(row.high, 1)],
                    "within": row.is_within,
                }
                for row in self.rows
            ],
            "chi_square": round(self.chi_square, 4),
            "degrees_of_freedom": self.freedom,
            "p_value": round(self.p_value, 6),
        }


def compare(distribution: Distribution, drawn: Iterable[tuple[str, ...]]) -> Comparison:
    """Hold drawn combinations against a distribution."""
    counts = Counter(drawn)
    total = counts.total()
    rows = []
    for name, expected in distribution.frequencies().items():
        count = sum(number for chosen, number in counts.items() if name in chosen)
        spread = Z99 * math.sqrt(total * expected * (1 - expected))
        rows.append(Row(name, expected, count, total * expected - spread - 0.5, total * expected + spread + 0.5))
    statistic, freedom = _chi_square(distribution.outcomes(), counts, total)
    return Comparison(total, tuple(rows), statistic, freedom, survival(statistic, freedom))


def _chi_square(
    probabilities: dict[tuple[str, ...], float], counts: Counter[tuple[str, ...]], total: int
) -> tuple[float, int]:
    """Return the statistic and its degrees of freedom over all combinations, rare ones taken together."""
    cells: list[tuple[float, int]] = []
    rare, rare_count = 0.0, sum(number for chosen, number in counts.items() if chosen not in probabilities)
    for chosen, probability in probabilities.items():
        expected = probability * total
        if expected < LEAST_EXPECTED:
            rare, rare_count = rare + expected, rare_count + counts[chosen]
        else:
            cells.append((expected, counts[chosen]))
    if rare_count and not rare:
        return math.inf, max(1, len(cells))
    if rare:
        cells.append((rare, rare_count))
    return math.fsum((count - expected) ** 2 / expected for expected, count in cells), max(0, len(cells) - 1)


def survival(statistic: float, freedom: int) -> float:
    """Return the probability of a chi-square at least this large (the upper regularised incomplete gamma function)."""
    if freedom <= 0:
        return 1.0
    if math.isinf(statistic):
        return 0.0
    shape, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    return 1 - scale * _series(shape, x) if x < shape + 1 else scale * _fraction(shape, x)


def _series(shape: float, x: float) -> float:
    term = total = 1 / shape
    for step in range(1, 1000):
        term *= x / (shape + step)
        total += term
        if term < total * 1e-15:
            break
    return total


def _fraction(shape: float, x: float) -> float:
    """Evaluate the continued fraction by Lentz' method."""
    b = x + 1 - shape
    c, d = 1e300, 1 / b
    whole = d
    for step in range(1, 1000):
        a = -step * (step - shape)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        whole *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return whole
