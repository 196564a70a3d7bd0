"""Rows for tests, in the styles that trainers read."""

from __future__ import annotations

import json
from typing import Any

from hermes_git.trajectories import tags

Row = dict[str, Any]


def hermes(rounds: int = 12, *, size: int = 400, calls: int = 1) -> Row:
    """Return a Hermes row of tool rounds whose results vary in size."""
    turns: list[Row] = [{"from": "system", "value": "s"}, {"from": "human", "value": "go"}]
    for number in range(rounds):
        names = [f"c{number}_{each}" for each in range(calls)]
        asked = [
            f'<tool_call>\n{{"name": "read", "arguments": {{"path": "src/f{name}.py"}}}}\n</tool_call>'
            for name in names
        ]
        turns.append({"from": "gpt", "value": "<think>\n</think>\n" + "\n".join(asked)})
        body = f"value_{number} = {number * 7} " + "x " * (size if number % 3 else size * 7)
        answers = [
            tags.RESPONSE[0] + json.dumps({"tool_call_id": name, "name": "read", "content": body}) + tags.RESPONSE[1]
            for name in names
        ]
        turns.append({"from": "tool", "value": "\n".join(answers)})
    turns.append({"from": "gpt", "value": "<think>\n</think>\ndone"})
    return {"conversations": turns, "completed": True}


def sharegpt(rounds: int = 12, *, size: int = 400) -> Row:
    """Return a LLaMA-Factory row of tool rounds."""
    turns: list[Row] = [{"from": "human", "value": "go"}]
    for number in range(rounds):
        call = [{"name": "read", "arguments": {"path": f"src/f{number}.py"}}]
        turns.append({"from": "function_call", "value": json.dumps(call)})
        turns.append({"from": "observation", "value": f"value_{number} = {number * 7} " + "x " * size})
    turns.append({"from": "gpt", "value": "done"})
    return {"system": "You help.", "tools": '[{"name": "read", "parameters": {}}]', "conversations": turns}


def chat(rounds: int = 12, *, size: int = 400, calls: int = 1) -> Row:
    """Return a row of OpenAI messages."""
    messages: list[Row] = [{"role": "system", "content": "You help."}, {"role": "user", "content": "go"}]
    for number in range(rounds):
        names = [f"c{number}_{each}" for each in range(calls)]
        asked = [
            {"id": name, "type": "function", "function": {"name": "read", "arguments": f'{{"path": "src/f{name}.py"}}'}}
            for name in names
        ]
        messages.append({"role": "assistant", "content": "", "tool_calls": asked})
        messages += [
            {"role": "tool", "tool_call_id": name, "name": "read", "content": f"value_{number} " + "x " * size}
            for name in names
        ]
    messages.append({"role": "assistant", "content": "done"})
    return {"messages": messages}


def talk(rounds: int = 20, *, size: int = 60) -> Row:
    """Return a row of talk without tools."""
    turns = [
        {"from": ("human", "gpt")[number % 2], "value": f"word{number} " + "blah " * size} for number in range(rounds)
    ]
    return {"conversations": turns}
