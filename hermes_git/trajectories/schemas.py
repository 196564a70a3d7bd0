"""Function schemas of a session's tools: the ones it names, and for tools it only calls, what the calls show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from hermes_git.trajectories import strict_json
from hermes_git.trajectories.model import Call

TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}


def schemas(declared: str, calls: Iterable[Call]) -> tuple[str, int]:
    """Return JSON text of a list of `{name, description, parameters}`, and how many were derived from calls.

    A declaration that is no JSON list of schemas is left out; its tools are then among the derived ones.
    """
    found = {str(row["name"]): row for row in _declared(declared)}
    seen: dict[str, list[Mapping[str, object]]] = {}
    for call in calls:
        rows = seen.setdefault(call.name, [])
        if not call.is_broken:
            rows.append(json.loads(call.arguments))
    derived = {name: _derive(name, rows) for name, rows in seen.items() if name not in found}
    return strict_json.dump([*found.values(), *derived.values()]), len(derived)


def _declared(text: str) -> list[dict[str, object]]:
    try:
        rows = json.loads(text) if text else []
    except ValueError:
        rows = []
    return [schema for row in rows if (schema := _plain(row))] if isinstance(rows, list) else []


def _plain(row: object) -> dict[str, object]:
    """Unwrap `{"type": "function", "function": …}` and other spellings into the plain form; {} for anything else."""
    if isinstance(row, dict) and isinstance(row.get("function"), dict):
        row = row["function"]
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        return {}
    parameters = row.get("parameters") or row.get("input_schema") or {"type": "object", "properties": {}}
    return {"name": row["name"], "description": str(row.get("description") or ""), "parameters": parameters}


def _derive(name: str, rows: list[Mapping[str, object]]) -> dict[str, object]:
    kinds: dict[str, set[str]] = {}
    for row in rows:
        for key, value in row.items():
            kinds.setdefault(key, set()).add(TYPES.get(type(value), ""))
    properties = {
        key: {"type": next(iter(found))} if len(found) == 1 and "" not in found else {} for key, found in kinds.items()
    }
    required = [key for key in kinds if all(key in row for row in rows)]
    parameters: dict[str, object] = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": "", "parameters": parameters}
