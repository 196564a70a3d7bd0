"""Budgets at which a policy keeps as many tokens as another one, so that recall is compared at equal cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

TOLERANCE = 0.03
"""How far the kept tokens of two policies may lie apart, as a share, to count as equal."""

NEAR = 0.01
STEPS = 7
SPREAD = 2
"""No budget of less or more than this many times the wanted tokens is tried."""

Done = TypeVar("Done")


def nearest(compress: Callable[[int], tuple[int, Done]], wanted: int) -> tuple[int, Done]:
    """Return the budget that keeps nearly `wanted` tokens, and what compressing to it gave.

    `compress` tells for a budget the tokens kept and the result. Whole turns are kept or not, so that not every
    number can be reached; the nearest of a few tries is taken.
    """
    low, high = wanted // SPREAD, wanted * SPREAD
    after, done = compress(wanted)
    best = (abs(after - wanted), wanted, done)
    budget = wanted
    for step in range(1, STEPS):
        if best[0] <= wanted * NEAR:
            break
        low, high = (budget, high) if after < wanted else (low, budget)
        guess = budget * wanted // max(1, after) if step == 1 else (low + high) // 2
        budget = min(max(guess, low + 1), high - 1)
        if not low < budget < high:
            break
        after, done = compress(budget)
        best = min(best, (abs(after - wanted), budget, done), key=lambda one: one[:2])
    return best[1:]


def is_equal(kept: float, wanted: float) -> bool:
    """Say whether two numbers of kept tokens are equal within the tolerance."""
    return abs(kept - wanted) <= TOLERANCE * wanted
