"""Hermes: exports, per-session files, bare messages, prompts; states, lineage, multimodal content."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sessions.formats.reading import one, read, told, write_document, write_rows

SID = "20260901_080000_ab12cd"
CALL = {"id": "call_1", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "pytest -q"}'}}


def message(number: int, role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {
        "id": number,
        "session_id": SID,
        "role": role,
        "content": content,
        "timestamp": 1788249600.0 + number,
        "active": 1,
        "compacted": 0,
        **fields,
    }


MESSAGES = [
    message(11, "user", "The date test is flaky."),
    message(12, "assistant", "", tool_calls=[CALL], reasoning="Probably time zone.", finish_reason="tool_calls"),
    message(13, "tool", '{"output": "1 failed", "exit_code": 1}', tool_call_id="call_1", tool_name="terminal"),
    message(14, "assistant", "It compares local time with UTC.", finish_reason="stop"),
]


def export(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    header = {
        "id": SID,
        "source": "cli",
        "model": "anthropic/claude-sonnet-4.5",
        "system_prompt": "You are Hermes.",
        "parent_session_id": None,
        "started_at": 1788249600.0,
        "ended_at": 1788249609.0,
        "end_reason": "cli_close",
        "input_tokens": 990,
        "output_tokens": 67,
        "title": "Fix flaky date test",
        "cwd": "/srv/shop",
        "git_branch": "main",
    }
    return {**header, **fields, "messages": list(messages)}


def test_an_exported_session(tmp_path: Path) -> None:
    session, report = one(write_rows(tmp_path / "out.jsonl", [export(*MESSAGES)]), "hermes")
    assert told(session)[0] == ("user", "The date test is flaky.")
    call = session.messages[1].tool_calls[0]
    assert (call.id, call.name, call.arguments) == ("call_1", "terminal", '{"command": "pytest -q"}')
    assert session.messages[1].reasoning == "Probably time zone."
    assert (session.messages[2].tool_name, session.messages[2].is_error) == ("terminal", True)
    assert session.messages[3].source_ids == ("14",)
    assert (session.id, session.title, session.started_at) == (SID, "Fix flaky date test", "2026-09-01T08:00:00Z")
    assert (session.system_prompt, session.channel, session.usage) == (
        "You are Hermes.",
        "cli",
        {"input": 990, "output": 67},
    )
    assert (report.rows_in, report.kept, report.merged, report.dropped) == (5, 4, 1, {})


SHAPES = [
    ("wrapped", lambda: {"session": {k: v for k, v in export().items() if k != "messages"}, "messages": MESSAGES}),
    ("calls as text", lambda: export(MESSAGES[0], {**MESSAGES[1], "tool_calls": json.dumps([CALL])}, *MESSAGES[2:])),
]


@pytest.mark.parametrize(("name", "record"), SHAPES)
def test_variants_of_the_export_say_the_same(tmp_path: Path, name: str, record: Any) -> None:
    plain, _ = one(write_rows(tmp_path / "out.jsonl", [export(*MESSAGES)]), "hermes")
    variant, _ = one(write_rows(tmp_path / "variant.jsonl", [record()]), "hermes")
    assert variant.messages == plain.messages
    assert variant.title == plain.title


def test_what_was_taken_back_and_what_was_compacted_is_kept_under_its_state(tmp_path: Path) -> None:
    rows = [
        message(1, "user", "a", active=0, compacted=1),
        message(2, "user", "b", active=0, compacted=0),
        message(3, "assistant", "[CONTEXT COMPACTION — REFERENCE ONLY] …"),
        message(4, "system", "harness note"),
        message(5, "user", "c"),
    ]
    session, _ = one(write_rows(tmp_path / "out.jsonl", [export(*rows)]), "hermes")
    assert [m.state for m in session.messages] == ["compacted", "rewound", "harness", "harness", "active"]


def test_multimodal_content_becomes_text_and_marks(tmp_path: Path) -> None:
    packed = "\0json:" + json.dumps(
        [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:…"}}]
    )
    session, report = one(write_rows(tmp_path / "out.jsonl", [export(message(1, "user", packed))]), "hermes")
    assert session.messages[0].content == "look\n[image_url]"
    assert report.notes == {"parts that are not text": 1}


def test_a_message_twice_in_a_stitched_lineage_is_a_duplicate(tmp_path: Path) -> None:
    session, report = one(
        write_rows(tmp_path / "out.jsonl", [export(*MESSAGES, MESSAGES[3], lineage_session_ids=[SID])]), "hermes"
    )
    assert len(session.messages) == 4
    assert report.dropped == {"duplicate": 1}


def test_lineage_follows_how_the_parent_ended(tmp_path: Path) -> None:
    rows = [
        export(MESSAGES[0], id="p1", end_reason="compression"),
        export(MESSAGES[0], id="p2", end_reason="branched"),
        export(MESSAGES[0], id="c1", parent_session_id="p1"),
        export(MESSAGES[0], id="c2", parent_session_id="p2"),
        export(MESSAGES[0], id="c3", parent_session_id="p2", source="subagent"),
    ]
    sessions, _ = read(write_rows(tmp_path / "out.jsonl", rows), "hermes")
    assert [(s.parent, s.parent_kind) for s in sessions[2:]] == [
        ("p1", "compaction"),
        ("p2", "fork"),
        ("p2", "subagent"),
    ]


@pytest.mark.parametrize("indent", [1, None])
def test_the_file_of_one_session(tmp_path: Path, indent: int | None) -> None:
    record = {
        "session_id": SID,
        "model": "GLM-5",
        "platform": "weixin",
        "session_start": "2026-05-04T21:11:01.254741",
        "last_updated": "2026-05-04T23:18:53.514384",
        "system_prompt": "你是助手",
        "tools": [{"type": "function", "function": {"name": "terminal"}}],
        "messages": [
            {"role": "user", "content": "保留"},
            {"role": "assistant", "content": "好的"},
            {"role": "session_meta"},
        ],
    }
    session, report = one(write_document(tmp_path / f"session_{SID}.json", record, indent), "hermes")
    assert told(session) == [("user", "保留"), ("assistant", "好的")]
    assert json.loads(session.tools) == record["tools"]
    assert (session.id, session.channel, session.system_prompt) == (SID, "weixin", "你是助手")
    assert (report.rows_in, report.dropped) == (4, {"bookkeeping:session_meta": 1})


def test_bare_messages_take_their_id_from_the_files_name(tmp_path: Path) -> None:
    rows = [
        {"role": "user", "content": "保留", "timestamp": "2026-05-04T22:24:58.146823"},
        {
            "role": "assistant",
            "content": "好",
            "reasoning": None,
            "finish_reason": "stop",
            "timestamp": "2026-05-04T22:24:58.146823",
        },
    ]
    session, report = one(write_rows(tmp_path / f"{SID}.jsonl", rows), "hermes")
    assert (session.id, len(session.messages)) == (SID, 2)
    assert report.notes == {"times without a zone read as UTC": 2}


def test_exported_prompts(tmp_path: Path) -> None:
    rows = [
        {
            "session_id": s,
            "index": n,
            "created_at": "2026-09-01T08:00:00Z",
            "role": "user",
            "text": f"{s}{n}",
            "message_id": n,
        }
        for s in "ab"
        for n in (1, 2)
    ]
    sessions, report = read(write_rows(tmp_path / "prompts.jsonl", rows), "hermes")
    assert [(s.id, told(s), s.end_reason) for s in sessions] == [
        ("a", [("user", "a1"), ("user", "a2")], "prompts only"),
        ("b", [("user", "b1"), ("user", "b2")], "prompts only"),
    ]
    assert report.kept == 4


def test_a_torn_line_costs_one_session_not_the_file(tmp_path: Path) -> None:
    whole = json.dumps(export(*MESSAGES))
    path = tmp_path / "out.jsonl"
    path.write_text(whole + "\n" + whole[:200] + "\n" + json.dumps(export(*MESSAGES, id="x2")) + "\n", encoding="utf-8")
    sessions, report = read(path, "hermes")
    assert [s.id for s in sessions] == [SID, "x2"]
    assert report.dropped == {"damaged": 1}
    assert report.damaged[0].startswith("out.jsonl:2: ")


def test_odd_messages_are_counted(tmp_path: Path) -> None:
    rows = [
        MESSAGES[0],
        {"role": "alien", "content": "x"},
        "text",
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": 7},
    ]
    _, report = one(write_rows(tmp_path / "out.jsonl", [export(*rows)]), "hermes")
    assert report.dropped == {"empty:assistant": 2, "unknown:role/alien": 1, "unknown:role/none": 1}


def test_a_file_cut_in_the_middle_is_damage(tmp_path: Path) -> None:
    path = write_document(
        tmp_path / f"session_{SID}.json",
        {"session_id": SID, "platform": "cli", "messages": [{"role": "user", "content": "x"}] * 3},
    )
    path.write_text(path.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    sessions, report = read(path, "hermes")
    assert sessions == []
    assert report.dropped == {"damaged": 1}
    assert "not valid JSON" in report.damaged[0]


def test_every_real_file_is_accounted_for(data: Path) -> None:
    paths = [*(data / "sessions/hermes").rglob("*2026*"), *(data / "sessions/multi").glob("**/hermes/*.json")]
    found = [read(path, "hermes") for path in paths]
    assert len(found) == 14
    assert all(len(sessions) == 1 and not report.dropped.get("damaged") for sessions, report in found)
