"""Which edits are real: a reformatted file or a sweep over many skills does not make a skill any fresher."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

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


def insubstantial(events: Mapping[str, Iterable[Event]], ignored: frozenset[str], read: Blobs) -> dict[str, str]:
    """Map `root + NUL + commit` of each edit that does not count to the reason, for the events of each skill root.

    `ignored` are commits listed in `.git-blame-ignore-revs`; `read` fetches blobs by id, missing ones left out.
    """
    rows = [(root, event) for root, found in events.items() for event in found if event.kind == "edit"]
    blobs = read({blob for _, event in rows for pair in event.pairs for blob in pair if blob.strip("0")})
    common = _common_lines(rows, blobs)
    found: dict[str, str] = {}
    for root, event in rows:
        reason = _reason(event, ignored, blobs, common)
        if reason:
            found[f"{root}\0{event.commit}"] = reason
    return found


def _reason(event: Event, ignored: frozenset[str], blobs: Mapping[str, bytes], common: Counter[tuple[str, str]]) -> str:
    if event.commit in ignored:
        return "listed in .git-blame-ignore-revs"
    if is_reformat(event.pairs, blobs):
        return "only reformatted"
    if event.author.kind == "curator":
        return "made by the curator"
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


def _common_lines(rows: list[tuple[str, Event]], blobs: Mapping[str, bytes]) -> Counter[tuple[str, str]]:
    """Count, for each bulk commit, in how many skills it adds each line."""
    found: Counter[tuple[str, str]] = Counter()
    for _, event in rows:
        if event.is_bulk:
            found.update((event.commit, line) for line in _added(event, blobs))
    return found
