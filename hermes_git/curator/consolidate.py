"""Find skills that say nearly the same: deterministic clusters, each around the member that is used most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from hermes_git.curator.facts import SkillFacts, Snapshot
from hermes_git.curator.lifecycle import ownership
from hermes_git.curator.similarity import Portrait, Space, Vector, dot, portrait, similarity, space
from hermes_git.curator.subject import differing
from hermes_git.screen import amount
from hermes_git.settings import CuratorSettings

SIGNAL = 0.01
"""What each further sign of kinship (shared prefix, shared references, used together) adds to the similarity."""

COMMON = 8
"""Terms that more than so many skills hold, or more than one in so many, find no pair."""

FEW_TERMS, SHARE_OF_TERMS = 5, 0.25
"""A pair worth a look shares at least so many of the other terms, and this share of the smaller skill's."""

WORTH_A_LOOK = 0.5
"""Pairs whose whole texts are less alike than this share of the threshold are not compared section by section."""


@dataclass(frozen=True, order=True, slots=True)
class Pair:
    """Two skills, by folder, how alike they are from 0 to 1, and the further signs that they belong together."""

    one: str
    other: str
    similarity: float
    signs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cluster:
    """Skills to be merged: the folder of the target, and a pair for each sibling that moves into it."""

    target: str
    siblings: tuple[str, ...]
    pairs: tuple[Pair, ...]


def candidates(
    snapshot: Snapshot, settings: CuratorSettings, leave: frozenset[str] = frozenset()
) -> tuple[Cluster, ...]:
    """Return clusters of near-duplicate skills, strongest first; folders in `leave` take no part.

    A skill that the curator must not touch takes no part; one that a job names is never moved, but may be a target.
    """
    if not settings.consolidate or (snapshot.is_shallow and not settings.person_authored):
        return ()  # in a shallow clone nobody knows who wrote what
    skills = {facts.root: facts for facts in snapshot.skills if facts.root not in leave and _is_open(facts, settings)}
    pairs = sorted(alike(skills, settings.similarity), key=lambda pair: (-pair.similarity, pair.one, pair.other))
    taken: set[str] = set()
    clusters = []
    for pair in pairs:
        if {pair.one, pair.other} & taken:
            continue
        cluster = _cluster(pair, pairs, skills, taken)
        if cluster is not None:
            clusters.append(cluster)
            taken |= {cluster.target, *cluster.siblings}
    return tuple(clusters)


def _is_open(facts: SkillFacts, settings: CuratorSettings) -> bool:
    return not any(ownership(facts, settings))


def alike(skills: Mapping[str, SkillFacts], threshold: float) -> Iterator[Pair]:
    """Yield every pair of skills that says the same to at least `threshold` and has no different subject."""
    portraits = {root: portrait(facts.key, facts.skill) for root, facts in sorted(skills.items())}
    weights = space(portraits.values())
    vectors = {root: weights.vector(found.whole) for root, found in portraits.items()}
    for one, other in _worth_a_look(vectors, threshold * WORTH_A_LOOK):
        pair = _pair(skills[one], skills[other], portraits, weights)
        if pair.similarity >= threshold and not differing(skills[one].skill, skills[other].skill):
            yield pair


def _worth_a_look(vectors: Mapping[str, Vector], least: float) -> list[tuple[str, str]]:
    """Return the pairs whose whole texts are alike enough, found through the terms that only few skills have."""
    limit = max(COMMON, len(vectors) // COMMON)
    holders: dict[str, list[str]] = {}
    for root, vector in vectors.items():
        for term in vector:
            holders.setdefault(term, []).append(root)
    rare = [roots for roots in holders.values() if 2 <= len(roots) <= limit]
    terms = Counter(root for roots in rare for root in roots)
    shared: Counter[tuple[str, str]] = Counter()
    for roots in rare:
        shared.update(combinations(roots, 2))
    near = sorted(pair for pair, count in shared.items() if count >= _enough(terms[pair[0]], terms[pair[1]]))
    return [(one, other) for one, other in near if dot(vectors[one], vectors[other]) >= least]


def _enough(one: int, other: int) -> float:
    return max(FEW_TERMS, SHARE_OF_TERMS * min(one, other))


def _pair(one: SkillFacts, other: SkillFacts, portraits: Mapping[str, Portrait], weights: Space) -> Pair:
    signs = tuple(_signs(one, other))
    found = similarity(portraits[one.root], portraits[other.root], weights)
    return Pair(one.root, other.root, min(1.0, round(found + SIGNAL * len(signs), 6)) if found else 0.0, signs)


def _signs(one: SkillFacts, other: SkillFacts) -> Iterator[str]:
    if one.skill.name.split("-")[0] == other.skill.name.split("-")[0]:
        yield "names start alike"
    shared = {document.blob for document in one.skill.documents} & {document.blob for document in other.skill.documents}
    if shared - {""}:
        yield f"{amount(len(shared), 'file')} in common"
    together = {use.session for use in one.uses if use.session} & {use.session for use in other.uses if use.session}
    if together:
        yield f"used together in {amount(len(together), 'session')}"


def _cluster(pair: Pair, pairs: Iterable[Pair], skills: Mapping[str, SkillFacts], taken: set[str]) -> Cluster | None:
    first, second = sorted((skills[pair.one], skills[pair.other]), key=_rank)
    if is_fixed(second):
        first, second = second, first
    if is_fixed(second):
        return None
    members = [pair]
    for near in pairs:
        other = {near.one, near.other} - {first.root}
        if near != pair and len(other) == 1 and not other & {*taken, second.root}:
            sibling = skills[other.pop()]
            if _rank(first) < _rank(sibling) and not is_fixed(sibling):
                members.append(near)
    siblings = tuple({near.one, near.other}.difference({first.root}).pop() for near in members)
    return Cluster(first.root, siblings, tuple(members))


def is_fixed(facts: SkillFacts) -> bool:
    """Say whether a skill must keep its name because a job (a workflow, cron) runs it by that name."""
    return any(reference.kind == "job" for reference in facts.references)


def _rank(facts: SkillFacts) -> tuple[int, int, int, int, str]:
    """Order members by who should be the target: most used, most referenced, largest, oldest, then by folder."""
    size = len(facts.skill.body)
    return -len(facts.uses), -len(facts.references), -size, facts.created or 2**62, facts.root
