"""Exams kept by the digest of the transcript: every policy, and every later run, answers the same questions.

The name under which questions are kept holds all that they depend on: the text, the number asked for, the version of
the generator, and the model where one asks. Pure: the store is given.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Protocol

import msgspec

from hermes_git.evals import bank
from hermes_git.evals.question import Question
from hermes_git.evals.transcript import Transcript

Ask = Callable[[Transcript, int], tuple[Question, ...]]


class Store(Protocol):
    """Bytes by name."""

    def get(self, name: str) -> bytes | None:
        """Return what is kept under a name, or None."""

    def put(self, name: str, data: bytes) -> None:
        """Keep bytes under a name."""


def name_of(source: Transcript, count: int, generator: str = "") -> str:
    """Return the name under which the questions about a transcript are kept."""
    parts = (bank.VERSION, generator, source.digest, str(count))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def cached_questions(
    store: Store | None, source: Transcript, count: int, ask: Ask = bank.questions, generator: str = ""
) -> tuple[Question, ...]:
    """Return the kept questions about a transcript, or ask for them and keep them; damaged ones are asked for again."""
    name = name_of(source, count, generator)
    kept = decode(store.get(name) or b"") if store is not None else None
    if kept is None:
        kept = ask(source, count)
        if store is not None:
            store.put(name, msgspec.json.encode(kept) + b"\n")
    return kept


def decode(data: bytes) -> tuple[Question, ...] | None:
    """Read questions back; None for anything else."""
    try:
        return msgspec.json.decode(data, type=tuple[Question, ...])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
