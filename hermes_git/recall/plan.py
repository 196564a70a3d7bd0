"""How a query is relaxed: the steps from the exact phrase down to pieces of words, each with the name it answers by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hermes_git.recall import analyze
from hermes_git.recall.engine import Engine, Group, Request
from hermes_git.recall.query import Piece, Query

PHRASE, ALL, WEIGHTED, PREFIX, FUZZY, SUBSTRING = "phrase", "all", "weighted", "prefix", "fuzzy", "substring"
RUNGS = (PHRASE, ALL, WEIGHTED, PREFIX, FUZZY, SUBSTRING)

COMMON = 0.1
"""A term in more than this share of all passages tells little and is left out of the weighted step."""

FEW = 500
"""Terms in so few passages cost nothing and are never left out as common."""

MAX_WEIGHTED = 10
EXPANSIONS = 100
SIGN_EXPANSIONS = 600
GUESSED_WORDS = 3
PART_WORTH, GUESS_WORTH = 0.3, 0.4
HEX = re.compile(r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{6,8}\Z")


@dataclass(frozen=True, slots=True)
class Step:
    """One rung: what to rank by, and folded texts that a passage must hold in full to count.

    `literals` are what was asked for, so the message that holds one is the answer; `must` only has to be there too.
    """

    rung: str
    request: Request
    literals: tuple[str, ...] = ()
    must: tuple[str, ...] = ()


def steps(query: Query, engine: Engine) -> Iterator[Step]:
    """Yield the steps of a query, strictest first; a later one is worth its cost if the earlier found too little."""
    words = Words(query, engine)
    within = tuple(group for piece in query.within for group in words.groups(piece))
    must = tuple(analyze.squeeze(piece.text) for piece in query.within)
    excluded = tuple(tuple(group[0] for group in words.groups(piece)) for piece in query.excluded)
    base = Request(within, excluded=excluded, filters=query.filters)
    groups = words.required()
    if groups and all(groups) and all(within):
        literals, confirmed = words.literals(), (*must, *_confirmed(query))
        if literals:
            phrases = tuple(tuple(analyze.words(literal)) for literal in literals)
            enough = words.telling_groups(groups) if all(piece.is_phrase for piece in query.pieces) else groups
            yield Step(PHRASE, replace(base, required=(*within, *enough), phrases=phrases), literals, confirmed)
        yield Step(ALL, replace(base, required=(*within, *groups)), (), confirmed)
    weighted = words.weighted()
    if weighted:
        yield Step(WEIGHTED, replace(base, optional=weighted), (), must)
    for rung, find in ((PREFIX, words.beginnings), (FUZZY, words.misspelt), (SUBSTRING, words.containing)):
        near = find()
        if near:
            yield Step(rung, replace(base, required=(*within, near)), (), must)


def opaque(query: Query) -> tuple[str, ...]:
    """Return the words that the index holds by bucket only, so that the text must confirm them."""
    words = (analyze.fold(word).rstrip("+#%") for piece in query.pieces for word in piece.words)
    return tuple(dict.fromkeys(word for word in words if analyze.is_opaque(word) or HEX.match(word)))


def _confirmed(query: Query) -> tuple[str, ...]:
    return () if any(len(clause) > 1 for clause in query.clauses) else opaque(query)


class Words:
    """The words of one query against one dictionary."""

    def __init__(self, query: Query, engine: Engine) -> None:
        self.query, self.engine = query, engine

    def required(self) -> tuple[Group, ...]:
        """Return a group of terms for each thing that must occur; an empty group if one cannot."""
        found: list[Group] = []
        for clause in self.query.clauses:
            choices = [self.groups(piece) for piece in clause]
            if len(choices) == 1:
                found += choices[0]
            else:
                single = [group for choice in choices if len(choice) == 1 for group in choice[0]]
                longer = [self._rarest(choice) for choice in choices if len(choice) > 1]
                found.append(tuple(dict.fromkeys([*single, *longer])))
        return tuple(dict.fromkeys(found))

    def telling_groups(self, groups: tuple[Group, ...]) -> tuple[Group, ...]:
        """Return the groups that narrow a phrase down; signatures and the text itself see to the commonest words."""
        rare_first = sorted(groups, key=lambda group: (sum(map(self.engine.frequency, group)), group))
        most = self.engine.passages * COMMON
        return tuple(
            group for at, group in enumerate(rare_first) if at < 2 or sum(map(self.engine.frequency, group)) <= most
        )

    def _rarest(self, groups: list[Group]) -> str:
        """Let one telling term stand for an alternative of several words."""
        terms = [group[0] for group in groups if group]
        return min(terms, key=lambda term: (self.engine.frequency(term) or 1 << 40, term), default="")

    def groups(self, piece: Piece) -> list[Group]:
        """Return the groups of one piece, word by word."""
        words = piece.words
        found: list[Group] = []
        for at, word in enumerate(words):
            if piece.is_prefix and at == len(words) - 1:
                found.append(tuple(self.engine.starting(analyze.fold(word), EXPANSIONS * 2)))
            else:
                found += self._word_groups(word)
        return found

    def _word_groups(self, word: str) -> list[Group]:
        if analyze.is_signs(word):
            if len(word) == 1:
                return [tuple(self.engine.starting(word, SIGN_EXPANSIONS))]
            return [(pair,) for pair in analyze.pairs(word)]
        whole, *rest = analyze.expand(word)
        if HEX.match(whole):
            return [(whole, analyze.bucket(whole))]
        if not rest or self.engine.frequency(whole):
            return [(whole,)]
        return [(part,) for part in dict.fromkeys(rest[1:] or rest)]

    def literals(self) -> tuple[str, ...]:
        """Return the texts that the strictest step must find as they stand; none if the words alone say as much."""
        phrases = [analyze.squeeze(piece.text) for piece in self.query.pieces if piece.is_phrase]
        whole = self.query.literal
        if whole and not self._is_plain(whole):
            return tuple(dict.fromkeys([*phrases, whole])) if not phrases else tuple(dict.fromkeys(phrases))
        return tuple(phrase for phrase in dict.fromkeys(phrases) if not self._is_plain(phrase))

    def _is_plain(self, literal: str) -> bool:
        """Say whether a literal is one word that the index holds whole, so that finding the word finds the text."""
        words = analyze.words(literal)
        if len(words) != 1 or words[0] != literal or HEX.match(literal):
            return False
        return not analyze.is_opaque(literal) and (not analyze.is_signs(literal) or len(literal) <= 2)

    def weighted(self) -> tuple[tuple[str, float], ...]:
        """Return the telling terms with their worth, rarest first, few enough to bound the cost."""
        worth: dict[str, float] = {}
        for piece in self.query.pieces:
            for word in piece.words:
                whole, *rest = analyze.expand(word)
                whole_worth = 1.0 if self.engine.frequency(whole) else 0.0
                for term in analyze.pairs(word) if analyze.is_signs(word) else (whole, *rest):
                    part = PART_WORTH if whole_worth and term != whole and not analyze.is_signs(word) else 1.0
                    worth[term] = max(worth.get(term, 0.0), part)
        known = {term: value for term, value in worth.items() if self.engine.frequency(term)}
        return tuple((term, known[term]) for term in self._telling(known))

    def _telling(self, terms: dict[str, float]) -> list[str]:
        limit = max(self.engine.passages * COMMON, FEW)
        rare_first = sorted(terms, key=lambda term: (self.engine.frequency(term), term))
        telling = [term for term in rare_first if self.engine.frequency(term) <= limit]
        return (telling or rare_first[:1])[:MAX_WEIGHTED]

    def _unknown(self) -> list[str]:
        words = (analyze.fold(word) for piece in self.query.pieces for word in piece.words)
        fresh = dict.fromkeys(word for word in words if len(word) >= 3 and not analyze.is_opaque(word))
        return [word for word in fresh if not self.engine.frequency(word)][:GUESSED_WORDS]

    def beginnings(self) -> Group:
        """Return the terms that start with one of the unknown words."""
        found = (self.engine.starting(word, EXPANSIONS) for word in self._unknown())
        return tuple(dict.fromkeys(term for terms in found for term in terms))

    def misspelt(self) -> Group:
        """Return the terms one slip of the finger away from one of the unknown words."""
        near = (other for word in self._unknown() if len(word) >= 4 for other in variants(word))
        return tuple(dict.fromkeys(other for other in near if self.engine.frequency(other)))

    def containing(self) -> Group:
        """Return the terms that contain one of the unknown words."""
        found = (self.engine.containing(word, EXPANSIONS) for word in self._unknown())
        return tuple(dict.fromkeys(term for terms in found for term in terms))


LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"


def variants(word: str) -> Iterator[str]:
    """Yield the words one letter away: left out, swapped, mistaken or added. Long words are left alone."""
    if len(word) > 24:
        return
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in LETTERS if letter != tail[0])
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        yield from (head + letter + tail for letter in LETTERS)
