"""Rows as Parquet columns: which type each column has, and how a row goes in and comes out as it was.

Turns are lists of structs of text, as every loader reads them. Messages, whose calls vary in shape, are lists of
Arrow's JSON type, which `datasets` from 4.7 on gives back as objects. What else is nested, and a column that holds
several kinds of values, is JSON text, and the column says so: every version of `datasets` loads it, no value is lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

Row = Mapping[str, Any]
Kinds = Mapping[str, str]
"""Column → kind, in the order of the columns."""

TEXT_FIELDS = ("session", "family", "agent", "commit", "outcome", "marks", "actor", "action", "target")
SHAPES = {"from": ("from", "value"), "role": ("role", "content")}
TEXT, FLAG, MESSAGES, ABOUT, JSON = "text", "flag", "messages", "about", "json"
TURNS, TURN = "turns-", "turn-"
LATER: dict[str, dict[str, str]] = {
    "conversations": {"compression_metrics": JSON},
    "messages": {"compression_metrics": JSON, "tools": JSON, "parallel_tool_calls": FLAG},
    "steps": {"notes": TEXT},
}
"""Columns that only some rows of a layout have; a table has them from its first row on."""


IS_JSON = {"holds": "json"}
"""What the metadata of a JSON column says."""


def kind_of(name: str, value: object) -> str:
    """Return the narrowest kind that holds a value of a column."""
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, str):
        return TEXT
    if isinstance(value, list) and value:
        if name == "messages" and all(isinstance(item, dict) for item in value):
            return MESSAGES
        shapes = {_shape(item) for item in value}
        return TURNS + shapes.pop() if len(shapes) == 1 and "" not in shapes else JSON
    if isinstance(value, dict):
        if name == "metadata" and set(value) <= set(TEXT_FIELDS) and _is_text(value):
            return ABOUT
        return TURN + _shape(value) if _shape(value) else JSON
    return JSON


def _is_text(value: Row) -> bool:
    return all(isinstance(one, str) for one in value.values())


def _shape(turn: object) -> str:
    if not isinstance(turn, dict) or not _is_text(turn):
        return ""
    return next((name for name, keys in SHAPES.items() if set(turn) == set(keys)), "")


def kinds(rows: Iterable[Row]) -> dict[str, str]:
    """Return the columns of rows; those that only later rows have are there as well."""
    found: dict[str, str] = {}
    for row in rows:
        found = joined(found, {name: kind_of(name, value) for name, value in row.items()})
    later = next((names for layout, names in LATER.items() if layout in found), {})
    return {**found, **{name: kind for name, kind in later.items() if name not in found}}


def joined(one: Kinds, other: Kinds) -> dict[str, str]:
    """Return the columns of both; one whose kinds differ is JSON."""
    return {**one, **{name: kind if one.get(name, kind) == kind else JSON for name, kind in other.items()}}


def fits(row: Row, columns: Kinds) -> bool:
    """Say whether a row can be written with these columns."""
    return all(columns.get(name) in (JSON, kind_of(name, value)) for name, value in row.items())


def table(rows: Iterable[Row], columns: Kinds) -> Any:
    """Return an Arrow table of rows that fit."""
    import pyarrow

    values = [{name: _put(columns[name], value) for name, value in row.items()} for row in rows]
    made = pyarrow.Table.from_pylist(values, schema=_schema(columns, pyarrow.string()))
    return made.cast(_schema(columns, pyarrow.json_()))


def _schema(columns: Kinds, nested: Any) -> Any:
    import pyarrow

    text = pyarrow.string()
    types = {TEXT: text, FLAG: pyarrow.bool_(), MESSAGES: pyarrow.list_(nested), JSON: text}
    types[ABOUT] = pyarrow.struct([(key, text) for key in TEXT_FIELDS])
    for name, keys in SHAPES.items():
        types[TURN + name] = pyarrow.struct([(key, text) for key in keys])
        types[TURNS + name] = pyarrow.list_(types[TURN + name])
    marks = {JSON: IS_JSON}
    return pyarrow.schema(
        [pyarrow.field(name, types[kind], metadata=marks.get(kind)) for name, kind in columns.items()]
    )


def _put(kind: str, value: Any) -> Any:
    if kind == MESSAGES:
        return [_dump(message) for message in value]
    return _dump(value) if kind == JSON else value


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def rows_of(batch: Any) -> list[dict[str, Any]]:
    """Return the rows of an Arrow batch or table as they went in; of foreign tables, the values they have."""
    nested = [field.name for field in batch.schema if (field.metadata or {}).get(b"holds") == b"json"]
    lists = [field.name for field in batch.schema if str(field.type).endswith("extension<arrow.json>>")]
    return [_taken(row, nested, lists) for row in batch.to_pylist()]


def _taken(row: dict[str, Any], nested: list[str], lists: list[str]) -> dict[str, Any]:
    made = {name: value for name, value in row.items() if value is not None}
    for name in nested:
        if name in made:
            made[name] = json.loads(made[name])
    for name in lists:
        if name in made:
            made[name] = [json.loads(message) for message in made[name]]
    if "metadata" not in nested and isinstance(about := made.get("metadata"), dict):
        made["metadata"] = {key: value for key, value in about.items() if value is not None}
    return made
