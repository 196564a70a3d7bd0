from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from hermes_git.trajectories import style_hermes, style_sharegpt, validate
from hermes_git.trajectories.convert import convert, for_trainers
from tests.trajectories.rows import Row, chat, sharegpt
from tests.trajectories.sessions import FLAKY

GOOD = style_sharegpt.render(for_trainers(convert(FLAKY)))
CHAT = chat(1)


def edited(base: Row, change: Callable[[Any], object]) -> Row:
    made = copy.deepcopy(base)
    change(made)
    return made


def turns(made: Row) -> list[Row]:
    found: list[Row] = made.get("conversations", made.get("messages"))
    return found


def function(made: Row) -> Row:
    found: Row = turns(made)[2]["tool_calls"][0]["function"]
    return found


FIRES = {
    "llamafactory": [
        ("no-conversations", edited(GOOD, lambda row: row.pop("conversations"))),
        ("alternation", edited(GOOD, lambda row: turns(row).insert(3, {"from": "human", "value": "x"}))),
        ("alternation", edited(GOOD, lambda row: turns(row).insert(3, {"from": "observation", "value": "x"}))),
        ("alternation", edited(GOOD, lambda row: turns(row).pop(0))),
        ("alternation", edited(GOOD, lambda row: turns(row).insert(2, {"from": "system", "value": "x"}))),
        ("parity", edited(GOOD, lambda row: turns(row).pop())),
        ("parity", {"conversations": [{"from": "system", "value": "s"}]}),
        ("parity", edited(GOOD, lambda row: row.update(chosen=turns(row)[3], rejected=turns(row)[3]))),
        ("ranking", edited(GOOD, lambda row: row.update(chosen=turns(row).pop(), rejected="no"))),
        ("text", edited(GOOD, lambda row: turns(row)[0].update(value=None))),
        ("function-json", edited(GOOD, lambda row: turns(row)[1].update(value="not json"))),
        (
            "function-json",
            edited(GOOD, lambda row: turns(row)[1].update(value='prose\n[{"name": 1, "arguments": {}}]')),
        ),
        ("function-json", edited(GOOD, lambda row: turns(row)[1].update(value='[{"name": "x"}]'))),
        (
            "function-json",
            edited(GOOD, lambda row: turns(row)[1].update(value='<think>\na\n</think>\n[{"name": "x"}]')),
        ),
        ("column", edited(GOOD, lambda row: row.update(tools=[]))),
        ("column", edited(GOOD, lambda row: row.update(tools="{}"))),
        ("column", edited(GOOD, lambda row: row.update(system=None))),
    ],
    "axolotl": [
        ("no-messages", {"text": "x"}),
        ("role", edited(CHAT, lambda row: turns(row)[1].update(role="narrator"))),
        ("system", edited(CHAT, lambda row: turns(row).insert(2, {"role": "system", "content": "x"}))),
        ("user-after-tool", edited(CHAT, lambda row: turns(row).insert(4, {"role": "user", "content": "x"}))),
        ("text", edited(CHAT, lambda row: turns(row)[1].update(content=None))),
        ("tool-call", edited(CHAT, lambda row: turns(row)[2].update(tool_calls=["x"]))),
        ("arguments", edited(CHAT, lambda row: turns(row)[2]["tool_calls"][0]["function"].update(arguments={}))),
        ("arguments-json", edited(CHAT, lambda row: function(row).update(arguments='{"a": 1}{"b": 2}'))),
        ("column", edited(CHAT, lambda row: row.update(tools="nothing"))),
    ],
    "trl": [
        ("no-messages", {"conversations": []}),
        ("messages", {"messages": "x"}),
        ("role", {"messages": [{"role": "human", "content": "x"}]}),
        ("tool-name", {"messages": [{"role": "tool", "content": "x"}]}),
        ("null", {"messages": [{"role": "user", "content": "x", "name": None}]}),
        ("arguments", CHAT),
        ("text", {"prompt": [{"role": "user", "content": ["x"]}], "completion": []}),
    ],
    "openai": [
        ("no-messages", {"messages": []}),
        ("last", edited(CHAT, lambda row: turns(row).pop())),
        ("role", edited(CHAT, lambda row: turns(row)[1].update(role="human"))),
        ("weight", edited(CHAT, lambda row: turns(row)[1].update(weight=1))),
        ("weight", edited(CHAT, lambda row: turns(row)[4].update(weight=0.5))),
        ("orphan", edited(CHAT, lambda row: turns(row)[3].update(tool_call_id="other"))),
        ("unanswered", edited(CHAT, lambda row: turns(row).pop(3))),
        ("unanswered", edited(CHAT, lambda row: row.update(messages=turns(row)[:3]))),
        ("text", edited(CHAT, lambda row: turns(row)[1].update(content=None))),
        ("tool-call", edited(CHAT, lambda row: turns(row)[2]["tool_calls"][0].update(type="x"))),
        ("arguments", edited(CHAT, lambda row: turns(row)[2]["tool_calls"][0]["function"].update(arguments={}))),
        ("tools", edited(CHAT, lambda row: row.update(tools=[{}] * 129))),
    ],
}


@pytest.mark.parametrize(
    ("trainer", "rule", "made"), [(trainer, rule, made) for trainer, cases in FIRES.items() for rule, made in cases]
)
def test_fires(trainer: str, rule: str, made: Row) -> None:
    assert rule in [found.rule for found in validate.TRAINERS[trainer](made)]


@pytest.mark.parametrize(
    ("trainer", "made"),
    [
        ("llamafactory", GOOD),
        ("llamafactory", sharegpt()),
        ("llamafactory", style_hermes.render(convert(FLAKY))),
        (
            "llamafactory",
            {**GOOD, "conversations": turns(GOOD)[:3], "chosen": turns(GOOD)[3], "rejected": turns(GOOD)[3]},
        ),
        ("axolotl", CHAT),
        ("axolotl", GOOD),
        ("openai", CHAT),
        ("openai", chat(3, calls=2)),
        ("trl", {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}),
    ],
)
def test_quiet(trainer: str, made: Row) -> None:
    assert list(validate.TRAINERS[trainer](made)) == []


def test_every_trainer_has_cases() -> None:
    assert set(FIRES) == set(validate.TRAINERS)
