"""Cursor's chats: blobs under their digests, a state that orders them, and whatever a hostile database may hold."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_git.errors import UserError
from hermes_git.finding import Report
from hermes_git.sessions.formats import cursor_db
from hermes_git.sessions.intake import Importer
from hermes_git.sessions.store import open_folder
from tests.sessions.formats.reading import one, read, told, write_rows
from tests.sessions.formats.test_any_input import ROWS

SID = "1a2b3c4d-5e6f-4890-abcd-ef1234567890"
TALK = [("user", "Fix it."), ("assistant", "I run it."), ("tool", "1 failed"), ("assistant", "It was UTC.")]


def text(role: str, *texts: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": said} for said in texts]}


SYSTEM = {"role": "system", "content": "You are Cursor."}
CONTEXT = text("user", "<user_info>\nOS: linux\n</user_info>")
ASKED = text("user", "<user_query>\nFix it.\n</user_query>")
CALL = {
    "role": "assistant",
    "content": [
        {"type": "reasoning", "text": "Zone?", "signature": "c2ln"},
        {"type": "text", "text": "I run it."},
        {"type": "tool-call", "toolCallId": "t1", "toolName": "Shell", "args": {"command": "pytest"}},
    ],
}
RESULT = {
    "role": "tool",
    "content": [{"type": "tool-result", "toolCallId": "t1", "toolName": "Shell", "result": "1 failed"}],
}
ANSWER = text("assistant", "It was UTC.")
CHAT = [SYSTEM, CONTEXT, ASKED, CALL, RESULT, ANSWER]


def varint(value: int) -> bytes:
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def blob(link: sqlite3.Connection, data: bytes) -> str:
    name = hashlib.sha256(data).hexdigest()
    link.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (name, data))
    return name


def encode(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode("utf-8")


def database(path: Path, *states: Sequence[Any], **meta: Any) -> sqlite3.Connection:
    """Write a chat whose states follow each other; messages are written when a state first holds them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    link = sqlite3.connect(path)
    link.execute("PRAGMA journal_mode=WAL")
    link.execute("CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)")
    link.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
    root = ""
    for state in states:
        names = [bytes.fromhex(blob(link, encode(message))) for message in state]
        workspace = field(9, b"file:///srv/my%20shop")
        root = blob(link, b"".join(field(1, name) for name in names) + varint(5 << 3) + varint(300) + workspace)
    record = {"agentId": SID, "latestRootBlobId": root, "name": "Dates", "createdAt": 1788249600000} | meta
    link.execute("INSERT INTO meta VALUES ('0', ?)", (encode(record | {"lastUsedModel": "m"}).hex(),))
    link.commit()
    return link


