from __future__ import annotations

import hashlib

import msgspec
import pytest

from hermes_git.evals import bank
from hermes_git.evals.paper_cache import cached_questions, decode, name_of
from hermes_git.evals.question import Question
from hermes_git.evals.transcript import Transcript, capped, transcript
from hermes_git.tokens import choose
from tests.evals.transcripts import long_row

COUNTER = choose.default()


class Kept(dict[str, bytes]):
    """A store in memory."""

    def put(self, name: str, data: bytes) -> None:
        self[name] = data


def never(source: Transcript, count: int) -> tuple[Question, ...]:
    raise AssertionError("asked again")


def test_an_exam_is_set_once() -> None:
    store, one = Kept(), transcript("one", long_row())
    asked = cached_questions(store, one, 20)
    assert asked == bank.questions(one, 20)
    assert cached_questions(store, transcript("renamed", long_row()), 20, never) == asked
    with pytest.raises(AssertionError):
        cached_questions(store, transcript("one", long_row(7)), 20, never)


def test_the_name_holds_all_that_questions_depend_on() -> None:
    one = transcript("one", long_row())
    cut = capped(one, 2000, COUNTER)
    assert len({name_of(one, 20), name_of(one, 21), name_of(one, 20, "model"), name_of(cut, 20)}) == 4


def test_a_damaged_exam_is_set_again() -> None:
    store, one = Kept(), transcript("one", long_row())
    store[name_of(one, 20)] = b'{"half": '
    assert cached_questions(store, one, 20) == bank.questions(one, 20)
    assert decode(store[name_of(one, 20)]) is not None
    assert decode(b"[1, 2]") is None


def test_a_cap_cuts_whole_turns() -> None:
    one = transcript("one", long_row())
    assert capped(one, 0, COUNTER) is one
    assert capped(one, 10**9, COUNTER) is one
    cut = capped(one, 2000, COUNTER)
    total = sum(COUNTER.count(turn.text) for turn in cut.view.turns)
    assert 1000 < total <= 2000
    assert cut.view.turns == one.view.turns[: len(cut.view.turns)]
    assert len(capped(one, 1, COUNTER).view.turns) == 1


def test_the_version_goes_up_with_every_change_of_what_is_asked() -> None:
    """Raise `bank.VERSION` and this digest together: exams that are kept would be mixed with new ones."""
    asked = bank.questions(transcript("one", long_row()), 20)
    assert (bank.VERSION, hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:12]) == ("2", "1c25a5e92c22")
