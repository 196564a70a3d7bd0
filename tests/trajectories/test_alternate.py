from __future__ import annotations

from dataclasses import replace

import pytest

from hermes_git.trajectories.alternate import FOLD, alternate
from hermes_git.trajectories.model import Call, Drop, Result, Turn

Q, A = Turn("human", "q"), Turn("gpt", "a")
CALL = Turn("gpt", "", calls=(Call("c1", "read"),))
SAID_AND_CALLED = Turn("gpt", "looking", calls=(Call("c1", "read"),))
TOOL = Turn("tool", results=(Result("c1", "read", "r"),))


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([Q, A], [Q, A]),
        ([Q, CALL, TOOL, A], [Q, CALL, TOOL, A]),
        ([A, Q, A], [Q, A]),
        ([CALL, TOOL, A, Q, A], [Q, A]),
        ([Q, A, Q], [Q, A]),
        ([Q, Q, A, A], [Turn("human", "q\n\nq"), Turn("gpt", "a\n\na")]),
        ([Q, A, Q, CALL, TOOL], [Q, A]),
        ([Q, SAID_AND_CALLED, TOOL], [Q, Turn("gpt", "looking")]),
        ([Q, replace(CALL, reasoning="hm"), TOOL], [Q, Turn("gpt", "hm")]),
        ([Q, CALL, TOOL, Q, A], [Q, CALL, Turn("tool", results=(Result("c1", "read", f"r{FOLD}q"),)), A]),
    ],
)
def test_order(turns: list[Turn], expected: list[Turn]) -> None:
    assert alternate(turns)[0] == expected


@pytest.mark.parametrize(
    ("turns", "reason"), [([A], "no user message"), ([Q], "no answer"), ([Q, CALL, TOOL], "no answer"), ([], "no user")]
)
def test_what_holds_no_exchange_is_dropped_with_a_reason(turns: list[Turn], reason: str) -> None:
    with pytest.raises(Drop, match=reason):
        alternate(turns)


def test_the_cost_is_counted() -> None:
    marks = alternate([A, Q, CALL, TOOL, Q, SAID_AND_CALLED, TOOL])[1]
    assert +marks == {
        "turns-before-first-user-message": 1,
        "user-messages-folded-into-results": 1,
        "turns-after-last-answer": 1,
        "last-calls-left-out": 1,
    }
