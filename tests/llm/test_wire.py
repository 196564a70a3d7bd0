"""The wire format: what endpoints send in their different ways, and that nothing they send is a crash."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.llm import wire
from hermes_git.llm.protocol import ChatError, Message, Sampling, Tool, ToolCall, Usage


def response(**message: Any) -> bytes:
    return json.dumps({"model": "m", "choices": [{"finish_reason": "stop", "message": message}]}).encode()


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ({"content": "hi"}, "hi", ""),
        ({"content": None}, "", ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image_url"}, {"type": "text", "text": "b"}]}, "ab", ""),
        ({"content": "hi", "reasoning_content": "hm"}, "hi", "hm"),
        ({"content": "hi", "reasoning": "hm"}, "hi", "hm"),
        ({"content": "<think>\nhm\n</think>\n\nhi"}, "hi", "hm"),
        ({"content": "<think>\nhm", "reasoning": "x"}, "<think>\nhm", "x"),
        ({"content": "<think>never closed"}, "<think>never closed", ""),
        ({"content": "see <think>x</think>"}, "see <think>x</think>", ""),
    ],
)
def test_text_and_thought(message: dict[str, Any], text: str, reasoning: str) -> None:
    found = wire.reply(response(**message))
    assert (found.text, found.reasoning) == (text, reasoning)


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        (
            {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": '{"x": 1}'}}]},
            ToolCall("a", "f", '{"x": 1}'),
        ),
        (
            {"tool_calls": [{"function": {"name": "f", "arguments": {"x": "好"}}}]},
            ToolCall("call_0", "f", '{"x": "好"}'),
        ),
        ({"tool_calls": [{"id": "a", "function": {"name": "f"}}]}, ToolCall("a", "f", "{}")),
        ({"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": ""}}]}, ToolCall("a", "f", "{}")),
        (
            {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{broken"}}]},
            ToolCall("a", "f", "{broken"),
        ),
        ({"function_call": {"name": "f", "arguments": "{}"}}, ToolCall("call_0", "f", "{}")),
    ],
)
def test_calls(calls: dict[str, Any], expected: ToolCall) -> None:
    assert wire.reply(response(content=None, **calls)).tool_calls == (expected,)


def test_usage() -> None:
    row = json.loads(response(content="x"))
    row["usage"] = {
        "prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 3},
        "completion_tokens_details": {"reasoning_tokens": 2}, "cost": 0.5,
    }  # fmt: skip
    assert wire.reply(json.dumps(row).encode()).usage == Usage(9, 4, 2, 3, 0.5)
    for wrong in ({"prompt_tokens": "9", "cost": True}, {"prompt_tokens": -1, "cost": float("nan")}, [], "x", None):
        row["usage"] = wrong
        assert wire.reply(json.dumps(row).encode()).usage == Usage()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "choices message content tool_calls function name arguments id error code usage cost".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(JSON | JSON.map(lambda value: {"choices": [{"message": value}]}) | JSON.map(lambda value: {"choices": value}))
def test_no_response_is_a_crash(value: object) -> None:
    try:
        found = wire.reply(json.dumps(value).encode())
    except ChatError as error:
        assert error.message and "\n" not in error.message
    else:
        assert isinstance(found.text, str) and all(isinstance(call.arguments, str) for call in found.tool_calls)


@given(st.binary(max_size=200))
def test_no_bytes_are_a_crash(data: bytes) -> None:
    with pytest.raises(ChatError):
        wire.reply(data)
    assert len(wire.said(data)) <= wire.MAX_SAID + 1


def test_requests_hold_what_is_set_and_no_thought() -> None:
    messages = [
        Message("system", "s"),
        Message("user", "u\ud800"),
        Message("assistant", "", "a thought", (ToolCall("c", "f", "{}"),)),
        Message("tool", "r", tool_call_id="c", name="f"),
    ]
    body = wire.request("m", messages, [Tool("f", "F.")], Sampling(effort="low"))
    assert body["reasoning_effort"] == "low" and "temperature" not in body and "thought" not in json.dumps(body)
    assert body["messages"][2]["content"] is None and body["messages"][3] == {
        "role": "tool", "content": "r", "tool_call_id": "c",
    }  # fmt: skip
    assert json.loads(wire.encode_body(body))["messages"][1]["content"] == "u\ufffd"
    assert wire.digest(body) == wire.digest(dict(reversed(body.items()))) != wire.digest(body, "elsewhere")


def test_half_a_surrogate_pair_does_not_stay_in_a_reply() -> None:
    half = '{"content": "a\\ud83d", "reasoning": "b\\ud83d", "tool_calls": [{"id": "c\\ud83d", "function": '
    half += '{"name": "d\\ud83d", "arguments": {"e": "\\ud83d"}}}]}'
    found = wire.reply(
        f'{{"choices": [{{"message": {half}, "finish_reason": "\\ud83d"}}], "model": "\\ud83d"}}'.encode()
    )
    call = found.tool_calls[0]
    for text in (found.text, found.reasoning, call.id, call.name, call.arguments, found.finish_reason, found.model):
        assert "\ufffd" in text and text.encode("utf-8")


@pytest.mark.parametrize("count", ["-5", "1e400", "1" + "0" * 30, "true", '"7"', "NaN"])
def test_a_count_that_is_none_counts_nothing(count: str) -> None:
    found = wire.reply(f'{{"choices": [{{"message": {{}}}}], "usage": {{"prompt_tokens": {count}}}}}'.encode())
    assert found.usage.input == 0
