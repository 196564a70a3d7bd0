from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from hermes_git.settings import STYLES as SETTINGS_STYLES
from hermes_git.tokens import choose
from hermes_git.trajectories import style_atif, style_messages, validate
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.convert import convert, counted, for_trainers
from hermes_git.trajectories.styles import STYLES
from tests.trajectories.sessions import FLAKY, call, message, session
from tests.trajectories.test_convert import BROKEN, hostile

MESSAGES = ("trl", "axolotl", "openai")
LONG = session(
    message("user", "go"),
    *(
        row
        for number in range(12)
        for row in (
            message("assistant", "on it", reasoning="hm", calls=(call(number), call(100 + number))),
            message("tool", f"line {number} " + "word " * 200, answers=f"c{number}"),
            message("tool", f"other {number} " + "word " * 100, answers=f"c{100 + number}"),
        )
    ),
    message("assistant", "done"),
    system_prompt="You help.",
)


def test_settings_know_all_styles() -> None:
    assert set(SETTINGS_STYLES) == set(STYLES)


@pytest.mark.parametrize("style", MESSAGES)
@pytest.mark.parametrize("arguments", ['{"path": "a"}', '{"t": "</think> <tool_call>"}', *BROKEN])
def test_hostile_content_comes_back_exactly(style: str, arguments: str) -> None:
    made = for_trainers(convert(hostile(arguments)))
    ordered, row = STYLES[style].row(made)
    again = json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8"))
    assert style_messages.parse(again) == ordered.turns
    assert list(validate.TRAINERS[STYLES[style].trainer](again)) == []


@pytest.mark.parametrize("style", [*MESSAGES, "sharegpt"])
@pytest.mark.parametrize("budget", [500, 1500, 3000])
def test_compressed_rows_obey_their_trainer(style: str, budget: int) -> None:
    row = STYLES[style].row(convert(LONG))[1]
    after, metrics = Compressor(Options(budget), choose.default())(row)
    assert list(validate.TRAINERS[STYLES[style].trainer](after)) == []
    assert metrics.was_compressed
    assert metrics.compressed_tokens <= budget or metrics.still_over_limit


@pytest.mark.parametrize("budget", [500, 1500, 3000])
def test_parallel_calls_keep_as_many_results_when_compressed(budget: int) -> None:
    row = STYLES["sharegpt"].row(convert(LONG))[1]
    after = dict(Compressor(Options(budget), choose.default())(row)[0])
    turns = after["conversations"]
    for here, following in itertools.pairwise(turns):
        if here["from"] == "function_call":
            calls = here["value"].partition("<tool_call>")[2].partition("</tool_call>")[0]
            assert len(json.loads(calls)) == len(json.loads(following["value"])) == 2


def test_trl_has_objects_and_axolotl_has_text() -> None:
    calls: dict[str, Any] = {
        style: STYLES[style].row(convert(FLAKY))[1]["messages"][1]["tool_calls"][0]["function"]["arguments"]
        for style in MESSAGES
    }
    assert calls["trl"] == {"command": "pytest -q"}
    assert calls["axolotl"] == calls["openai"] == '{"command": "pytest -q"}'


def test_openai_rows_have_no_thoughts_and_say_so() -> None:
    ordered, row = STYLES["openai"].row(convert(FLAKY))
    assert "Probably time zone" not in json.dumps(row)
    assert counted(ordered.marks)["thoughts-left-out"] == 1
    assert row["tools"][0]["function"]["name"] == "terminal"


def test_atif_keeps_results_beside_their_calls() -> None:
    document: Any = style_atif.render(for_trainers(convert(FLAKY)))
    assert [step["step_id"] for step in document["steps"]] == [1, 2, 3]
    called = document["steps"][1]
    assert called["reasoning_content"] == "Probably time zone."
    assert called["tool_calls"][0]["arguments"] == {"command": "pytest -q"}
    assert called["observation"]["results"] == [{"source_call_id": "c1", "content": "1 failed"}]


@pytest.mark.parametrize("style", STYLES)
def test_every_row_says_where_it_comes_from_in_text_fields(style: str) -> None:
    row = STYLES[style].row(convert(FLAKY, source="abc"))[1]
    about = (row["extra"] if style == "atif" else row)["metadata"]
    assert about["session"] == "s1"
    assert all(isinstance(value, str) for value in about.values())
