"""When to merge segments: often enough that opening stays fast, seldom and small enough that no write is slow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hermes_git.recall.manifest import Manifest, SegmentRecord

FAN = 8
"""Segments that are merged into one."""

SMALL = 1_000_000
"""Bytes that a merge in passing may read, so that adding one session stays quick."""

MAX_SEGMENTS = 12
"""Segments of a shelf from which the smallest are merged whatever their size."""

DEAD_SHARE = 0.3
"""Share of dead passages from which an unhurried update rewrites a segment."""


def choose(segments: Sequence[SegmentRecord], *, fully: bool) -> tuple[str, ...]:
    """Return the names of the segments to merge now, all of one shelf; none if all is well.

    In passing (`fully` False) segments that are mostly dead are left for later.
    """
    for shelf in sorted({segment.shelf for segment in segments}):
        mine = sorted((segment for segment in segments if segment.shelf == shelf), key=_living)
        small = _prefix(mine, SMALL)
        if len(small) >= FAN:
            return _in_order(segments, small)
        if len(mine) > MAX_SEGMENTS:
            return _in_order(segments, mine[:FAN])
        wasted = [segment for segment in mine if segment.dead_passages > DEAD_SHARE * segment.passages]
        if fully and wasted:
            return (wasted[0].name,)
    return ()


def due(found: Manifest) -> bool:
    """Say whether an unhurried update would merge something; an engine with segments of its own sees to itself."""
    return not found.extra and bool(choose(found.segments, fully=True))


def _living(segment: SegmentRecord) -> tuple[float, str]:
    share = 1 - segment.dead_passages / max(1, segment.passages)
    return segment.data.bytes * share, segment.name


def _prefix(sorted_segments: Sequence[SegmentRecord], limit: int) -> list[SegmentRecord]:
    """Return the smallest segments that together stay below a size."""
    chosen, total = [], 0
    for segment in sorted_segments:
        total += segment.data.bytes
        if total > limit:
            break
        chosen.append(segment)
    return chosen


def _in_order(segments: Iterable[SegmentRecord], chosen: Iterable[SegmentRecord]) -> tuple[str, ...]:
    names = {segment.name for segment in chosen}
    return tuple(segment.name for segment in segments if segment.name in names)
