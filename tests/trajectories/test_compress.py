from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable

import pytest

from hermes_git.tokens import choose
from hermes_git.trajectories import row, validate
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.extract import Count, Region
from hermes_git.trajectories.model import Drop
from hermes_git.trajectories.plan import protect
from hermes_git.trajectories.policy import POLICIES, Policy, policy
from hermes_git.trajectories.segments import PREFIX
from hermes_git.trajectories.summaries import SummaryFailed
from tests.trajectories.rows import Row, chat, hermes, sharegpt, talk

COUNTER = choose.default()
BUDGETS = range(500, 12_001, 250)


def total(written: Row) -> int:
    view = row.read(written)
    return sum(COUNTER.count(turn.text) for turn in view.turns) + COUNTER.count(view.overhead)


def pairs(written: Row) -> tuple[int, int]:
    """Return the numbers of calls and of results of a Hermes row."""
    text = [turn["value"] for turn in written["conversations"]]
    return sum(value.count("<tool_call>\n") for value in text), sum(value.count("<tool_response>\n") for value in text)


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("calls", [1, 3])
def test_hermes_pairs_stay_whole_and_protected_turns_stay_as_they_were(budget: int, calls: int) -> None:
    before = hermes(calls=calls)
    after, metrics = Compressor(Options(budget), COUNTER)(before)
    turns = after["conversations"]
    assert total(dict(after)) == metrics.compressed_tokens
    assert metrics.compressed_tokens <= budget or metrics.still_over_limit
    assert turns[:4] == before["conversations"][:4]
    assert turns[-4:] == before["conversations"][-4:]
    assert len(set(pairs(dict(after)))) == 1
    for here, following in itertools.pairwise(turns):
        assert ("<tool_call>" in here["value"]) == (following["from"] == "tool")
    summaries = [turn for turn in turns if turn["value"].startswith(PREFIX)]
    assert [turn["from"] for turn in summaries] == ["human"] * metrics.was_compressed


@pytest.mark.parametrize("make", [sharegpt, talk])
@pytest.mark.parametrize("budget", BUDGETS)
def test_trainer_rows_keep_alternating(make: Callable[[], Row], budget: int) -> None:
    after, metrics = Compressor(Options(budget), COUNTER)(make())
    assert not list(validate.llamafactory(after))
    assert total(dict(after)) <= budget or metrics.still_over_limit


@pytest.mark.parametrize("calls", [1, 2])
@pytest.mark.parametrize("budget", BUDGETS)
def test_message_rows_keep_every_call_answered(budget: int, calls: int) -> None:
    after, metrics = Compressor(Options(budget), COUNTER)(chat(calls=calls))
    assert not list(validate.openai(after))
    assert not [found for found in validate.axolotl(after) if found.rule != "arguments"]
    assert total(dict(after)) <= budget or metrics.still_over_limit


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("make", [hermes, sharegpt, chat, talk])
def test_every_policy_meets_the_budget_or_says_so(name: str, make: Callable[[], Row]) -> None:
    after, metrics = Compressor(Options(3000, policy(name)), COUNTER)(make())
    assert total(dict(after)) == metrics.compressed_tokens
    assert metrics.compressed_tokens <= 3000 or metrics.still_over_limit
    if make is not hermes:
        rule = validate.openai if make is chat else validate.llamafactory
        assert not list(rule(after))


def test_only_as_much_as_needed_is_left_out() -> None:
    small, large = (Compressor(Options(budget), COUNTER)(hermes())[1] for budget in (4000, 9000))
    assert small.regions[0][0] == large.regions[0][0] == 4
    assert small.regions[0][1] > large.regions[0][1]


def test_a_row_within_the_budget_comes_back_as_it_is() -> None:
    before = hermes()
    after, metrics = Compressor(Options(100_000), COUNTER)(before)
    assert after is before
    assert (metrics.skipped_under_target, metrics.was_compressed) == (True, False)


def test_the_input_is_never_changed() -> None:
    before = hermes()
    kept = copy.deepcopy(before)
    Compressor(Options(2000), COUNTER)(before)
    assert before == kept


def test_the_summary_quotes_what_it_replaces() -> None:
    after, _ = Compressor(Options(1200), COUNTER)(hermes(size=20))
    summary = next(turn["value"] for turn in after["conversations"] if turn["value"].startswith(PREFIX))
    assert "src/fc2_0.py" in summary
    assert "value_2 = 14" in summary


