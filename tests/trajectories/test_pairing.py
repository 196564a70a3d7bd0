from __future__ import annotations

import pytest

from hermes_git.sessions.model import Message
from hermes_git.trajectories import pairing
from hermes_git.trajectories.model import Turn
from tests.trajectories.sessions import call, message


def shape(turns: list[Turn]) -> list[str]:
    """Write turns as `role[calls]`, `tool(results)`, or `role:text`."""
    return [
        f"tool({','.join(f'{row.id}={row.content}' for row in turn.results)})"
        if turn.role == "tool"
        else f"{turn.role}:{turn.text}" + (f"[{','.join(row.id for row in turn.calls)}]" if turn.calls else "")
        for turn in turns
    ]


CASES = {
    "one call": (
        [message("user", "q"), message("assistant", calls=(call(1),)), message("tool", "r", answers="c1"),
         message("assistant", "a")],
        ["human:q", "gpt:[c1]", "tool(c1=r)", "gpt:a"],
    ),
    "parallel results out of order come back in the order of the calls": (
        [message("user", "q"), message("assistant", calls=(call(1), call(2))), message("tool", "two", answers="c2"),
         message("tool", "one", answers="c1"), message("assistant", "a")],
        ["human:q", "gpt:[c1,c2]", "tool(c1=one,c2=two)", "gpt:a"],
    ),
    "calls in rows of their own before the results": (
        [message("user", "q"), message("assistant", "t"), message("assistant", calls=(call(1),)),
         message("assistant", calls=(call(2),)), message("tool", "1", answers="c1"),
         message("tool", "2", answers="c2"), message("assistant", "a")],
        ["human:q", "gpt:t[c1,c2]", "tool(c1=1,c2=2)", "gpt:a"],
    ),
    "a call that nothing answered is left out": (
        [message("user", "q"), message("assistant", "t", calls=(call(1), call(2))),
         message("tool", "2", answers="c2"), message("user", "stop")],
        ["human:q", "gpt:t[c2]", "tool(c2=2)", "human:stop"],
    ),
    "a result that nothing asked for is left out": (
        [message("user", "q"), message("tool", "x", answers="c9"), message("assistant", "a")],
        ["human:q", "gpt:a"],
    ),
    "an id used twice pairs each call with the result after it": (
        [message("user", "q"), message("assistant", calls=(call(1),)), message("tool", "first", answers="c1"),
         message("assistant", calls=(call(1),)), message("tool", "second", answers="c1"), message("assistant", "a")],
        ["human:q", "gpt:[c1]", "tool(c1=first)", "gpt:[c1]", "tool(c1=second)", "gpt:a"],
    ),
    "a result without an id goes to the next call in line": (
        [message("user", "q"), message("assistant", calls=(call(1),)), message("tool", "r"), message("assistant", "a")],
        ["human:q", "gpt:[c1]", "tool(c1=r)", "gpt:a"],
    ),
    "neighbours join": (
        [message("user", "q"), message("user", "more"), message("assistant", "a"), message("assistant", "b")],
        ["human:q\n\nmore", "gpt:a\n\nb"],
    ),
    "what was undone, replayed or put in by the harness is left out": (
        [message("user", "q"), message("user", "h", state="harness"), message("assistant", "x", state="rewound"),
         message("assistant", "said", state="compacted"), message("assistant", "a")],
        ["human:q", "gpt:said\n\na"],
    ),
    "a thought without words is no turn": (
        [message("user", "q"), message("assistant", reasoning="hm"), message("user", "and?"),
         message("assistant", "a")],
        ["human:q\n\nand?", "gpt:a"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("messages", "expected"), CASES.values(), ids=CASES)
def test_turns(messages: list[Message], expected: list[str]) -> None:
    assert shape(pairing.turns(messages)[0]) == expected


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("a call that nothing answered is left out", "calls-without-result"),
        ("a result that nothing asked for is left out", "results-without-call"),
        ("a result without an id goes to the next call in line", "paired-by-position"),
        ("what was undone, replayed or put in by the harness is left out", "left-out-rewound"),
        ("a thought without words is no turn", "turns-without-words"),
    ],
)
def test_what_changed_is_counted(name: str, mark: str) -> None:
    assert pairing.turns(CASES[name][0])[2][mark] == 1


def test_nothing_is_marked_when_nothing_changed() -> None:
    assert not +pairing.turns(CASES["one call"][0])[2]


def test_broken_arguments_are_kept_as_text() -> None:
    turns, _, marks = pairing.turns(
        [message("user", "q"), message("assistant", calls=(call(1, arguments='{"a":1}{"a":1}'),)),
         message("tool", "r", answers="c1"), message("assistant", "a")]
    )  # fmt: skip
    assert turns[1].calls[0].arguments == '{"a":1}{"a":1}'
    assert turns[1].calls[0].is_broken
    assert marks["broken-arguments"] == 1
