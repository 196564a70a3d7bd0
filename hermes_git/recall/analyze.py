"""Words of a text as the index knows them: whole and split, in every script, from code, paths and prose alike.

Text is cut twice. `words` cuts it into raw words: runs of letters and digits held together by underscores, and runs
of Chinese, Japanese and Korean signs. `expand` turns each raw word into index terms: an identifier whole and by its
parts, a run of signs into pairs, a digest or a very long word into a bucket by its first four characters, so that the
dictionary stays small and the text itself has the last word.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

VERSION = 1
"""Part of the name of the index folder; raise it whenever the terms of some text change."""

SIGNS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
"""Scripts written without blanks (also Thai, Lao, Burmese, Khmer), and Hangul, which inflects by syllables."""

ASTRAL_SIGNS = "\U00020000-\U0003ffff"
END = r"(?:\+\+|[#%](?!\w))?"
ASCII_WORD = re.compile(rf"[^\W_]+(?:_+[^\W_]+)*{END}")
WORD = re.compile(rf"[{SIGNS}{ASTRAL_SIGNS}]+|[^\W_{SIGNS}{ASTRAL_SIGNS}]+(?:_+[^\W_{SIGNS}{ASTRAL_SIGNS}]+)*{END}")
SIGN = re.compile(f"[{SIGNS}{ASTRAL_SIGNS}]")
NAMED_END = re.compile(r"[a-z]{1,2}(?:\+\+|#)\Z|[0-9]{1,3}%\Z")
"""The few words that keep their last sign, because people search for them: `c++`, `f#`, `50%`."""

PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+")
OPAQUE = re.compile(r"(?=.*[0-9])[0-9a-f]{9,}\Z|[0-9]{7,}\Z")
MAX_WORD = 40
BUCKET = "~"
BUCKET_LENGTH = 4
CACHED_WORDS = 1 << 16


def compose(text: str) -> str:
    """Return text in one Unicode form (NFKC), case kept: full-width and half-width, NFC and NFD become the same."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).replace("\u2019", "'")


def fold(text: str) -> str:
    """Return the form in which two texts are compared: one Unicode form, no case."""
    return compose(text).casefold()


def squeeze(text: str) -> str:
    """Return the folded text with every run of white space as one blank, for comparing across line breaks."""
    return " ".join(fold(text).split())


def words(text: str) -> list[str]:
    """Return the raw words of a text in order, in their own case."""
    return ASCII_WORD.findall(text) if text.isascii() else WORD.findall(compose(text))


def is_signs(word: str) -> bool:
    """Say whether a raw word is a run of signs of a script without blanks."""
    return word[0] >= "\u0e00" and SIGN.match(word) is not None


@functools.lru_cache(CACHED_WORDS)
def expand(word: str) -> tuple[str, ...]:
    """Return the index terms of one raw word; a term may repeat if a part does."""
    if is_signs(word):
        return (*pairs(word), word[-1])
    whole = word.casefold()
    bare = whole.rstrip("+#%")
    if is_opaque(bare):
        return (bucket(bare),)
    inner = parts(word[: len(bare)]) if len(bare) == len(word.rstrip("+#%")) else (bare,)
    terms = inner if len(inner) == 1 else (bare, *(bucket(part) if is_opaque(part) else part for part in inner))
    return (whole, *terms) if NAMED_END.match(whole) else terms


def pairs(signs: str) -> tuple[str, ...]:
    """Return each two neighbouring signs of a run; none for a single sign."""
    return tuple(signs[at : at + 2] for at in range(len(signs) - 1))


def parts(word: str) -> tuple[str, ...]:
    """Return the folded parts of an identifier: split at underscores and, in ASCII, at changes of case."""
    if word.islower() and "_" not in word:
        return (word,)
    found: list[str] = []
    for piece in word.split("_"):
        found += (part.lower() for part in PART.findall(piece)) if piece.isascii() else (piece.casefold(),)
    return tuple(part for part in found if part)


def is_opaque(folded: str) -> bool:
    """Say whether a folded word is a digest, a long number or longer than any word: kept by bucket, not whole."""
    return len(folded) > MAX_WORD or (len(folded) >= 7 and OPAQUE.match(folded) is not None)


def bucket(folded: str) -> str:
    """Return the term under which all opaque words with the same beginning are found."""
    return BUCKET + folded[:BUCKET_LENGTH]


def term_counts(raw: Sequence[str]) -> dict[str, int]:
    """Return how often each term occurs in a text given as its raw words."""
    found: dict[str, int] = {}
    known = found.get
    for word, number in Counter(raw).items():
        for term in expand(word):
            found[term] = known(term, 0) + number
    return found
