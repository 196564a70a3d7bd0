"""What is wrong with a row whoever trains on it: each rule is a failure that was seen in published data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hermes_git.patterns import secrets
from hermes_git.trajectories import row as rows
from hermes_git.trajectories import tags
from hermes_git.trajectories.model import Drop
from hermes_git.trajectories.plain import Piece, pieces
from hermes_git.trajectories.row import RowTurn
from hermes_git.trajectories.validate import Objection

MIN_COPIED = 200
MULTIMODAL = "\x00json:"


def general(row: Mapping[str, Any]) -> Iterator[Objection]:
    """Object to what no trainer should be given, whatever its format."""
    try:
        view = rows.read(row)
    except Drop as drop:
        yield Objection("row", -1, drop.reason)
        return
    schemas = _schemas(row)
    before: tuple[Piece, ...] = ()
    texts: dict[str, int] = {}
    for place, turn in enumerate(view.turns):
        found = tuple(pieces(turn))
        yield from _turn(place, turn, found, before)
        yield from _calls(place, found, schemas)
        if turn.role in ("human", "gpt") and len(turn.text) > MIN_COPIED and turn.text in texts:
            yield Objection("copied", place, f"word for word what turn {texts[turn.text]} says; a replayed context?")
        texts.setdefault(turn.text, place)
        before = tuple(piece for piece in found if piece.kind == "call")
    if before:
        yield Objection("unanswered", len(view.turns) - 1, f"{len(before)} calls have no result")


def _turn(place: int, turn: RowTurn, found: tuple[Piece, ...], before: tuple[Piece, ...]) -> Iterator[Objection]:
    results = sum(piece.kind == "result" for piece in found)
    if turn.role == "tool" and results != len(before):
        yield Objection("pairs", place, f"{results} results for {len(before)} calls")
    if turn.role != "tool" and before:
        yield Objection("unanswered", place - 1, f"{len(before)} calls have no result")
    if turn.role == "system" and place:
        yield Objection("system", place, "a system turn after the first")
    if turn.role == "gpt" and not any(piece.kind == "call" or _has_words(piece) for piece in found):
        yield Objection("empty", place, "an agent's turn without words or calls")
    if MULTIMODAL in turn.text:
        yield Objection("multimodal", place, "a multimodal message that was not unpacked")
    wrapped = any(raw.get("from") == "observation" and tags.RESPONSE[0].strip() in turn.text for raw in turn.raw)
    if turn.role == "tool" and (wrapped or any("<tool_response>" in piece.text for piece in found)):
        yield Objection("double-response", place, "a result inside a result; the template will wrap it again")
    if any(True for _ in secrets.find(turn.text, personal=False)):
        yield Objection("secret", place, "something that looks like a secret")


def _has_words(piece: Piece) -> bool:
    return piece.kind == "said" and bool(piece.text.strip())


def _calls(place: int, found: tuple[Piece, ...], schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[Objection]:
    for piece in found:
        if piece.kind != "call":
            continue
        if not piece.arguments and piece.text.strip():
            yield Objection("arguments", place, f"the arguments of {piece.tool or 'a call'} are no JSON object")
        if schemas and piece.tool not in schemas:
            yield Objection("tool", place, f"{piece.tool!r} is not among the row's tools")
        needed = schemas.get(piece.tool, {}).get("required") or ()
        missing = [name for name in needed if name not in dict(piece.arguments)]
        if missing and piece.arguments:
            yield Objection("schema", place, f"{piece.tool} lacks {', '.join(missing)}")


def _schemas(row: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the parameters of each tool that the row lists, in any of the places a style has for them."""
    listed = row.get("tools")
    if isinstance(listed, str):
        listed = _json(listed)
    if not listed:
        listed = _json(_listed_in_system(row))
    found = {}
    for item in listed if isinstance(listed, list) else ():
        schema = item.get("function", item) if isinstance(item, Mapping) else {}
        if isinstance(schema, Mapping) and isinstance(schema.get("name"), str):
            parameters = schema.get("parameters")
            found[schema["name"]] = parameters if isinstance(parameters, Mapping) else {}
    return found


def _listed_in_system(row: Mapping[str, Any]) -> str:
    turns = row.get("conversations")
    first = turns[0] if isinstance(turns, list) and turns and isinstance(turns[0], Mapping) else {}
    return str(first.get("value", "")).partition("<tools>")[2].partition("</tools>")[0]


def _json(text: str) -> object:
    try:
        return json.loads(text) if text.strip() else None
    except (ValueError, RecursionError):
        return None
