"""Is what could be answered before a change of the knowledge still answerable after it?

Questions are asked about the files that the change touches, each with an exact answer in one sentence, and only those
count that the whole knowledge answers before the change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from hermes_git.evals import cloze
from hermes_git.evals.grade import FULL, grade
from hermes_git.evals.question import Question
from hermes_git.evals.reader import ExtractiveReader
from hermes_git.evals.transcript import Utterance

Texts = Mapping[str, str]
"""The text of each file by its path."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, the file it was made from, and whether it is answered after the change, and by what is active.

    `is_there` says that the very sentence still stands somewhere: what is not answered then was misread, not lost.
    """

    question: Question
    path: str
    is_answered: bool
    is_active: bool
    is_there: bool

    @property
    def is_lost(self) -> bool:
        """Say whether nothing tells the answer any more."""
        return not (self.is_answered or self.is_there)


def questions(before: Texts, touched: Iterable[str], count: int) -> list[tuple[str, Question]]:
    """Return up to `count` questions about each touched file, with the path it was made from.

    A line that several files hold is asked about once: it has one answer, wherever it stands.
    """
    paths = sorted(before)
    seen: set[str] = set()
    said = [Utterance(place, "said", "\n".join(_unseen(before[path], seen))) for place, path in enumerate(paths)]
    wanted = frozenset(place for place, path in enumerate(paths) if path in frozenset(touched))
    everywhere = frozenset(range(len(paths)))
    by_file: dict[int, list[Question]] = {}
    for question in cloze.questions(said, wanted, cloze.known(said, everywhere)):
        by_file.setdefault(question.turn, []).append(question)
    return [(paths[place], question) for place, found in by_file.items() for question in _chosen(found, count)]


def _unseen(text: str, seen: set[str]) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip() not in seen:
            seen.add(line.strip())
            yield line


def _chosen(found: Sequence[Question], count: int) -> list[Question]:
    """Take one question of a sentence, and of those some by digest."""
    named = [msgspec.structs.replace(one, id=_digest(one.source, one.gold)) for one in found]
    by_sentence = {one.source: one for one in sorted(named, key=lambda one: one.id, reverse=True)}
    return sorted(by_sentence.values(), key=lambda one: one.id)[:count]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def examined(asked: Iterable[tuple[str, Question]], before: Texts, after: Texts, active: Texts) -> list[Asked]:
    """Return what became of each question that is answered before; `active` is what is not archived after."""
    readers = [ExtractiveReader(_lines(texts)) for texts in (before, after, active)]
    whole = " ".join(" ".join(after[path] for path in sorted(after)).split())
    found = []
    for path, question in asked:
        was, still, now = (grade(question, reader.answer(question)) == FULL for reader in readers)
        if was:
            found.append(Asked(question, path, still, now, " ".join(question.source.split()) in whole))
    return found


def _lines(texts: Texts) -> list[str]:
    return [line for path in sorted(texts) for line in texts[path].split("\n") if line.strip()]
