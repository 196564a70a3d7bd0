"""A transcript for exams: an agent mends a date bug over many turns, in words, calls and results."""

from __future__ import annotations

import json
from typing import Any

from hermes_git.trajectories import tags

FILES = "zones clock parser ledger report invoice export login cache queue mailer router".split()


def long_row(seed: int = 0) -> dict[str, Any]:
    """Return a Hermes row with one round for each file; `seed` changes names and numbers."""
    turns: list[dict[str, Any]] = [
        {"from": "system", "value": "You help."},
        {"from": "human", "value": "The date tests fail at random. Find out why and mend them."},
    ]
    for number, name in enumerate(FILES):
        turns += _round(number, f"{name}{seed or ''}", seed * 100 + number)
    turns.append({"from": "gpt", "value": "<think>\n</think>\nAll of it is mended now."})
    return {"conversations": turns, "completed": True}


def _round(number: int, name: str, value: int) -> list[dict[str, Any]]:
    told = (
        f"I will open src/app/{name}.py because the trace names the function compare_{name}_dates twice. "
        f"The limit in {name} is set to {value + 37} seconds and that is far too long for the tests."
    )
    call = {
        "name": "Bash",
        "arguments": {
            "command": f"pytest -q tests/test_{name}.py --maxfail={value + 3}",
            "description": f"Run the slow {name} tests after the change to its limit",
        },
    }
    lines = [f"line {line} of the output of {name} says nothing of interest here" for line in range(40)]
    result = "\n".join([*lines, f"FAILED tests/test_{name}.py::test_{name}_today - AssertionError: {value + 512} != 3"])
    answer = {"tool_call_id": f"c{number}", "name": "Bash", "content": result}
    return [
        {"from": "gpt", "value": f"<think>\n</think>\n{told}\n{tags.CALL[0]}{json.dumps(call)}{tags.CALL[1]}"},
        {"from": "tool", "value": tags.RESPONSE[0] + json.dumps(answer) + tags.RESPONSE[1]},
    ]
