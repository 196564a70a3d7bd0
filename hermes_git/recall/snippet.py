"""A few words around the place where a text answers a query, with the answering words marked."""

from __future__ import annotations

import re
from collections.abc import Callable

from hermes_git.recall import analyze

OPEN, CLOSE, GAP = ">>>", "<<<", "..."
WIDTH = 240
BEFORE = 60
ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)?|[@-_])")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

Worth = Callable[[str], float]
Mark = tuple[int, int, float]


def plain(text: str) -> str:
    """Return text without terminal escapes and other control characters, line breaks and tabs kept."""
    return CONTROL.sub("", ESCAPE.sub("", text))


def marks(text: str, worth: Worth) -> list[Mark]:
    """Return `(start, end, worth)` of the words of a text that a query asked for; `worth` is 0 for other terms."""
    found: list[Mark] = []
    for match in analyze.WORD.finditer(text):
        word = analyze.compose(match.group())
        if word and analyze.is_signs(word) and len(word) == len(match.group()):
            found += _sign_marks(word, match.start(), worth)
        elif word:
            value = max((worth(term) for term in analyze.expand(word)), default=0.0)
            if value:
                found.append((match.start(), match.end(), value))
    return found


def _sign_marks(word: str, start: int, worth: Worth) -> list[Mark]:
    """Mark neighbouring pairs of signs as one stretch."""
    found: list[Mark] = []
    pieces = [(at, at + 2, pair) for at, pair in enumerate(analyze.pairs(word))] or [(0, 1, word)]
    for first, last, pair in pieces:
        value = worth(pair)
        if not value:
            continue
        if found and found[-1][1] >= start + first:
            found[-1] = (found[-1][0], start + last, found[-1][2] + value)
        else:
            found.append((start + first, start + last, value))
    return found


def literal_mark(text: str, literal: str) -> Mark | None:
    """Return where a folded, squeezed phrase stands in a text, blanks matching any white space; None if nowhere."""
    words = [re.escape(word) for word in literal.split(" ") if word]
    if not words:
        return None
    match = re.compile(r"\s+".join(words), re.IGNORECASE).search(text)
    return (match.start(), match.end(), 1.0) if match else None


def snippet(text: str, found: list[Mark]) -> str:
    """Return about `WIDTH` characters around the richest stretch of marks, on one line, the marks set off."""
    if not found:
        return _line(text[:WIDTH]) + (GAP if len(text) > WIDTH else "")
    start = _window(found)
    end = min(len(text), start + WIDTH)
    pieces, at = [], start
    for first, last, _ in found:
        if first >= at and last <= end:
            pieces += [text[at:first], OPEN, text[first:last], CLOSE]
            at = last
    pieces.append(text[at:end])
    shown = "".join(pieces) if at > start else OPEN + text[found[0][0] : found[0][0] + WIDTH] + CLOSE
    return (GAP if start else "") + _line(shown) + (GAP if end < len(text) else "")


def _window(found: list[Mark]) -> int:
    """Return the start of the window of `WIDTH` characters whose marks are worth most; each word counts once."""
    best, chosen = -1.0, 0
    last = 0
    total = 0.0
    for first in range(len(found)):
        while last < len(found) and found[last][1] <= found[first][0] + WIDTH - BEFORE:
            total += found[last][2]
            last += 1
        if total > best:
            best, chosen = total, found[first][0]
        if last > first:
            total -= found[first][2]
        else:
            last = first + 1
    return max(0, chosen - BEFORE)


def _line(text: str) -> str:
    return " ".join(plain(text).split())
