from __future__ import annotations

from collections.abc import Callable

import pytest

from hermes_git.evals.matched import is_equal, nearest


def stairs(step: int, floor: int = 0, most: int = 10**9) -> Callable[[int], tuple[int, int]]:
    """Return a compression that keeps whole steps of a budget, at least `floor`, at most `most`."""
    return lambda budget: (min(most, max(floor, budget // step * step)), budget)


@pytest.mark.parametrize(
    ("compress", "wanted", "kept"),
    [
        (stairs(1), 1000, 1000),
        (stairs(300), 1000, 900),
        (stairs(1, floor=1500), 1000, 1500),
        (stairs(1, most=400), 1000, 400),
        (lambda budget: (budget // 2, budget), 1000, 1000),
        (lambda budget: (budget * 3 // 2, budget), 1000, 1000),
    ],
)
def test_the_nearest_that_can_be_reached(compress: Callable[[int], tuple[int, int]], wanted: int, kept: int) -> None:
    budget, _ = nearest(compress, wanted)
    assert abs(compress(budget)[0] - kept) <= 0.02 * kept


def test_a_good_first_try_is_the_last() -> None:
    tried: list[int] = []
    nearest(lambda budget: (tried.append(budget) or budget, None), 1000)
    assert tried == [1000]


@pytest.mark.parametrize(("kept", "equal"), [(1000, True), (1030, True), (970, True), (1031, False), (900, False)])
def test_equal_within_three_percent(kept: int, equal: bool) -> None:
    assert is_equal(kept, 1000) is equal
