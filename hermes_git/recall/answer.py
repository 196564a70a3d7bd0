"""Answering a query: walk down the steps, check passages against their text, keep the best of each group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from hermes_git.recall import analyze, plan
from hermes_git.recall.engine import RELEVANCE, Engine, Found
from hermes_git.recall.passage import Span, Unit
from hermes_git.recall.query import Query
from hermes_git.recall.snippet import Mark, literal_mark, marks, snippet
from hermes_git.recall.source import Source

DEEP_LOOK = 2000
CHECKED, CHECKED_UNQUOTED = 300, 60
"""Passages whose text is compared with a phrase before the phrase is given up, which is said where it was quoted."""


class Texts(Protocol):
    """Where the text of a source is."""

    def of(self, source: Source) -> Mapping[int, Unit]:
        """Return the units of a source by id, each with its whole text."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer: the source and the message (or entry) in it, a snippet, and the rung that found it."""

    source: Source
    unit: int
    role: str
    snippet: str
    rung: str
    score: float
    time: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits of a query, best first; the rung of the first; what has to be said about how they were found."""

    hits: tuple[Hit, ...] = ()
    rung: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A query with everything else that decides what comes back.

    `group` names, for a source and a message in it, that of which one hit is shown, unless `each_passage` asks for
    all; `is_hidden` says which messages must not answer.
    """

    query: Query
    limit: int = 3
    order: str = RELEVANCE
    group: Callable[[Source, int], str] = lambda source, unit: source.id  # noqa: ARG005 - the default is the source
    each_passage: bool = False
    is_hidden: Callable[[Source, Unit], bool] = lambda source, unit: False  # noqa: ARG005 - the default hides nothing


def answer(asked: Asked, engine: Engine, texts: Texts) -> Answer:
    """Answer a query from one shelf."""
    hits: dict[str, Hit] = {}
    notes = list(asked.query.notes)
    for step in plan.steps(asked.query, engine):
        if hits and step.rung in plan.RUNGS[3:]:
            break
        for hit in _Walk(asked, engine, texts, step, notes).hits():
            every = f"{hit.source.id}#{hit.unit}"
            hits.setdefault(every if asked.each_passage else asked.group(hit.source, hit.unit), hit)
            if len(hits) >= asked.limit:
                break
        if len(hits) >= asked.limit or (hits and _is_exact(asked.query)):
            break
    found = tuple(hits.values())
    return Answer(found, found[0].rung if found else "", tuple(notes))


def _is_exact(query: Query) -> bool:
    """Say whether looser answers would only be noise beside exact ones: a quoted phrase, one word, one path."""
    return len(query.clauses) == 1 or all(piece.is_phrase for piece in query.pieces)


class _Walk:
    """One step of one query."""

    def __init__(self, asked: Asked, engine: Engine, texts: Texts, step: plan.Step, notes: list[str]) -> None:
        self.asked, self.engine, self.texts, self.step, self.notes = asked, engine, texts, step, notes
        self.patience = CHECKED if any(piece.is_phrase for piece in asked.query.pieces) else CHECKED_UNQUOTED
        self.opaque = plan.opaque(asked.query)
        self.worth = dict.fromkeys(step.request.terms, 1.0)
        self.longest = {literal: max(literal.split(" "), key=len) for literal in step.literals}

    def hits(self) -> Iterator[Hit]:
        """Yield hits of distinct groups, best first; look deeper only when the first look was not enough."""
        seen: set[str] = set()
        checked, checks = 0, self.step.literals or self.step.must
        first_look = 4 * self.asked.limit + 4
        for look in (first_look, DEEP_LOOK):
            ranking = self.engine.rank(replace(self.step.request, order=self.asked.order, limit=look))
            for found in ranking.found[0 if look == first_look else first_look :]:
                group = self.asked.group(found.source, found.spans[0].unit if found.spans else 0)
                if group in seen and not self.asked.each_passage:
                    continue
                if checks and checked >= self.patience:
                    if self.patience == CHECKED:
                        self.notes.append(
                            f"the {CHECKED} best of {ranking.total:,} candidates for the phrase were read"
                        )
                    return
                checked += 1
                hit = self._hit(found)
                if hit:
                    seen.add(group)
                    yield hit
            if ranking.total <= look:
                return

    def _hit(self, found: Found) -> Hit | None:
        """Read a passage and make it a hit, or refuse it: a phrase is not there, or only in other roles."""
        units, spans = self.texts.of(found.source), found.spans
        span = self._holding(found.source, units, spans) if self.step.literals else None
        alone = span is not None and len(self.step.literals) == 1 and not self.step.must
        if (self.step.literals or self.step.must) and not alone and not self._holds_all(units, spans):
            return None
        span = span or self._richest(found.source, units, spans)
        if span is None:
            return None
        text, unit = _slice(units, span), units[span.unit]
        shown = snippet(text, self._marks(text))
        return Hit(found.source, span.unit, unit.role, shown, self.step.rung, found.score, unit.time)

    def _holding(self, source: Source, units: Mapping[int, Unit], spans: Sequence[Span]) -> Span | None:
        """Return the first span that may answer and holds a whole phrase; what stands after it stays unread."""
        return next(
            (span for span in spans if self._may_answer(source, units, span) and self._holds(units, span)), None
        )

    def _holds(self, units: Mapping[int, Unit], span: Span) -> bool:
        folded = analyze.fold(_slice(units, span))
        likely = [literal for literal, word in self.longest.items() if word in folded]
        squeezed = " ".join(folded.split()) if likely else ""
        return any(literal in squeezed for literal in likely)

    def _holds_all(self, units: Mapping[int, Unit], spans: Sequence[Span]) -> bool:
        whole = analyze.squeeze("\n".join(_slice(units, span) for span in spans))
        return all(literal in whole for literal in (*self.step.literals, *self.step.must))

    def _richest(self, source: Source, units: Mapping[int, Unit], spans: Sequence[Span]) -> Span | None:
        """Return the span that may answer and has most of the query's terms, the first of equals; None if none has."""
        best: tuple[float, Span] | None = None
        for span in spans:
            if self._may_answer(source, units, span):
                rating = self._rate(_slice(units, span))
                if rating and (best is None or rating > best[0]):
                    best = (rating, span)
        return best[1] if best else None

    def _may_answer(self, source: Source, units: Mapping[int, Unit], span: Span) -> bool:
        unit, roles = units.get(span.unit), self.asked.query.filters.of("role")
        return unit is not None and (not roles or unit.role in roles) and not self.asked.is_hidden(source, unit)

    def _rate(self, text: str) -> float:
        """Return how much of the query's terms a text has, each once."""
        present = self.worth.keys() & analyze.term_counts(analyze.words(text)).keys()
        if self.opaque:
            folded = analyze.fold(text)
            present -= {analyze.bucket(word) for word in self.opaque if word not in folded}
        return sum(sorted(self._telling(term) for term in present))

    def _marks(self, text: str) -> list[Mark]:
        """Return where a text answers the query."""
        exact = (literal_mark(text, literal) for literal in self.step.literals)
        found = [mark for mark in exact if mark]
        return found or marks(text, lambda term: self._telling(term) if term in self.worth else 0.0)

    def _telling(self, term: str) -> float:
        return float((1.0 + self.engine.frequency(term)) ** -0.5)


def _slice(units: Mapping[int, Unit], span: Span) -> str:
    unit = units.get(span.unit)
    return unit.text[span.start : span.end] if unit else ""
