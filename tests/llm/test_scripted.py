"""The scripted model: the same conversation gets the same reply, and a wrong script is said."""

from __future__ import annotations

import json
import pickle

import pytest

from hermes_git.errors import UserError
from hermes_git.llm import cache
from hermes_git.llm.cache import Cached
from hermes_git.llm.protocol import ChatError, Message, Reply, Tool
from hermes_git.llm.scripted import Scripted, parse

SCRIPT = {
    "format": 1,
    "scripts": [
        {"match": "weather", "replies": [{"error": "rate-limit"}]},
        {
            "match": "",
            "replies": [
                {"reasoning": "Look.", "tool_calls": [{"name": "read", "arguments": {"path": "{prompt}.txt"}}]},
                {"text": "It says {last}; you asked {prompt}."},
            ],
        },
    ],
}


def script(value: object = SCRIPT) -> Scripted:
    return parse(json.dumps(value).encode(), where="s.json")


def test_replies_follow_the_conversation() -> None:
    chat, start = script(), [Message("user", "what {last} 好")]
    first = chat.complete(start)
    assert json.loads(first.tool_calls[0].arguments) == {"path": "what {last} 好.txt"}
    assert first.finish_reason == "tool_calls" and first.usage.output > 0
    later = [*start, first.message, Message("tool", "42", tool_call_id=first.tool_calls[0].id)]
    assert chat.complete(later).text == "It says 42; you asked what {last} 好."
    assert pickle.loads(pickle.dumps(chat)).complete(later) == chat.complete(later)


def test_errors_are_played() -> None:
    with pytest.raises(ChatError) as caught:
        script().complete([Message("user", "the weather")])
    assert caught.value.kind == "rate-limit"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "not a script of format 1"),
        ({"format": 2}, "not a script of format 1"),
        ({"format": 1, "scripts": []}, "no scripts"),
        ({"format": 1, "scripts": [{"match": "x"}]}, "script 1: no replies"),
        ({"format": 1, "scripts": [{"replies": [{"txt": "x"}]}]}, "reply 1 is not understood: txt"),
        ({"format": 1, "scripts": [{"replies": ["x"]}]}, "not an object"),
        ({"format": 1, "scripts": [{"replies": [{"error": "tired"}]}]}, "tired"),
    ],
)
def test_a_wrong_script_is_said(value: object, said: str) -> None:
    with pytest.raises(UserError, match=said):
        script(value)
    with pytest.raises(UserError, match="not valid JSON"):
        parse(b"{", where="s.json")


class Memory(dict[str, bytes]):
    def put(self, name: str, data: bytes) -> None:
        self[name] = data


def test_a_reply_is_paid_for_once() -> None:
    asked: list[int] = []

    def answer(messages: object) -> Reply:
        asked.append(1)
        return Reply("é好", tool_calls=script().complete([Message("user", "x")]).tool_calls)

    store = Memory()
    chat = Cached(Scripted(answer), store, "here")
    one = chat.complete([Message("user", "x")])
    two = chat.complete([Message("user", "x")])
    assert (one.text, one.tool_calls) == (two.text, two.tool_calls) and (one.attempts, two.attempts) == (1, 0)
    chat.complete([Message("user", "x")], tools=[Tool("t", "")])
    Cached(Scripted(answer), store, "elsewhere").complete([Message("user", "x")])
    assert len(asked) == 3
    store.update({name: data[:20] for name, data in store.items()})
    assert chat.complete([Message("user", "x")]).attempts == 1 and len(asked) == 4
    assert cache.decode(b'{"format": 1, "text": 3, "surprise": 1}') is None
