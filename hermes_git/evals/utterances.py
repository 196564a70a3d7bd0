"""Utterances that are about one piece of knowledge: what a prefetch is examined with.

Made from some of its words in another order, inside a sentence that people say; never its rarest word, and never a
word of its name, which would give it away.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hermes_git.evals import shapes

CARRIERS = (
    "I am about to work on {} here, anything I should know?",
    "what did we agree about {}?",
    "please handle {} now",
)
SHARE, FEWEST, MOST, LEAST_KNOWN = 0.4, 3, 12, 4
LEAST_LETTERS = 3


@dataclass(frozen=True, slots=True)
class About:
    """An utterance, and the key and kind of what it is about."""

    text: str
    key: str
    kind: str


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry or skill: its key, its kind, its text and its name ("" for an entry)."""

    key: str
    kind: str
    text: str
    name: str = ""


def utterances(pieces: Sequence[Piece], most: int = 0) -> tuple[list[About], int]:
    """Return an utterance for each piece, at most `most` of them, and the number of pieces with too few words."""
    counts = Counter(word for piece in pieces for word in set(_words(piece.text)))
    made = [found for piece in pieces if (found := _about(piece, counts))]
    made.sort(key=lambda one: _order("", one.key))
    return (made[:most] if most else made), len(pieces) - len(made)


def _about(piece: Piece, counts: Counter[str]) -> About | None:
    known = sorted(set(_words(piece.text)) - set(_words(piece.name)), key=lambda word: (counts[word], word))[1:]
    if len(known) < LEAST_KNOWN:
        return None
    size = min(MOST, max(FEWEST, round(SHARE * len(known))))
    chosen = sorted(known, key=lambda word: _order(piece.key, word))[:size]
    carrier = CARRIERS[int(_order("carrier", piece.key), 16) % len(CARRIERS)]
    return About(carrier.format(" ".join(chosen)), piece.key, piece.kind)


def _words(text: str) -> Iterable[str]:
    return [word for word in shapes.words(text) if len(word) >= LEAST_LETTERS]


def _order(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
