"""The bank: all fair questions about a transcript, and a balanced choice of them; no model, no chance."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from hermes_git.evals import calls, cloze
from hermes_git.evals.question import Kind, Question
from hermes_git.evals.transcript import Transcript

VERSION = "1"
SHARES: dict[Kind, float] = {"recall": 0.25, "artefact": 0.25, "continuation": 0.2, "decision": 0.2, "content": 0.1}
PARTS = 5
"""Stretches of the transcript that questions are spread over."""


def questions(source: Transcript, count: int) -> tuple[Question, ...]:
    """Return up to `count` questions about the middle of a transcript, spread over kinds and places.

    A kind that has too few leaves its places to the others. The same transcript always gives the same exam.
    """
    utterances, middle = source.utterances(), source.middle()
    survey = cloze.known(utterances, middle)
    found = [
        *cloze.questions(utterances, middle, survey),
        *calls.questions(utterances, middle, survey.kept),
        *calls.firsts(utterances, middle, source.digest),
    ]
    found = _once(_numbered(found, source))
    chosen: list[Question] = []
    for kind, share in SHARES.items():
        chosen += _spread([one for one in found if one.kind == kind], round(count * share))
    rest = [one for one in found if one not in set(chosen)]
    chosen += _spread([one for one in rest if one.kind != "content"], count - len(chosen))
    chosen += _spread([one for one in rest if one.kind == "content"], count - len(chosen))
    return tuple(sorted(chosen[:count], key=lambda one: (one.turn, one.id)))


def _numbered(found: Iterable[Question], source: Transcript) -> list[Question]:
    return [msgspec.structs.replace(one, id=_digest(source.digest, one.text, one.gold)[:12]) for one in found]


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


def _spread(found: Sequence[Question], count: int) -> list[Question]:
    """Take `count` questions in turn from equal stretches of the transcript."""
    if not found or count <= 0:
        return []
    ordered = sorted(found, key=lambda one: (one.turn, one.id))
    low, high = ordered[0].turn, ordered[-1].turn + 1
    parts: list[list[Question]] = [[] for _ in range(PARTS)]
    for one in sorted(ordered, key=lambda item: item.id):
        parts[(one.turn - low) * PARTS // (high - low)].append(one)
    chosen: list[Question] = []
    while len(chosen) < count and any(parts):
        for part in parts:
            if part and len(chosen) < count:
                chosen.append(part.pop(0))
    return chosen


def negatives(own: Transcript, others: Sequence[tuple[Question, ...]], count: int) -> tuple[Question, ...]:
    """Return clozes about other transcripts, of whose sentences this one holds nothing: the right answer is none."""
    text = "\n".join(utterance.text for utterance in own.utterances()).lower()
    foreign = [one for exam in others for one in exam if one.form == "cloze" and one.gold.lower() not in text]
    foreign.sort(key=lambda one: _digest(own.digest, one.id))
    return tuple(
        Question(f"n{one.id}", "negative", "cloze", one.text, "", source=one.source) for one in foreign[:count]
    )
