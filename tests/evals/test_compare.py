from __future__ import annotations

import pytest

from hermes_git.evals.compare import comparisons, of_ceiling, targets
from hermes_git.evals.exam import Paper, Result
from hermes_git.evals.question import Question
from hermes_git.evals.scorecard import grouped

QUESTIONS = (
    Question("a", "artefact", "cloze", "a ____", "1"),
    Question("b", "recall", "cloze", "b ____", "2"),
    Question("n", "negative", "cloze", "c ____", ""),
)
PAPERS = {name: Paper(name, name, 1000, QUESTIONS, family=name) for name in "xyz"}


def result(policy: str, name: str, tokens: int, *grades: int) -> Result:
    return Result(policy, "50%", name, 1000, tokens, grades)


OURS = [
    result("six-step", "x", 500, 2, 2, 2),
    result("six-step", "y", 400, 2, 1, 2),
    result("six-step", "z", 100, 0, 2, 2),
]
THEIRS = [
    result("recency", "x", 505, 2, 0, 2),
    result("recency", "y", 200, 0, 0, 2),
    result("recency", "z", 101, 0, 2, 0),
]


def test_pairs_that_keep_equally_much_are_told_apart() -> None:
    (found,) = comparisons(grouped([*OURS, *THEIRS]), PAPERS, "six-step")
    row = found.as_json()
    assert (row["recall"], row["difference"], row["ratio"]) == ([75.0, 33.3], 41.7, 2.25)
    assert (found.wins, found.losses, found.ties) == (3, 0, 3)
    assert row["transcripts"] == 3
    assert not row["is_equal_kept"]
    pairs = found.equal
    assert pairs is not None
    assert pairs.transcripts == 2
    assert (pairs.recall, pairs.rival_recall) == (75.0, 50.0)
    assert pairs.as_json()["equal_pairs"] is None


def test_an_aim_must_hold_over_all_and_over_equal_pairs() -> None:
    rows = [one.as_json() for one in comparisons(grouped([*OURS, *THEIRS]), PAPERS, "six-step")]
    assert targets(rows, {"50%": 0.8, "8000": 0.1}) == [
        {"target": "10 points over recency at 50%", "value": 25.0, "is_reached": True},
        {"target": "0.85 of the ceiling's artefact questions at 50%", "value": 0.8, "is_reached": False},
    ]
    unequal = [one.as_json() for one in comparisons(grouped([*OURS[1:2], *THEIRS[1:2]]), PAPERS, "six-step")]
    assert unequal[0]["equal_pairs"] is None
    assert targets(unequal, {})[0]["value"] == 75.0


@pytest.mark.parametrize(("kind", "share"), [("artefact", 2 / 3), ("recall", 1.0), ("decision", 0.0)])
def test_the_share_of_the_ceilings_questions(kind: str, share: float) -> None:
    ceiling = [result("uncompressed", name, 1000, 2, 2 if name != "y" else 1, 2) for name in "xyz"]
    assert of_ceiling(OURS, ceiling, PAPERS, kind) == pytest.approx(share)


@pytest.mark.parametrize(("ours", "theirs", "times"), [(1, 0, 999.0), (0, 0, 1.0), (0, 2, 0.0), (2, 1, 2.0)])
def test_a_ratio_to_nothing(ours: int, theirs: int, times: float) -> None:
    pair = [result("six-step", "x", 500, ours, ours, 2), result("head-tail", "x", 500, theirs, theirs, 2)]
    (found,) = comparisons(grouped(pair), PAPERS, "six-step")
    assert found.times == times
    assert found.as_json()["ratio"] == times
