"""Summarisers behind one signature, and the plain ones that evals compare the built-in one with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hermes_git.trajectories import anchors, extract
from hermes_git.trajectories.extract import Count, Region
from hermes_git.trajectories.policy import SummaryKind
from hermes_git.trajectories.segments import PREFIX, segments

TOO_LONG, LEAST_ROOM = 2, 24
"""A summary of more than this many times its room is a failure of the summariser, not something to cut."""

PLACEHOLDER = "{label} left out here."

Summarise = Callable[[Region, int, Count], str]
"""(what is left out, the most tokens the text may have, a token counter) → the text, without the prefix."""


class SummaryFailed(Exception):
    """A summariser gave nothing usable; the row is then kept as it was, and marked."""


def placeholder(region: Region, limit: int, count: Count) -> str:
    """Say only which turns are missing."""
    return fitted(PLACEHOLDER.format(label=region.label), limit, count)


def head_tail(region: Region, limit: int, count: Count) -> str:
    """Quote the beginning and the end of what is left out, as cutting a prompt short does."""
    text = "\n".join(turn.text for turn in region.turns)
    half = max(0, int((limit - 8) * 1.5))
    while half and count(cut := f"{text[:half]}\n[…]\n{text[-half:]}") > limit:
        half = min(int(half * limit / count(cut)), half - 1)
    return f"{text[:half]}\n[…]\n{text[-half:]}" if half else ""


def identifiers(region: Region, limit: int, count: Count) -> str:
    """List identifiers and numbers without a word of what they are about."""
    found = list(segments(region.turns, region.first))
    listed = [anchors.words(segment.text) for segment in found]
    weights = anchors.weights(Counter(word for row in listed for word in row), ())
    return extract.index(found, listed, weights, set(), limit, count).strip()


def checked(text: str, room: int, count: Count) -> str:
    """Return a summary from elsewhere without its prefix, cut if it is a little long; empty or endless ones fail."""
    text = text.strip().removeprefix(PREFIX.strip()).strip()
    if not text:
        raise SummaryFailed("the summariser gave no text")
    if count(text) > room * TOO_LONG + LEAST_ROOM:
        raise SummaryFailed("the summary is far longer than asked for")
    return fitted(text, room, count)


def fitted(text: str, limit: int, count: Count) -> str:
    """Cut a text to a number of tokens."""
    while text and (used := count(text)) > limit:
        text = text[: min(int(len(text) * limit / used), len(text) - 1)]
    return text


BUILT_IN: dict[SummaryKind, Summarise] = {
    "extractive": extract.summarise,
    "identifiers": identifiers,
    "placeholder": placeholder,
    "head-tail": head_tail,
}
