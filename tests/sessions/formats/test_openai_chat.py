"""OpenAI chat: lines, one object, an array; tools, old function calls, refusals, weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sessions.formats.reading import one, read, told, write_document, write_rows

TOOLS = [{"type": "function", "function": {"name": "terminal", "parameters": {"type": "object"}}}]
ROW: dict[str, Any] = {
    "messages": [
        {"role": "system", "content": "You are Hermes."},
        {"role": "user", "content": "The date test is flaky."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "terminal", "arguments": '{"command": "pytest -q"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "1 failed"},
        {"role": "assistant", "content": "It compares local time with UTC.", "weight": 1},
    ],
    "tools": TOOLS,
}


def test_one_conversation_a_line(tmp_path: Path) -> None:
    sessions, report = read(write_rows(tmp_path / "train.jsonl", [ROW, {**ROW, "id": "run-2"}]), "openai-chat")
    assert told(sessions[0]) == [
        ("user", "The date test is flaky."),
        ("assistant", ""),
        ("tool", "1 failed"),
        ("assistant", "It compares local time with UTC."),
    ]
    assert sessions[0].messages[2].tool_name == "terminal"
    assert sessions[0].system_prompt == "You are Hermes."
    assert json.loads(sessions[0].tools) == TOOLS
    assert sessions[0].id.startswith("chat-")
    assert sessions[1].id == "run-2"
    assert (report.rows_in, report.kept, report.merged) == (12, 8, 4)


@pytest.mark.parametrize("value", [ROW, [ROW], [{**ROW, "task_id": 1}, ROW], {"traj": ROW["messages"]}])
@pytest.mark.parametrize("indent", [2, None])
def test_documents(tmp_path: Path, value: Any, indent: int | None) -> None:
    sessions, _ = read(write_document(tmp_path / "chat.json", value, indent), "openai-chat")
    assert len(sessions) == (len(value) if isinstance(value, list) else 1)
    assert all(len(session.messages) == 4 for session in sessions)


def test_the_same_conversation_has_the_same_id(tmp_path: Path) -> None:
    first, _ = one(write_rows(tmp_path / "a.jsonl", [ROW]), "openai-chat")
    second, _ = one(write_document(tmp_path / "b.json", ROW), "openai-chat")
    assert first.id == second.id


def test_old_function_calls_parts_and_refusals(tmp_path: Path) -> None:
    row = {
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:x"}}],
            },
            {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
            {"role": "function", "name": "f", "content": "7"},
            {"role": "assistant", "content": None, "refusal": "I will not."},
            {"role": "developer", "content": "be brief"},
            {"role": "assistant", "content": "ok", "weight": 0},
        ]
    }
    session, report = one(write_rows(tmp_path / "a.jsonl", [row]), "openai-chat")
    assert told(session)[0] == ("user", "look\n[image_url]")
    assert session.messages[1].tool_calls[0].id == session.messages[2].tool_call_id
    assert told(session)[3:] == [("assistant", "I will not."), ("system", "be brief"), ("assistant", "ok")]
    assert report.notes == {"answers with weight 0": 1, "parts that are not text": 1, "results paired by position": 1}


def test_rows_of_another_kind_are_counted(tmp_path: Path) -> None:
    path = write_rows(
        tmp_path / "a.jsonl", [ROW] * 70 + [{"messages": []}, {"messages": [{"role": "alien"}]}, {"other": 1}]
    )
    sessions, report = read(path, "openai-chat")
    assert len(sessions) == 70
    assert report.dropped == {"empty:session": 2, "unknown:no-messages": 1, "unknown:role/alien": 1}


def test_every_real_conversation_is_accounted_for(data: Path) -> None:
    sessions, report = read(data / "trajectories/tau-bench/gpt-4o-airline.json", "openai-chat")
    assert len(sessions) == len({session.id for session in sessions}) == 200
    assert report.dropped == {}


@pytest.mark.parametrize(
    ("reward", "said"),
    [(1.0, "task succeeded, reward 1.0"), (0.0, "task failed, reward 0.0"), (None, ""), (True, ""), ("1", "")],
)
def test_the_reward_of_a_tau_bench_run_is_its_end_reason(tmp_path: Path, reward: object, said: str) -> None:
    sessions, _ = read(
        write_document(tmp_path / "r.json", [{"traj": ROW["messages"], "reward": reward}]), "openai-chat"
    )
    assert [session.end_reason for session in sessions] == [said]
