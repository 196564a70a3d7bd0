from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hermes_git.evals.grade import grade
from hermes_git.evals.question import Answer, Question
from hermes_git.evals.reader import ExtractiveReader

LINES = (
    "I will use the retry limit of 7 attempts because the upstream times out.",
    "Bash: command: pytest -q tests/test_date.py; description: Run the flaky date test again",
    "FAILED tests/test_date.py::test_today - AssertionError: 2 != 3",
    "Read: file_path: src/dates/local_time.py; offset: 120",
    "The root cause is that local time is compared with UTC in compare_dates.",
    "Edit: file_path: src/dates/zones.py; old_string: return now(); new_string: return utc_now()",
)
READER = ExtractiveReader(LINES)


def ask(text: str, *, form: str = "cloze", options: tuple[str, ...] = ()) -> str:
    return READER.answer(Question("", "recall", form, text, "", options=options)).text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I will use the retry limit of ____ attempts because the upstream times out.", "7"),
        ("The root cause is that local time is compared with UTC in ____.", "compare_dates"),
        ("FAILED ____ - AssertionError: 2 != 3", "tests/test_date.py::test_today"),
        ("____ is nowhere to be found in any of these sentences at all", ""),
        ("The deployment to the staging cluster used ____ replicas in the end.", ""),
    ],
)
def test_blanks(text: str, answer: str) -> None:
    assert ask(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("In the call of Bash with description: 'Run the flaky date test again', what was command?",
         "pytest -q tests/test_date.py"),
        ("In the call of Edit with new_string: 'return utc_now()', what was file_path?", "src/dates/zones.py"),
        ("In the call of Edit with new_string: 'drop table users', what was file_path?", ""),
    ],
)  # fmt: skip
def test_arguments(text: str, answer: str) -> None:
    assert ask(text, form="argument") == answer


def test_order_needs_all_options() -> None:
    options = ("src/dates/zones.py", "src/dates/local_time.py", "pytest -q tests/test_date.py", "retry limit of 7")
    assert ask("", form="first", options=options) == "retry limit of 7"
    assert ask("", form="first", options=(*options, "gone")) == ""


def test_an_empty_context_answers_nothing() -> None:
    empty = ExtractiveReader(())
    assert empty.answer(Question("", "recall", "cloze", "the answer is ____ here", "42")) == Answer()


@pytest.mark.parametrize(
    ("gold", "given", "points"),
    [
        ("src/a.py", "src/a.py", 2),
        ("src/a.py", "`src/a.py`", 2),
        ("1,234", "1234", 2),
        ("7.0", "7", 2),
        ("Update the hook to restore", "Update the hook", 1),
        ("src/a.py", "src/b.py", 1),
        ("alpha", "beta", 0),
        ("alpha", "", 0),
    ],
)
def test_grades(gold: str, given: str, points: int) -> None:
    assert grade(Question("", "recall", "cloze", "", gold), Answer(given)) == points


def test_a_negative_is_right_when_left_unanswered() -> None:
    negative = Question("", "negative", "cloze", "", "")
    assert (grade(negative, Answer()), grade(negative, Answer("guess"))) == (2, 0)


SCRIPT = """
from hermes_git.evals.reader import ExtractiveReader
words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda".split()
lines = [" ".join(words[place % 11] for place in range(start, start + 7)) for start in range(40)]
print([ExtractiveReader(lines).nearest(" ".join(words[first:])) for first in range(5)])
"""


def test_the_order_of_lines_does_not_depend_on_how_a_process_hashes() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    ]
    assert told[0] == told[1] == told[2]
    assert len(told[0]) > 1000
