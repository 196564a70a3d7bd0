"""How an answer compares with gold: 2 for a match, 1 for half of one, 0 for none."""

from __future__ import annotations

import re
from collections import Counter

from hermes_git.evals.question import Answer, Question

FULL, HALF, NOTHING = 2, 1, 0
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
PART = re.compile(r"\w+")
HALF_OVERLAP = 0.6


def grade(question: Question, answer: Answer) -> int:
    """Grade one answer: equal when case, quotes, blanks and number formats are set aside; half for a good overlap."""
    if question.kind == "negative":
        return NOTHING if answer.text else FULL
    if not answer.text:
        return NOTHING
    gold, given = _plain(question.gold), _plain(answer.text)
    if gold == given or (_number(gold) is not None and _number(gold) == _number(given)):
        return FULL
    return HALF if _overlap(gold, given) >= HALF_OVERLAP else NOTHING


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).strip("\"'`.,;:()[]{}* ")


def _number(text: str) -> float | None:
    return float(text.replace(",", "")) if NUMBER.fullmatch(text) else None


def _overlap(gold: str, given: str) -> float:
    """Return the F1 of shared words."""
    one, other = Counter(PART.findall(gold)), Counter(PART.findall(given))
    shared = (one & other).total()
    return 2 * shared / (one.total() + other.total()) if shared else 0.0
