from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hermes_git.evals import bank
from hermes_git.evals.exam import Paper, leaks
from hermes_git.evals.grade import grade
from hermes_git.evals.question import Question
from hermes_git.evals.reader import ExtractiveReader
from hermes_git.evals.shapes import sentences, terms
from hermes_git.evals.transcript import Transcript, context, transcript
from tests.evals.transcripts import long_row


@pytest.fixture(scope="module")
def one() -> Transcript:
    """Return a transcript."""
    return transcript("one", long_row())


@pytest.fixture(scope="module")
def asked(one: Transcript) -> tuple[Question, ...]:
    """Return its exam."""
    return bank.questions(one, 20)


def test_the_exam_is_full_balanced_and_repeatable(one: Transcript, asked: tuple[Question, ...]) -> None:
    assert len(asked) == 20
    assert set(Counter(question.kind for question in asked)) >= {"recall", "artefact", "continuation", "decision"}
    assert asked == bank.questions(transcript("again", long_row()), 20)
    assert len({question.id for question in asked}) == len(asked)


def test_questions_are_about_the_middle_and_have_distractors(one: Transcript, asked: tuple[Question, ...]) -> None:
    kept = [utterance.text for utterance in one.utterances() if utterance.turn not in one.middle()]
    for question in asked:
        assert question.turn in one.middle()
        assert question.distractors >= 3
        assert not any(question.gold in text.split() for text in kept)


def test_no_question_gives_its_answer_away(one: Transcript, asked: tuple[Question, ...]) -> None:
    assert leaks(Paper("one", one.digest, 0, asked)) == []
    leaking = Question("x", "recall", "cloze", "the answer is 42 and ____", "42")
    assert leaks(Paper("one", one.digest, 0, (leaking,))) == ["x"]


def test_the_whole_transcript_answers_and_nothing_else_does(one: Transcript, asked: tuple[Question, ...]) -> None:
    full, none, other = (ExtractiveReader(lines) for lines in (context(one.row), (), context(long_row(seed=7))))
    points = [sum(grade(question, reader.answer(question)) for question in asked) for reader in (full, none, other)]
    assert points[0] >= 2 * len(asked) * 0.9
    assert points[1] == 0
    assert points[2] <= 2 * len(asked) * 0.1


def test_negatives_come_from_other_transcripts(one: Transcript) -> None:
    other = bank.questions(transcript("other", long_row(seed=7)), 20)
    found = bank.negatives(one, [other], 3)
    assert [question.kind for question in found] == ["negative"] * 3
    assert all(not question.gold for question in found)


def test_a_short_transcript_gives_a_short_exam() -> None:
    short = {"conversations": long_row()["conversations"][:5]}
    assert bank.questions(transcript("short", short), 20) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see src/app/a.py:12 for it", [("path", "src/app/a.py"), ("number", "12")]),
        ("run with --max-fail and MAX_SIZE", [("flag", "--max-fail"), ("name", "MAX_SIZE")]),
        (
            "a ValueError at https://example.invalid/x?y=1",
            [("error", "ValueError"), ("url", "https://example.invalid/x?y=1")],
        ),
        ("commit 9f4c5cc took 1,250ms", [("hex", "9f4c5cc"), ("number", "1,250ms")]),
        ("plain words only", []),
    ],
)
def test_terms(text: str, found: list[tuple[str, str]]) -> None:
    assert [(shape, term) for shape, _, _, term in terms(text)] == found


def test_sentences_keep_paths_whole() -> None:
    assert list(sentences("Open src/a.py first. Then run it!\nDone")) == [
        "Open src/a.py first.",
        "Then run it!",
        "Done",
    ]


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "a/" * 100_000, "_" * 100_000, "1." * 100_000, "A" * 100_000 + "Error"]
)
def test_long_runs_take_linear_time(text: str) -> None:
    assert len(list(terms(text))) >= 0


def test_real_transcripts_have_an_exam_that_is_worth_something(data: Path) -> None:
    import json

    path = data / "trajectories/hermes-format/claude_code_entire.jsonl"
    rows = [json.loads(line) for line in path.read_bytes().splitlines()[12:28:3]]
    earned = possible = 0
    for number, row in enumerate(rows):
        made = transcript(str(number), row)
        reader = ExtractiveReader(context(row))
        for question in bank.questions(made, 20):
            earned += grade(question, reader.answer(question))
            possible += 2
    assert possible >= 120
    assert earned / possible >= 0.9
