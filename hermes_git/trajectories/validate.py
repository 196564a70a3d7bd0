"""What trainers object to in a row: the rules of their converters, re-stated, so that no row is lost silently.

LLaMA-Factory empties a row it does not like and goes on; axolotl and TRL fail in the template; OpenAI refuses the file.
Sources of the rules: LLaMA-Factory 0.9.5 `data/converter.py` and `formatter.py`, axolotl 0.21 `chat_template`, TRL 1.16
dataset formats, OpenAI's fine-tuning guide.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Objection:
    """What a trainer has against a row: a rule's name, the index of the turn (-1: the row), and a sentence."""

    rule: str
    turn: int
    message: str


Rule = Callable[[Row], Iterator[Objection]]

THOUGHT = re.compile(r"<think>\n(.*?)\n</think>\n\n", re.DOTALL)
BLOCK = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
USER_TAGS = ("human", "observation", "tool")
MODEL_TAGS = ("gpt", "function_call")
AXOLOTL_ROLES = {
    **dict.fromkeys(("human", "user"), "user"),
    **dict.fromkeys(("gpt", "assistant", "function_call"), "assistant"),
    **dict.fromkeys(("tool", "observation", "function_response"), "tool"),
    "system": "system",
}
MAX_TOOLS = 128


def turns(row: Row) -> Sequence[Mapping[str, Any]]:
    """Return the turns of a row in either layout; [] when they are no list of objects."""
    found = row.get("conversations", row.get("messages"))
    is_list = isinstance(found, list) and all(isinstance(turn, Mapping) for turn in found)
    return found if isinstance(found, list) and is_list else []


def llamafactory(row: Row) -> Iterator[Objection]:
    """Object as LLaMA-Factory's sharegpt converter and function formatter do; `tool` is taken as observation_tag."""
    conversation = list(turns(row))
    if not conversation or "conversations" not in row:
        yield Objection("no-conversations", -1, "there is no list of turns under `conversations`")
        return
    offset = 1 if conversation[0].get("from") == "system" else 0
    for place, turn in enumerate(conversation[offset:]):
        yield from _llamafactory_turn(place, place + offset, turn)
    count = len(conversation) - offset
    ranked = "chosen" in row or "rejected" in row
    if count == 0 or count % 2 != ranked:
        yield Objection("parity", -1, f"{count} turns after the system turn; {'odd' if ranked else 'even'} is needed")
    for name in ("chosen", "rejected") if ranked else ():
        if not (isinstance(row.get(name), Mapping) and row[name].get("from") in MODEL_TAGS):
            yield Objection("ranking", -1, f"`{name}` must be one turn with tag gpt or function_call")
    yield from _text_columns(row)


def _llamafactory_turn(place: int, index: int, turn: Mapping[str, Any]) -> Iterator[Objection]:
    tag, value = turn.get("from"), turn.get("value")
    wanted = USER_TAGS if place % 2 == 0 else MODEL_TAGS
    if tag not in wanted:
        yield Objection("alternation", index, f"{tag!r} where one of {', '.join(wanted)} must stand")
    if not isinstance(value, str):
        yield Objection("text", index, "the value is not text")
    elif tag == "function_call":
        yield from _function_call(index, value)


def _function_call(index: int, value: str) -> Iterator[Objection]:
    block = BLOCK.search(value)
    thought = None if block else THOUGHT.search(value)
    calls = block.group(1) if block else value.replace(thought.group(), "") if thought else value
    try:
        rows = json.loads(calls)
    except ValueError:
        yield Objection("function-json", index, "the calls are not JSON, which stops the whole run")
        return
    for call in rows if isinstance(rows, list) else [rows]:
        if not isinstance(call, Mapping) or "name" not in call or "arguments" not in call:
            yield Objection("function-json", index, "a call lacks `name` or `arguments`")


def _text_columns(row: Row) -> Iterator[Objection]:
    for name in ("system", "tools"):
        if not isinstance(row.get(name, ""), str):
            yield Objection("column", -1, f"`{name}` must be text")
    tools = row.get("tools")
    if isinstance(tools, str) and tools and not isinstance(_json(tools), list):
        yield Objection("column", -1, "`tools` must be JSON text of a list of schemas")


def axolotl(row: Row) -> Iterator[Objection]:
    """Object as axolotl's chat_template does with the usual role map, and as most templates do."""
    conversation = list(turns(row))
    if not conversation:
        yield Objection("no-messages", -1, "there is no list of turns")
    before = ""
    for place, turn in enumerate(conversation):
        role = AXOLOTL_ROLES.get(str(turn.get("role", turn.get("from"))))
        if role is None:
            yield Objection("role", place, "a role that no template knows")
        if role == "system" and place:
            yield Objection("system", place, "a system turn after the first")
        if role == "user" and before == "tool":
            yield Objection("user-after-tool", place, "a user turn follows a tool turn; many templates raise")
        yield from _messages_turn(place, turn, arguments=str)
        yield from _unparsed(place, turn)
        before = role or ""
    tools = row.get("tools") or []
    if not isinstance(_json(tools) if isinstance(tools, str) else tools, list):
        yield Objection("column", -1, "`tools` must be a list of schemas or JSON text of one")


