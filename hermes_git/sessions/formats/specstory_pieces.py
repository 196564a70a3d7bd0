"""The pieces of a SpecStory transcript: beginnings of turns, text, thoughts, and tools with what they showed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

TURN = re.compile(
    r"_\*\*(?P<who>User|Agent|Assistant)(?P<side> - sidechain)?"
    r"(?: \((?:(?P<model>[^\s()]+) ?)?(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?Z?)?\))?\*\*_[ \t]*\Z"
)
TOOL_BEGIN = re.compile(r"<tool-use\b[^>\n]{0,200}?data-tool-name=\"(?P<name>[^\"\n]{0,80})\"[^>\n]{0,80}>")
TOOL_END = re.compile(r"(?:</details>)?</tool-use>[ \t]*\Z")
THINK_BEGIN, THINK_END = "<think>", "</think>"
FENCE = re.compile(r"`{3,}|~{3,}")
MARKS = re.compile(r"</?details>|<summary>[^<\n]*(?:<[^<\n]*)*?</summary>")


@dataclass(frozen=True)
class Turn:
    """The line that begins a turn."""

    is_user: bool
    is_side: bool
    model: str
    time: str


@dataclass(frozen=True)
class Piece:
    """A part of a turn: `text`, `think`, or `tool` with the tool's name."""

    kind: str
    text: str
    name: str = ""


def pieces(lines: Iterable[str]) -> Iterator[Turn | Piece]:
    """Yield turns and pieces in order; a line that looks like a turn inside a tool's fence is its output."""
    kind, name, fence = "text", "", ""
    held: list[str] = []
    for line in lines:
        turn = TURN.match(line) if not fence else None
        begin = TOOL_BEGIN.match(line) if kind == "text" else None
        if turn:
            yield Piece(kind, _clean(kind, held), name)
            kind, name, held = "text", "", []
            yield Turn(turn["who"] == "User", bool(turn["side"]), turn["model"] or "", turn["time"] or "")
        elif begin or (kind == "text" and line.startswith(THINK_BEGIN)):
            yield Piece(kind, _clean(kind, held), name)
            kind, name = ("tool", begin["name"]) if begin else ("think", "")
            held = [line[begin.end() :] if begin else line[len(THINK_BEGIN) :]]
        else:
            held.append(line)
            fence = _fence(fence, line) if kind == "tool" else ""
        if _is_end(kind, fence, line):
            yield Piece(kind, _clean(kind, held), name)
            kind, name, held = "text", "", []
    yield Piece(kind, _clean(kind, held), name)


def _fence(open_: str, line: str) -> str:
    """Return the fence that is open after a line, "" if none is."""
    found = FENCE.match(line)
    if found is None:
        return open_
    if not open_:
        return found.group()
    closes = found.group() == open_ and not line[found.end() :].strip()
    return "" if closes else open_


def _is_end(kind: str, fence: str, line: str) -> bool:
    if kind == "tool":
        return not fence and TOOL_END.search(line) is not None
    return kind == "think" and THINK_END in line


def _clean(kind: str, held: list[str]) -> str:
    """Return the text of a piece without the HTML around it and without the rule that ends a turn."""
    text = "\n".join(held).strip("\n")
    if kind == "text":
        return text.rstrip().removesuffix("\n---").strip("\n") if text.strip() != "---" else ""
    text = TOOL_END.sub("", text.replace(THINK_END, ""))
    return MARKS.sub("", text).strip()
