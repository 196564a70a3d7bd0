"""Gemini CLI: documents and lines, thoughts, calls with their results, records written again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.sessions.formats.reading import one, read, told, write_document, write_rows

HEADER = {
    "sessionId": "33333333-3333-4333-8333-333333333333",
    "projectHash": "9f86d081",
    "startTime": "2026-09-01T08:00:00.000Z",
    "lastUpdated": "2026-09-01T08:00:09.000Z",
}


def call(status: str = "success", **response: Any) -> dict[str, Any]:
    return {
        "id": "run_1",
        "name": "run_shell_command",
        "args": {"command": "pytest -q"},
        "status": status,
        "result": [{"functionResponse": {"id": "run_1", "name": "run_shell_command", "response": response}}],
    }


USER = {"id": "g1", "timestamp": "2026-09-01T08:00:00.000Z", "type": "user", "content": "Fix it."}
ANSWER = {
    "id": "g2",
    "timestamp": "2026-09-01T08:00:04.000Z",
    "type": "gemini",
    "content": "It compares local time with UTC.",
    "thoughts": [{"subject": "Plan", "description": "Run the test first"}],
    "toolCalls": [call("error", output="1 failed")],
    "model": "gemini-2.5-pro",
    "tokens": {"input": 900, "output": 60, "cached": 0, "thoughts": 20, "tool": 0, "total": 980},
}


def test_a_chat(tmp_path: Path) -> None:
    record = {**HEADER, "messages": [USER, ANSWER, {"id": "g3", "type": "info", "content": "Update available"}]}
    session, report = one(write_document(tmp_path / "session-1.json", record), "gemini-cli")
    assert told(session) == [
        ("user", "Fix it."),
        ("assistant", "It compares local time with UTC."),
        ("tool", "1 failed"),
        ("system", "Update available"),
    ]
    answer, result, info = session.messages[1:]
    assert (answer.reasoning, answer.model, answer.usage) == (
        "Plan: Run the test first",
        "gemini-2.5-pro",
        {"input": 900, "output": 60, "reasoning": 20},
    )
    assert (result.tool_call_id, result.is_error, info.state) == ("run_1", True, "harness")
    assert (report.rows_in, report.kept, report.merged) == (4, 3, 1)
    assert report.notes == {"text and calls in one record, their order unknown": 1}
    assert session.id == HEADER["sessionId"]


def test_lines_whose_records_are_written_again(tmp_path: Path) -> None:
    rows = [
        HEADER,
        {**USER, "content": [{"text": "Fix it."}]},
        {"$set": {"summary": "Dates"}},
        {**ANSWER, "content": "", "toolCalls": []},
        ANSWER,
    ]
    session, report = one(write_rows(tmp_path / "session-1.jsonl", rows), "gemini-cli")
    assert told(session) == [
        ("user", "Fix it."),
        ("assistant", "It compares local time with UTC."),
        ("tool", "1 failed"),
    ]
    assert session.title == "Dates"
    assert (report.kept, report.merged, report.dropped) == (2, 3, {})


def test_an_old_shape_and_odd_records(tmp_path: Path) -> None:
    record = {
        "history": [
            {"role": "user", "parts": [{"text": "look"}, {"inlineData": {"data": "AA"}}], "ts": 1695000000},
            {"role": "gemini", "parts": [{"text": "ok"}]},
            {"role": "alien"},
            {"role": "user", "parts": []},
        ],
        "lastUpdated": "2025-12-16T23:48:00.000Z",
    }
    session, report = one(write_document(tmp_path / "old.json", record), "gemini-cli")
    assert told(session) == [("user", "look\n[unknown part]"), ("assistant", "ok")]
    assert session.messages[0].timestamp == "2023-09-18T01:20:00Z"
    assert report.dropped == {"empty:user": 1, "unknown:type/alien": 1}


def test_every_real_file_is_accounted_for(data: Path) -> None:
    paths = [*(data / "sessions/gemini-cli").rglob("*.json"), *(data / "sessions/multi").glob("**/gemini/*")]
    found = [read(path, "gemini-cli") for path in paths]
    assert len(found) == 8 and all(sessions for sessions, _ in found)
