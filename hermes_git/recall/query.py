"""What was asked: words, phrases, alternatives, exclusions and filters. No text is ever an error.

Only a few things are more than words: `"a phrase"`, `field:value` of a known field, `word*`, and the capital words OR
and NOT between two others (AND is what blanks mean). Whatever does not fit, an open quote, a lone NOT, is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from hermes_git.recall import analyze

FIELDS = ("role", "tool", "repo", "agent", "author", "before", "after", "kind", "path", "model")
KINDS = ("session", "memory", "skill", "archive", "commit")
MAX_QUERY = 2048
MAX_PIECES = 64
TOKEN = re.compile(r'([A-Za-z]+):"([^"]*)"|"([^"]*)"|(\S+)')
FILTER = re.compile(rf"({'|'.join(FIELDS)}):(\S+)\Z", re.IGNORECASE)
PREFIX = re.compile(r"(\w[\w.-]*\w)\*\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to look for: a word or a phrase as typed, or the beginning of a word."""

    text: str
    is_phrase: bool = False
    is_prefix: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Return the raw words of the piece."""
        return tuple(analyze.words(self.text))


@dataclass(frozen=True, slots=True)
class Filters:
    """What a passage must be, all folded: field → accepted values; and the time it must lie in, Unix seconds."""

    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    after: int = 0
    before: int = 0

    def of(self, name: str) -> tuple[str, ...]:
        """Return the accepted values of a field; empty means all."""
        return self.values.get(name, ())

    @property
    def is_open(self) -> bool:
        """Say whether everything passes."""
        return not (self.values or self.after or self.before)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: every clause must match by one of its pieces; no excluded piece may occur.

    `within` are texts that a passage must hold whatever else is relaxed.
    """

    text: str
    clauses: tuple[tuple[Piece, ...], ...] = ()
    excluded: tuple[Piece, ...] = ()
    filters: Filters = field(default_factory=Filters)
    notes: tuple[str, ...] = ()
    within: tuple[Piece, ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces of all clauses."""
        return tuple(piece for clause in self.clauses for piece in clause)

    @property
    def literal(self) -> str:
        """Return the text to be found as it stands, or "" where alternatives or prefixes leave none."""
        if any(len(clause) > 1 or clause[0].is_prefix for clause in self.clauses):
            return ""
        return analyze.squeeze(" ".join(piece.text for piece in self.pieces)).rstrip("?!.,;: ")


def parse(text: str) -> Query:
    """Parse a query; text beyond `MAX_QUERY` characters or `MAX_PIECES` pieces is cut off and said to be."""
    notes = []
    if len(text) > MAX_QUERY:
        notes.append(f"only the first {MAX_QUERY:,} characters of the query were used")
    tokens = list(_tokens(text[:MAX_QUERY].replace("\0", " ")))
    if len(tokens) > MAX_PIECES:
        notes.append(f"only the first {MAX_PIECES} words of the query were used")
    filters = _Filters()
    rest = [token for token in tokens[:MAX_PIECES] if isinstance(token, Piece) or not filters.take(*token)]
    pieces = [token if isinstance(token, Piece) else Piece(f"{token[0]}:{token[1]}") for token in rest]
    clauses, excluded = _clauses(pieces)
    shown = " ".join(piece.text for piece in pieces)
    return Query(shown, clauses, excluded, filters.value(), (*notes, *filters.notes))


def _tokens(text: str) -> Iterable[Piece | tuple[str, str]]:
    """Yield pieces, and `(field, value)` where a token looks like a filter."""
    for match in TOKEN.finditer(text):
        name, value, phrase, word = match.groups()
        if name is not None:
            if name.lower() in FIELDS:
                yield name.lower(), value
            else:
                yield from (Piece(name + ":"), Piece(value, is_phrase=True))
        elif phrase is not None:
            if phrase.strip():
                yield Piece(phrase.strip(), is_phrase=True)
        else:
            yield _word(word)


def _word(word: str) -> Piece | tuple[str, str]:
    found = FILTER.match(word)
    if found:
        return found.group(1).lower(), found.group(2)
    prefix = PREFIX.match(word)
    return Piece(prefix.group(1), is_prefix=True) if prefix else Piece(word)


def _clauses(pieces: list[Piece]) -> tuple[tuple[tuple[Piece, ...], ...], tuple[Piece, ...]]:
    """Read OR, NOT and AND where both neighbours are words; everywhere else they are words themselves."""
    clauses: list[tuple[Piece, ...]] = []
    excluded: list[Piece] = []
    operators = [not piece.is_phrase and piece.text in ("OR", "NOT", "AND") for piece in pieces]
    waiting = ""
    for at, piece in enumerate(pieces):
        between = 0 < at < len(pieces) - 1 and not operators[at - 1] and not operators[at + 1]
        if operators[at] and between:
            waiting = piece.text
        elif waiting == "NOT":
            excluded.append(piece)
            waiting = ""
        elif waiting == "OR" and clauses:
            clauses[-1] = (*clauses[-1], piece)
            waiting = ""
        else:
            clauses.append((piece,))
            waiting = ""
    return tuple(clauses), tuple(excluded)


class _Filters:
    """Collects filters; a value that makes no sense stays text, with a note."""

    def __init__(self) -> None:
        self.values: dict[str, list[str]] = {}
        self.after = self.before = 0
        self.notes: list[str] = []

    def take(self, name: str, value: str) -> bool:
        """Take a filter and say whether it was one."""
        if name in ("before", "after"):
            return self._take_time(name, value)
        accepted = [analyze.fold(part) for part in value.split(",") if part]
        if name == "kind":
            unknown = [part for part in accepted if part.removesuffix("s") not in KINDS and part not in KINDS]
            if unknown:
                self.notes.append(f"kind:{value} is none of {', '.join(KINDS)}; it was taken as text")
                return False
            accepted = [part if part in KINDS else part.removesuffix("s") for part in accepted]
        self.values.setdefault(name, []).extend(accepted)
        return bool(accepted)

    def _take_time(self, name: str, value: str) -> bool:
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.notes.append(f"{name}:{value} is not a date such as 2026-11-29; it was taken as text")
            return False
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if name == "after":
            self.after = max(self.after, int(aware.timestamp()))
        else:
            edge = int(aware.timestamp())
            self.before = min(self.before or edge, edge)
        return True

    def value(self) -> Filters:
        return Filters({name: tuple(values) for name, values in self.values.items()}, self.after, self.before)
