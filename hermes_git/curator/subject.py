"""Alike but about different things: two skills made from one template, whose lines differ only in what they name.

`deploy to staging` and `deploy to production` share nearly every word. What tells them apart is that a line of one is a
line of the other with a name, number, path or command put in the place of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hermes_git.curator.units import folded
from hermes_git.knowledge.skill import Skill

TOKEN = re.compile(r"[\w]+(?:[./:@+-][\w]+)*|[^\w\s]")
CODE = re.compile(r"`([^`\n]+)`")
MAX_SPAN = 3
MAX_TOKENS = 80
ENOUGH = 2
"""Lines that must differ in what they name before two skills count as being about different things."""


def differing(one: Skill, other: Skill) -> tuple[tuple[str, str], ...]:
    """Return the swapped names when two skills are about different things, else nothing.

    One swapped line is enough when the words swapped are from the skills' own names.
    """
    first, second = _names(one), _names(other)
    swaps = list(substitutions(one.body, other.body))
    by_name = [(x, y) for x, y in swaps if _is_in(x, first - second) and _is_in(y, second - first)]
    marked = _marked(one.body) | _marked(other.body) | (first ^ second)
    named = [(x, y) for x, y in swaps if _is_name(x, marked) and _is_name(y, marked)]
    if by_name or len(named) >= ENOUGH:
        return tuple(dict.fromkeys(by_name or named))
    return ()


def _names(skill: Skill) -> set[str]:
    name = skill.name.lower()
    return {name, *re.split(r"[-_/ ]+", name)} - {""}


def _is_in(words: str, names: set[str]) -> bool:
    return any(word in names for word in words.lower().split())


def _is_name(words: str, marked: set[str]) -> bool:
    """Say whether a swapped word names something: it is in code, has a digit or inner punctuation, or is in a title."""
    parts = words.split()
    return any(word.lower() in marked or re.search(r"\d|\w[./:@_-]\w", word) for word in parts)


def _marked(body: str) -> set[str]:
    """Return the words that a text shows as code, in spans and in fenced blocks."""
    found = {token.lower() for span in CODE.findall(body) for token in TOKEN.findall(span)}
    fence = False
    for line in body.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fence = not fence
        elif fence:
            found |= {token.lower() for token in TOKEN.findall(line)}
    return {token for token in found if token[0].isalnum()}


def substitutions(one: str, other: str) -> Iterator[tuple[str, str]]:
    """Yield `(words of one, words of the other)` for each line of one that is a line of the other but for one place."""
    first, second = _lines(one), _lines(other)
    shared = set(first) & set(second)
    skeletons: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}
    for tokens in second:
        if tokens not in shared:
            skeletons.update(_skeletons(tokens))
    for tokens in first:
        if tokens not in shared:
            found = next(((words, skeletons[key]) for key, words in _skeletons(tokens) if key in skeletons), None)
            if found is not None and found[0] != found[1]:
                yield found


def _lines(text: str) -> list[tuple[str, ...]]:
    """Return the lines as words, headings left out: a duplicate under another name has another title."""
    rows = (tuple(TOKEN.findall(folded(line))) for line in text.split("\n") if not line.startswith("#"))
    return [row for row in rows if 1 < len(row) <= MAX_TOKENS]


def _skeletons(tokens: tuple[str, ...]) -> Iterator[tuple[tuple[tuple[str, ...], tuple[str, ...]], str]]:
    """Yield what is left of a line around each span of up to three tokens, shortest spans first, and the span."""
    for length in range(1, MAX_SPAN + 1):
        for start in range(len(tokens) - length + 1):
            rest = tokens[:start], tokens[start + length :]
            if any(token[0].isalnum() for token in (*rest[0], *rest[1])):
                yield rest, " ".join(tokens[start : start + length])
