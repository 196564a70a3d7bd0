"""When to merge segments: often enough that opening stays fast, seldom and small enough that no write is slow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from hermes_git.recall.manifest import Manifest, SegmentRecord

FAN = 4
"""Segments of about one size that are merged into one, so that each passage is copied once for every size it had."""

FEW = 3
"""The same while somebody waits, or two where three are too large."""

FLOOR = 64 * 1024
"""Bytes below which all segments count as of one size."""

IN_PASSING, CROWDED, UNHURRIED = 1_000_000, 8_000_000, 32_000_000
"""Bytes that a merge of segments of one size may read: while somebody waits, the same when segments are too many, and
in an unhurried update, which still leaves an index alone that was built at once."""

MAX_SEGMENTS, MAX_IN_PASSING = 12, 28
"""Segments of a shelf from which the smallest are merged whatever their size: by an unhurried update, in passing."""

DEAD_SHARE = 0.3
"""Share of dead passages from which an unhurried update rewrites a segment."""


def choose(segments: Sequence[SegmentRecord], *, fully: bool) -> tuple[str, ...]:
    """Return the names of the segments to merge now, all of one shelf; none if all is well.

    In passing (`fully` False) large merges, and segments that are mostly dead, are left for later.
    """
    for shelf in sorted({segment.shelf for segment in segments}):
        mine = sorted((segment for segment in segments if segment.shelf == shelf), key=_living)
        crowded = len(mine) > (MAX_SEGMENTS if fully else MAX_IN_PASSING)
        alike = _alike(mine, UNHURRIED) if fully else _fitting(mine, CROWDED if crowded else IN_PASSING)
        if alike or crowded:
            return _in_order(segments, alike or mine[:FAN])
        wasted = [segment for segment in mine if segment.dead_passages > DEAD_SHARE * segment.passages]
        if fully and wasted:
            return (wasted[0].name,)
    return ()


def _alike(sorted_segments: Sequence[SegmentRecord], limit: float) -> list[SegmentRecord]:
    """Return the smallest segments of one size that are enough for a merge, and together stay below a limit."""
    enough = (found for found in _by_size(sorted_segments) if len(found) >= FAN)
    return next((found for found in enough if sum(_living(segment)[0] for segment in found) <= limit), [])


def _fitting(sorted_segments: Sequence[SegmentRecord], limit: float) -> list[SegmentRecord]:
    """Return as many of the smallest segments of one size as stay below a limit: enough for a merge, or no more fit."""
    for found in _by_size(sorted_segments):
        read = itertools.accumulate(_living(segment)[0] for segment in found)
        fit = sum(1 for size in read if size <= limit)
        if fit >= FEW or 2 <= fit < len(found):
            return found[:fit]
    return []


def _by_size(sorted_segments: Sequence[SegmentRecord]) -> Iterable[list[SegmentRecord]]:
    sizes: dict[int, list[SegmentRecord]] = {}
    for segment in sorted_segments:
        sizes.setdefault(_size(segment), []).append(segment)
    return sizes.values()


def _size(segment: SegmentRecord) -> int:
    """Return the size of a segment as the number of merges that made it, had all its parts been as small as `FLOOR`."""
    return int(math.log(max(_living(segment)[0] / FLOOR, 1.0), FAN))


def due(found: Manifest) -> bool:
    """Say whether an unhurried update would merge something; an engine with segments of its own sees to itself."""
    return not found.extra and bool(choose(found.segments, fully=True))


def _living(segment: SegmentRecord) -> tuple[float, str]:
    share = 1 - segment.dead_passages / max(1, segment.passages)
    return segment.data.bytes * share, segment.name


def _in_order(segments: Iterable[SegmentRecord], chosen: Iterable[SegmentRecord]) -> tuple[str, ...]:
    names = {segment.name for segment in chosen}
    return tuple(segment.name for segment in segments if segment.name in names)
