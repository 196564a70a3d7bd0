from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from hermes_git.trajectories.convert import convert
from hermes_git.trajectories.quality import general
from hermes_git.trajectories.styles import STYLES
from tests.trajectories.rows import Row, chat, hermes, sharegpt
from tests.trajectories.sessions import FLAKY
from tests.trajectories.test_styles import LONG

TOKEN = "ghp_" + "a8Kd93kfLs02kdPq71mZxV" + "bNc4tYwQ6eRj9H"
TOOLS = json.dumps([{"name": "read", "parameters": {"type": "object", "required": ["path"], "properties": {}}}])
SHORT = {**sharegpt(2, size=5), "tools": TOOLS}


def edited(change: Callable[[Any], object], base: Row = SHORT) -> Row:
    made = copy.deepcopy(base)
    change(made)
    return made


def turn(row: Row, place: int) -> Row:
    found: Row = row.get("conversations", row.get("messages"))[place]
    return found


def value(place: int, text: str) -> Row:
    return edited(lambda row: turn(row, place).update(value=text))


FIRES = [
    ("row", {"text": "x"}),
    (
        "pairs",
        edited(lambda row: row["messages"].insert(4, {"role": "tool", "tool_call_id": "x", "content": "y"}), chat(1)),
    ),
    ("unanswered", edited(lambda row: row["conversations"].pop(2))),
    ("unanswered", edited(lambda row: row["conversations"].__delitem__(slice(4, None)))),
    ("system", edited(lambda row: row["conversations"].insert(1, {"from": "system", "value": "s"}))),
    ("empty", value(5, "<think>\nhm\n</think>\n\n")),
    ("multimodal", value(0, '\x00json:[{"type": "text"}]')),
    ("double-response", value(2, "<tool_response>\nx\n</tool_response> twice <tool_response>")),
    ("double-response", value(2, "&lt;tool_response>inner")),
    ("secret", value(2, f"the token is {TOKEN}")),
    ("arguments", value(1, '[{"name": "read", "arguments": "{\\"path\\": \\"cut"}]')),
    ("tool", value(1, '[{"name": "write", "arguments": {"path": "a"}}]')),
    ("schema", value(1, '[{"name": "read", "arguments": {"file": "a"}}]')),
    ("copied", {"conversations": [{"from": "human", "value": "go"}, {"from": "gpt", "value": "done " * 60}] * 2}),
]


@pytest.mark.parametrize(("rule", "made"), FIRES, ids=[f"{rule}-{place}" for place, (rule, _) in enumerate(FIRES)])
def test_fires(rule: str, made: Row) -> None:
    assert rule in [found.rule for found in general(made)]


NO_ARGUMENTS = value(1, '[{"name": "list", "arguments": {}}]') | {"tools": ""}


@pytest.mark.parametrize("made", [SHORT, NO_ARGUMENTS, sharegpt(3), hermes(3), hermes(3, calls=2), chat(2, calls=2)])
def test_quiet_on_good_rows(made: Row) -> None:
    assert list(general(made)) == []


@pytest.mark.parametrize("style", [name for name in STYLES if name != "atif"])
@pytest.mark.parametrize("source", [FLAKY, LONG])
def test_quiet_on_what_we_write(style: str, source: Any) -> None:
    assert list(general(STYLES[style].row(convert(source))[1])) == []
