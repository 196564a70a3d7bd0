"""Term-at-a-time BM25 over the segments of one shelf; formula and constants are those of Whoosh's BM25F."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from math import log
from operator import itemgetter

from whoosh.util.numeric import byte_to_length

from hermes_git.recall.engine import Group, Request
from hermes_git.recall.segment_read import Posting, SegmentReader
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
        weighed: list[Callable[[int], float]] = []
        for group in ordered:
            weights = self._weights(number, group, having)
            having = set(weights) if having is None else having & weights.keys()
            if not having:
                return {}
            weighed.append(weights.__getitem__)
        return {at: sum(weight(at) for weight in weighed) for at in having or ()}

    def _weights(self, number: int, group: Group, having: set[int] | None) -> Scores:
        """Return passage → score of a group, at least for the passages in question."""
        if len(group) > 1 or having is None:
            return self.group_scores(number, group, sorted(having) if having else None)
        posting = self.postings(group[0])[number]
        if posting is None:
            return {}
        norms, top = self.norms(number), self.idf(group[0]) * (K1 + 1)
        few = sorted(having) if len(having) * SPARSE < posting.passages else None
        found: Scores = {}
        for ids, weights in self.segments[number].blocks(posting, few):
            common = having.intersection(ids)
            if not common:
                continue
            if isinstance(weights, float):
                found.update([(at, top * weights / (weights + norms[at])) for at in common])
            else:
                each = dict(zip(ids, weights, strict=True))
                found.update([(at, top * each[at] / (each[at] + norms[at])) for at in common])
        return found

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
    """Return the highest scores, the earlier passage first among equals."""
    if limit >= len(scores):
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return heapq.nlargest(limit, scores.items(), key=itemgetter(1))
