from __future__ import annotations

import pytest

from hermes_git.evals import ranking


def test_places_become_shares_and_reciprocal_ranks() -> None:
    found = ranking.quality([[1, 2], [0, 5]])
    assert (found["asked"], found["R@1"], found["R@3"], found["R@10"]) == (4, 25.0, 50.0, 75.0)
    assert found["MRR"] == pytest.approx((1 + 0.5 + 0 + 0.2) / 4, abs=0.001)
    low, high = found["R@3 interval"]
    assert (low, high) == (0.0, 100.0)
    assert ranking.quality([])["R@1"] == 0


@pytest.mark.parametrize(
    ("found", "wanted", "place"),
    [("abc", "c", 3), ("abc", "cb", 2), ("abc", "d", 0), ("", "a", 0), ("abc", "", 0)],
)
def test_the_first_wanted_one_counts(found: str, wanted: str, place: int) -> None:
    assert ranking.place_of(list(found), frozenset(wanted)) == place


def test_the_table_holds_every_line() -> None:
    page = ranking.table({"ours": ranking.quality([[1]]), "theirs": ranking.quality([[0]])})
    assert [line.split(" | ")[0] for line in page.split("\n")[2:]] == ["| ours", "| theirs"]
    assert "100.0 (100.0-100.0)" in page
