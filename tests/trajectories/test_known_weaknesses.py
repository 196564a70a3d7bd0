"""What compressors of trajectories are known to get wrong, one test each; the others stand beside what they are about.

A dead summariser, an empty or endless summary, a notice that is not counted, protection larger than the budget, and
rows that vanish are in `test_compress` and in the tests of the command.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from hermes_git.tokens import choose
from hermes_git.trajectories import row
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.policy import POLICIES, policy
from hermes_git.trajectories.segments import PREFIX
from tests.trajectories.rows import chat, hermes, sharegpt, talk

COUNTER = choose.default()


def compressed(source: dict[str, Any], budget: int, name: str = "six-step") -> tuple[dict[str, Any], Any]:
    after, metrics = Compressor(Options(budget, policy(name)), COUNTER)(source)
    return dict(after), metrics


def tokens(source: dict[str, Any]) -> int:
    view = row.read(source)
    return sum(COUNTER.count(turn.text) for turn in view.turns) + COUNTER.count(view.overhead)


@pytest.mark.parametrize("name", POLICIES)
def test_no_row_grows(name: str) -> None:
    for make in (hermes, sharegpt, chat, talk):
        for rounds in (3, 5, 9):
            for size in (0, 2, 30):
                before = make(rounds, size=size)
                total = tokens(before)
                for budget in (total - 1, total * 3 // 4, total // 2):
                    after, metrics = compressed(before, budget, name)
                    assert metrics.compressed_tokens <= total
                    assert tokens(after) == metrics.compressed_tokens


@pytest.mark.parametrize("rounds", range(7, 12))
def test_a_short_talk_of_long_turns_gives_way(rounds: int) -> None:
    before = talk(rounds, size=400)
    after, metrics = compressed(before, tokens(before) * 9 // 10)
    assert metrics.was_compressed
    assert not metrics.still_over_limit
    assert after["conversations"][0] == before["conversations"][0]


@pytest.mark.parametrize("early", [2, 12, 22, 34])
def test_the_place_of_the_first_tool_does_not_shield_the_rest(early: int) -> None:
    chatter = talk(early, size=80)["conversations"]
    before = {"conversations": [*chatter, *hermes(6, size=40)["conversations"][1:], *talk(36 - early)["conversations"]]}
    _, metrics = compressed(before, 2600)
    assert metrics.was_compressed
    assert not metrics.still_over_limit


def test_the_middle_of_a_long_turn_is_seen() -> None:
    words = random.Random(1)
    filler = [" ".join(f"w{words.randrange(40)}" for _ in range(12)) + "." for _ in range(300)]
    filler[150] = "The cause is connection_pool_timeout=37 in src/db/pool.py."
    before = hermes(8, size=5)
    before["conversations"][6]["value"] = (
        "<think>\n</think>\n" + "\n".join(filler) + before["conversations"][6]["value"][18:]
    )
    after, _ = compressed(before, 1500)
    summary = next(turn["value"] for turn in after["conversations"] if turn["value"].startswith(PREFIX))
    assert "connection_pool_timeout=37" in summary


def test_what_a_row_lost_is_on_record() -> None:
    after, metrics = compressed(hermes(), 4000)
    told = after["compression_metrics"]
    assert told["regions"] == [list(region) for region in metrics.regions]
    ((start, end),) = metrics.regions
    summary = next(turn["value"] for turn in after["conversations"] if turn["value"].startswith(PREFIX))
    assert f"turns {start}-{end - 1} left out here" in summary


def test_the_user_is_given_no_words_in_rows_for_trainers() -> None:
    for make in (sharegpt, chat):
        before = make()
        after, _ = compressed(before, 3000)
        name, role, text = (
            ("messages", "role", "content") if "messages" in before else ("conversations", "from", "value")
        )
        said = [turn[text] for turn in after[name] if turn[role] in ("human", "user")]
        assert said == [turn[text] for turn in before[name] if turn[role] in ("human", "user")]
