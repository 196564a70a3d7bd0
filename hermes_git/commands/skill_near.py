"""Skills that a text may be about, by the words of their names and descriptions."""

from __future__ import annotations

import math
from collections import Counter

from hermes_git.curator.similarity import STOP, words
from hermes_git.knowledge.listing import Listed, Listing

MAX_QUERY = 20_000
LEAST = 0.15
"""Share of the weight of a skill's words that a text must hold for the skill to be close to it."""


def nearest(found: Listing, text: str, *, count: int = 5) -> tuple[Listed, ...]:
    """Return the skills whose rare words a text holds, best first."""
    asked = set(words(text[:MAX_QUERY])) - STOP
    said = {row: _words(row) for row in found.skills}
    spread = Counter(word for own in said.values() for word in own)
    scored = []
    for row, own in said.items():
        weights = {word: math.log((1 + len(said)) / spread[word]) + 0.1 for word in own}
        total = sum(weights.values()) or 1.0
        score = sum(weight for word, weight in weights.items() if word in asked) / total
        if score >= LEAST:
            scored.append((-round(score, 6), row))
    return tuple(row for _, row in sorted(scored)[:count])


def _words(row: Listed) -> set[str]:
    return {*words(row.name.replace("-", " ")), *words(row.description)} - STOP
