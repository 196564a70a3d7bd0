"""A row as an exam sees it: utterances in order, each with its turn; and the same row as the lines a reader reads."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from hermes_git.tokens.counter import Counter
from hermes_git.trajectories import row
from hermes_git.trajectories.plain import Kind, Piece, pieces
from hermes_git.trajectories.plan import protect
from hermes_git.trajectories.policy import DEFAULT, POLICIES
from hermes_git.trajectories.row import View


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said, thought, called or got back; `group` is the same for a call and the result that answers it."""

    turn: int
    kind: Kind
    text: str
    tool: str = ""
    group: int = -1
    arguments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """A row with a name and the digest of its content."""

    name: str
    row: Mapping[str, Any]
    view: View
    digest: str

    def utterances(self) -> tuple[Utterance, ...]:
        """Return everything in the row, in order."""
        return tuple(_utterances(self.view))

    def middle(self) -> frozenset[int]:
        """Return the turns that no compression is bound to keep: what questions may be about."""
        roles = [turn.role for turn in self.view.turns]
        kept = protect(roles, [0] * len(roles), POLICIES[DEFAULT], 0)
        return frozenset(range(len(roles))) - kept


def transcript(name: str, source: object) -> Transcript:
    """Read a row as a transcript; raise `Drop` for what is no row."""
    view = row.read(source)
    encoded = msgspec.json.encode(view.row.get(view.layout.turns))
    return Transcript(name, view.row, view, hashlib.sha256(encoded).hexdigest())


def capped(source: Transcript, cap: int, counter: Counter) -> Transcript:
    """Return a transcript without the turns beyond its first `cap` tokens, all of it for 0.

    The first turn stays whatever it costs; the digest is of what is left.
    """
    spent = itertools.accumulate(counter.count(turn.text) for turn in source.view.turns)
    keep = max(1, sum(total <= cap for total in spent)) if cap else len(source.view.turns)
    if keep >= len(source.view.turns):
        return source
    return transcript(source.name, source.view.write(source.view.turns[:keep]))


def _utterances(view: View) -> Iterable[Utterance]:
    calls: list[int] = []
    number = 0
    for place, turn in enumerate(view.turns):
        answered = iter(calls)
        calls = []
        for piece in pieces(turn):
            group = -1
            if piece.kind == "call":
                calls.append(group := number)
                number += 1
            elif piece.kind == "result":
                group = next(answered, -1)
            yield Utterance(place, piece.kind, piece.text, piece.tool, group, piece.arguments)


def context(source: object) -> tuple[str, ...]:
    """Return the lines of a row, compressed or not, as a reader reads them: tags and JSON taken off, nothing added.

    A call is one line, its arguments after the tool's name.
    """
    return tuple(line for turn in row.read(source).turns for piece in pieces(turn) for line in _lines(piece))


def _lines(piece: Piece) -> list[str]:
    if piece.kind == "call" and piece.arguments:
        told = "; ".join(f"{name}: {' '.join(value.split())}" for name, value in piece.arguments)
        return [f"{piece.tool}: {told}"]
    return [line for line in piece.text.split("\n") if line.strip()]
