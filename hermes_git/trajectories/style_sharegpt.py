"""LLaMA-Factory's ShareGPT rows with its default tags: `human`, `function_call`, `observation`, `gpt`.

A `function_call` value is what its formatter parses: the JSON list of calls alone, or after one `<think>` block; with
words beside the calls, the words and then one `<tool_call>` block that holds the list. One turn answers all calls: the
bare result of a single call, or the JSON list of the results of several.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from hermes_git.trajectories import strict_json, tags
from hermes_git.trajectories.model import Call, Result, Trajectory, Turn

NAME = "sharegpt"
BLOCK = ("<tool_call>", "</tool_call>")
THOUGHT = ("<think>\n", "\n</think>\n\n")
"""The block of thoughts as LLaMA-Factory's templates look for it; it also fits those that look for the bare tags."""


def render(trajectory: Trajectory) -> dict[str, object]:
    """Write a trajectory, already in alternating order, as the columns LLaMA-Factory reads."""
    return {
        "system": tags.escape(trajectory.system),
        "tools": trajectory.tools if trajectory.tools != "[]" else "",
        "conversations": [{"from": tag(turn), "value": value(turn)} for turn in trajectory.turns],
    }


def tag(turn: Turn) -> str:
    """Return the role tag of a turn."""
    if turn.role == "tool":
        return "observation"
    return "function_call" if turn.calls else turn.role


def value(turn: Turn) -> str:
    """Write one turn; reading it back gives the same turn, ids of calls apart."""
    if turn.role == "tool":
        return _results(turn)
    if turn.role != "gpt":
        return tags.escape(turn.text)
    thought = f"{THOUGHT[0]}{tags.escape(turn.reasoning)}{THOUGHT[1]}" if turn.reasoning else ""
    said = tags.escape(turn.text)
    if not turn.calls:
        return thought + said
    calls = strict_json.shield(strict_json.dump([_plain(call) for call in turn.calls]))
    return thought + (f"{said}{BLOCK[0]}{calls}{BLOCK[1]}" if said else calls)


def _plain(call: Call) -> dict[str, object]:
    return {"name": call.name, "arguments": call.arguments if call.is_broken else json.loads(call.arguments)}


def _results(turn: Turn) -> str:
    if len(turn.results) == 1:
        return tags.escape(turn.results[0].content)
    rows = [{"name": result.name, "content": result.content} for result in turn.results]
    return strict_json.shield(strict_json.dump(rows))


def parse(row: Mapping[str, object]) -> tuple[Turn, ...]:
    """Read the turns of a row that this module wrote; calls and results are numbered, since the format has no ids."""
    conversations = row["conversations"]
    if not isinstance(conversations, list):
        raise TypeError("conversations is not a list")
    turns: list[Turn] = []
    for written in conversations:
        calls = turns[-1].calls if turns else ()
        turns.append(_read(written["from"], written["value"], calls, len(turns)))
    return tuple(turns)


def _read(role: str, text: str, calls: tuple[Call, ...], place: int) -> Turn:
    if role == "observation":
        return Turn("tool", results=_read_results(text, calls))
    if role == "human":
        return Turn("human", tags.unescape(text))
    thought, rest = _split_thought(text)
    if role == "gpt":
        return Turn("gpt", tags.unescape(rest), tags.unescape(thought))
    said, found, block = rest.partition(BLOCK[0])
    rows = json.loads(block.removesuffix(BLOCK[1]) if found else rest)
    read = tuple(_read_call(item, f"call_{place}_{number}") for number, item in enumerate(rows))
    return Turn("gpt", tags.unescape(said) if found else "", tags.unescape(thought), read)


def _split_thought(text: str) -> tuple[str, str]:
    if not text.startswith(THOUGHT[0]):
        return "", text
    thought, closing, rest = text.removeprefix(THOUGHT[0]).partition(THOUGHT[1])
    return (thought, rest) if closing else ("", text)


def _read_call(row: Mapping[str, object], identity: str) -> Call:
    arguments = row["arguments"]
    if isinstance(arguments, str):
        return Call(identity, str(row["name"]), arguments, is_broken=True)
    return Call(identity, str(row["name"]), strict_json.dump(arguments))


def _read_results(text: str, calls: tuple[Call, ...]) -> tuple[Result, ...]:
    if len(calls) == 1:
        return (Result(calls[0].id, calls[0].name, tags.unescape(text)),)
    rows = json.loads(text)
    return tuple(Result(call.id, row["name"], row["content"]) for call, row in zip(calls, rows, strict=True))


def numbered(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Give calls and results the ids that `parse` gives, for comparing what was written with what was read."""
    result: list[Turn] = []
    for place, turn in enumerate(turns):
        if turn.role == "tool":
            before = result[-1].calls
            named = (replace(row, id=call.id) for row, call in zip(turn.results, before, strict=True))
            result.append(replace(turn, results=tuple(named)))
        else:
            calls = tuple(replace(call, id=f"call_{place}_{number}") for number, call in enumerate(turn.calls))
            result.append(replace(turn, calls=calls))
    return tuple(result)
