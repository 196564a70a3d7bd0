"""Codex rollouts: steps, models of turns, events that repeat, compaction, bare items of old versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sessions.formats.reading import one, read, told, write_rows

SID = "0199a213-81c0-7800-8aa1-bbab2a035a53"


def row(kind: str, second: int = 0, **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-09-01T08:00:{second:02d}.000Z", "type": kind, "payload": payload}


def item(kind: str, second: int = 0, **payload: Any) -> dict[str, Any]:
    return row("response_item", second, type=kind, **payload)


def event(kind: str, second: int = 0, **payload: Any) -> dict[str, Any]:
    return row("event_msg", second, type=kind, **payload)


def said(role: str, *texts: str, second: int = 0) -> dict[str, Any]:
    part = "output_text" if role == "assistant" else "input_text"
    return item("message", second, role=role, content=[{"type": part, "text": text} for text in texts])


META = row(
    "session_meta",
    id=SID,
    timestamp="2026-09-01T08:00:00.000Z",
    cwd="/srv/shop",
    originator="codex_cli_rs",
    cli_version="0.98.0",
    source="cli",
    base_instructions={"text": "You are Codex."},
    git={"commit_hash": "0f0f0f0", "branch": "main", "repository_url": "https://example.org/shop.git"},
)
TURN = row("turn_context", cwd="/srv/shop", model="gpt-5.2-codex", effort="medium")
STEP = [
    item(
        "reasoning",
        2,
        summary=[{"type": "summary_text", "text": "Run the test first"}],
        content=None,
        encrypted_content="gA",
    ),
    item("function_call", 3, name="shell", arguments='{"command":["pytest","-q"]}', call_id="call_1"),
    item("function_call", 3, name="shell", arguments='{"command":["ls"]}', call_id="call_2"),
    item("function_call_output", 5, call_id="call_1", output='{"output":"1 failed","metadata":{"exit_code":1}}'),
    item("function_call_output", 6, call_id="call_2", output="a.txt"),
    said("assistant", "It compares local time with UTC.", second=8),
]


def test_the_items_of_a_step_become_one_message(tmp_path: Path) -> None:
    rows = [META, TURN, said("user", "Fix it.", second=1), *STEP]
    session, report = one(write_rows(tmp_path / f"rollout-2026-09-01T08-00-00-{SID}.jsonl", rows), "codex")
    assert told(session) == [
        ("user", "Fix it."),
        ("assistant", ""),
        ("tool", "1 failed"),
        ("tool", "a.txt"),
        ("assistant", "It compares local time with UTC."),
    ]
    step, failed, listed = session.messages[1:4]
    assert (step.reasoning, [c.id for c in step.tool_calls], step.model) == (
        "Run the test first",
        ["call_1", "call_2"],
        "gpt-5.2-codex",
    )
    assert (failed.is_error, failed.tool_name, failed.tool_call_id, listed.is_error) == (True, "shell", "call_1", False)
    assert (report.kept, report.merged, report.dropped) == (5, 4, {})
    assert (session.id, session.commit, session.branch, session.repository) == (
        SID,
        "0f0f0f0",
        "main",
        "https://example.org/shop.git",
    )
    assert (session.system_prompt, session.channel, session.agent_version) == ("You are Codex.", "cli", "0.98.0")


def test_events_are_used_only_where_no_item_says_it(tmp_path: Path) -> None:
    rows = [
        META,
        event("user_message", 1, message="Fix it."),
        said("user", "Fix it.", second=1),
        *STEP,
        event("agent_reasoning", 2, text="Run the test first"),
        event("agent_message", 8, message="It compares local time with UTC."),
        event("user_message", 9, message="Thanks, only an event says this."),
        event("exec_command_end", 6, call_id="call_1", aggregated_output="1 failed"),
    ]
    session, report = one(write_rows(tmp_path / "r.jsonl", rows), "codex")
    assert [m.content for m in session.messages if m.role == "user"] == ["Fix it.", "Thanks, only an event says this."]
    assert report.dropped == {"duplicate:event_msg": 3, "duplicate:event_msg/exec_command_end": 1}
    assert session.messages[0].source_ids == ("line 3", "line 2")


def test_the_end_of_a_command_stands_in_for_a_missing_output(tmp_path: Path) -> None:
    rows = [
        META,
        said("user", "go"),
        STEP[1],
        event("exec_command_end", call_id="call_1", aggregated_output="boom", exit_code=2),
    ]
    session, _ = one(write_rows(tmp_path / "r.jsonl", rows), "codex")
    assert [(m.content, m.is_error) for m in session.messages[2:]] == [("boom", True)]


def test_usage_of_a_request_goes_to_its_answer(tmp_path: Path) -> None:
    info = {
        "total_token_usage": {"input_tokens": 900, "cached_input_tokens": 0, "output_tokens": 60},
        "last_token_usage": {"input_tokens": 500, "cached_input_tokens": 100, "output_tokens": 20},
    }
    rows = [
        META,
        said("user", "go"),
        said("assistant", "done"),
        event("token_count", info=info),
        event("token_count", info=None),
    ]
    session, report = one(write_rows(tmp_path / "r.jsonl", rows), "codex")
    assert session.messages[1].usage == {"input": 500, "cache_read": 100, "output": 20}
    assert session.usage == {"input": 900, "output": 60}
    assert report.dropped == {"bookkeeping:event_msg/token_count": 1}


INJECTED = [
    "<environment_context>\n<cwd>/srv</cwd>\n</environment_context>",
    "# AGENTS.md instructions for /srv\n…",
    "<user_instructions>x",
]


@pytest.mark.parametrize("text", INJECTED)
def test_injected_text_is_the_harness(tmp_path: Path, text: str) -> None:
    rows = [META, said("user", text), said("developer", "rules"), said("user", "me")]
    session, _ = one(write_rows(tmp_path / "r.jsonl", rows), "codex")
    assert [(m.role, m.state) for m in session.messages] == [
        ("user", "harness"),
        ("system", "harness"),
        ("user", "active"),
    ]


def test_a_compaction_keeps_what_was_said(tmp_path: Path) -> None:
    rows = [
        META,
        said("user", "go"),
        said("assistant", "a"),
        row("compacted", message="Summary: a", replacement_history=[]),
        said("assistant", "b"),
    ]
    session, report = one(write_rows(tmp_path / "r.jsonl", rows), "codex")
    assert [(m.content, m.state) for m in session.messages] == [
        ("go", "compacted"),
        ("a", "compacted"),
        ("Summary: a", "harness"),
        ("b", "active"),
    ]
    assert report.dropped == {}


def test_custom_tools_searches_and_patches(tmp_path: Path) -> None:
    rows = [
        META,
        said("user", "go"),
        item("custom_tool_call", call_id="c1", name="apply_patch", input="*** Begin Patch"),
        item("custom_tool_call_output", call_id="c1", output=[{"type": "input_text", "text": "Done!"}]),
        item("local_shell_call", call_id="c2", action={"type": "exec", "command": ["ls"]}),
        item("local_shell_call_output", call_id="c2", output="x"),
        item("web_search_call", id="ws", action={"type": "search", "query": "q"}),
    ]
    session, report = one(write_rows(tmp_path / "r.jsonl", rows), "codex")
    calls = [c for m in session.messages for c in m.tool_calls]
    assert [(c.name, c.arguments) for c in calls] == [
        ("apply_patch", "*** Begin Patch"),
        ("local_shell", '{"type":"exec","command":["ls"]}'),
        ("web_search", '{"type":"search","query":"q"}'),
    ]
    assert report.dropped == {}


def test_sub_agents_and_forks_name_their_parent(tmp_path: Path) -> None:
    agent = row("session_meta", id="child", parent_thread_id=SID, source={"subagent": {"thread_spawn": {}}})
    fork = row("session_meta", id="fork", forked_from_id=SID)
    first, _ = one(write_rows(tmp_path / "a.jsonl", [agent, said("user", "x")]), "codex")
    second, _ = one(write_rows(tmp_path / "b.jsonl", [fork, said("user", "x")]), "codex")
    assert (first.parent, first.parent_kind) == (SID, "subagent")
    assert (second.parent, second.parent_kind) == (SID, "fork")


def test_bare_items_of_very_old_files(tmp_path: Path) -> None:
    rows = [
        {"id": SID, "timestamp": "2025-05-01T08:00:00.000Z", "instructions": None, "git": {"branch": "main"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix it."}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "look"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": "ok"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
    ]
    session, report = one(write_rows(tmp_path / "rollout.jsonl", rows), "codex")
    assert told(session) == [("user", "Fix it."), ("assistant", ""), ("tool", "ok"), ("assistant", "Done.")]
    assert (session.id, session.branch, report.dropped) == (SID, "main", {"bookkeeping:state": 1})


def test_flat_rows_without_ids_are_paired_by_position(tmp_path: Path) -> None:
    rows = [
        {"created_at": "2025-09-10T12:00:00Z", "role": "user", "message": "Translate", "model": "gpt-4o-mini"},
        {
            "created_at": "2025-09-10T12:00:01Z",
            "type": "function_call",
            "function": {"name": "translate"},
            "arguments": {"to": "es"},
        },
        {"created_at": "2025-09-10T12:00:02Z", "type": "function_result", "name": "translate", "result": "hola"},
        {"created_at": "2025-09-10T12:00:03Z", "role": "assistant", "content": "hola"},
    ]
    session, report = one(write_rows(tmp_path / "flat.jsonl", rows), "codex")
    assert [m.role for m in session.messages] == ["user", "assistant", "tool", "assistant"]
    assert session.messages[1].tool_calls[0].arguments == '{"to":"es"}'
    assert session.messages[2].tool_call_id == session.messages[1].tool_calls[0].id
    assert report.notes == {"results paired by position": 1}
    assert session.id.startswith("flat-")


def test_unknown_items_are_counted(tmp_path: Path) -> None:
    rows = [META, said("user", "go"), item("hologram"), event("brand_new"), row("brand_new"), said("assistant", "")]
    _, report = one(write_rows(tmp_path / "r.jsonl", rows), "codex")
    assert report.dropped == {
        "empty:message": 1,
        "unknown:brand_new": 1,
        "unknown:event_msg/brand_new": 1,
        "unknown:response_item/hologram": 1,
    }


def test_a_file_that_says_nothing_is_no_session_and_no_loss(tmp_path: Path) -> None:
    sessions, report = read(write_rows(tmp_path / "r.jsonl", [META, event("task_started")]), "codex")
    assert sessions == []
    assert report.dropped == {"bookkeeping:event_msg/task_started": 1, "empty:session": 1}


def test_a_grown_file_keeps_the_numbers(tmp_path: Path) -> None:
    rows = [META, event("user_message", message="go"), said("user", "go"), *STEP]
    full, _ = one(write_rows(tmp_path / "r.jsonl", rows), "codex")
    for size in range(3, len(rows)):
        part, _ = one(write_rows(tmp_path / "r.jsonl", rows[:size]), "codex")
        assert [m.id for m in part.messages] == [m.id for m in full.messages[: len(part.messages)]]
        assert told(part)[:-1] == told(full)[: len(part.messages) - 1]


def test_output_that_is_json_text_is_kept_as_it_is(tmp_path: Path) -> None:
    output = json.dumps({"rows": [1, 2]})
    rows = [META, said("user", "go"), STEP[1], item("function_call_output", call_id="call_1", output=output)]
    session, _ = one(write_rows(tmp_path / "r.jsonl", rows), "codex")
    assert session.messages[2].content == output


def test_every_real_file_is_accounted_for(data: Path) -> None:
    folder = data / "sessions/multi/jazzyalex-agent-sessions"
    paths = [
        *folder.glob("codex_*.jsonl"),
        *folder.glob("session_*.jsonl"),
        *folder.glob("stage0/agents/codex/*.jsonl"),
    ]
    found = [read(path, "codex") for path in paths]
    assert len(found) == 10
    assert sum(len(sessions) for sessions, _ in found) == 6


def test_a_packed_rollout_is_the_same_session(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard", reason="the extra zst is not installed")
    plain = write_rows(tmp_path / "rollout-1.jsonl", [META, TURN, said("user", "Fix it."), *STEP])
    packed = tmp_path / "packed" / "rollout-1.jsonl.zst"
    packed.parent.mkdir()
    packed.write_bytes(zstandard.ZstdCompressor().compress(plain.read_bytes()))
    (ours, report), (theirs, packed_report) = one(plain, "codex"), one(packed, "codex")
    assert (theirs.id, theirs.digest, theirs.messages) == (ours.id, ours.digest, ours.messages)
    assert packed_report == report
