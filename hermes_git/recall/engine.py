"""The one interface behind which an index sits: frequencies, ranking, and a look at its dictionary."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar, overload

from hermes_git.recall.analyze import fold
from hermes_git.recall.passage import Span
from hermes_git.recall.query import Filters
from hermes_git.recall.source import Source

RELEVANCE, NEWEST, OLDEST = "relevance", "newest", "oldest"

Group = tuple[str, ...]
"""Terms of which at least one must occur."""


@dataclass(frozen=True, slots=True)
class Request:
    """What an engine ranks by.

    Every group of `required` must have a term in the passage; `optional` terms add to the score, each times its
    worth; a passage that has all terms of one of `excluded` is out. `phrases` are raw words that stand side by side:
    an engine may leave out passages that cannot hold them, the text decides in the end.
    """

    required: tuple[Group, ...] = ()
    optional: tuple[tuple[str, float], ...] = ()
    excluded: tuple[Group, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    filters: Filters = field(default_factory=Filters)
    order: str = RELEVANCE
    limit: int = 50

    @property
    def terms(self) -> tuple[str, ...]:
        """Return all terms that can add to a score."""
        return tuple(dict.fromkeys([*(term for group in self.required for term in group), *dict(self.optional)]))


class Found(NamedTuple):
    """One ranked passage: its score, its source, and the spans that say where its text is."""

    score: float
    source: Source
    spans: tuple[Span, ...]
    time: int


Row = TypeVar("Row")


class Rows(Sequence[Found], Generic[Row]):
    """Ranked passages of which only those that are looked at are made, from an engine's own rows, by `make`."""

    def __init__(self, rows: Sequence[Row], make: Callable[[Row], Found]) -> None:
        self._rows, self._make = rows, make

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Found: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Found]: ...

    def __getitem__(self, at: int | slice) -> Found | Sequence[Found]:
        return Rows(self._rows[at], self._make) if isinstance(at, slice) else self._make(self._rows[at])


class Ranking(NamedTuple):
    """The best passages in order, and how many there were in all."""

    found: Sequence[Found]
    total: int


class Engine(Protocol):
    """An open index of one shelf."""

    @property
    def passages(self) -> int:
        """Return how many passages are indexed."""

    def frequency(self, term: str) -> int:
        """Return in how many passages a term occurs."""

    def rank(self, request: Request) -> Ranking:
        """Return the best passages for a request."""

    def starting(self, prefix: str, limit: int) -> list[str]:
        """Return up to `limit` terms that start with a prefix, the most frequent first."""

    def containing(self, piece: str, limit: int) -> list[str]:
        """Return up to `limit` terms that contain a piece, the most frequent first."""

    def close(self) -> None:
        """Let go of all files."""

    def release(self) -> None:
        """Give back the memory that answering took; called after each query."""

    def sources(self) -> Iterator[Source]:
        """Yield every source that is indexed and alive."""


PASSAGE_FIELDS = ("role", "tool")


def accepts(filters: Filters, source: Source) -> bool:
    """Say whether a source as a whole may answer; roles, tools and times are decided passage by passage."""
    for name, wanted in filters.values.items():
        have = tuple(fold(value) for value in _values(name, source))
        if name not in PASSAGE_FIELDS and not any(_matches(name, value, have) for value in wanted):
            return False
    return True


def _values(name: str, source: Source) -> tuple[str, ...]:
    if name == "repo":
        return (source.repository, source.cwd)
    if name == "path":
        return (source.path,)
    if name == "session":
        return (source.id,)
    if name == "author":
        return (source.author, source.agent)
    return (str(getattr(source, name, "")),)


def _matches(name: str, wanted: str, have: tuple[str, ...]) -> bool:
    if name in ("kind", "agent", "session"):
        return wanted in have
    return any(wanted in value for value in have)
