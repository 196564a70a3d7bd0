"""The bank: all fair questions about a transcript, and a balanced choice of them; no model, no chance."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from hermes_git.evals import calls, cloze
from hermes_git.evals.question import Kind, Question
from hermes_git.evals.transcript import Transcript, Utterance

VERSION = "2"
"""Goes up with every change of what is asked, so that no exam is mixed from two."""

SHARES: dict[Kind, float] = {"recall": 0.25, "artefact": 0.25, "continuation": 0.2, "decision": 0.2, "content": 0.1}
PARTS = 5
"""Stretches of the transcript that questions are spread over."""


def questions(source: Transcript, count: int) -> tuple[Question, ...]:
    """Return up to `count` questions about the middle of a transcript, spread over kinds and places.

    A kind that has too few leaves its places to the others. The same transcript always gives the same exam.
    """
    return chosen(source.utterances(), source.middle(), source.digest, count)


def chosen(utterances: Sequence[Utterance], middle: frozenset[int], digest: str, count: int) -> tuple[Question, ...]:
    """Return up to `count` questions about the turns of `middle`; `digest` stands for the whole in their ids."""
    survey = cloze.known(utterances, middle)
    found = [
        *cloze.questions(utterances, middle, survey),
        *calls.questions(utterances, middle, survey.kept),
        *calls.firsts(utterances, middle, digest),
    ]
    found = _once(_numbered(found, digest))
    by_kind = {kind: _spread([one for one in found if one.kind == kind], middle) for kind in SHARES}
    quotas = _quotas({kind: len(some) for kind, some in by_kind.items()}, count)
    taken = [one for kind, some in by_kind.items() for one in some[: quotas[kind]]]
    return tuple(sorted(taken, key=lambda one: (one.turn, one.id)))


def _quotas(available: Mapping[Kind, int], count: int) -> Counter[Kind]:
    """Give places one by one to the kind that is furthest behind its share and has questions left."""
    quotas: Counter[Kind] = Counter()
    while quotas.total() < count:
        left = [kind for kind in SHARES if quotas[kind] < available[kind]]
        if not left:
            break
        quotas[min(left, key=lambda kind: (quotas[kind] + 1) / SHARES[kind])] += 1
    return quotas


def _numbered(found: Iterable[Question], digest: str) -> list[Question]:
    return [msgspec.structs.replace(one, id=_digest(digest, one.text, one.gold)[:12]) for one in found]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join((VERSION, *parts)).encode("utf-8", "surrogatepass")).hexdigest()


def _once(found: Sequence[Question]) -> list[Question]:
    """Keep one question for each gold answer and one for each sentence, by the order of their ids."""
    golds: set[str] = set()
    sources: set[str] = set()
    kept = []
    for one in sorted(found, key=lambda item: item.id):
        if one.gold.lower() not in golds and (not one.source or one.source not in sources):
            golds.add(one.gold.lower())
            sources.add(one.source)
            kept.append(one)
    return kept


def _spread(found: Sequence[Question], middle: frozenset[int]) -> list[Question]:
    """Order questions so that the first few of them, however many, come from all stretches of the middle in turn."""
    parts: list[list[Question]] = [[] for _ in range(PARTS)]
    for one in sorted(found, key=lambda item: item.id):
        parts[stretch(one, middle)].append(one)
    return [one for row in itertools.zip_longest(*parts) for one in row if one is not None]


def stretch(question: Question, middle: frozenset[int]) -> int:
    """Return in which of the equal stretches of the middle, from 0, a question's answer stands."""
    low, high = min(middle), max(middle) + 1
    return (question.turn - low) * PARTS // (high - low)


def negatives(own: Transcript, others: Sequence[tuple[Question, ...]], count: int) -> tuple[Question, ...]:
    """Return clozes about other transcripts, of whose sentences this one holds nothing: the right answer is none."""
    text = "\n".join(utterance.text for utterance in own.utterances()).lower()
    foreign = [one for exam in others for one in exam if one.form == "cloze" and one.gold.lower() not in text]
    foreign.sort(key=lambda one: _digest(own.digest, one.id))
    return tuple(
        Question(f"n{one.id}", "negative", "cloze", one.text, "", source=one.source) for one in foreign[:count]
    )
