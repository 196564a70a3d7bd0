"""Reading values of foreign JSON that may be of any type: a wrong type is an absent value, never a crash."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
MILLISECONDS_FROM = 10_000_000_000
"""Epoch numbers from here on count milliseconds (as seconds they would lie after the year 2286)."""


def text(value: object) -> str:
    """Return a string as it is, lone surrogates as U+FFFD; anything else as ""."""
    if not isinstance(value, str):
        return ""
    return LONE_SURROGATE.sub("\ufffd", value) if not value.isascii() else value


def mapping(value: object) -> dict[str, Any]:
    """Return a JSON object, anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Return a JSON array, anything else as an empty one."""
    return value if isinstance(value, list) else []


def first_text(record: Mapping[str, Any], *keys: str) -> str:
    """Return the first of several keys that holds a non-empty string."""
    return next((found for key in keys if (found := text(record.get(key)))), "")


def dump(value: object) -> str:
    """Return a value as compact JSON text; a string stays as it is."""
    if isinstance(value, str):
        return text(value)
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return written if written.isascii() or not LONE_SURROGATE.search(written) else json.dumps(value)


def counts(record: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, int]:
    """Return the non-negative whole numbers of a record under our names: source key → our key."""
    found = {ours: record.get(key) for key, ours in names.items()}
    return {
        key: value
        for key, value in found.items()
        if isinstance(value, int) and not isinstance(value, bool) and value > 0
    }


def moment(value: object) -> str:
    """Return a time as ISO 8601 in UTC with a final Z, or "" if it is none; a time without a zone is read as UTC."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return _from_epoch(value)
    if isinstance(value, str):
        return _from_text(value)
    return ""


def _from_epoch(value: float) -> str:
    if not 0 < value < 253_402_300_800_000:
        return ""
    seconds = value / 1000 if value >= MILLISECONDS_FROM else value
    return _format(datetime.fromtimestamp(seconds, UTC))


def _from_text(value: str) -> str:
    try:
        found = datetime.fromisoformat(value.strip())
        return _format(found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return ""


def _format(moment_: datetime) -> str:
    fraction = f".{moment_.microsecond // 1000:03d}" if moment_.microsecond >= 1000 else ""
    return f"{moment_:%Y-%m-%dT%H:%M:%S}{fraction}Z"


def verdict(reward: object) -> str:
    """Return what a benchmark's reward says of a run, or "" where there is none; only the full reward is a success."""
    if isinstance(reward, bool) or not isinstance(reward, int | float):
        return ""
    return f"task {'succeeded' if reward >= 1 else 'failed'}, reward {reward}"
