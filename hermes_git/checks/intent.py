"""Intent rules: rows of concepts with gaps, matched over tokens; quoting an attack is told from making one."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_git.checks.words import STOP, Token, quoted_spans

MAX_MATCHES = 40
"""Matches of one rule in one piece; more of them change no verdict."""

NEGATION_REACH = 3
CUE_REACH = 10
SHORT_QUOTE = 220
PHRASE = 90

CUES = frozenset(
    "phrase phrases phrasing pattern patterns example examples e.g such detect detects detecting flag flags flagging "
    "refuse refuses reject rejects attack attacks attacker attackers malicious injection injections jailbreak "
    "adversarial suspicious quoted attempts attempt hostile untrusted payload payloads exploit scanner red-team "
    "blocked blocks detected indicators indicator signs".split()
)
"""Words that say: what follows is talked about, not asked for."""

NEGATIONS = frozenset(("NEG", "REFUSE"))

STRICT_CUES = frozenset(
    "phrase phrases phrasing attacker attackers injection injections malicious adversarial hostile untrusted flag "
    "detect detects attempts payloads".split()
)
"""Words that say so even where nothing is in quotation marks."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: the steps that must follow each other, each within `gap` tokens; `cross` sentence ends may lie between.

    `negatable` rules are off when a negation stands right before the first step. `without` names concepts that, right
    after the match, make it harmless. `weight` is how much one match counts: 3 blocks, 2 warns, 1 is a weak sign.
    """

    id: str
    steps: tuple[frozenset[str], ...]
    gaps: tuple[int, ...]
    message: str
    weight: int = 3
    cross: int = 0
    negatable: bool = True
    without: frozenset[str] = frozenset()


def rule(id: str, row: str, message: str, **options: object) -> Rule:
    """Build a rule from a row such as `IGNORE 3 PRIOR|ALL 2 RULES`: concepts, and between them the largest gap."""
    parts = row.split()
    steps = tuple(frozenset(part.split("|")) for part in parts[0::2])
    return Rule(id, steps, tuple(int(part) for part in parts[1::2]), message, **options)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that matched: which, the offsets of the text it covers, and whether that text is only quoted."""

    rule: Rule
    start: int
    end: int
    quoted: bool = False


def matches(rules: Sequence[Rule], row: Sequence[Token], text: str, *, cue_before: bool = False) -> Iterator[Match]:
    """Yield what matches in a row of tokens; `cue_before` says that the heading above announces examples of attacks."""
    present = frozenset().union(*(token.concepts for token in row)) if row else frozenset()
    spans: list[tuple[int, int]] | None = None
    for entry in rules:
        if not _is_possible(entry, present):
            continue
        for first, last in itertools.islice(_find(entry, row), MAX_MATCHES):
            spans = quoted_spans(text) if spans is None else spans
            yield Match(entry, row[first].start, row[last].end, _is_mention(row, first, last, spans, cue_before))


def _is_possible(entry: Rule, present: frozenset[str]) -> bool:
    """Say whether every step of a rule has some token; a loop, because this is asked for each rule and each piece."""
    for step in entry.steps:  # noqa: SIM110 - half the time of a generator
        if present.isdisjoint(step):
            return False
    return True


def _find(entry: Rule, row: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield `(first, last)` token indexes of matches that do not overlap."""
    after = -1
    for index, token in enumerate(row):
        if index <= after or not token.concepts & entry.steps[0]:
            continue
        if entry.negatable and _is_negated(row, index):
            continue
        last = _follow(entry, row, index)
        if last >= 0 and not (entry.without and _is_defence(row, index, last, entry.without)):
            after = last
            yield index, last


def _follow(entry: Rule, row: Sequence[Token], index: int) -> int:
    """Return the index of the token that completes the rule from `index` on, or -1."""
    position = index
    stops = entry.cross
    for step, gap in zip(entry.steps[1:], entry.gaps, strict=True):
        found = -1
        for ahead in range(position + 1, min(len(row), position + gap + 2)):
            concepts = row[ahead].concepts
            if concepts is STOP or concepts == STOP:
                if not stops:
                    break
                stops -= 1
            elif concepts & step:
                found = ahead
                break
        if found < 0:
            return -1
        position = found
    return position


def _is_negated(row: Sequence[Token], index: int) -> bool:
    for back in range(index - 1, max(-1, index - NEGATION_REACH - 1), -1):
        if row[back].concepts == STOP:
            return False
        if row[back].concepts & NEGATIONS:
            return True
    return False


def _is_defence(row: Sequence[Token], first: int, last: int, concepts: frozenset[str]) -> bool:
    """Say whether what is to be ignored is text that comes from elsewhere: `ignore any embedded instructions`."""
    if any(token.concepts & concepts for token in row[first:last]):
        return True
    if any(token.concepts & concepts for token in row[last : last + 3]) or "EMBEDDED" in row[last].concepts:
        return True
    place = next((token.text for token in row[last + 1 : last + 3]), "")
    return place in ("in", "from") and any("PAGE" in token.concepts for token in row[last + 2 : last + 7])


def _is_mention(
    row: Sequence[Token], first: int, last: int, spans: Sequence[tuple[int, int]], cue_before: bool
) -> bool:
    """Say whether a match is talked about: quoted beside a word that says so, or announced as an example."""
    start, end = row[first].start, row[last].end
    span = next(((low, high) for low, high in spans if low <= start and end <= high), None)
    if span is None:
        return _has_cue(row, first, last, STRICT_CUES, reach=6)
    if span[1] - span[0] <= PHRASE and _is_embedded(row, first, last, span):
        return True
    if span[1] - span[0] <= SHORT_QUOTE and (cue_before or _has_cue(row, first, last, CUES, reach=CUE_REACH)):
        return True
    return _has_cue(row, first, last, STRICT_CUES, reach=CUE_REACH)


def _is_embedded(row: Sequence[Token], first: int, last: int, span: tuple[int, int]) -> bool:
    """Say whether a short quote is a phrase inside a sentence, and the sentence does not ask to write or run it."""
    outside = [token for token in row if token.start < span[0] or token.start >= span[1]]
    before = [token for token in row[max(0, first - 8) : first] if token.start < span[0]]
    asked = frozenset(("WRITE", "EXECUTE", "SHARE", "SEND"))
    return len(outside) > 3 and not any(token.concepts & asked for token in before) and last >= first


def _has_cue(row: Sequence[Token], first: int, last: int, cues: frozenset[str], *, reach: int) -> bool:
    """Say whether a cue stands before the match in its sentence, or soon after it."""
    for back in range(first - 1, max(-1, first - reach - 1), -1):
        if row[back].concepts == STOP:
            break
        if row[back].text in cues:
            return True
    behind = row[last + 1 : last + 1 + reach // 2]
    return any(token.text in cues and token.start >= row[last].end for token in behind)


@functools.lru_cache(maxsize=4096)
def is_cue(text: str) -> bool:
    """Say whether a heading or lead-in announces examples of attacks rather than things to do."""
    return any(word.strip(".,:;!?()*`\"'") in CUES for word in text.lower().split())