def _unparsed(place: int, turn: Mapping[str, Any]) -> Iterator[Objection]:
    for call in turn.get("tool_calls") or ():
        function = call.get("function") if isinstance(call, Mapping) else None
        arguments = function.get("arguments") if isinstance(function, Mapping) else None
        if isinstance(arguments, str) and not isinstance(_json(arguments), dict):
            yield Objection("arguments-json", place, "the arguments are no JSON object, which stops the whole run")


def trl(row: Row) -> Iterator[Objection]:
    """Object as TRL's trainers do to conversational data."""
    lists = [row[name] for name in ("messages", "prompt", "completion", "chosen", "rejected") if name in row]
    if not lists:
        yield Objection("no-messages", -1, "none of messages, prompt, completion, chosen, rejected is there")
    for messages in lists:
        if not isinstance(messages, list) or not all(isinstance(turn, Mapping) for turn in messages):
            yield Objection("messages", -1, "not a list of messages")
            continue
        for place, turn in enumerate(messages):
            if turn.get("role") not in ("system", "user", "assistant", "tool"):
                yield Objection("role", place, f"role {turn.get('role')!r}")
            if turn.get("role") == "tool" and not turn.get("name"):
                yield Objection("tool-name", place, "a tool message without a name")
            if any(value is None for value in turn.values()):
                yield Objection("null", place, "a null field")
            yield from _messages_turn(place, turn, arguments=dict)


def _messages_turn(place: int, turn: Mapping[str, Any], *, arguments: type) -> Iterator[Objection]:
    content = turn.get("content", turn.get("value", ""))
    if not isinstance(content, str):
        yield Objection("text", place, "the content is not text")
    for call in turn.get("tool_calls") or ():
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            yield Objection("tool-call", place, "a tool call without a function name")
        elif not isinstance(function.get("arguments"), arguments):
            wanted = "JSON text" if arguments is str else "an object"
            yield Objection("arguments", place, f"the arguments must be {wanted}")


def openai(row: Row) -> Iterator[Objection]:
    """Object as OpenAI's fine-tuning does to a chat file."""
    messages = row.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(turn, Mapping) for turn in messages):
        yield Objection("no-messages", -1, "there is no list under `messages`")
        return
    if messages[-1].get("role") != "assistant":
        yield Objection("last", len(messages) - 1, "the last message must be the assistant's")
    waiting: list[str] = []
    for place, turn in enumerate(messages):
        role = turn.get("role")
        if role not in ("system", "developer", "user", "assistant", "tool"):
            yield Objection("role", place, f"role {role!r}")
        if "weight" in turn and (role != "assistant" or turn["weight"] not in (0, 1)):
            yield Objection("weight", place, "weight must be 0 or 1, on assistant messages only")
        if role == "tool":
            yield from _answer(place, turn, waiting)
        elif waiting:
            yield Objection("unanswered", place, f"the calls {', '.join(waiting)} have no tool message")
            waiting.clear()
        yield from _openai_turn(place, turn)
        waiting += [str(call.get("id")) for call in turn.get("tool_calls") or () if isinstance(call, Mapping)]
    if waiting:
        yield Objection("unanswered", len(messages) - 1, f"the calls {', '.join(waiting)} have no tool message")
    if isinstance(row.get("tools"), list) and len(row["tools"]) > MAX_TOOLS:
        yield Objection("tools", -1, f"{len(row['tools'])} tools; at most {MAX_TOOLS} are allowed")


def _answer(place: int, turn: Mapping[str, Any], waiting: list[str]) -> Iterator[Objection]:
    identity = str(turn.get("tool_call_id"))
    if identity in waiting:
        waiting.remove(identity)
    else:
        yield Objection("orphan", place, f"a tool message answers {identity}, which nothing called")


def _openai_turn(place: int, turn: Mapping[str, Any]) -> Iterator[Objection]:
    calls = turn.get("tool_calls")
    content = turn.get("content")
    if content is None and not (turn.get("role") == "assistant" and calls):
        yield Objection("text", place, "content is null without tool calls")
    for call in calls or ():
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping) or not function.get("name") or call.get("type") != "function":
            yield Objection("tool-call", place, "a tool call needs type function and a function name")
        elif not isinstance(function.get("arguments"), str):
            yield Objection("arguments", place, "arguments must be a JSON string")


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


TRAINERS: dict[str, Rule] = {"llamafactory": llamafactory, "axolotl": axolotl, "trl": trl, "openai": openai}
"""Trainer → the generator of its objections."""
