"""Queries whose answer is known to stand in one message of a session: what a search of sessions is examined with.

The sentences come from the same bank as the questions about compression. A query holds words of the sentence, in one
form all of them but the answer, in the other four; never the answer itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_git.evals import bank, cloze, shapes
from hermes_git.evals.question import BLANK, Question
from hermes_git.evals.transcript import Utterance
from hermes_git.sessions.model import Message, Session
from hermes_git.trajectories.plain import Kind

Form = Literal["sentence", "words"]
FEW, LEAST_LETTERS = 4, 4
Place = tuple[str, int]
"""The id of a session and of a message in it."""

SPOKEN: dict[str, Kind] = {"user": "asked", "assistant": "said", "tool": "result"}
SEARCHED = ("active", "compacted")


@dataclass(frozen=True, slots=True)
class Query:
    """One query: its words, the question it was made from, the session that was asked, and where the sentence stands.

    A sentence that several messages hold, as continued sessions do, has several places.
    """

    id: str
    form: Form
    text: str
    question: Question
    session: str
    places: frozenset[Place]

    @property
    def sessions(self) -> frozenset[str]:
        """Return the sessions that hold the sentence."""
        return frozenset(session for session, _ in self.places)


def utterances(session: Session) -> Iterator[Utterance]:
    """Yield what a session says, message by message; what was undone, or written by the harness, is not asked about."""
    for message in session.messages:
        if message.state in SEARCHED and message.role in SPOKEN:
            yield Utterance(message.id, SPOKEN[message.role], message.content, message.tool_name)
            if message.reasoning:
                yield Utterance(message.id, "thought", message.reasoning)
            yield from _calls(message)


def _calls(message: Message) -> Iterator[Utterance]:
    for call in message.tool_calls:
        try:
            given = json.loads(call.arguments)
        except (ValueError, RecursionError):
            continue
        if isinstance(given, dict):
            told = tuple((name, value) for name, value in given.items() if isinstance(value, str))
            yield Utterance(message.id, "call", call.arguments, call.name, arguments=told)


def queries(sessions: Sequence[Session], asked: Iterable[Session], count: int) -> list[Query]:
    """Return the queries about up to `count` sentences of each session in `asked`, placed among all `sessions`."""
    found = [(session, question) for session in asked for question in _questions(session, count)]
    places = _places(sessions, frozenset(question.source for _, question in found))
    return [
        Query(question.id, form, text, question, session.id, frozenset(places[question.source]))
        for session, question in found
        for form, text in _forms(question)
    ]


def _questions(session: Session, count: int) -> list[Question]:
    said = tuple(utterances(session))
    middle = frozenset(one.turn for one in said)
    found = bank.chosen(said, middle, session.digest or session.id, 4 * count) if middle else ()
    plain = [question for question in found if question.form == "cloze"]
    return sorted(plain, key=lambda one: one.id)[:count]


def _forms(question: Question) -> Iterator[tuple[Form, str]]:
    told = list(dict.fromkeys(shapes.words(question.text.replace(BLANK, " "))))
    yield "sentence", " ".join(told)
    long = [word for word in told if len(word) >= LEAST_LETTERS]
    few = sorted(long, key=lambda word: hashlib.sha256(f"{question.id}\0{word}".encode()).digest())[:FEW]
    if len(few) == FEW:
        yield "words", " ".join(few)


def _places(sessions: Iterable[Session], sources: frozenset[str]) -> dict[str, set[Place]]:
    found: dict[str, set[Place]] = {source: set() for source in sources}
    for session in sessions:
        for said in utterances(session):
            for sentence in cloze.askable(said):
                if sentence in sources:
                    found[sentence].add((session.id, said.turn))
    return found
