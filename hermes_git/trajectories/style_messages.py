"""Rows of chat messages as TRL, axolotl and OpenAI read them; they differ in how arguments are written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from hermes_git.trajectories import strict_json, tags
from hermes_git.trajectories.model import Call, Result, Trajectory, Turn
from hermes_git.trajectories.style_sharegpt import THOUGHT

Message = dict[str, Any]
RAW = "raw_arguments"
"""The key under which arguments that are no object are kept for TRL and axolotl, which both want objects."""


def trl(trajectory: Trajectory) -> dict[str, object]:
    """Write `messages` with arguments as objects, and `tools` as JSON text, so that the column keeps one type.

    Arguments differ in shape from call to call; `datasets` reads that from 4.7 on, which TRL 1.x needs anyway.
    """
    messages = [message for turn in trajectory.turns for message in _messages(turn, write=_object, thinks=True)]
    return {"messages": [*_system(trajectory), *messages], "tools": strict_json.dump(_tools(trajectory))}


def axolotl(trajectory: Trajectory) -> dict[str, object]:
    """Write `messages` with arguments as JSON text of an object, which axolotl's chat_template parses or stops at."""
    messages = [message for turn in trajectory.turns for message in _messages(turn, write=_object_text, thinks=True)]
    return {"messages": [*_system(trajectory), *messages], "tools": strict_json.dump(_tools(trajectory))}


def openai(trajectory: Trajectory) -> dict[str, object]:
    """Write `messages` and `tools` as OpenAI's fine-tuning takes them; it has no place for thoughts."""
    messages = [message for turn in trajectory.turns for message in _messages(turn, write=_as_made, thinks=False)]
    tools = _tools(trajectory)
    row: dict[str, object] = {"messages": [*_system(trajectory), *messages]}
    return row | ({"tools": tools[:128], "parallel_tool_calls": True} if tools else {})


def _tools(trajectory: Trajectory) -> list[Message]:
    """Return the schemas as chat templates look for them: under `function`, beside their type."""
    return [{"type": "function", "function": schema} for schema in json.loads(trajectory.tools)]


def _system(trajectory: Trajectory) -> list[Message]:
    return [{"role": "system", "content": trajectory.system}] if trajectory.system else []


def _messages(turn: Turn, *, write: Callable[[Call], object], thinks: bool) -> list[Message]:
    if turn.role == "tool":
        return [
            {"role": "tool", "tool_call_id": result.id, "name": result.name, "content": result.content}
            for result in turn.results
        ]
    if turn.role == "human":
        return [{"role": "user", "content": turn.text}]
    thought = f"{THOUGHT[0]}{tags.escape(turn.reasoning)}{THOUGHT[1]}" if thinks and turn.reasoning else ""
    message: Message = {"role": "assistant", "content": thought + tags.escape(turn.text)}
    if turn.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": write(call)}}
            for call in turn.calls
        ]
    return [message]


def _object(call: Call) -> object:
    return {RAW: call.arguments} if call.is_broken else json.loads(call.arguments)


def _object_text(call: Call) -> str:
    return strict_json.dump({RAW: call.arguments}) if call.is_broken else call.arguments


def _as_made(call: Call) -> str:
    return call.arguments


def parse(row: Mapping[str, Any]) -> tuple[Turn, ...]:
    """Read the turns of a row that this module wrote, the system message left out."""
    turns: list[Turn] = []
    for message in row["messages"]:
        if message["role"] == "tool":
            result = Result(message["tool_call_id"], message["name"], message["content"])
            before = turns.pop().results if turns[-1].role == "tool" else ()
            turns.append(Turn("tool", results=(*before, result)))
        elif message["role"] == "user":
            turns.append(Turn("human", message["content"]))
        elif message["role"] == "assistant":
            turns.append(_read(message))
    return tuple(turns)


def _read(message: Mapping[str, Any]) -> Turn:
    text, thought = message["content"], ""
    if text.startswith(THOUGHT[0]):
        thought, _, text = text.removeprefix(THOUGHT[0]).partition(THOUGHT[1])
    calls = tuple(map(_read_call, message.get("tool_calls", ())))
    return Turn("gpt", tags.unescape(text), tags.unescape(thought), calls)


def _read_call(row: Mapping[str, Any]) -> Call:
    name, arguments = row["function"]["name"], row["function"]["arguments"]
    if not isinstance(arguments, Mapping):
        try:
            arguments = strict_json.parse_object(arguments)
        except strict_json.NotStrict:
            return Call(row["id"], name, arguments, is_broken=True)
    if list(arguments) == [RAW]:
        return Call(row["id"], name, arguments[RAW], is_broken=True)
    return Call(row["id"], name, strict_json.dump(arguments))
