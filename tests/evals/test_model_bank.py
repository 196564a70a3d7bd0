from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from hermes_git.evals import cloze
from hermes_git.evals.model_bank import ModelBank, checked, listed
from hermes_git.evals.question import Question
from hermes_git.evals.transcript import transcript
from hermes_git.llm.protocol import Message, Reply
from hermes_git.llm.scripted import Scripted
from tests.evals.transcripts import long_row

SOURCE = transcript("one", long_row())
SAID, MIDDLE = SOURCE.utterances(), SOURCE.middle()
SURVEY = cloze.known(SAID, MIDDLE)
GOOD = {
    "question": "Which file did the agent open because of the trace about zones?",
    "answer": "src/app/parser.py",
    "quote": "I will open src/app/parser.py because the trace names the function compare_parser_dates twice.",
    "kind": "artefact",
}


def test_a_question_that_the_record_bears_out_is_kept_with_its_place() -> None:
    found = checked(GOOD, SAID, SURVEY)
    assert isinstance(found, Question)
    assert (found.form, found.kind, found.gold) == ("open", "artefact", "src/app/parser.py")
    assert found.distractors >= 3
    assert found.turn in MIDDLE
    assert GOOD["quote"] in " ".join(next(one.text for one in SAID if one.turn == found.turn).split())


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"quote": "I will open src/app/parser.py, I think."}, "no such quote"),
        ({"answer": "src/app/clock.py"}, "the answer is not in the quote"),
        ({"question": "Was src/app/parser.py opened?"}, "the question holds the answer"),
        ({"answer": "twice"}, "too few distractors"),
        ({"kind": 3}, "not an object with these keys"),
        ({"answer": " "}, "not an object with these keys"),
    ],
)
def test_others_are_refused_with_a_reason(changed: dict[str, Any], reason: str) -> None:
    assert checked(GOOD | changed, SAID, SURVEY) == reason


def test_an_answer_that_always_stays_is_no_question() -> None:
    row = long_row()
    row["conversations"][1]["value"] += " It may be src/app/parser.py."
    source = transcript("one", row)
    survey = cloze.known(source.utterances(), source.middle())
    assert checked(GOOD, source.utterances(), survey) == "the answer is in the turns that stay"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("[]", []),
        ('Here they are:\n```json\n[{"a": 1}]\n```', [{"a": 1}]),
        ("no list", None),
        ("] [", None),
        ("[1, 2", None),
        ("[" * 100_000 + "]" * 100_000, None),
    ],
)
def test_lists_in_replies(text: str, rows: object) -> None:
    assert listed(text) == rows


def test_the_model_is_asked_about_thirds_and_what_it_writes_is_checked() -> None:
    seen: list[Sequence[Message]] = []

    def write(messages: Sequence[Message]) -> Reply:
        seen.append(messages)
        return Reply(json.dumps([GOOD, GOOD | {"answer": "42"}]) if len(seen) < 3 else "I would rather not")

    bank = ModelBank(Scripted(write))
    found = bank(SOURCE, 6)
    assert [one.gold for one in found] == ["src/app/parser.py"]
    assert found[0].id.startswith("m")
    assert len(seen) == 3
    assert bank.refused["no list"] == 1
    assert bank.refused["the answer is not in the quote"] + bank.refused["no such quote"] == 3
    assert bank(SOURCE, 6) == ()


def test_no_more_questions_than_asked_for() -> None:
    rows = [GOOD | {"question": f"{GOOD['question']} ({number})"} for number in range(9)]
    assert len(ModelBank(Scripted(lambda _: Reply(json.dumps(rows))))(SOURCE, 2)) <= 2
