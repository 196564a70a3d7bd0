"""Which edits are real: a reformatted file or a sweep over many skills does not make a skill any fresher."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from hermes_git.provenance.history import Event

SPECIFIC_LINES = 3
"""An edit inside a bulk commit counts when it adds at least this many lines that it adds to this skill alone."""

Blobs = Callable[[Iterable[str]], Mapping[str, bytes]]


LINE_MARK = re.compile(r"^[ \t]*(?:[-*+>#]+[ \t]+)*", re.MULTILINE)
RULE_LINE = re.compile(r"^[-|:=~ \t]+$", re.MULTILINE)
LOOSE = re.compile(r"[\s|\"'`*_]+")


def plain(data: bytes) -> str:
    """Return text without what a formatter may change: white space, quote style, emphasis, list and rule marks."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    return LOOSE.sub("", LINE_MARK.sub("", RULE_LINE.sub("", text)))


def is_reformat(pairs: Iterable[tuple[str, str]], blobs: Mapping[str, bytes]) -> bool:
    """Say whether every edited file says the same before and after; an added or removed file says something."""
    rows = list(pairs)
    return bool(rows) and all(
        before in blobs and after in blobs and plain(blobs[before]) == plain(blobs[after]) for before, after in rows
    )


@dataclass(frozen=True, slots=True)
class Freshness:
    """The newest edit of a skill that counts, if any, and why each newer one does not."""

    edit: Event | None = None
    passed: tuple[str, ...] = ()


def freshness(events: Mapping[str, Iterable[Event]], ignored: frozenset[str], read: Blobs) -> dict[str, Freshness]:
    """Find the newest edit that counts of each skill root, newest first, a batch of blobs at a time.

    `ignored` are commits listed in `.git-blame-ignore-revs`; `read` fetches blobs by id, missing ones left out.
    """
    edits = {root: [event for event in rows if event.kind == "edit"] for root, rows in events.items()}
    by_commit: dict[str, list[Event]] = {}
    for rows in edits.values():
        for event in rows:
            by_commit.setdefault(event.commit, []).append(event)
    found = {root: Freshness() for root in edits}
    waiting = {root: rows for root, rows in edits.items() if rows}
    while waiting:
        now = {root: rows.pop() for root, rows in waiting.items()}
        together = [
            other for event in now.values() for other in (by_commit[event.commit] if event.is_bulk else [event])
        ]
        blobs = read({blob for event in together for pair in event.pairs for blob in pair if blob.strip("0")})
        common = _common_lines(together, blobs)
        for root, event in now.items():
            reason = _reason(event, ignored, blobs, common)
            passed = found[root].passed
            found[root] = Freshness(None, (*passed, reason)) if reason else Freshness(event, passed)
        waiting = {root: rows for root, rows in waiting.items() if rows and found[root].edit is None}
    return found


def _reason(event: Event, ignored: frozenset[str], blobs: Mapping[str, bytes], common: Counter[tuple[str, str]]) -> str:
    if event.commit in ignored:
        return "listed in .git-blame-ignore-revs"
    if event.author.kind == "curator":
        return "made by the curator"
    if is_reformat(event.pairs, blobs):
        return "only reformatted"
    if event.is_bulk:
        own = {line for line in _added(event, blobs) if common[event.commit, line] < 2}
        if len(own) < SPECIFIC_LINES:
            return "swept over many skills at once"
    return ""


def _added(event: Event, blobs: Mapping[str, bytes]) -> set[str]:
    lines: set[str] = set()
    for before, after in event.pairs:
        lines |= _lines(blobs.get(after, b"")) - _lines(blobs.get(before, b""))
    return lines


def _lines(data: bytes) -> set[str]:
    return {" ".join(line.split()) for line in data.decode("utf-8", "replace").split("\n") if line.strip()}


def _common_lines(events: Iterable[Event], blobs: Mapping[str, bytes]) -> Counter[tuple[str, str]]:
    """Count, for each bulk commit, in how many skills it adds each line."""
    found: Counter[tuple[str, str]] = Counter()
    for event in dict.fromkeys(events):
        if event.is_bulk:
            found.update((event.commit, line) for line in _added(event, blobs))
    return found
