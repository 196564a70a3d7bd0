from __future__ import annotations

import pytest

from hermes_git.sessions.model import Session
from hermes_git.trajectories import outcome
from hermes_git.trajectories.convert import convert
from tests.trajectories.sessions import FLAKY, call, message, session

Q, A = message("user", "q"), message("assistant", "a")
BROKEN = message("assistant", calls=(call(1, arguments='{"a":"cut'),))
ANSWER = message("tool", "r", answers="c1")

CASES: list[tuple[Session, str]] = [
    (FLAKY, "completed"),
    (session(Q, A, end_reason="cli_close"), "completed"),
    (session(Q, A, end_reason="user asked for errata"), "completed"),
    (session(Q, message("assistant", "that is wrong, so I fixed it")), "completed"),
    (session(Q, A, end_reason="error: provider down"), "stopped"),
    (session(Q, A, end_reason="user_interrupt"), "stopped"),
    (session(Q, A, end_reason="max_iterations"), "stopped"),
    (session(Q, A, message("user", "###STOP###"), end_reason="user_stop: task succeeded, reward 1.0"), "completed"),
    (session(Q, A, end_reason="user_stop: task failed, reward 0.0"), "stopped"),
    (session(Q, BROKEN, ANSWER, A, end_reason="task succeeded, reward 1.0"), "broken-call"),
    (session(Q, message("assistant", "a", finish="length")), "cut-off"),
    (session(Q, BROKEN, ANSWER, A), "broken-call"),
    (session(Q, A, message("user", "and?"), message("assistant", "<REASONING_SCRATCHPAD>hm")), "incomplete-thought"),
    (session(Q, message("assistant", "t", calls=(call(1),)), ANSWER), "no-answer"),
    (session(Q, A, message("user", "thanks")), "no-answer"),
    (session(Q, A, message("user", "that is still wrong")), "corrected"),
    (session(Q, A, message("user", "不对，撤销")), "corrected"),
    (session(Q, A, message("user", "[Request interrupted by user]")), "corrected"),
]


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_outcome(source: Session, expected: str) -> None:
    assert convert(source).outcome == expected


def test_a_reverted_session_failed() -> None:
    assert convert(FLAKY, reverted=frozenset({"s1"})).outcome == "reverted"
    assert convert(FLAKY, reverted=frozenset({"s2"})).outcome == "completed"


def test_every_outcome_has_a_case_and_a_sentence() -> None:
    assert {expected for _, expected in CASES} | {"reverted"} == set(outcome.OUTCOMES)