def test_a_late_first_tool_leaves_the_talk_before_it_compressible() -> None:
    chatter = talk(20)["conversations"]
    late = {"conversations": [*chatter, *hermes(2, size=10)["conversations"][1:]]}
    after, metrics = Compressor(Options(900), COUNTER)(late)
    assert metrics.was_compressed
    assert not metrics.still_over_limit
    assert pairs(dict(after)) == (2, 2)


def test_protected_turns_larger_than_the_budget_are_kept_and_the_row_is_marked() -> None:
    before = hermes(6)
    before["conversations"][1]["value"] = "word " * 3000
    after, metrics = Compressor(Options(1000), COUNTER)(before)
    assert metrics.still_over_limit
    assert after["conversations"][1] == before["conversations"][1]
    assert after["compression_metrics"]["still_over_limit"] is True


def test_a_notice_counts_towards_the_budget() -> None:
    notice = " Note well: parts were summarised." * 5
    after, metrics = Compressor(Options(4000, notice=notice), COUNTER)(hermes())
    assert after["conversations"][0]["value"] == "s" + notice
    assert total(dict(after)) <= 4000
    assert metrics.was_compressed


def raises(region: Region, limit: int, count: Count) -> str:
    raise SummaryFailed("model says no")


def times_out(region: Region, limit: int, count: Count) -> str:
    raise TimeoutError


def empty(region: Region, limit: int, count: Count) -> str:
    return " \n"


def endless(region: Region, limit: int, count: Count) -> str:
    return "word " * 10_000


@pytest.mark.parametrize("broken", [raises, times_out, empty, endless])
def test_a_failing_summariser_costs_nothing_but_is_counted(broken: Callable[[Region, int, Count], str]) -> None:
    before = hermes()
    after, metrics = Compressor(Options(4000), COUNTER, broken)(before)
    assert after["conversations"] == before["conversations"]
    assert (metrics.still_over_limit, metrics.summarization_errors) == (True, 1)


def test_a_slightly_long_summary_is_cut_and_its_prefix_written_once() -> None:
    def wordy(region: Region, limit: int, count: Count) -> str:
        return f"{PREFIX}It read {len(region.turns)} turns. " + "word " * limit

    after, metrics = Compressor(Options(4000), COUNTER, wordy)(hermes())
    summary = next(turn["value"] for turn in after["conversations"] if "[CONTEXT SUMMARY]" in turn["value"])
    assert summary.count("[CONTEXT SUMMARY]") == 1
    assert total(dict(after)) <= 4000
    assert metrics.summarization_api_calls == 1


@pytest.mark.parametrize(
    ("bad", "reason"),
    [([], "not a JSON object"), ({}, "no conversations"), ({"conversations": ["x"]}, "a turn is not"),
     ({"conversations": [{"from": "martian", "value": ""}]}, "unknown role")],
)  # fmt: skip
def test_what_is_no_row_is_dropped_with_a_reason(bad: object, reason: str) -> None:
    with pytest.raises(Drop, match=reason):
        Compressor(Options(100), COUNTER)(bad)


def test_folding_into_a_hermes_tool_turn_keeps_ids_and_is_loadable() -> None:
    after, _ = Compressor(Options(4000, summary_turn="fold"), COUNTER)(hermes(calls=2))
    assert not list(validate.llamafactory(after))
    folded = next(turn for turn in after["conversations"] if PREFIX.strip() in turn["value"])
    inside = folded["value"].split("<tool_response>\n")[1].split("\n</tool_response>")[0]
    assert json.loads(inside)["tool_call_id"] == "c1_0"


def test_a_tool_turn_is_protected_with_its_call() -> None:
    roles = ["system", "human", "gpt", "gpt", "tool", "gpt", "tool", "gpt"]
    assert protect(roles, [1] * 8, Policy("x", "", protect_last=2), 100) == {0, 1, 2, 3, 4, 5, 6, 7}  # type: ignore[arg-type]


def test_two_runs_give_the_same_bytes() -> None:
    one, other = (json.dumps(Compressor(Options(3000), COUNTER)(hermes())[0]) for _ in range(2))
    assert one == other


def test_a_summary_of_a_summary_keeps_its_quotes_and_does_not_pile_up_labels() -> None:
    compress = Compressor(Options(1400), COUNTER)
    row_now = dict(compress(hermes(size=20))[0])
    for _ in range(3):
        more = hermes(size=20)["conversations"][2:]
        row_now = dict(compress({"conversations": [*row_now["conversations"], *more]})[0])
    summary = next(turn["value"] for turn in row_now["conversations"] if turn["value"].startswith(PREFIX))
    assert "] asked: [" not in summary
    assert "called read: path: src/f" in summary
