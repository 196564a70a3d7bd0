"""Hermes' own rows: `system | human | gpt | tool`, thoughts, calls and results in tags inside the text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hermes_git.trajectories import strict_json, tags
from hermes_git.trajectories.model import Call, Result, Trajectory, Turn

NAME = "hermes"

PREAMBLE = (
    "You can call functions. Their signatures are listed between <tools> and </tools>. Call one or more of them when "
    "that helps the user, answer in plain words when it does not, and never guess the value of an argument. What a "
    "function returns comes back to you between <tool_response> and </tool_response>. These are the functions:"
)
SCHEMA = {
    "title": "FunctionCall",
    "type": "object",
    "properties": {
        "name": {"title": "Name", "type": "string"},
        "arguments": {"title": "Arguments", "type": "object"},
    },
    "required": ["name", "arguments"],
}
CLOSING = (
    "To call a function, write a JSON object that fits this schema:\n{schema}\nPut each call between <tool_call> and "
    "</tool_call>, like this:\n<tool_call>\n{{'name': <function-name>,'arguments': <args-dict>}}\n</tool_call>"
)


def render(trajectory: Trajectory) -> dict[str, object]:
    """Write a trajectory as the `conversations`, `timestamp`, `model` and `completed` of a Hermes row."""
    turns = [{"from": turn.role, "value": value(turn)} for turn in trajectory.turns]
    system = {"from": "system", "value": system_text(trajectory.tools)}
    return {
        "conversations": [system, *turns],
        "timestamp": trajectory.timestamp,
        "model": trajectory.model,
        "completed": trajectory.is_completed,
    }


def system_text(tools: str) -> str:
    """Write the turn that tells the model its functions: a preamble, the schemas, and how to call."""
    listed = [{**schema, "required": None} for schema in json.loads(tools)]
    schemas = strict_json.shield(strict_json.dump(listed))
    return f"{PREAMBLE}\n<tools>\n{schemas}\n</tools>\n{CLOSING.format(schema=strict_json.dump(SCHEMA))}"


def value(turn: Turn) -> str:
    """Write one turn; reading it back gives the same turn exactly."""
    if turn.role == "tool":
        return "\n".join(map(_response, turn.results))
    if turn.role != "gpt":
        return tags.escape(turn.text)
    said = tags.escape(turn.text)
    calls = "\n".join(map(_call, turn.calls))
    return tags.thought(turn.reasoning) + said + ("\n" if said and calls else "") + calls


def _call(call: Call) -> str:
    arguments = json.loads(call.arguments) if not call.is_broken else call.arguments
    return _wrapped(tags.CALL, {"name": call.name, "arguments": arguments})


def _response(result: Result) -> str:
    return _wrapped(tags.RESPONSE, {"tool_call_id": result.id, "name": result.name, "content": result.content})


def _wrapped(tag: tuple[str, str], content: Mapping[str, object]) -> str:
    return tag[0] + strict_json.shield(strict_json.dump(content)) + tag[1]


def parse(row: Mapping[str, object]) -> tuple[Turn, ...]:
    """Read the turns of a Hermes row, the system turn left out; exactly, where this module wrote it."""
    written = [turn for turn in _conversations(row) if turn["from"] != "system"]
    turns = [_read(turn["from"], turn["value"]) for turn in written]
    return tuple(_with_ids(turns))


def _conversations(row: Mapping[str, object]) -> Sequence[Mapping[str, str]]:
    found = row["conversations"]
    if not isinstance(found, list):
        raise TypeError("conversations is not a list")
    return found


def _read(role: str, text: str) -> Turn:
    if role == "tool":
        return Turn("tool", results=tuple(_read_result(inside) for *_, inside in tags.blocks(text, tags.RESPONSE)))
    if role != "gpt":
        return Turn("human", tags.unescape(text))
    thought, rest = _split_thought(text)
    found = tags.blocks(rest, tags.CALL)
    said = rest[: found[0][0]].removesuffix("\n") if found else rest
    return Turn("gpt", tags.unescape(said), tags.unescape(thought), tuple(_read_call(inside) for *_, inside in found))


def _read_result(inside: str) -> Result:
    """Read one response; other writers parse content that looks like JSON, which is then text again here."""
    row = json.loads(inside)
    content = row["content"]
    written = content if isinstance(content, str) else strict_json.dump(content)
    return Result(str(row["tool_call_id"]), str(row["name"]), written)


def _split_thought(text: str) -> tuple[str, str]:
    if text.startswith(tags.NO_THOUGHT):
        return "", text.removeprefix(tags.NO_THOUGHT)
    thought, closing, rest = text.removeprefix(tags.THINK[0]).partition(tags.THINK[1])
    return (thought, rest) if closing else ("", text)


def _read_call(inside: str) -> Call:
    row = json.loads(inside)
    arguments = row["arguments"]
    if isinstance(arguments, str):
        return Call("", row["name"], arguments, is_broken=True)
    return Call("", row["name"], strict_json.dump(arguments))


def _with_ids(turns: list[Turn]) -> list[Turn]:
    """Give each call the id of the response in its place; calls carry none in this format."""
    for place, turn in enumerate(turns[:-1]):
        answers = turns[place + 1].results
        if turn.calls and len(answers) == len(turn.calls):
            named = (replace(call, id=answer.id) for call, answer in zip(turn.calls, answers, strict=True))
            turns[place] = replace(turn, calls=tuple(named))
    return turns
