"""A row as it is written in a file, seen as turns, so that what is kept of it is kept byte for byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hermes_git.trajectories import atif_steps, strict_json
from hermes_git.trajectories.model import Drop, Role

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "human": "human",
    "user": "human",
    "gpt": "gpt",
    "assistant": "gpt",
    "model": "gpt",
    "function_call": "gpt",
    "tool": "tool",
    "observation": "tool",
    "function": "tool",
    "function_response": "tool",
    "ipython": "tool",
}
LAYOUTS = (("conversations", "from", "value"), ("messages", "role", "content"))
COLUMNS = ("system", "tools")
"""Columns beside the turns that a trainer puts in front of them; they count towards a budget and are never touched."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a row keeps its turns, and under which keys a turn keeps its speaker and its text."""

    turns: str
    role: str
    text: str


STEPS = Layout("steps", "role", "content")
"""An ATIF document, whose steps are seen as messages."""


@dataclass(frozen=True, slots=True)
class RowTurn:
    """One turn of a row: its speaker in our words, all its text, and the JSON objects it is written as.

    Tool rows that follow each other answer one turn together and are one turn here.
    """

    role: Role
    text: str
    raw: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class View:
    """A row read as turns; `overhead` is the text of its other columns."""

    layout: Layout
    turns: tuple[RowTurn, ...]
    overhead: str
    row: Mapping[str, Any]

    def write(self, turns: Sequence[RowTurn], **columns: object) -> dict[str, Any]:
        """Return the row with other turns and further columns; key order is kept."""
        if self.layout == STEPS:
            return atif_steps.document(self.row, [raw for turn in turns for raw in turn.raw], columns)
        return {**self.row, self.layout.turns: [raw for turn in turns for raw in turn.raw], **columns}


def read(row: object) -> View:
    """Read a row of any of the supported styles; raise `Drop` for what is none."""
    if not isinstance(row, Mapping):
        raise Drop("not a JSON object")
    if atif_steps.is_document(row):
        return View(STEPS, tuple(_turns(atif_steps.messages(row), STEPS)), atif_steps.overhead(row), row)
    for names in LAYOUTS:
        written = row.get(names[0])
        if isinstance(written, list):
            layout = Layout(*names)
            overhead = "\n".join(_text(row[name]) for name in COLUMNS if row.get(name))
            return View(layout, tuple(_turns(written, layout)), overhead, row)
    raise Drop("no conversations or messages")


def _turns(written: Sequence[object], layout: Layout) -> list[RowTurn]:
    groups: list[list[Mapping[str, Any]]] = []
    before: Role = "system"
    for raw in written:
        if not isinstance(raw, Mapping):
            raise Drop("a turn is not a JSON object")
        role = _role(raw, layout)
        if role == before == "tool":
            groups[-1].append(raw)
        else:
            groups.append([raw])
        before = role
    return [read_turn(group, layout) for group in groups]


def read_turn(raws: Sequence[Mapping[str, Any]], layout: Layout) -> RowTurn:
    """Return the turn that one JSON object, or several of a tool, are written as."""
    text = "\n".join(_text_of(raw, layout) for raw in raws)
    return RowTurn(_role(raws[0], layout), text, tuple(raws))


def _role(raw: Mapping[str, Any], layout: Layout) -> Role:
    role = ROLES.get(str(raw.get(layout.role)))
    if role is None:
        raise Drop("unknown role")
    return role


def _text_of(raw: Mapping[str, Any], layout: Layout) -> str:
    """Return all that a trainer would tokenise of one turn: thoughts, text and calls."""
    parts = [_text(raw.get(layout.text))]
    if layout.role == "role":
        parts = [_text(raw.get("reasoning_content")), *parts, _text(raw.get("tool_calls"))]
    return "\n".join(part for part in parts if part)


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else strict_json.dump(value)
