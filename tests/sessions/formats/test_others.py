"""opencode, Cursor, pi, ATIF, SWE-agent: the shapes their agents write, and every real file accounted for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.sessions.formats.reading import one, read, told, write_document, write_rows

TALK = [("user", "Fix it."), ("assistant", "I run it."), ("tool", "1 failed"), ("assistant", "It was UTC.")]


def opencode_message(number: int, role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    info = {
        "id": f"msg_{number}",
        "sessionID": "ses_1",
        "role": role,
        "time": {"created": 1788249600000 + number * 1000},
    }
    return {
        "info": info | ({"modelID": "m", "tokens": {"input": 9, "output": 3}} if role == "assistant" else {}),
        "parts": list(parts),
    }


def test_opencode(tmp_path: Path) -> None:
    tool = {
        "type": "tool",
        "callID": "c1",
        "tool": "bash",
        "state": {"status": "error", "input": {"command": "pytest"}, "output": "1 failed"},
    }
    record = {
        "info": {
            "id": "ses_1",
            "directory": "/srv/shop",
            "title": "Dates",
            "version": "1.2.0",
            "time": {"created": 1788249600000, "updated": 1788249609000},
        },
        "messages": [
            opencode_message(1, "user", {"type": "text", "text": "Fix it."}),
            opencode_message(
                2,
                "assistant",
                {"type": "step-start"},
                {"type": "reasoning", "text": "Zone?"},
                {"type": "text", "text": "I run it."},
                tool,
            ),
            opencode_message(3, "assistant", {"type": "text", "text": "It was UTC."}, {"type": "file", "url": "x"}),
            opencode_message(4, "assistant"),
            {"info": {"role": "alien"}},
        ],
    }
    session, report = one(write_document(tmp_path / "export.json", record), "opencode")
    assert told(session) == [*TALK[:3], ("assistant", "It was UTC.\n[file]")]
    assert (session.messages[1].reasoning, session.messages[1].usage, session.messages[2].is_error) == (
        "Zone?",
        {"input": 9, "output": 3},
        True,
    )
    assert (session.title, session.cwd, session.started_at) == ("Dates", "/srv/shop", "2026-09-01T08:00:00Z")
    assert (report.kept, report.merged, report.dropped) == (3, 1, {"empty:assistant": 1, "unknown:role/alien": 1})


def test_cursor(tmp_path: Path) -> None:
    def row(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
        return {"role": role, "message": {"content": list(parts)}}

    rows = [
        row("user", {"type": "text", "text": "<user_query>\nFix it.\n</user_query>"}),
        row(
            "assistant",
            {"type": "text", "text": "I run it."},
            {"type": "tool_use", "name": "Shell", "input": {"command": "pytest"}},
        ),
        row("user", {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "1 failed"}]}),
        row("assistant", {"type": "text", "text": "It was UTC."}),
        {"type": "turn_ended", "status": "success"},
    ]
    parent = "11111111-1111-4111-8111-111111111111"
    path = tmp_path / "agent-transcripts" / parent / "subagents" / "22222222-2222-4222-8222-222222222222.jsonl"
    session, report = one(write_rows(path, rows), "cursor")
    assert told(session) == TALK
    assert session.messages[1].tool_calls[0].id == session.messages[2].tool_call_id
    assert (session.id, session.parent, session.parent_kind) == (path.stem, parent, "subagent")
    assert (report.dropped, report.notes) == ({"bookkeeping:turn_ended": 1}, {"results paired by position": 1})


def pi_row(number: int, parent: int, role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {
        "type": "message",
        "id": f"m{number}",
        "parentId": f"m{parent}",
        "timestamp": f"2026-09-01T08:00:0{number}Z",
        "message": {"role": role, "content": content, **fields},
    }


PI = [
    {"type": "session", "id": "pi-1", "cwd": "/srv/shop", "branchedFrom": "/x/2026_pi-0.jsonl"},
    {"type": "model_change", "provider": "p", "modelId": "m"},
    pi_row(1, 0, "user", [{"type": "text", "text": "Fix it."}]),
    pi_row(
        2,
        1,
        "assistant",
        [
            {"type": "thinking", "thinking": "Zone?"},
            {"type": "text", "text": "I run it."},
            {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "pytest"}},
        ],
        model="m",
        usage={"input": 9, "cacheRead": 4},
    ),
    pi_row(3, 2, "toolResult", [{"type": "text", "text": "1 failed"}], toolCallId="c", toolName="bash", isError=True),
    pi_row(4, 3, "assistant", [{"type": "text", "text": "It was UTC."}]),
]


def test_pi(tmp_path: Path) -> None:
    session, report = one(write_rows(tmp_path / "pi.jsonl", PI), "pi")
    assert told(session) == TALK
    assert (session.messages[1].usage, session.messages[2].is_error) == ({"cache_read": 4, "input": 9}, True)
    assert (session.parent, session.parent_kind) == ("2026_pi-0", "fork")
    assert report.dropped == {"bookkeeping:model_change": 1}


def test_pi_branches_compactions_and_what_the_user_ran(tmp_path: Path) -> None:
    more = [
        {"type": "compaction", "id": "k", "parentId": "m4", "summary": "Dates were UTC.", "firstKeptEntryId": "m4"},
        {
            "type": "message",
            "id": "b",
            "parentId": "k",
            "message": {"role": "bashExecution", "command": "ls", "output": "a.txt"},
        },
        pi_row(5, 4, "user", [{"type": "text", "text": "left behind"}]),
        {**pi_row(6, 4, "user", [{"type": "text", "text": "instead"}]), "parentId": "b"},
        {"type": "hologram", "id": "h"},
    ]
    session, report = one(write_rows(tmp_path / "pi.jsonl", [*PI, *more]), "pi")
    assert [m.state for m in session.messages] == ["compacted"] * 3 + [
        "active",
        "harness",
        "harness",
        "branch",
        "active",
    ]
    assert session.messages[5].content == "$ ls\na.txt"
    assert report.dropped == {"bookkeeping:model_change": 1, "unknown:hologram": 1}


def test_atif(tmp_path: Path) -> None:
    steps = [
        {"step_id": 1, "source": "system", "message": "You are Codex."},
        {"step_id": 2, "source": "user", "message": "Fix it.", "is_copied_context": True},
        {
            "step_id": 3,
            "source": "agent",
            "message": "I run it.",
            "reasoning_content": "Zone?",
            "metrics": {"prompt_tokens": 9},
            "tool_calls": [{"tool_call_id": "c", "function_name": "bash", "arguments": {"command": "pytest"}}],
            "observation": {"results": [{"source_call_id": "c", "content": "1 failed"}]},
        },
        {"step_id": 4, "source": "agent", "message": [{"type": "text", "text": "It was UTC."}]},
        {"step_id": 5, "source": "agent", "message": ""},
        {"step_id": 6, "source": "alien", "message": "x"},
    ]
    inner = {
        "session_id": "s-2",
        "agent": {"name": "helper"},
        "steps": [{"step_id": 1, "source": "user", "message": "look"}],
    }
    record = {
        "schema_version": "ATIF-v1.6",
        "session_id": "s-1",
        "agent": {"name": "demo", "version": "1.0", "model_name": "m"},
        "steps": steps,
        "subagent_trajectories": [inner],
    }
    sessions, report = read(write_document(tmp_path / "trajectory.json", record, None), "atif")
    assert told(sessions[0]) == TALK
    assert [m.state for m in sessions[0].messages] == ["compacted", "active", "active", "active"]
    assert (sessions[0].agent, sessions[0].system_prompt, sessions[0].messages[1].usage) == (
        "demo",
        "You are Codex.",
        {"input": 9},
    )
    assert (sessions[1].id, sessions[1].parent, sessions[1].parent_kind) == ("s-2", "s-1", "subagent")
    assert report.dropped == {"empty:step": 1, "unknown:source": 1}


def test_swe_agent(tmp_path: Path) -> None:
    history = [
        {"role": "system", "content": "You are a programmer.", "agent": "primary"},
        {"role": "user", "content": "a demonstration", "is_demo": True},
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "I run it.\n```\npytest\n```", "thought": "I run it.", "action": "pytest\n"},
        {"role": "user", "content": "1 failed", "message_type": "observation"},
        {"role": "assistant", "content": "It was UTC.", "thought": "It was UTC.", "action": ""},
    ]
    record = {
        "environment": "shop",
        "trajectory": [{"action": "pytest"}],
        "history": history,
        "info": {"exit_status": "submitted"},
    }
    session, report = one(write_document(tmp_path / "run.traj", record), "swe-agent")
    assert told(session) == [("user", "a demonstration"), *TALK]
    assert json.loads(session.messages[2].tool_calls[0].arguments) == {"command": "pytest\n"}
    assert session.messages[3].tool_call_id == session.messages[2].tool_calls[0].id
    assert [m.state for m in session.messages] == ["harness"] + ["active"] * 4
    assert (session.end_reason, report.dropped) == ("submitted", {})


def test_swe_agent_with_function_calls_and_mini(tmp_path: Path) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    history = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "x", "tool_calls": [call]},
        {"role": "tool", "content": "out", "tool_call_ids": ["c"]},
    ]
    session, _ = one(
        write_document(tmp_path / "a.traj", {"trajectory": [], "history": history, "info": {}}), "swe-agent"
    )
    assert (session.messages[2].tool_call_id, session.messages[2].tool_name) == ("c", "bash")
    mini = {
        "info": {"exit_status": "Submitted", "config": {"model": {"model_name": "m"}}},
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "```bash\nls\n```", "extra": {"actions": [{"command": "ls"}]}},
            {"role": "user", "content": "<returncode>0</returncode>"},
        ],
        "trajectory_format": "mini-swe-agent-1.1",
    }
    session, _ = one(write_document(tmp_path / "b.traj.json", mini), "swe-agent")
    assert [m.role for m in session.messages] == ["user", "assistant", "tool"]
    assert (session.agent, session.model) == ("mini-swe-agent", "m")


def test_every_real_file_is_accounted_for(data: Path) -> None:
    multi = data / "sessions/multi/jazzyalex-agent-sessions"
    expected = {
        "pi": [
            *(data / "sessions/pi").rglob("*.jsonl"),
            *multi.glob("stage0/agents/pi/*"),
            *multi.glob("stage0/agents/openclaw/*"),
        ],
        "cursor": [*multi.glob("stage0/agents/cursor/**/*.jsonl"), *multi.glob("tests/Cursor/*.jsonl")],
        "atif": [*(data / "trajectories/atif").glob("*/*/trajectory.json")],
        "swe-agent": [*(data / "trajectories/swe-agent").glob("*.traj")],
    }
    for name, paths in expected.items():
        for path in paths:
            sessions, report = read(path, name)
            assert len(sessions) == 1 and not [why for why in report.dropped if why.startswith(("damaged", "unknown"))]
    assert [len(paths) for paths in expected.values()] == [6, 7, 8, 15]
