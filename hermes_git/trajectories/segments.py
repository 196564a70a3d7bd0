"""Turns cut into short quotable segments: a line, a sentence or a call, each with the turn it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_git.trajectories.plain import Kind, Piece, pieces
from hermes_git.trajectories.row import RowTurn

PREFIX = "[CONTEXT SUMMARY]: "
LABEL = re.compile(r"\[\d+\] [a-z]+(?: [^\s:]{1,80})?: ")
MAX_CHARS = 240
MIN_CHARS = 3
RESULT_HEAD, RESULT_TAIL = 24, 24
MIN_ARGUMENT, MAX_CALL = 80, 480
SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
BREAKS = re.compile(r"[\s,;|&]")


@dataclass(frozen=True, slots=True)
class Segment:
    """A quotable stretch of one turn, by the turn's index in the row; `quoted` ones are from an earlier summary."""

    turn: int
    kind: Kind | Literal["quoted"]
    text: str
    tool: str = ""


def segments(turns: Sequence[RowTurn], first: int) -> Iterator[Segment]:
    """Cut turns into segments, in order; `first` is the index of the first turn."""
    for place, turn in enumerate(turns, first):
        for piece in pieces(turn):
            if piece.text.startswith(PREFIX):
                yield from (Segment(place, "quoted", text) for text in _quoted(piece.text))
            else:
                yield from (Segment(place, piece.kind, text, piece.tool) for text in _cut(piece))


def _quoted(text: str) -> Iterator[str]:
    """Yield the quotes of an earlier summary, each with the label it had, so that labels do not pile up."""
    label = ""
    for line in text.split("\n")[1:]:
        found = LABEL.match(line)
        label = found.group() if found else label
        if label and not line.startswith("also there: "):
            yield line if found else label + line


def _cut(piece: Piece) -> Iterator[str]:
    if piece.kind == "call" and piece.arguments:
        yield _call(piece)
        return
    for line in _lines(piece):
        text = " ".join(line.split())
        if len(text) < MIN_CHARS:
            continue
        if len(text) <= MAX_CHARS:
            yield text
        elif piece.kind in ("result", "call"):
            yield from _windows(text)
        else:
            for sentence in SENTENCE.split(text):
                yield from _windows(sentence)


def _lines(piece: Piece) -> list[str]:
    """Return the lines to look at: all that were said, and of long output the beginning and the end, where news is."""
    lines = piece.text.split("\n")
    if piece.kind != "result" or len(lines) <= RESULT_HEAD + RESULT_TAIL:
        return lines
    return lines[:RESULT_HEAD] + lines[-RESULT_TAIL:]


def _call(piece: Piece) -> str:
    """Write a call on one line, so that what it was about stays beside what it did; long arguments are cut."""
    room = max(MIN_ARGUMENT, MAX_CHARS // len(piece.arguments))
    short = ((name, " ".join(value[: room * 4].split())) for name, value in piece.arguments)
    return "; ".join(f"{name}: {value if len(value) <= room else value[:room] + '…'}" for name, value in short)[
        :MAX_CALL
    ]


def _windows(text: str) -> Iterator[str]:
    """Cut a long line at blanks or commas, so that no identifier is torn unless it is itself too long."""
    start = 0
    while len(text) - start > MAX_CHARS:
        cuts = [match.end() for match in BREAKS.finditer(text, start + MAX_CHARS // 2, start + MAX_CHARS)]
        end = cuts[-1] if cuts else start + MAX_CHARS
        yield text[start:end].strip()
        start = end
    if len(text) - start >= MIN_CHARS:
        yield text[start:].strip()
