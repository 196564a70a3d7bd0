"""What an exam is made of: questions with their gold answers, answers, and the score of one against the other."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["recall", "artefact", "continuation", "decision", "content", "negative"]
"""A stated fact; a file, command or argument; an outcome or an order; a decision or its reason; a line of what a tool
returned; what nobody said."""

Form = Literal["cloze", "argument", "first", "open"]
"""A sentence with a blank; an argument of a call named by another one; which of four came first; a question in words,
which only a model asks and only a model can answer."""

KINDS: tuple[Kind, ...] = ("recall", "artefact", "continuation", "decision", "content", "negative")
BLANK = "____"


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question; `text` is all that a reader gets to see, with `options` for a choice.

    `gold` is the answer as the transcript has it, "" for a negative; `turn` and `source` say where it stands.
    `distractors` counts other answers of the same shape in the transcript, among which guessing would have to choose.
    """

    id: str
    kind: Kind
    form: Form
    text: str
    gold: str
    turn: int = -1
    source: str = ""
    options: tuple[str, ...] = ()
    distractors: int = 0


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a reader answers: a text, or "" for "not in the context", and how sure it is (0 to 1)."""

    text: str = ""
    confidence: float = 0.0
    evidence: str = ""
