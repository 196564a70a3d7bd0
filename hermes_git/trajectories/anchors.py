"""Anchors: the words of a transcript that a later reader may need exactly, and how much each is worth."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Collection, Mapping

WORD = re.compile(
    r"[A-Za-z0-9_][A-Za-z0-9_./:@#%+=-]*[A-Za-z0-9_%]|[A-Za-z0-9]|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
DIGIT = re.compile(r"\d")
INNER = re.compile(r"[_/:@#=]|\.\w|[a-z][A-Z]|[A-Za-z]\d|-\w+-")

EXACT, NUMBER, PLAIN = 5.0, 3.0, 1.0
COMMON = frozenset(
    "the a an and or of to in is it that this for on with as at be by are was were from not have has had will would "
    "can could should if then else when while do does did so but you i we they he she its our your their there here "
    "what which who how why all any some no yes let me my now also just more most other into than only over use used "
    "using one two new file true false null none".split()
)


def words(text: str) -> list[str]:
    """Return the words of a text in order: paths, flags, numbers and identifiers whole, CJK runs in pairs.

    >>> words("run --flag on src/main.py: 42 passed")
    ['run', 'flag', 'on', 'src/main.py', '42', 'passed']
    """
    found: list[str] = WORD.findall(text)
    return [part for word in found for part in _parts(word)] if _has_cjk(text) else found


def _has_cjk(text: str) -> bool:
    return not text.isascii() and CJK.search(text) is not None


def _parts(word: str) -> list[str]:
    if word[0] <= "\u3000" or len(word) < 3:
        return [word]
    return [word[place : place + 2] for place in range(len(word) - 1)]


@functools.lru_cache(maxsize=65_536)
def worth(word: str) -> float:
    """Return how much a word matters by its shape alone: identifiers and paths, then numbers, then plain words."""
    if word.lower() in COMMON or (len(word) == 1 and not word.isdigit()):
        return 0.0
    if word[0] > "\u3000":
        return 0.5
    if INNER.search(word):
        return EXACT
    return NUMBER if DIGIT.search(word) or word.isupper() else PLAIN


def weights(counts: Mapping[str, int], kept: Collection[str]) -> dict[str, float]:
    """Weigh each word of a region: by shape, by rarity in the region, and by what the kept turns make of it.

    A word that the kept turns use too was needed later, but can also be read there; it weighs half.
    """
    total = sum(counts.values()) + 1
    rarity = {count: math.log(total / count) for count in set(counts.values())}
    shapes = ((word, count, worth(word)) for word, count in counts.items())
    return {word: shape * rarity[count] * (0.5 if word in kept else 1.0) for word, count, shape in shapes if shape}
