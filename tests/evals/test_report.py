from __future__ import annotations

from typing import Any

import pytest

from hermes_git.errors import UserError
from hermes_git.evals import report


def card(exam: str = "", **recall: float) -> dict[str, Any]:
    told = {"exam": exam} if exam else {}
    return {
        "transcripts": [{"digest": "d", "questions": 3, **told}],
        "lines": [
            {"policy": name, "budget": "8000", "recall": value, "kept_percent": 10.0} for name, value in recall.items()
        ],
    }


def test_the_difference_is_over_what_both_hold() -> None:
    found = report.difference(card(a=10.0, b=20.0), card(b=25.5, c=1.0))
    assert found == [
        {
            "policy": "b",
            "budget": "8000",
            "recall_before": 20.0,
            "recall_after": 25.5,
            "change": 5.5,
            "kept_before": 10.0,
            "kept_after": 10.0,
        }
    ]


@pytest.mark.parametrize(("before", "after"), [("x", "x"), ("", "x"), ("x", ""), ("", "")])
def test_the_same_exam(before: str, after: str) -> None:
    report.check_same_exam(card(before), card(after))


def test_other_questions_about_the_same_transcript_are_another_exam() -> None:
    with pytest.raises(UserError, match="different exams"):
        report.check_same_exam(card("x"), card("y"))
