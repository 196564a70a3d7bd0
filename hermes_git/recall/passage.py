"""Passages: what is indexed. About four kilobytes of one lane of one source, with the spans to find them again by.

A source (a session, a memory file, a skill's file, a commit) is a list of units: messages, entries, the file, the
commit message. Each unit has a lane: what was `said`, or what a `tool` printed and was asked for. A passage gathers
neighbouring units of one lane; it keeps ids and offsets only, the text stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from hermes_git.sessions.model import Message, Session

VERSION = 4
"""Part of the name of the index folder; raise it whenever units or cuts change."""

TARGET = 4000
"""Characters after which a passage is closed."""

OVERLAP = 200
"""Characters of a long unit that both neighbouring passages hold, so that no phrase falls between them."""

SAID, TOOL = "said", "tool"
MAX_NAMES = 64


class Span(NamedTuple):
    """A slice of a unit's text: the unit's id, first and last offset in characters."""

    unit: int
    start: int
    end: int


class Unit(NamedTuple):
    """One message, entry or file as text: its 1-based id, lane, role, the tools it names, and when (Unix seconds).

    `offset` is where the text starts in the whole text of the message; `state` is the message's.
    """

    id: int
    text: str
    lane: str = SAID
    role: str = ""
    tools: tuple[str, ...] = ()
    time: int = 0
    offset: int = 0
    state: str = "active"


@dataclass(frozen=True, slots=True)
class Passage:
    """One indexed piece: where it stands, its text, and the words it can be filtered by (`role:user`, `tool:bash`)."""

    spans: tuple[Span, ...]
    text: str
    lane: str = SAID
    tags: tuple[str, ...] = ()
    time: int = 0


LATEST = 2**32 - 1
"""The last second an index can hold, in the year 2106; anything later counts as that."""


def seconds(timestamp: str) -> int:
    """Return an ISO 8601 time as Unix seconds between 0 and 2**32 - 1; 0 for none or an unreadable one."""
    if not timestamp:
        return 0
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return 0
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max(int(aware.timestamp()), 0), LATEST)


def readable(text: str) -> str:
    r"""Return JSON text as lines of `key: value` with its strings unescaped; other text as it is.

    Broken JSON keeps its text, but its `\n` and `\t` escapes become blanks of the same length, so that they do not
    glue a letter to the next word.
    """
    if text[:1] not in ("{", "["):
        return text
    try:
        return "\n".join(_lines(msgspec.json.decode(text), ""))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return text.replace("\\n", " \n").replace("\\t", "  ").replace("\\r", "  ")


def _lines(value: object, key: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _lines(inner, str(name))
    elif isinstance(value, list):
        for inner in value:
            yield from _lines(inner, key)
    elif value is not None and value != "":
        yield f"{key}: {value}" if key else str(value)


def said(message: Message) -> str:
    """Return what a message says: its content, and its reasoning after it."""
    content = readable(message.content)
    return f"{content}\n{message.reasoning}" if message.reasoning else content


def asked(message: Message) -> str:
    """Return the tool calls of a message as text: the tool's name and the arguments, readable."""
    return "\n".join(f"{call.name}\n{readable(call.arguments)}" for call in message.tool_calls)


def message_unit(message: Message) -> Unit:
    """Return a message with its whole text, which spans point into: what it says, then its calls."""
    calls = asked(message)
    text = f"{said(message)}\n{calls}" if calls else said(message)
    return Unit(message.id, text, SAID, message.role, (), seconds(message.timestamp), 0, message.state)


def session_units(session: Session) -> Iterator[Unit]:
    """Yield the units of a session; what the user undid (`rewound`) is none, what a summary replaced still is."""
    for message in session.messages:
        if message.state != "rewound":
            yield from _message_units(message)


def _message_units(message: Message) -> Iterator[Unit]:
    when = seconds(message.timestamp)
    spoken = message.role in ("user", "assistant") and message.state != "harness"
    text, calls = said(message), asked(message)
    if text:
        named: tuple[str, ...] = (message.tool_name,) if message.tool_name else ()
        yield Unit(message.id, text, SAID if spoken else TOOL, message.role, named, when)
    if calls:
        named = tuple(dict.fromkeys(call.name for call in message.tool_calls))
        yield Unit(message.id, calls, TOOL, message.role, named, when, len(text) + 1)


def cut(units: Iterable[Unit], *, apart: bool = False) -> Iterator[Passage]:
    """Gather units into passages, lane by lane, in order of their first unit; `apart` gives each unit its own."""
    open_lanes: dict[str, _Gathering] = {}
    for unit in units:
        lane = open_lanes.setdefault(unit.lane, _Gathering())
        for start, end in slices(unit.text):
            lane.add(unit, start, end)
            if lane.size >= TARGET or apart:
                yield lane.close(unit.lane)
    for name, lane in open_lanes.items():
        if lane.spans:
            yield lane.close(name)


def slices(text: str) -> Iterator[tuple[int, int]]:
    """Yield the slices of a text: all of it, or pieces of at most `TARGET` characters cut at a line or a blank."""
    start, size = 0, len(text)
    while size - start > TARGET + OVERLAP:
        end = start + TARGET
        line = text.rfind("\n", end - TARGET // 4, end)
        blank = line if line > 0 else text.rfind(" ", end - OVERLAP, end)
        end = blank if blank > 0 else end
        yield start, end
        again = text.find(" ", end - OVERLAP, end)
        start = again if again > 0 else end - OVERLAP
    if size:
        yield start, size


class _Gathering:
    """A passage that is being filled."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.spans: list[Span] = []
        self.pieces: list[str] = []
        self.tags: dict[str, None] = {}
        self.time = 0
        self.size = 0

    def add(self, unit: Unit, start: int, end: int) -> None:
        self.spans.append(Span(unit.id, unit.offset + start, unit.offset + end))
        self.pieces.append(unit.text[start:end])
        self.size += end - start
        self.time = self.time or unit.time
        if unit.role:
            self.tags[f"role:{unit.role}"] = None
        for name in unit.tools[:MAX_NAMES]:
            self.tags[f"tool:{name.casefold()}"] = None

    def close(self, lane: str) -> Passage:
        done = Passage(tuple(self.spans), "\n".join(self.pieces), lane, tuple(self.tags), self.time)
        self._clear()
        return done


def pack(spans: Iterable[Span]) -> bytes:
    """Write spans compactly: for each the step from the unit before, the start and the length, as varints."""
    out = bytearray()
    before = 0
    for span in spans:
        for number in (span.unit - before, span.start, span.end - span.start):
            value = (number << 1) ^ (number >> 63)
            while value >= 0x80:
                out.append(value & 0x7F | 0x80)
                value >>= 7
            out.append(value)
        before = span.unit
    return bytes(out)


def unpack(data: bytes) -> tuple[Span, ...]:
    """Read what `pack` wrote; `ValueError` for bytes that end in the middle of a span."""
    numbers: list[int] = []
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append((value >> 1) ^ -(value & 1))
            value = shift = 0
    if shift or len(numbers) % 3:
        raise ValueError("spans end early")
    spans, unit = [], 0
    for step, start, length in zip(*[iter(numbers)] * 3, strict=True):
        unit += step
        spans.append(Span(unit, start, start + length))
    return tuple(spans)
