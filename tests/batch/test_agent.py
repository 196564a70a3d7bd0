"""The agent's loop: what ends it, what it counts, and that its messages become a whole trajectory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from hermes_git.batch import agent, record
from hermes_git.batch.agent import Assignment
from hermes_git.batch.dataset import Prompt
from hermes_git.batch.kit import Bound, Kit, ToolFailed, integer, schema, string
from hermes_git.batch.record import Recipe
from hermes_git.llm.protocol import Chat, ChatError, Message, Reply, Tool, ToolCall, Usage
from hermes_git.llm.scripted import Scripted
from hermes_git.trajectories import validate

PROMPT = Prompt("p1", 0, "What is 6 x 7?", extra='{"tag": "好"}')


def multiply(given: Mapping[str, Any]) -> object:
    if given["a"] < 0:
        raise ToolFailed("a is negative")
    return {"product": given["a"] * given["b"], "how": given.get("how")}


ARGUMENTS = schema("a b", a=integer("One."), b=integer("Other."), how=string("How.", "slow", "fast"))
KIT = Kit.of([Bound(Tool("multiply", "Multiply.", ARGUMENTS), multiply)])


def playing(*replies: Reply | ChatError) -> Chat:
    def answer(messages: Sequence[Message]) -> Reply:
        reply = replies[min(sum(message.role == "assistant" for message in messages), len(replies) - 1)]
        if isinstance(reply, ChatError):
            raise reply
        return reply

    return Scripted(answer, "small")


def call(name: str = "multiply", arguments: object = None, identity: str = "c1") -> ToolCall:
    given = {"a": 6, "b": 7} if arguments is None else arguments
    return ToolCall(identity, name, given if isinstance(given, str) else json.dumps(given))


def asking(*calls: ToolCall, **more: Any) -> Reply:
    return Reply(tool_calls=calls, finish_reason="tool_calls", **more)


def made(chat: Chat, **options: Any) -> tuple[agent.Run, record.Record]:
    found = agent.run(chat, KIT, Assignment(PROMPT.text, **{"system": "Be brief.", "max_turns": 5, **options}))
    recipe = Recipe("run", "hermes", "2026-11-29T00:00:00Z", "c0ffee", ("multiply",))
    session = record.session_of(PROMPT, found, recipe, system="Be brief.", tools="")
    return found, record.of_run(PROMPT, found, session, recipe, toolsets=("memory",))


def test_a_run_becomes_a_row() -> None:
    first = asking(call(), reasoning="Multiply them.", usage=Usage(10, 5, 2, 1, 0.01))
    found, one = made(playing(first, Reply("42", usage=Usage(20, 2, cost=0.02))))
    assert found.end_reason == agent.FINISHED and [message.role for message in found.messages] == [
        "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert (one.status, one.api_calls, one.turns, one.thoughts) == ("done", 2, 2, 1)
    assert one.usage == {"input": 30, "output": 7, "reasoning": 2, "cost": 0.03}
    row = one.row
    assert not list(validate.llamafactory(row)) and row["completed"] is True and row["partial"] is False
    assert [turn["from"] for turn in row["conversations"]] == ["system", "human", "gpt", "tool", "gpt"]
    assert "Multiply them." in row["conversations"][2]["value"] and "42" in row["conversations"][3]["value"]
    assert row["tool_stats"]["multiply"] == {"count": 1, "success": 1, "failure": 0}
    assert json.loads(row["dataset"]) == {"tag": "好"} and row["metadata"]["commit"] == "c0ffee"
    assert record.decode(record.encode(one)) == one and record.decode(record.encode(one)[:-9]) is None


@pytest.mark.parametrize(
    ("replies", "end", "completed"),
    [
        ([Reply("42")], agent.FINISHED, True),
        ([asking(call(), text="Let me see.")], agent.MAX_TURNS, False),
        ([asking(call("divide"), text="Let me see.")], agent.INVALID, False),
        ([asking(call(arguments="{")), Reply("sorry")], agent.FINISHED, False),
        ([asking(call(arguments={"a": -1, "b": 1})), Reply("it failed")], agent.FINISHED, True),
        ([Reply("half of", finish_reason="length")], agent.FINISHED, False),
        ([asking(call(), reasoning="Multiply."), Reply("  ")], agent.NO_ANSWER, False),
    ],
)
def test_how_runs_end(replies: list[Reply], end: str, completed: bool) -> None:
    found, one = made(playing(*replies))
    assert found.end_reason == end and one.status == "done" and one.row["completed"] is completed
    assert one.row["partial"] is (end == agent.INVALID)


def test_a_run_without_a_word_is_dropped_with_its_reason() -> None:
    found, one = made(playing(asking(call())))
    assert found.end_reason == agent.MAX_TURNS and (one.status, one.reason) == ("dropped", "no answer to keep")
    assert one.tools == {"multiply": 5} and not one.row


def test_a_model_that_fails_is_no_success() -> None:
    for replies in ([ChatError("rate-limit", "busy", attempts=5)], [asking(call()), ChatError("server", "down")]):
        found, one = made(playing(*replies))
        assert one.status == "failed" and not one.row and one.reason in ("rate-limit", "server")
        assert found.error is not None and one.api_calls == (5 if len(replies) == 1 else 2)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (call("divide"), "there is no tool 'divide'; there are: multiply"),
        (call(arguments="nonsense"), "no JSON object"),
        (call(arguments="[1]"), "no JSON object"),
        (call(arguments='{"a": 1, "a": 2, "b": 3}'), "a key is repeated"),
        (call(arguments={"a": 1}), "missing b"),
        (call(arguments={"a": 1, "b": 2, "c": 3}), "unknown c"),
        (call(arguments={"a": "1", "b": 2}), "a must be of type integer"),
        (call(arguments={"a": True, "b": 2}), "a must be of type integer"),
        (call(arguments={"a": 1, "b": 2, "how": "well"}), "how must be one of slow, fast"),
    ],
)
def test_invalid_calls_are_answered(wanted: ToolCall, said: str) -> None:
    result = KIT.call(wanted)
    assert result.is_error and result.is_invalid and said in json.loads(result.content)["error"]


def test_a_failing_tool_is_no_invalid_call() -> None:
    result = KIT.call(call(arguments={"a": -1, "b": 1}))
    assert result.is_error and not result.is_invalid


def test_long_results_are_cut_and_say_so() -> None:
    long = Kit.of([Bound(Tool("long", ""), lambda _: "x" * 300_000)])
    content = long.call(ToolCall("1", "long")).content
    assert len(content) < 101_000 and "characters left out" in content


def test_calls_that_share_an_id_get_their_own() -> None:
    found, one = made(playing(asking(call(), call(arguments={"a": 2, "b": 2})), Reply("ok")))
    ids = [message.tool_call_id for message in found.messages if message.role == "tool"]
    assert len(set(ids)) == 2 and one.row["tool_stats"]["multiply"]["count"] == 2
    assert "42" in found.messages[2].content and "4}" not in found.messages[2].content


def test_the_ephemeral_part_is_used_and_not_kept() -> None:
    heard: list[Sequence[Message]] = []

    def answer(messages: Sequence[Message]) -> Reply:
        heard.append(tuple(messages))
        return Reply("42")

    prefill = (Message("user", "warm up"), Message("assistant", "ready"))
    _, one = made(Scripted(answer), ephemeral="Secretly in Latin.", prefill=prefill)
    assert heard[0][0].content == "Be brief.\n\nSecretly in Latin." and heard[0][1:3] == prefill
    assert "Latin" not in str(one.row) and "warm up" not in str(one.row)


def test_secrets_do_not_reach_a_row() -> None:
    token = "ghp_" + "a1B2" * 9
    _, one = made(playing(asking(call(), reasoning=f"the token is {token}"), Reply(f"It is {token}.")))
    assert token not in json.dumps(one.row) and sum(one.redactions.values()) == 2


def test_a_row_without_thought_is_dropped_where_that_is_wanted() -> None:
    found = agent.run(playing(Reply("42")), KIT, Assignment(PROMPT.text))
    recipe = Recipe("run", requires_reasoning=True)
    one = record.of_run(
        PROMPT, found, record.session_of(PROMPT, found, recipe, system="", tools=""), recipe, toolsets=()
    )
    assert (one.status, one.reason) == ("dropped", "no reasoning")


def test_every_row_has_the_same_columns() -> None:
    names = ("multiply", "other")
    one = record.tool_columns(names, Counter(), Counter())
    two = record.tool_columns(names, Counter({"multiply": 2, "made_up": 1}), Counter())
    assert one["tool_stats"].keys() == two["tool_stats"].keys() == {"multiply", "other", "unknown"}
    assert two["tool_stats"]["unknown"]["count"] == 1