def test_a_chat_is_a_session_in_the_order_of_its_state(tmp_path: Path) -> None:
    database(tmp_path / "any.db", CHAT[:3], CHAT).close()
    found, report = one(tmp_path / "any.db", "cursor-db")
    assert [row for row in told(found) if "user_info" not in row[1]] == TALK
    assert [row.state for row in found.messages] == ["harness", *["active"] * 4]
    assert (found.messages[2].reasoning, found.messages[2].tool_calls[0].id) == (
        "Zone?",
        found.messages[3].tool_call_id,
    )
    assert (found.id, found.title, found.model, found.cwd) == (SID, "Dates", "m", "/srv/my shop")
    assert (found.started_at, found.system_prompt) == ("2026-09-01T08:00:00Z", "You are Cursor.")
    assert (report.rows_in, report.kept, report.merged) == (9, 5, 3)
    assert report.dropped == {"bookkeeping:state": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["any.db"]


def test_what_the_last_state_holds_no_more_stands_where_it_was_written(tmp_path: Path) -> None:
    summary = text("user", "<conversation_summary>\nDates were UTC.\n</conversation_summary>")
    newer = {"role": "system", "content": "You are Cursor 2."}
    database(tmp_path / "a.db", CHAT, [newer, summary, ANSWER, text("user", "Thanks.")]).close()
    found, report = one(tmp_path / "a.db", "cursor-db")
    assert found.system_prompt == "You are Cursor 2."
    assert [(row.state, row.content.split("\n")[0]) for row in found.messages] == [
        ("harness", "<user_info>"),
        ("compacted", "Fix it."),
        ("compacted", "I run it."),
        ("compacted", "1 failed"),
        ("harness", "<conversation_summary>"),
        ("active", "It was UTC."),
        ("active", "Thanks."),
    ]
    assert report.dropped == {"bookkeeping:state": 1, "bookkeeping:system": 1}


def test_a_message_that_is_said_twice_is_one_blob_and_two_messages(tmp_path: Path) -> None:
    again = text("user", "<user_query>\ncontinue\n</user_query>")
    database(tmp_path / "a.db", [ASKED, again, ANSWER, again]).close()
    found, report = one(tmp_path / "a.db", "cursor-db")
    assert [row.content for row in found.messages] == ["Fix it.", "continue", "It was UTC.", "continue"]
    assert report.kept == 3


def test_text_around_a_query_is_the_program_s(tmp_path: Path) -> None:
    database(tmp_path / "a.db", [text("user", "<rules>x</rules><user_query>\nFix it.\n</user_query>"), ANSWER]).close()
    found = one(tmp_path / "a.db", "cursor-db")[0]
    assert [(row.state, row.content) for row in found.messages[:2]] == [
        ("harness", "<rules>x</rules>"),
        ("active", "Fix it."),
    ]


def test_a_chat_in_use_shows_what_is_only_in_its_log(tmp_path: Path) -> None:
    path = tmp_path / "chats" / "0a1b" / SID / "store.db"
    link = database(path, CHAT, agentId="")
    assert one(path, "cursor-db")[0].id == SID
    link.close()


def test_a_chat_without_its_last_state_is_read_in_the_order_of_writing(tmp_path: Path) -> None:
    database(tmp_path / "a.db", CHAT, latestRootBlobId="00" * 32).close()
    found, report = one(tmp_path / "a.db", "cursor-db")
    assert [row.content for row in found.messages][1:] == [row[1] for row in TALK]
    assert "the chat's last state is missing" in " ".join(report.notes)


@pytest.mark.parametrize("order", [("store.db", "agent-transcripts"), ("agent-transcripts", "store.db")])
def test_a_chat_and_its_transcript_are_one_session(tmp_path: Path, order: tuple[str, str]) -> None:
    database(tmp_path / "store.db", CHAT).close()
    call = {"type": "tool_use", "name": "Shell", "input": {"command": "pytest"}}
    told_there = [ASKED, {"role": "assistant", "content": [{"type": "text", "text": "I run it."}, call]}, ANSWER]
    rows = [{"role": row["role"], "message": {"content": row["content"]}} for row in told_there]
    write_rows(tmp_path / "agent-transcripts" / f"{SID}.jsonl", rows)
    store = open_folder(tmp_path / "out")
    Importer(store, str, lambda files: dict.fromkeys(files, Report())).run([tmp_path / name for name in order])
    assert len(store.sessions()) == 1
    words = [row.content for row in store.session(SID).messages if row.state == "active"]
    assert sorted(words) == sorted(said for _, said in TALK)


@pytest.mark.parametrize(
    "state",
    [b"", b"\x0a", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"\xff" * 40, field(1, b"short"), b"\x0b\x0c"],
)
def test_a_state_that_is_none_loses_no_message(tmp_path: Path, state: bytes) -> None:
    link = database(tmp_path / "a.db", [ASKED, ANSWER])
    link.execute("UPDATE meta SET value = ?", (encode({"latestRootBlobId": blob(link, state)}).hex(),))
    link.commit()
    link.close()
    assert told(one(tmp_path / "a.db", "cursor-db")[0]) == [TALK[0], TALK[3]]


def test_a_state_that_repeats_one_message_for_ever_is_bounded(tmp_path: Path) -> None:
    link = database(tmp_path / "a.db", [ASKED, ANSWER])
    name = bytes.fromhex(blob(link, encode(ASKED)))
    root = blob(link, field(1, name) * 50_000)
    link.execute("UPDATE meta SET value = ?", (encode({"latestRootBlobId": root}).hex(),))
    link.commit()
    link.close()
    assert len(one(tmp_path / "a.db", "cursor-db")[0].messages) < 10


@given(data=st.binary(max_size=80), wanted=st.integers(1, 9))
@settings(max_examples=200, deadline=None)
def test_no_bytes_bring_the_fields_down(data: bytes, wanted: int) -> None:
    assert sum(len(part) for part in cursor_db._fields(data, wanted)) <= len(data)


@given(parts=st.lists(st.binary(max_size=200), max_size=8))
def test_fields_come_back_as_they_were_written(parts: list[bytes]) -> None:
    data = b"".join(field(1, part) + field(2, b"x") + varint(3 << 3) + varint(2**40) for part in parts)
    assert list(cursor_db._fields(data, 1)) == parts


@given(rows=ROWS)
@settings(max_examples=20, deadline=None)
def test_no_json_in_a_database_brings_the_reader_down(rows: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database(Path(folder) / "a.db", [{"role": "assistant", **row} for row in rows], [ASKED, *rows]).close()
        assert one(Path(folder) / "a.db", "cursor-db")[0].messages


def test_json_of_another_format_in_a_database_is_its_content(tmp_path: Path) -> None:
    said = [{"sessionId": "a", "projectHash": "b", "content": "x"}, {"messages": [], "session_id": "a", "model": "m"}]
    database(tmp_path / "a.db", [{"role": "assistant", **row} for row in said], [ASKED, *said]).close()
    assert one(tmp_path / "a.db", "cursor-db")[0].messages


def test_a_torn_database_is_one_error(tmp_path: Path) -> None:
    database(tmp_path / "a.db", CHAT).close()
    data = (tmp_path / "a.db").read_bytes()
    (tmp_path / "a.db").write_bytes(data[: len(data) // 2])
    with pytest.raises(UserError, match="cannot read"):
        read(tmp_path / "a.db", "cursor-db")


def test_the_real_chat_is_accounted_for(data: Path) -> None:
    path = next((data / "sessions" / "multi").rglob("test-store.db"))
    sessions, report = read(path, "cursor-db")
    assert (sessions, report.rows_in, report.dropped) == ([], 1, {"empty:session": 1})
