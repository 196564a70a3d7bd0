"""Questions about what the agent did: an argument of a call named by another argument, and which call came first."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence

from hermes_git.evals import shapes
from hermes_git.evals.question import Question
from hermes_git.evals.transcript import Utterance

MAX_VALUE, MIN_VALUE = 80, 4
HINT_CHARS, MIN_HINT_CHARS, MIN_HINT_WORDS = 70, 16, 4
OPTIONS = 4
MIN_DISTRACTORS = 3


def arguments(utterance: Utterance) -> dict[str, str]:
    """Return the arguments of a call that are one line of text, as name → value."""
    return {
        name: value.strip() for name, value in utterance.arguments if name.isidentifier() and "\n" not in value.strip()
    }


def questions(utterances: Sequence[Utterance], middle: frozenset[int], kept: frozenset[str]) -> Iterator[Question]:
    """Yield questions for an argument of a call that another argument of the same call identifies.

    `kept` holds the terms of the turns that always stay; an answer among them would prove nothing.
    """
    made = [(utterance, arguments(utterance)) for utterance in utterances if utterance.kind == "call"]
    shown = Counter(value[:HINT_CHARS] for _, found in made for value in found.values())
    values: dict[str, set[str]] = {}
    for _, found in made:
        for name, value in found.items():
            values.setdefault(name, set()).add(value)
    for utterance, found in made:
        if utterance.turn in middle and len(found) > 1:
            yield from _of_call(utterance, found, shown, values, kept)


def _of_call(
    utterance: Utterance,
    found: dict[str, str],
    shown: Counter[str],
    values: dict[str, set[str]],
    kept: frozenset[str],
) -> Iterator[Question]:
    for name, gold in found.items():
        others = values[name] - {gold}
        if not (MIN_VALUE <= len(gold) <= MAX_VALUE and len(others) >= MIN_DISTRACTORS) or gold in kept:
            continue
        for hint, value in found.items():
            start = value[:HINT_CHARS]
            if hint != name and shown[start] == 1 and _is_telling(start) and gold not in start:
                text = f"In the call of {utterance.tool} with {hint}: {start!r}, what was {name}?"
                source = f"{utterance.turn} {utterance.text[:400]}"
                yield Question("", "artefact", "argument", text, gold, utterance.turn, source, distractors=len(others))
                break


def _is_telling(hint: str) -> bool:
    return len(hint) >= MIN_HINT_CHARS and len(set(shapes.words(hint))) >= MIN_HINT_WORDS


def firsts(utterances: Sequence[Utterance], middle: frozenset[int], salt: str) -> Iterator[Question]:
    """Yield questions which of four values, each used in one call of one turn only, came first."""
    turns: dict[str, set[int]] = {}
    for utterance in utterances:
        if utterance.kind == "call":
            for value in arguments(utterance).values():
                turns.setdefault(value, set()).add(utterance.turn)
    whole = "\n".join(utterance.text for utterance in utterances)
    once = [
        (min(places), value)
        for value, places in turns.items()
        if len(places) == 1 and places <= middle and 8 <= len(value) <= MAX_VALUE and whole.count(value) == 1
    ]
    once.sort(key=lambda pair: hashlib.sha256(f"{salt}\0{pair[1]}".encode()).digest())
    for start in range(0, len(once) - OPTIONS + 1, OPTIONS):
        chosen = once[start : start + OPTIONS]
        if len({turn for turn, _ in chosen}) == OPTIONS:
            turn, gold = min(chosen)
            options = tuple(sorted(value for _, value in chosen))
            text = "Which of these was used first? " + " | ".join(options)
            yield Question("", "continuation", "first", text, gold, turn, options=options, distractors=OPTIONS - 1)
