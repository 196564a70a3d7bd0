"""How alike two skills are: TF-IDF over words and word pairs, section by section, without a model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from hermes_git.curator.units import folded
from hermes_git.knowledge.skill import Skill

WORD = re.compile(r"[a-z0-9_]+(?:[./:-][a-z0-9_]+)*|[^\W\d_a-z]", re.IGNORECASE)
HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
STOP = frozenset(
    "the a an and or of to in on for with is are be as at by from this that it use when you your if not do then "
    "will can should must may into how what which".split()
)
MIN_WORDS = 12
"""Sections with fewer words are judged together with their neighbour; a skill with fewer is never a duplicate."""


PAIR_WEIGHT = 0.6
"""What a pair of words weighs beside a word: full weight would punish every reworded sentence twice."""


@dataclass(frozen=True, slots=True)
class Portrait:
    """A skill as bags of words: one bag a section, one for the whole, and how many words its body has."""

    key: str
    sections: tuple[Mapping[str, int], ...]
    whole: Mapping[str, int]
    size: int


def words(text: str) -> list[str]:
    """Return the words of a text, lower case, CJK characters one by one, identifiers whole."""
    return [word.lower() for word in WORD.findall(folded(text))]


def portrait(key: str, skill: Skill) -> Portrait:
    """Read a skill's body into bags of words and word pairs."""
    bags: list[Counter[str]] = []
    for part in _sections(skill.body):
        found = words(part)
        if bags and (len(found) < MIN_WORDS or sum(bags[-1].values()) < MIN_WORDS):
            bags[-1].update(_terms(found))
        else:
            bags.append(_terms(found))
    whole: Counter[str] = Counter()
    for bag in bags:
        whole.update(bag)
    return Portrait(key, tuple(bags), whole, len(words(skill.body)))


def _sections(body: str) -> list[str]:
    cuts = [match.start() for match in HEADING.finditer(body)]
    edges = [0, *[cut for cut in cuts if cut > 0], len(body)]
    return [body[start:end] for start, end in pairwise(edges)]


def _terms(found: list[str]) -> Counter[str]:
    kept = [word for word in found if word not in STOP]
    return Counter([*kept, *(f"{one} {two}" for one, two in pairwise(kept))])


Vector = dict[str, float]


@dataclass(frozen=True, slots=True)
class Space:
    """The weights of terms over all skills: a term in every skill weighs little, a term in two weighs most."""

    idf: Mapping[str, float]

    def vector(self, bag: Mapping[str, int]) -> Vector:
        """Return the unit vector of a bag."""
        weights = {
            term: (1 + math.log(count)) * self.idf.get(term, 1.0) * (PAIR_WEIGHT if " " in term else 1.0)
            for term, count in bag.items()
        }
        norm = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {term: weight / norm for term, weight in weights.items()}


def space(portraits: Iterable[Portrait]) -> Space:
    """Weigh terms by how few skills use them, smoothed, so that two skills alone can be compared too."""
    rows = list(portraits)
    seen: Counter[str] = Counter(term for row in rows for term in row.whole)
    return Space({term: math.log((1 + len(rows)) / (1 + count)) + 1 for term, count in seen.items()})


def dot(one: Vector, other: Vector) -> float:
    """Return the cosine of two unit vectors."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return sum(weight * large[term] for term, weight in small.items() if term in large)


def similarity(one: Portrait, other: Portrait, weights: Space) -> float:
    """Return from 0 to 1 how much of the smaller skill the larger one says, section by section, weighted by length."""
    small, large = (one, other) if one.size <= other.size else (other, one)
    if small.size < MIN_WORDS:
        return 0.0
    targets = [weights.vector(bag) for bag in large.sections]
    targets.append(weights.vector(large.whole))
    total = score = 0.0
    for bag in small.sections:
        length = sum(bag.values())
        vector = weights.vector(bag)
        score += length * max((dot(vector, target) for target in targets), default=0.0)
        total += length
    whole = dot(weights.vector(small.whole), weights.vector(large.whole))
    return round(max(whole, score / total if total else 0.0), 6)
