"""What a turn of a row says, in plain pieces: words, thoughts, calls and results, taken out of tags and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

from hermes_git.trajectories import tags
from hermes_git.trajectories.row import RowTurn

Kind = Literal["said", "asked", "thought", "call", "result"]
MAX_NESTING = 6


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a turn: what kind it is, which tool it belongs to, and its text with real line breaks.

    `arguments` of a call are its top-level arguments as `(name, text)`; empty where they could not be read.
    """

    kind: Kind
    text: str
    tool: str = ""
    arguments: tuple[tuple[str, str], ...] = ()


def pieces(turn: RowTurn) -> list[Piece]:
    """Take a turn apart; text that is no JSON where JSON is expected is taken as it is."""
    if turn.role == "tool":
        return [piece for raw in turn.raw for piece in _results(raw)]
    if turn.role != "gpt":
        return [Piece("asked", tags.unescape(_value(raw))) for raw in turn.raw]
    return [piece for raw in turn.raw for piece in _spoken(raw)]


def _value(raw: Mapping[str, Any]) -> str:
    value = raw.get("value", raw.get("content"))
    return value if isinstance(value, str) else flatten(value)


def _results(raw: Mapping[str, Any]) -> Iterator[Piece]:
    text = _value(raw)
    found = [inside for _, _, inside in tags.blocks(text, tags.RESPONSE)]
    for inside in found:
        row = _load(inside)
        yield _result(row) if _is_result(row) else Piece("result", tags.unescape(inside))
    if found:
        return
    rows = _load(text) if raw.get("from") == "observation" and text[:2] == "[{" else None
    if isinstance(rows, list) and all(map(_is_result, rows)):
        yield from map(_result, rows)
    else:
        yield Piece("result", _json_or_text(tags.unescape(text)), str(raw.get("name") or ""))


def _is_result(row: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(row, Mapping) and "content" in row


def _result(row: Mapping[str, Any]) -> Piece:
    content = row["content"]
    text = _json_or_text(content) if isinstance(content, str) else flatten(content)
    return Piece("result", text, str(row.get("name") or ""))


def _spoken(raw: Mapping[str, Any]) -> Iterator[Piece]:
    thought, rest = _thought(_value(raw))
    thought = thought or str(raw.get("reasoning_content") or "")
    if thought:
        yield Piece("thought", tags.unescape(thought))
    if raw.get("from") == "function_call" and "<tool_call>" not in rest:
        yield from _calls(rest)
        return
    said, *blocks = rest.split("<tool_call>")
    if said.strip():
        yield Piece("said", tags.unescape(said.strip()))
    for block in blocks:
        yield from _calls(block.partition("</tool_call>")[0])
    for row in raw.get("tool_calls") or ():
        function = row.get("function", row) if isinstance(row, Mapping) else {}
        yield _call(function)


def _thought(text: str) -> tuple[str, str]:
    if text.startswith("<think>"):
        inside, closing, rest = text.removeprefix("<think>").partition("</think>")
        if closing:
            return inside.strip("\n"), rest
    return "", text


def _calls(text: str) -> Iterator[Piece]:
    rows = _load(text)
    for row in rows if isinstance(rows, list) else [rows]:
        if isinstance(row, Mapping) and "name" in row:
            yield _call(row)
        elif text.strip():
            yield Piece("call", text.strip())


def _call(row: Mapping[str, Any]) -> Piece:
    arguments, name = row.get("arguments"), str(row.get("name") or "")
    if isinstance(arguments, str):
        loaded = _load(arguments)
        arguments = loaded if isinstance(loaded, Mapping) else arguments
    if not isinstance(arguments, Mapping):
        return Piece("call", arguments if isinstance(arguments, str) else flatten(arguments), name)
    pairs = tuple((str(key), flatten(value)) for key, value in arguments.items())
    return Piece("call", "\n".join(flatten(value, str(key)) for key, value in arguments.items()), name, pairs)


def _load(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _json_or_text(text: str) -> str:
    """Write a JSON object or list as lines of `key: value`; tools wrap their output in JSON that no reader needs."""
    value = _load(text) if text[:1] in "{[" else None
    return flatten(value) if isinstance(value, dict | list) else text


def flatten(value: object, name: str = "", depth: int = 0) -> str:
    """Write nested data as lines of `key: value`, keys joined by dots; strings keep their line breaks."""
    label = f"{name}: " if name else ""
    if depth < MAX_NESTING and isinstance(value, Mapping):
        return "\n".join(flatten(item, _joined(name, str(key)), depth + 1) for key, item in value.items())
    if depth < MAX_NESTING and isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return "\n".join(flatten(item, name, depth + 1) for item in value)
    if isinstance(value, str):
        return label + value
    return label + json.dumps(value, ensure_ascii=False)


def _joined(name: str, key: str) -> str:
    return f"{name}.{key}" if name else key
