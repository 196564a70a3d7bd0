from __future__ import annotations

from collections.abc import Sequence

import pytest

from hermes_git.evals.model_reader import ABSENT, ModelReader, told
from hermes_git.evals.question import Answer, Question
from hermes_git.llm.protocol import Message, Reply
from hermes_git.llm.scripted import Scripted

QUESTION = Question("q", "recall", "cloze", "The retry limit is ____ attempts in total.", "7")


def reader(lines: Sequence[str], seen: list[Sequence[Message]], max_chars: int = 700_000) -> ModelReader:
    def answer(messages: Sequence[Message]) -> Reply:
        seen.append(messages)
        return Reply("7\nas the record says")

    return ModelReader(lines, Scripted(answer), max_chars)


def test_each_question_is_a_fresh_chat_that_sees_context_and_question_alone() -> None:
    seen: list[Sequence[Message]] = []
    asked = reader(("The retry limit is 7 attempts in total.", "Nothing else."), seen)
    assert [asked.answer(QUESTION).text for _ in range(2)] == ["7", "7"]
    assert [[message.role for message in messages] for messages in seen] == [["system", "user"]] * 2
    assert seen[0] == seen[1]
    shown = seen[0][1].content
    assert shown == "The retry limit is 7 attempts in total.\nNothing else.\n\n---\nQuestion: " + QUESTION.text


def test_nothing_is_asked_about_an_empty_context() -> None:
    seen: list[Sequence[Message]] = []
    assert reader((), seen).answer(QUESTION) == Answer()
    assert seen == []


def test_of_a_long_context_the_nearest_lines_are_shown_in_their_order() -> None:
    seen: list[Sequence[Message]] = []
    noise = [f"line {number} of a log that says nothing of it" for number in range(2000)]
    lines = [*noise, "The retry limit is 7 attempts in total.", *noise, "An earlier retry limit was 5 attempts."]
    reader(lines, seen, 500).answer(QUESTION)
    shown = seen[0][1].content.split("\n\n---\n")[0].split("\n")
    assert [lines[2000], lines[-1]] == [line for line in shown if "retry" in line]
    assert sum(len(line) + 1 for line in shown) <= 500


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("7", "7"),
        ("  src/app.py \nbecause it says so", "src/app.py"),
        (ABSENT, ""),
        ("not in context.", ""),
        (" \n", ""),
    ],
)
def test_answers(text: str, answer: str) -> None:
    assert told(text).text == answer
