"""Term-at-a-time BM25 over the segments of one shelf; formula and constants are those of Whoosh's BM25F."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from math import log
from operator import itemgetter

from whoosh.util.numeric import byte_to_length

from hermes_git.recall.engine import Group, Request
from hermes_git.recall.segment_read import Block, Posting, SegmentReader
from hermes_git.recall.segment_write import TEXT

K1, B = 1.2, 0.75
SPARSE = 8
"""Blocks are skipped when the passages still in question are so many times fewer than a term's postings."""

Scores = dict[int, float]


class Scorer:
    """Scores passages of several segments by totals that they share."""

    def __init__(self, segments: Sequence[SegmentReader]) -> None:
        self.segments = segments
        self.passages = sum(segment.passages for segment in segments)
        average = sum(segment.words for segment in segments) / max(1, self.passages) or 1.0
        self._norm = tuple(K1 * ((1 - B) + B * byte_to_length(byte) / average) for byte in range(256))
        self._norms: dict[int, list[float]] = {}
        self._postings: dict[str, tuple[Posting | None, ...]] = {}
        self._conjunctions: dict[tuple[int, tuple[Group, ...], tuple[Group, ...]], Scores] = {}

    def norms(self, number: int) -> list[float]:
        """Return the length norm of each passage of a segment."""
        if number not in self._norms:
            norm = self._norm
            self._norms[number] = [norm[byte] for byte in self.segments[number].norms]
        return self._norms[number]

    def postings(self, term: str) -> tuple[Posting | None, ...]:
        """Return where a term's postings are, segment by segment."""
        if term not in self._postings:
            if len(self._postings) > 4096:
                self._postings.clear()
            self._postings[term] = tuple(segment.posting(TEXT, term) for segment in self.segments)
        return self._postings[term]

    def frequency(self, term: str) -> int:
        """Return in how many passages a term occurs; passages of dropped sources count until they are merged away."""
        return sum(posting.passages for posting in self.postings(term) if posting)

    def idf(self, term: str) -> float:
        """Return how telling a term is."""
        return log(self.passages / (self.frequency(term) + 1)) + 1

    def term_scores(self, number: int, term: str, worth: float, wanted: Sequence[int] | None = None) -> Scores:
        """Return passage → score of one term in one segment; with `wanted`, at least for those passages."""
        posting = self.postings(term)[number]
        if posting is None:
            return {}
        norms, top = self.norms(number), self.idf(term) * worth * (K1 + 1)
        few = wanted if wanted is not None and len(wanted) * SPARSE < posting.passages else None
        scores: Scores = {}
        for ids, weights in self.segments[number].blocks(posting, few):
            if isinstance(weights, float):
                light = top * weights
                scores.update([(at, light / (weights + norms[at])) for at in ids])
            else:
                scores.update([(at, top * w / (w + norms[at])) for at, w in zip(ids, weights, strict=True)])
        return scores

    def group_scores(self, number: int, group: Group, wanted: Sequence[int] | None = None) -> Scores:
        """Return passage → score of a group of alternatives; the best alternative counts."""
        scores = self.term_scores(number, group[0], 1.0, wanted)
        for term in group[1:]:
            for at, score in self.term_scores(number, term, 1.0, wanted).items():
                if score > scores.get(at, 0.0):
                    scores[at] = score
        return scores

    def segment_scores(self, number: int, request: Request) -> Scores:
        """Return passage → score of a whole request in one segment, filters aside; do not change what is returned."""
        key = (number, request.required, request.excluded)
        if request.optional:
            return self._weighted(number, request)
        if key not in self._conjunctions:
            if len(self._conjunctions) >= 2 * len(self.segments):  # the phrase step and the step after it ask the same
                self._conjunctions.clear()
            self._conjunctions[key] = self._without(number, self._conjunction(number, request.required), request)
        return self._conjunctions[key]

    def _weighted(self, number: int, request: Request) -> Scores:
        scores = dict(self._conjunction(number, request.required))
        for term, worth in request.optional:
            _add(scores, self.term_scores(number, term, worth), bound=bool(request.required))
        return self._without(number, scores, request)

    def _conjunction(self, number: int, groups: Sequence[Group]) -> Scores:
        """Return passage → score where every group occurs: first who has them all, rarest first, then how well."""
        ordered = sorted(groups, key=lambda terms: (sum(map(self.frequency, terms)), terms))
        if len(ordered) == 1:
            return self.group_scores(number, ordered[0])
        having: set[int] | None = None
        gathered: list[list[Block]] = []
        for group in ordered:
            blocks = self._blocks(number, group, having)
            held = (ids if having is None else having.intersection(ids) for ids, _ in blocks)
            having = set().union(*held)
            if not having:
                return {}
            gathered.append(blocks)
        return self._weigh(number, ordered, gathered, having or set())

    def _blocks(self, number: int, group: Group, having: set[int] | None) -> list[Block]:
        """Return the blocks of a group that can hold passages in question; alternatives come as one scored block."""
        if len(group) > 1:
            scores = self.group_scores(number, group)
            return [(list(scores), list(scores.values()))]
        posting = self.postings(group[0])[number]
        if posting is None:
            return []
        sparse = having is not None and len(having) * SPARSE < posting.passages
        return list(self.segments[number].blocks(posting, sorted(having) if sparse and having else None))

    def _weigh(self, number: int, groups: Sequence[Group], gathered: Sequence[list[Block]], having: set[int]) -> Scores:
        """Return the scores of the passages that have all groups."""
        total = dict.fromkeys(having, 0.0)
        for group, blocks in zip(groups, gathered, strict=True):
            part = self._part(number, group, blocks, having)
            total = {at: score + part[at] for at, score in total.items()}
        return total

    def _part(self, number: int, group: Group, blocks: list[Block], having: set[int]) -> Scores:
        """Return what one group adds to the scores of the passages in question."""
        norms, top = self.norms(number), self.idf(group[0]) * (K1 + 1)
        part: Scores = {}
        for ids, weights in blocks:
            if isinstance(weights, float):
                light = top * weights
                part.update([(at, light / (weights + norms[at])) for at in having.intersection(ids)])
            elif len(group) > 1:
                part.update((at, score) for at, score in zip(ids, weights, strict=True) if at in having)
            else:
                each = zip(ids, weights, strict=True)
                part.update([(at, top * weight / (weight + norms[at])) for at, weight in each if at in having])
        return part

    def _without(self, number: int, scores: Scores, request: Request) -> Scores:
        """Take out the passages that hold something excluded."""
        for group in request.excluded:
            for at in self._all_of(number, group):
                scores.pop(at, None)
        return scores

    def _all_of(self, number: int, terms: Group) -> set[int]:
        found = [set(self.term_scores(number, term, 1.0)) for term in terms]
        return set.intersection(*found) if found else set()


def _add(scores: Scores, found: Scores, *, bound: bool) -> None:
    """Add one term's scores in place; `bound` keeps passages out that were not there before."""
    known = scores.get
    if bound:
        for at in scores.keys() & found.keys():
            scores[at] += found[at]
    elif scores:
        for at, score in found.items():
            scores[at] = known(at, 0.0) + score
    else:
        scores.update(found)


def best(scores: Scores, limit: int) -> list[tuple[int, float]]:
    """Return the highest scores, in any order."""
    if limit >= len(scores):
        return list(scores.items())
    return heapq.nlargest(limit, scores.items(), key=itemgetter(1))
