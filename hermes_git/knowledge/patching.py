"""Replacing a piece of text by another: exactly one match, or an error that shows what could have been meant. Pure."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from hermes_git.errors import UserError

MAX_LINES = 5000
"""Lines of a file that are looked through for something alike when nothing matches."""

MAX_CHARS = 2000
CANDIDATES = 3
ALIKE = 0.6


@dataclass(frozen=True, order=True, slots=True)
class Candidate:
    """A place that is like what was looked for: how alike (0 to 1, negative for sorting), 1-based line, its text."""

    score: float
    line: int
    text: str


def replace(text: str, old: str, new: str, *, everywhere: bool = False) -> str:
    """Return the text with `old` replaced by `new`; line ends of the file are kept.

    Errors: `UserError` for an empty or equal text, for no match (showing what is alike) and for several (showing
    where), unless `everywhere` is asked for.
    """
    if "\r\n" in text:
        old, new = (part.replace("\r\n", "\n").replace("\n", "\r\n") for part in (old, new))
    if not old:
        raise UserError("the text to replace is empty", hint="give the old text as it stands in the file")
    if old == new:
        raise UserError("old and new text are the same", hint="nothing would change")
    count = text.count(old)
    if count == 0:
        raise UserError("the text to replace is not in the file", hint=_alike(text, old))
    if count > 1 and not everywhere:
        lines = ", ".join(str(number) for number in _lines_of(text, old))
        raise UserError(
            f"the text to replace stands {count} times, on lines {lines}; nothing was changed",
            hint="give more of the text around it, or --all",
        )
    return text.replace(old, new)


def _lines_of(text: str, old: str) -> list[int]:
    found, start = [], text.find(old)
    while start >= 0:
        found.append(text.count("\n", 0, start) + 1)
        start = text.find(old, start + len(old))
    return found


def _alike(text: str, old: str) -> str:
    rows = candidates(text, old)
    if not rows:
        return "nothing in the file is like it; see it with: hermes-git skill view NAME"
    shown = "\n".join(f"  line {row.line} ({-row.score:.0%} alike): {row.text!r}" for row in rows)
    return f"these places are like it; give the text exactly as it stands:\n{shown}"


def candidates(text: str, old: str) -> list[Candidate]:
    """Return the places most like a text, best first: runs of as many lines, white space aside."""
    wanted = old.strip("\r\n")[:MAX_CHARS]
    size = wanted.count("\n") + 1
    lines = [line.rstrip("\r") for line in text.split("\n")[:MAX_LINES]]
    matcher = difflib.SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(_folded(wanted))
    found = []
    for number in range(len(lines) - size + 1):
        here = "\n".join(lines[number : number + size])[:MAX_CHARS]
        matcher.set_seq1(_folded(here))
        if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE:
            score = matcher.ratio()
            if score >= ALIKE:
                found.append(Candidate(-round(score, 4), number + 1, here))
    return sorted(found)[:CANDIDATES]


def _folded(text: str) -> str:
    return " ".join(text.split())
