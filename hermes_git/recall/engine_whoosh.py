"""The engine over Whoosh segments."""

from __future__ import annotations

import functools
import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, ParamSpec, TypeVar

from hermes_git.recall.engine import NEWEST, OLDEST, Found, Ranking, Request, Rows, accepts
from hermes_git.recall.manifest import Damaged
from hermes_git.recall.pairs import may_hold, neighbours
from hermes_git.recall.passage import unpack
from hermes_git.recall.query import Filters
from hermes_git.recall.score import Scorer, Scores, best
from hermes_git.recall.segment_read import UNREADABLE, SegmentReader
from hermes_git.recall.segment_write import TAG, TEXT
from hermes_git.recall.source import Source

SCANNED_TERMS = 20_000
"""Dictionary entries looked at in one segment for one prefix."""


class Opened(NamedTuple):
    """A segment with its sources; `dead` are the ordinals of sources that are gone."""

    reader: SegmentReader
    sources: Sequence[Source]
    dead: frozenset[int] = frozenset()


Ranked = tuple[float, float, int, int]
"""What a passage is ordered by, its score, and its segment and number, both negative so that earlier ones win."""

Result = TypeVar("Result")
Given = ParamSpec("Given")


def reading(method: Callable[Given, Result]) -> Callable[Given, Result]:
    """Make a method raise `Damaged` for whatever goes wrong when a segment's bytes are not what was written."""

    @functools.wraps(method)
    def guarded(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return method(*args, **kwargs)
        except UNREADABLE as error:
            raise Damaged(f"reading a segment failed: {type(error).__name__}: {error}") from error

    return guarded


class WhooshEngine:
    """Ranks the passages of one shelf."""

    def __init__(self, segments: Sequence[Opened]) -> None:
        self.segments = segments
        self.scorer = Scorer([segment.reader for segment in segments])

    @property
    def passages(self) -> int:
        """Return how many passages are indexed."""
        return self.scorer.passages

    @reading
    def frequency(self, term: str) -> int:
        """Return in how many passages a term occurs."""
        return self.scorer.frequency(term)

    def sources(self) -> Iterator[Source]:
        """Yield every source that is alive."""
        for segment in self.segments:
            yield from (source for at, source in enumerate(segment.sources) if at not in segment.dead)

    @reading
    def rank(self, request: Request) -> Ranking:
        """Return the best passages, by score or by time."""
        ranked: list[Ranked] = []
        total = 0
        pairs = tuple(pair for phrase in request.phrases for pair in sorted(neighbours(phrase)))
        limit = 1 << 30 if pairs else request.limit
        for number in range(len(self.segments)):
            scores = self._allowed(number, self.scorer.segment_scores(number, request), request.filters)
            total += len(scores)
            ranked += self._best(number, scores, request.order, limit)
        if pairs:
            top, total = self._side_by_side(ranked, pairs, request.limit)
        else:
            top = heapq.nlargest(request.limit, ranked)
        return Ranking(Rows(top, self._found), total)

    def _side_by_side(self, ranked: list[Ranked], pairs: tuple[int, ...], limit: int) -> tuple[list[Ranked], int]:
        """Return the best passages whose signatures grant all pairs, and how many can hold them at most."""
        top: list[Ranked] = []
        for looked, row in enumerate(sorted(ranked, reverse=True)):
            if len(top) == limit:
                return top, len(top) + len(ranked) - looked
            if may_hold(self.segments[-row[2]].reader.pairs[-row[3]], pairs):
                top.append(row)
        return top, len(top)

    def _best(self, number: int, scores: Scores, order: str, limit: int) -> list[Ranked]:
        if order in (NEWEST, OLDEST) and scores:
            times = self.segments[number].reader.times
            sign = 1 if order == NEWEST else -1
            rows = ((sign * times[at] or -(2.0**33), score, -number, -at) for at, score in scores.items())
            return heapq.nlargest(limit, rows)
        return [(score, score, -number, -at) for at, score in best(scores, limit)]

    @reading
    def _found(self, row: Ranked) -> Found:
        score, number, at = row[1], -row[2], -row[3]
        segment = self.segments[number]
        source = segment.sources[segment.reader.sources[at]]
        return Found(score, source, unpack(segment.reader.places[at]), segment.reader.times[at])

    def _allowed(self, number: int, scores: Scores, filters: Filters) -> Scores:
        """Drop passages of dead sources and those that a filter refuses."""
        segment = self.segments[number]
        if not scores or (filters.is_open and not segment.dead):
            return scores
        owners, times = segment.reader.sources, segment.reader.times
        alive = [at not in segment.dead and accepts(filters, source) for at, source in enumerate(segment.sources)]
        kept = {at: score for at, score in scores.items() if alive[owners[at]]}
        for name in ("role", "tool"):
            if filters.of(name):
                tagged = self._tagged(number, tuple(f"{name}:{value}" for value in filters.of(name)))
                kept = {at: score for at, score in kept.items() if at in tagged}
        if filters.after or filters.before:
            until = filters.before or 2**32
            kept = {at: score for at, score in kept.items() if filters.after <= times[at] < until and times[at]}
        return kept

    @functools.lru_cache(64)  # noqa: B019 - an engine is opened once and thrown away with its cache
    def _tagged(self, number: int, tags: tuple[str, ...]) -> frozenset[int]:
        reader = self.segments[number].reader
        found: set[int] = set()
        for tag in tags:
            posting = reader.posting(TAG, tag)
            for ids, _ in reader.blocks(posting) if posting else ():
                found.update(ids)
        return frozenset(found)

    @reading
    def starting(self, prefix: str, limit: int) -> list[str]:
        """Return up to `limit` terms that start with a prefix, the most frequent first."""
        seen: Counter[str] = Counter()
        for segment in self.segments:
            for step, (term, posting) in enumerate(segment.reader.terms_from(TEXT, prefix)):
                if step >= SCANNED_TERMS or not term.startswith(prefix):
                    break
                seen[term] += posting.passages
        return _most(seen, limit)

    @reading
    def containing(self, piece: str, limit: int) -> list[str]:
        """Return up to `limit` terms that contain a piece, the most frequent first."""
        seen: Counter[str] = Counter()
        for segment in self.segments:
            for term, posting in segment.reader.terms_containing(TEXT, piece, SCANNED_TERMS):
                seen[term] += posting.passages
            segment.reader.release()
        return _most(seen, limit)

    def close(self) -> None:
        """Let go of all files."""
        for segment in self.segments:
            segment.reader.close()

    def release(self) -> None:
        """Give back the memory that reading took."""
        for segment in self.segments:
            segment.reader.release()


def _most(seen: Counter[str], limit: int) -> list[str]:
    order: Callable[[tuple[str, int]], tuple[int, str]] = lambda item: (-item[1], item[0])  # noqa: E731
    return [term for term, _ in sorted(seen.items(), key=order)[:limit]]
