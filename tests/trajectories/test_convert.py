from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_git.sessions.model import Message, Session
from hermes_git.trajectories import style_hermes, style_sharegpt
from hermes_git.trajectories.convert import convert, counted, for_trainers
from hermes_git.trajectories.model import Drop, Trajectory
from tests.trajectories.sessions import FLAKY, call, message, session

HOSTILE = "a</think>b <tool_call>\n{}\n</tool_call> <tool_response> &lt;think> <|im_end|> \u2028 é 世界 😀 \x00"
BROKEN = ('{"a":1}{"a":1}', '{"a":"cut', '{"a": NaN}', '{"a":1,"a":2}', '{"a":"\\ud83d"}', "")


def hostile(arguments: str = "{}") -> Session:
    return session(
        message("user", HOSTILE),
        message("assistant", HOSTILE, reasoning=HOSTILE, calls=(call(1, arguments=arguments), call(2))),
        message("tool", HOSTILE, answers="c2"),
        message("tool", f'{{"content": "{HOSTILE}"}}', answers="c1"),
        message("assistant", HOSTILE),
        system_prompt=HOSTILE,
    )


def test_hermes_row() -> None:
    row = style_hermes.render(convert(FLAKY))
    system, *turns = row["conversations"]  # type: ignore[misc]
    assert system["from"] == "system"
    assert json.loads(system["value"].partition("<tools>\n")[2].partition("\n</tools>")[0])[0]["name"] == "terminal"
    assert turns == [
        {"from": "human", "value": "The date test is flaky. Fix it."},
        {
            "from": "gpt",
            "value": '<think>\nProbably time zone.\n</think>\n<tool_call>\n{"name": "terminal", "arguments": '
            '{"command": "pytest -q"}}\n</tool_call>',
        },
        {
            "from": "tool",
            "value": '<tool_response>\n{"tool_call_id": "c1", "name": "terminal", "content": "1 failed"}\n'
            "</tool_response>",
        },
        {"from": "gpt", "value": "<think>\n</think>\nIt compares local time with UTC."},
    ]
    assert (row["completed"], row["model"], row["timestamp"]) == (True, "some-model", "2026-09-01T08:00:00Z")


def test_sharegpt_row() -> None:
    row = style_sharegpt.render(for_trainers(convert(FLAKY)))
    assert row["conversations"] == [
        {"from": "human", "value": "The date test is flaky. Fix it."},
        {
            "from": "function_call",
            "value": "<think>\nProbably time zone.\n</think>\n\n"
            '[{"name": "terminal", "arguments": {"command": "pytest -q"}}]',
        },
        {"from": "observation", "value": "1 failed"},
        {"from": "gpt", "value": "It compares local time with UTC."},
    ]


@pytest.mark.parametrize("arguments", [*BROKEN, '{"text": "</tool_call> <tool_call>"}'])
def test_hostile_content_comes_back_exactly(arguments: str) -> None:
    made = convert(hostile(arguments))
    row = json.loads(json.dumps(style_hermes.render(made), ensure_ascii=False).encode("utf-8"))
    assert style_hermes.parse(row) == made.turns
    ordered = for_trainers(made)
    row = json.loads(json.dumps(style_sharegpt.render(ordered), ensure_ascii=False).encode("utf-8"))
    assert style_sharegpt.parse(row) == style_sharegpt.numbered(ordered.turns)


@pytest.mark.parametrize("arguments", BROKEN)
def test_broken_arguments_mark_the_row_and_it_is_not_completed(arguments: str) -> None:
    made = convert(hostile(arguments))
    assert (made.outcome, made.is_completed) == ("broken-call", False)
    assert counted(made.marks)["broken-arguments"] == 1


def test_lone_surrogates_are_replaced_and_counted() -> None:
    made = convert(session(message("user", "q \ud83d"), message("assistant", "a")))
    assert made.turns[0].text == "q \ufffd"
    assert counted(made.marks)["lone-surrogates"] == 1


@pytest.mark.parametrize(
    ("content", "reasoning", "expected"),
    [
        ("<REASONING_SCRATCHPAD>\nlook\n</REASONING_SCRATCHPAD>\nDone.", "", ("Done.", "look")),
        ("<think>look</think>\n\nDone.", "", ("Done.", "look")),
        ("<thinking>look</thinking>Done.", "first", ("Done.", "first\nlook")),
        ("<think>look</think>Done.", "look", ("Done.", "look")),
        ("Done. <think>not a thought</think>", "", ("Done. <think>not a thought</think>", "")),
        ("<think>never closed", "", ("<think>never closed", "")),
    ],
)
def test_thoughts_in_the_text_become_thoughts(content: str, reasoning: str, expected: tuple[str, str]) -> None:
    turn = convert(session(message("user", "q"), message("assistant", content, reasoning=reasoning))).turns[1]
    assert (turn.text, turn.reasoning) == expected


def test_a_session_without_an_answer_is_dropped_with_a_reason() -> None:
    with pytest.raises(Drop, match="no assistant message"):
        convert(session(message("user", "q")))


TEXT = st.sampled_from(["", "x", HOSTILE, "line\n", " padded ", "<think>", "\r\n"])
ARGUMENTS = st.sampled_from(['{"p": "f"}', "{}", '{"a": "<tool_call>"}', *BROKEN])
MESSAGES = st.lists(
    st.one_of(
        st.builds(lambda text: message("user", text), TEXT),
        st.builds(
            lambda text, thought, ids, arguments: message(
                "assistant", text, reasoning=thought, calls=tuple(call(n, arguments=arguments) for n in ids)
            ),
            TEXT, TEXT, st.lists(st.integers(1, 4), max_size=3), ARGUMENTS,
        ),
        st.builds(lambda text, n: message("tool", text, answers=f"c{n}"), TEXT, st.integers(1, 5)),
    ),
    max_size=14,
)  # fmt: skip


def made_of(messages: list[Message]) -> Trajectory | None:
    try:
        return for_trainers(convert(session(*messages)))
    except Drop:
        return None


@settings(max_examples=300)
@given(MESSAGES)
def test_any_session_becomes_rows_that_alternate_pair_and_read_back(messages: list[Message]) -> None:
    made = made_of(messages)
    if made is None:
        return
    sides = ["gpt" if turn.role == "gpt" else "human" for turn in made.turns]
    assert sides == ["human", "gpt"] * (len(sides) // 2)
    for turn, following in zip(made.turns, made.turns[1:], strict=False):
        assert [row.id for row in turn.calls] == [row.id for row in following.results]
    assert not made.turns[-1].calls
    assert style_hermes.parse(style_hermes.render(made)) == made.turns
    assert style_sharegpt.parse(style_sharegpt.render(made)) == style_sharegpt.numbered(made.turns)
