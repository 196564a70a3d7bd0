"""JSON records out of dirty lines: every byte is a record, a counted damage, or blank."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from hermes_git.files import LONGEST_LINE
from hermes_git.sessions.loss import Tally

BOM = b"\xef\xbb\xbf"
MOST_RESTARTS = 64
"""How many places of a torn line are tried as the beginning of a whole record."""

_DECODER = msgspec.json.Decoder()
_PYTHON = json.JSONDecoder()


class Row(NamedTuple):
    """One JSON record of a source: the 1-based line it is on, its value, and the bytes it was read from."""

    line: int
    value: dict[str, Any]
    raw: bytes


def records(lines: Iterable[bytes], tally: Tally) -> Iterator[Row]:
    """Yield the JSON objects of the lines; what is none is booked as damaged, with its line.

    Several records on one line (a newline was lost) are all read. A record torn by another one that follows it on
    the same line is damage; the one that follows is kept. Blank lines are no rows.
    """
    for number, line in enumerate(lines, start=1):
        bare = (line.removeprefix(BOM) if number == 1 else line).strip(b" \t\r\n")
        if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
            tally.damage(number, f"longer than {LONGEST_LINE:,} bytes")
        elif bare:
            yield from _line(number, bare, tally)


def _line(number: int, line: bytes, tally: Tally) -> Iterator[Row]:
    try:
        value = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        yield from _dirty(number, line, tally)
        return
    yield from _record(number, value, line, tally)


def _record(number: int, value: object, raw: bytes, tally: Tally) -> Iterator[Row]:
    if not isinstance(value, dict):
        tally.damage(number, f"a JSON {_kind(value)} where an object is expected")
        return
    tally.row()
    yield Row(number, value, raw)


def _kind(value: object) -> str:
    return {list: "array", str: "string", bool: "boolean", type(None): "null"}.get(type(value), "number")


def _dirty(number: int, line: bytes, tally: Tally) -> Iterator[Row]:
    """Read a line that is not one JSON value: NULs, several records, a torn record, text that is none."""
    text = line.decode("utf-8", "replace").strip("\0 \t\r")
    if not text:
        tally.damage(number, f"{len(line):,} NUL bytes")
        return
    if "\ufffd" in text and b"\xef\xbf\xbd" not in line:
        tally.note("undecodable bytes read as U+FFFD")
    position, found = 0, 0
    while position < len(text):
        value, end, why = _decode(text, position)
        if why:
            resumed = _restart(text, position)
            tally.damage(number, f"torn at column {position + 1}: {why}" if resumed < len(text) else why)
            position = resumed
            continue
        found += 1
        yield from _record(number, value, text[position:end].encode("utf-8", "replace"), tally)
        position = _skip(text, end)
    if found > 1:
        tally.note("records that shared a line with another")


def _decode(text: str, position: int) -> tuple[object, int, str]:
    try:
        value, end = _PYTHON.raw_decode(text, position)
    except RecursionError:
        return None, position, "nested too deeply"
    except ValueError as error:
        return None, position, str(error).split(": line", 1)[0]
    return value, end, ""


def _restart(text: str, position: int) -> int:
    """Return where the next whole record begins after a torn one, or the end of the line.

    From there on all must be records: objects inside the torn one are parts of it, not records.
    """
    place = position
    for _ in range(MOST_RESTARTS):
        place = text.find('{"', place + 1)
        if place < 0:
            return len(text)
        if _is_whole(text, place):
            return place
    return len(text)


def _is_whole(text: str, position: int) -> bool:
    for _ in range(MOST_RESTARTS):
        value, end, why = _decode(text, position)
        position = _skip(text, end)
        if why or not isinstance(value, dict):
            return False
        if position == len(text):
            return True
    return False


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n\0,":
        position += 1
    return position
