from __future__ import annotations

from collections.abc import Sequence

import pytest

from hermes_git.llm.protocol import ChatError, Message, Reply
from hermes_git.llm.scripted import Scripted
from hermes_git.tokens import choose
from hermes_git.trajectories import row
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.extract import Region
from hermes_git.trajectories.model_summary import MAX_CHARS, ModelSummary, told
from hermes_git.trajectories.policy import POLICIES
from hermes_git.trajectories.segments import PREFIX
from tests.trajectories.rows import hermes

COUNTER = choose.default()


def fails(messages: Sequence[Message]) -> Reply:
    raise ChatError("unreachable", "nobody there")


REPLIES = {
    "good": Scripted(lambda _: Reply("It read twelve files and found value_3.")),
    "prefixed": Scripted(lambda _: Reply(f"{PREFIX}It read twelve files.")),
    "empty": Scripted(lambda _: Reply(" ")),
    "cut": Scripted(lambda _: Reply("It read tw", finish_reason="length")),
    "endless": Scripted(lambda _: Reply("word " * 20_000)),
    "failing": Scripted(fails),
}


def summary_of(name: str, *, falls_back: bool) -> tuple[list[str], int, int, bool]:
    options = Options(4000, falls_back=falls_back)
    after, metrics = Compressor(options, COUNTER, ModelSummary(REPLIES[name]))(hermes())
    found = [turn["value"] for turn in after["conversations"] if turn["value"].startswith(PREFIX)]
    return found, metrics.summarization_api_calls, metrics.summarization_errors, metrics.was_compressed


@pytest.mark.parametrize("name", ["good", "prefixed"])
def test_the_models_words_are_the_summary(name: str) -> None:
    found, calls, errors, _ = summary_of(name, falls_back=True)
    assert len(found) == calls == 1
    assert found[0].startswith(f"{PREFIX}It read twelve files")
    assert errors == 0


@pytest.mark.parametrize("name", ["empty", "cut", "endless", "failing"])
def test_a_failing_model_is_replaced_by_the_built_in_summariser_and_counted(name: str) -> None:
    found, _, errors, _ = summary_of(name, falls_back=True)
    assert "left out here; quoted from them" in found[0]
    assert errors == 1


@pytest.mark.parametrize("name", ["empty", "cut", "endless", "failing"])
def test_without_a_fall_back_the_row_stays_as_it_was(name: str) -> None:
    found, _, errors, was_compressed = summary_of(name, falls_back=False)
    assert (found, errors, was_compressed) == ([], 1, False)


@pytest.mark.parametrize("name", ["empty", "cut", "endless", "failing"])
@pytest.mark.parametrize("policy", [name for name, one in POLICIES.items() if one.summary == "placeholder"])
def test_no_fixed_sentence_stands_in_whatever_the_policy(name: str, policy: str) -> None:
    source = hermes()
    options = Options(1500, POLICIES[policy], falls_back=True)
    after, metrics = Compressor(options, COUNTER, ModelSummary(REPLIES[name]))(source)
    told = "\n".join(turn["value"] for turn in after["conversations"])
    assert metrics.summarization_errors > 0 and "left out here." not in told
    assert "quoted from them" in told if metrics.was_compressed else after["conversations"] == source["conversations"]


def test_where_there_is_nothing_to_quote_the_row_stays_as_it_was() -> None:
    source = hermes(size=0)
    for turn in source["conversations"][4:-4]:
        turn["value"] = "\u2028 \n" * 400
    after, metrics = Compressor(Options(500, falls_back=True), COUNTER, ModelSummary(REPLIES["failing"]))(source)
    assert after["conversations"] == source["conversations"]
    assert (metrics.summarization_errors, metrics.still_over_limit, metrics.was_compressed) == (1, True, False)


def test_the_model_sees_every_turn_with_its_number_and_long_ones_cut() -> None:
    turns = row.read(hermes(size=3000)).turns
    text = told(Region(turns[4:8], 4))
    assert all(f"[turn {place} - " in text for place in range(4, 8))
    assert "characters …]" in text


def test_a_region_larger_than_a_request_says_what_is_missing() -> None:
    turns = row.read(hermes(rounds=120, size=3000)).turns
    text = told(Region(turns, 0))
    assert len(text) < MAX_CHARS * 1.2
    assert "turns …]" in text
