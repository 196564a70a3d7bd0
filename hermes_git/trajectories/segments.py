"""Turns cut into short quotable segments: a line, a sentence or a call, each with the turn it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_git.trajectories.plain import Kind, Piece, pieces
from hermes_git.trajectories.row import RowTurn

PREFIX = "[CONTEXT SUMMARY]: "
VERBS: dict[Kind, str] = {"asked": "asked", "said": "said", "thought": "thought", "call": "called", "result": "got"}
KINDS = {verb: kind for kind, verb in VERBS.items()}
LABEL = re.compile(r"\[(\d{1,9})\] (asked|said|thought|called|got)(?: ([^\s:]{1,80}))?: ")
INDEX = "also there: "
MAX_CHARS = 240
MIN_CHARS = 3
RESULT_HEAD, RESULT_TAIL = 24, 24
MIN_ARGUMENT, MAX_CALL = 80, 480
SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
BREAKS = re.compile(r"[\s,;|&]")


@dataclass(frozen=True, slots=True)
class Segment:
    """A quotable stretch of one turn, by the turn's index in the row.

    One that an earlier summary quoted is again what it was there, with the index that its label tells.
    """

    turn: int
    kind: Kind
    text: str
    tool: str = ""


def segments(turns: Sequence[RowTurn], first: int) -> Iterator[Segment]:
    """Cut turns into segments, in order; `first` is the index of the first turn."""
    for place, turn in enumerate(turns, first):
        for piece in pieces(turn):
            if piece.text.startswith(PREFIX):
                yield from _quoted(piece.text.removeprefix(PREFIX), place)
            else:
                yield from (Segment(place, piece.kind, text, piece.tool) for text in _cut(piece))


def _quoted(text: str, place: int) -> Iterator[Segment]:
    """Yield the quotes of an earlier summary; a line without a label belongs to the one before it.

    A summary that has no labels was written by a model: its sentences are what was said.
    """
    label: re.Match[str] | None = None
    for line in text.split("\n"):
        found = LABEL.match(line)
        label = found or label
        if label and not line.startswith(INDEX):
            said = line[found.end() :] if found else line
            yield Segment(int(label[1]), KINDS[label[2]], said, label[3] or "")
    if label is None:
        yield from (Segment(place, "said", said) for said in _cut(Piece("said", text)))


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
