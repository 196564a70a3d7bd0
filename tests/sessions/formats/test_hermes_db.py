"""Hermes' database: read without writing beside it, also while it is being written; damage is one error."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from hermes_git.errors import UserError
from tests.sessions.formats.reading import read, told

SCHEMA = """
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, system_prompt TEXT, system_prompt_hash TEXT,
  parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, title TEXT, input_tokens INTEGER);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,
  tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, active INTEGER, compacted INTEGER);
CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT);
"""


def fill(path: Path) -> sqlite3.Connection:
    link = sqlite3.connect(path)
    link.execute("PRAGMA journal_mode=WAL")
    link.executescript(SCHEMA)
    link.execute("INSERT INTO system_prompts VALUES ('h', 'You are Hermes.')")
    link.execute(
        "INSERT INTO sessions VALUES "
        "('p', 'cli', 'm', NULL, 'h', NULL, 1788249600.0, 1788249609.0, 'compression', 'Dates', 9)"
    )
    link.execute(
        "INSERT INTO sessions VALUES ('c', 'telegram', NULL, 'Own.', NULL, 'p', 1788253200.0, NULL, NULL, NULL, 0)"
    )
    link.execute("INSERT INTO sessions VALUES ('e', 'cli', NULL, NULL, NULL, NULL, 1788253300.0, NULL, NULL, NULL, 0)")
    calls = '[{"id":"c1","type":"function","function":{"name":"terminal","arguments":"{}"}}]'
    rows = [
        ("p", "user", "one", None, None, 1, 0),
        ("p", "user", "taken back", None, None, 0, 0),
        ("p", "assistant", None, calls, None, 0, 1),
        ("p", "tool", "out", None, "c1", 1, 0),
        ("c", "user", "more", None, None, 1, 0),
    ]
    link.executemany(
        "INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, active, compacted, timestamp) "
        "VALUES (?,?,?,?,?,?,?,1788249601.5)",
        rows,
    )
    link.commit()
    return link


def check(path: Path) -> None:
    sessions, report = read(path, "hermes-db")
    parent, child = sessions
    assert told(parent) == [("user", "one"), ("user", "taken back"), ("assistant", ""), ("tool", "out")]
    assert [m.state for m in parent.messages] == ["active", "rewound", "compacted", "active"]
    assert (parent.system_prompt, parent.title, parent.usage) == ("You are Hermes.", "Dates", {"input": 9})
    assert (child.parent, child.parent_kind, child.channel) == ("p", "compaction", "telegram")
    assert (report.rows_in, report.kept, report.merged, report.dropped) == (8, 5, 2, {"empty:session": 1})


def test_a_resting_database_is_read_without_a_trace(tmp_path: Path) -> None:
    fill(tmp_path / "state.db").close()
    before = (tmp_path / "state.db").read_bytes()
    check(tmp_path / "state.db")
    assert [path.name for path in tmp_path.iterdir()] == ["state.db"]
    assert (tmp_path / "state.db").read_bytes() == before


def test_a_database_in_use_shows_what_is_only_in_its_log(tmp_path: Path) -> None:
    link = fill(tmp_path / "state.db")
    check(tmp_path / "state.db")
    link.close()


def test_a_damaged_database_is_one_error(tmp_path: Path) -> None:
    fill(tmp_path / "state.db").close()
    data = (tmp_path / "state.db").read_bytes()
    (tmp_path / "state.db").write_bytes(data[:100] + b"\xff" * (len(data) - 100))
    with pytest.raises(UserError, match="cannot read"):
        read(tmp_path / "state.db", "hermes-db")
