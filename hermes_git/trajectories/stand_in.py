"""How a summary is written into a row: as a human turn, or in place of the turn where the region begins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hermes_git.trajectories import strict_json, tags
from hermes_git.trajectories.plan import SummaryTurn
from hermes_git.trajectories.row import STEPS, Layout, RowTurn, read_turn

POINTER = "(in the summary above)"
STUB_KEEP = 160


def stand_in(first: RowTurn, text: str, layout: Layout, mode: SummaryTurn) -> RowTurn:
    """Return the turn that stands for a region whose first turn is `first`."""
    return human(text, layout) if mode == "human" else folded(first, text, layout)


def human(text: str, layout: Layout) -> RowTurn:
    """Return a human turn that holds the summary."""
    speaker = "human" if layout.role == "from" else "user"
    return read_turn([{layout.role: speaker, layout.text: _written(text, layout)}], layout)


def _written(text: str, layout: Layout) -> str:
    """Return a text as a layout has it: where thoughts and calls are fields of their own, no tag needs an escape."""
    return text if layout == STEPS else tags.escape(text)


def folded(turn: RowTurn, text: str, layout: Layout) -> RowTurn:
    """Return the turn with its content replaced; ids of results stay, so that each call keeps its answer."""
    raws = [_replaced(raw, text if place == 0 else POINTER, layout) for place, raw in enumerate(turn.raw)]
    return read_turn(raws, layout)


def _replaced(raw: Mapping[str, Any], text: str, layout: Layout) -> dict[str, Any]:
    old = raw.get(layout.text)
    responses = tags.blocks(old, tags.RESPONSE) if isinstance(old, str) and layout != STEPS else []
    if not responses:
        return {**raw, layout.text: _listed(raw, text) or _written(text, layout)}
    inside = [_response(block, text if place == 0 else POINTER) for place, (_, _, block) in enumerate(responses)]
    return {**raw, layout.text: "\n".join(inside)}


def _listed(raw: Mapping[str, Any], text: str) -> str:
    """Return the JSON list of several results of one `observation`, the text in the first; "" for a single result."""
    old = raw.get("value")
    if raw.get("from") != "observation" or not isinstance(old, str) or not old.startswith("[{"):
        return ""
    try:
        rows = json.loads(old)
    except (ValueError, RecursionError):
        return ""
    if not all(isinstance(row, dict) and set(row) == {"name", "content"} for row in rows):
        return ""
    told = [{**row, "content": text if place == 0 else POINTER} for place, row in enumerate(rows)]
    return strict_json.shield(strict_json.dump(told))


def _response(block: str, text: str) -> str:
    try:
        row = json.loads(block)
    except (ValueError, RecursionError):
        row = {}
    named = {key: row[key] for key in ("tool_call_id", "name") if key in row} if isinstance(row, dict) else {}
    return tags.RESPONSE[0] + strict_json.shield(strict_json.dump({**named, "content": text})) + tags.RESPONSE[1]


def stub(turn: RowTurn, layout: Layout) -> RowTurn:
    """Return a tool turn with only the beginning of what it answered and how long that was."""
    first = " ".join(turn.text.split())
    return folded(turn, f"{first[:STUB_KEEP]} […] ({len(turn.text)} characters left out)", layout)
