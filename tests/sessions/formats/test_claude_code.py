"""Claude Code: grouping by message id, usage once, branches, compaction, sub-agents, titles, drift."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.sessions.formats.reading import one, read, told, write_rows

SID = "7e1f8a52-0d3b-4c55-9c2e-5f2b1a6d9e01"


class Log:
    """Builds rows as Claude Code writes them, each hanging on the one before unless told otherwise."""

    def __init__(self, **common: Any) -> None:
        self.rows: list[dict[str, Any]] = []
        self.common = {
            "isSidechain": False,
            "userType": "external",
            "cwd": "/srv/shop",
            "sessionId": SID,
            "version": "2.1.30",
            "gitBranch": "main",
            **common,
        }
        self.last: str | None = None

    def add(self, kind: str, message: Any = None, **fields: Any) -> str:
        number = len(self.rows) + 1
        uuid = fields.pop("uuid", f"u{number}")
        parent = fields.pop("parent", self.last)
        row = {
            "parentUuid": parent,
            **self.common,
            "type": kind,
            "uuid": uuid,
            "timestamp": f"2026-09-01T08:00:{number:02d}.000Z",
            **fields,
        }
        if message is not None:
            row["message"] = message
        self.rows.append(row)
        self.last = uuid
        return uuid

    def user(self, text: Any, **fields: Any) -> str:
        return self.add("user", {"role": "user", "content": text}, **fields)

    def result(self, call: str, text: Any, *, error: bool = False, **fields: Any) -> str:
        return self.user([{"type": "tool_result", "tool_use_id": call, "content": text, "is_error": error}], **fields)

    def answer(self, message_id: str, *blocks: Any, output: int = 10, **fields: Any) -> str:
        message = {
            "id": message_id,
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": list(blocks),
            "usage": {"input_tokens": 900, "output_tokens": output},
        }
        return self.add("assistant", message, **fields)


def text(value: str) -> dict[str, str]:
    return {"type": "text", "text": value}


def call(call_id: str, name: str = "Bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def test_rows_of_one_message_become_one_and_its_usage_counts_once(tmp_path: Path) -> None:
    log = Log()
    log.user("The date test is flaky. Fix it.")
    log.answer("msg_1", {"type": "thinking", "thinking": "Time zone?", "signature": "c2ln"}, output=4)
    log.answer("msg_1", text("I run it."), output=9)
    log.answer("msg_1", call("t1", command="pytest -q"), output=40, stop_reason="tool_use")
    log.result("t1", "1 failed", error=True)
    log.answer("msg_2", text("It compares local time with UTC."))
    session, report = one(write_rows(tmp_path / f"{SID}.jsonl", log.rows), "claude-code")
    assert told(session) == [
        ("user", "The date test is flaky. Fix it."),
        ("assistant", "I run it."),
        ("tool", "1 failed"),
        ("assistant", "It compares local time with UTC."),
    ]
    answer, result = session.messages[1], session.messages[2]
    assert answer.reasoning == "Time zone?"
    assert [(c.id, c.name, c.arguments) for c in answer.tool_calls] == [("t1", "Bash", '{"command":"pytest -q"}')]
    assert answer.usage == {"input": 900, "output": 40}
    assert answer.source_ids == ("u2", "u3", "u4")
    assert (result.tool_call_id, result.tool_name, result.is_error) == ("t1", "Bash", True)
    assert (report.rows_in, report.kept, report.merged, report.dropped) == (6, 4, 2, {})
    assert (session.id, session.cwd, session.branch, session.model) == (SID, "/srv/shop", "main", "claude-sonnet-4-5")
    assert (session.started_at, session.ended_at) == ("2026-09-01T08:00:01Z", "2026-09-01T08:00:06Z")


def test_parallel_calls_are_one_message_and_no_branch(tmp_path: Path) -> None:
    log = Log()
    log.user("go")
    first = log.answer("m1", call("a"))
    second = log.answer("m1", call("b"))
    log.result("a", "A", parent=first)
    log.result("b", "B", parent=second)
    log.answer("m2", text("done"))
    session, _ = one(write_rows(tmp_path / "x.jsonl", log.rows), "claude-code")
    assert [m.state for m in session.messages] == ["active"] * 5
    assert [c.id for c in session.messages[1].tool_calls] == ["a", "b"]


def test_an_edited_prompt_leaves_a_branch(tmp_path: Path) -> None:
    log = Log()
    root = log.user("go")
    log.answer("m1", text("first try"))
    log.user("no, differently", parent=root)
    log.answer("m2", text("second try"))
    session, _ = one(write_rows(tmp_path / "x.jsonl", log.rows), "claude-code")
    assert [(m.content, m.state) for m in session.messages] == [
        ("go", "active"),
        ("first try", "branch"),
        ("no, differently", "active"),
        ("second try", "active"),
    ]


def test_rows_hang_together_through_bookkeeping(tmp_path: Path) -> None:
    log = Log()
    log.user("go")
    log.add("progress", data={"type": "hook_progress"})
    log.answer("m1", text("done"))
    session, report = one(write_rows(tmp_path / "x.jsonl", log.rows), "claude-code")
    assert [m.state for m in session.messages] == ["active", "active"]
    assert report.dropped == {"bookkeeping:progress": 1}


def test_a_compaction_keeps_what_was_said_before(tmp_path: Path) -> None:
    log = Log()
    log.user("go")
    old = log.answer("m1", text("long ago"))
    log.add("system", subtype="compact_boundary", parent=None, logicalParentUuid=old, content="Conversation compacted")
    log.user("This session is being continued …", isCompactSummary=True)
    log.answer("m2", text("and on"))
    session, report = one(write_rows(tmp_path / "x.jsonl", log.rows), "claude-code")
    assert [m.state for m in session.messages] == ["compacted", "compacted", "harness", "active"]
    assert report.merged == 1


HARNESS = [
    "<command-name>/clear</command-name>",
    "<local-command-stdout>ok</local-command-stdout>",
    "<system-reminder>be safe</system-reminder>",
    "Caveat: The messages below were generated by the user while running local commands. …",
    "[Request interrupted by user]",
]


@pytest.mark.parametrize("content", HARNESS)
def test_text_of_the_harness_is_not_the_person(tmp_path: Path, content: str) -> None:
    log = Log()
    log.user(content)
    log.user([text("<system-reminder>x</system-reminder>"), text("but this is me")])
    log.user("meta", isMeta=True)
    session, _ = one(write_rows(tmp_path / "x.jsonl", log.rows), "claude-code")
    assert [m.state for m in session.messages] == ["harness", "active", "harness"]


def test_sub_agents_become_sessions_of_their_own(tmp_path: Path) -> None:
    log = Log()
    log.user("search")
    log.answer("m1", call("t", "Task", prompt="find TODO"))
    side = Log(isSidechain=True, agentId="a0ad4f4")
    side.user("find TODO", uuid="s1")
    side.answer("s-m1", text("found 3"), uuid="s2")
    log.add(
        "progress",
        data={
            "type": "agent_progress",
            "agentId": "b77",
            "message": {"type": "user", "uuid": "p1", "message": {"role": "user", "content": "look"}},
        },
    )
    sessions, report = read(write_rows(tmp_path / "x.jsonl", [*log.rows, *side.rows]), "claude-code")
    assert [(s.id, s.parent, s.parent_kind, told(s)) for s in sessions[1:]] == [
        (f"{SID}.agent-b77", SID, "subagent", [("user", "look")]),
        (f"{SID}.agent-a0ad4f4", SID, "subagent", [("user", "find TODO"), ("assistant", "found 3")]),
    ]
    assert report.dropped == {}


def test_a_sub_agents_own_file_names_its_parent_by_the_folder(tmp_path: Path) -> None:
    side = Log(isSidechain=True, agentId="a1", sessionId="agent-a1")
    side.user("find")
    session, _ = one(write_rows(tmp_path / SID / "subagents" / "agent-a1.jsonl", side.rows), "claude-code")
    assert (session.id, session.parent, session.parent_kind) == ("agent-a1", SID, "subagent")


def test_titles_go_to_the_session_they_were_made_for(tmp_path: Path) -> None:
    log = Log()
    leaf = log.user("go")
    titles = [
        {"type": "summary", "summary": "Fix the date test", "leafUuid": leaf},
        {"type": "summary", "summary": "Another session", "leafUuid": "elsewhere"},
        {"type": "ai-title", "aiTitle": "Machine title", "sessionId": SID},
    ]
    session, report = one(write_rows(tmp_path / "x.jsonl", [*titles, *log.rows]), "claude-code")
    assert session.title == "Fix the date test"
    assert (report.merged, report.dropped) == (2, {"bookkeeping:summary": 1})


def test_a_repeated_row_is_a_duplicate(tmp_path: Path) -> None:
    log = Log()
    log.user("go")
    session, report = one(write_rows(tmp_path / "x.jsonl", [*log.rows, *log.rows]), "claude-code")
    assert len(session.messages) == 1
    assert report.dropped == {"duplicate": 1}


def test_calls_without_ids_are_paired_by_position_and_said(tmp_path: Path) -> None:
    rows = [
        {"type": "user", "sessionId": "d", "message": {"role": "user", "content": "Open README"}, "uuid": "u1"},
        {"type": "tool_use", "sessionId": "d", "name": "bash", "input": {"command": "cat README.md"}, "uuid": "t1"},
        {"type": "tool_result", "sessionId": "d", "name": "bash", "output": "# Title\n", "uuid": "r1"},
    ]
    session, report = one(write_rows(tmp_path / "x.jsonl", rows), "claude-code")
    assert session.messages[1].tool_calls[0].id == session.messages[2].tool_call_id == "call-1"
    assert report.notes == {"results paired by position": 1}


def test_unknown_and_odd_rows_are_counted_not_fatal(tmp_path: Path) -> None:
    log = Log()
    log.user("go")
    log.user(None)
    log.user([{"type": "image", "source": {"data": "…"}}, "plain", 7])
    log.add("brand-new-type")
    log.add("x" * 500)
    log.add("assistant", {"role": "assistant", "content": []})
    log.add("user", "not an object")
    rows = [*log.rows, {"no": "type", "sessionId": SID}]
    session, report = one(write_rows(tmp_path / "x.jsonl", rows), "claude-code")
    assert told(session) == [("user", "go"), ("user", "[image]\nplain\n[unknown part]")]
    assert report.dropped == {
        "empty:assistant": 1,
        "empty:user": 2,
        "unknown:brand-new-type": 1,
        "unknown:no-type": 1,
        "unknown:other": 1,
    }


def test_a_grown_file_keeps_the_numbers(tmp_path: Path) -> None:
    log = Log()
    log.user("go")
    log.answer("m1", text("a"))
    before, _ = one(write_rows(tmp_path / "x.jsonl", log.rows), "claude-code")
    log.answer("m1", call("t1"))
    log.result("t1", "ok")
    after, _ = one(write_rows(tmp_path / "x.jsonl", log.rows), "claude-code")
    assert [m.id for m in after.messages] == [1, 2, 3]
    assert after.messages[0] == before.messages[0]
    assert after.messages[1].content == before.messages[1].content
    assert after.digest != before.digest


def test_every_real_file_is_accounted_for(data: Path) -> None:
    paths = [*(data / "sessions/claude-code").rglob("*.jsonl"), *(data / "sessions/multi").glob("**/claude/**/*.jsonl")]
    found = [read(path, "claude-code") for path in paths if path.name != "index.jsonl"]
    assert len(found) >= 49
    assert sum(len(sessions) for sessions, _ in found) >= len(found)
    calls = {c.id for sessions, _ in found for s in sessions for m in s.messages for c in m.tool_calls}
    results = {m.tool_call_id for sessions, _ in found for s in sessions for m in s.messages if m.role == "tool"}
    assert len(results & calls) > 0.95 * len(results)
