"""opencode's `opencode.db`: the SQLite database that newer versions keep instead of the folder `storage`.

A row is a row of the tables `session`, `message` and `part`; messages and parts are JSON in their column `data`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec

from hermes_git import sqlite
from hermes_git.sessions import values
from hermes_git.sessions.formats import opencode
from hermes_git.sessions.loss import UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Head, Source

NAME = "opencode-db"
LIVE_NAME = re.compile(r"opencode(?:-[\w.-]+)?\.db\Z")
"""While opencode runs, the tables may still be in the write-ahead log, so that only the name tells."""
PART_TABLE = re.compile(rb"CREATE TABLE [`\"\[]?part[`\"\]]? *\([^)]*message_id")

SESSIONS = "SELECT * FROM session ORDER BY time_created, id"
MESSAGES = "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id"
PARTS = "SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id"
ORPHANS = "SELECT count(*) AS n FROM {table} WHERE session_id NOT IN (SELECT id FROM session)"
HEADER = {"directory": "directory", "title": "title", "version": "version", "parent_id": "parentID"}


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    if not head.data.startswith(sqlite.MAGIC):
        return 0
    return 95 if PART_TABLE.search(head.data) else 60 if LIVE_NAME.match(head.name) else 0


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield all sessions of the database, oldest first."""
    for row in sqlite.read_table(source.path, SESSIONS):
        name = values.text(row.get("id"))
        value = {"info": _info(row), "messages": _messages(source, name, tally)}
        session = opencode.talk(value, source, tally, NAME, parts_are_rows=True)
        if session is not None:
            yield session
    for table in ("message", "part"):
        for row in sqlite.read_table(source.path, ORPHANS.format(table=table)):
            _book_orphans(tally, table, row.get("n"))


def _info(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of `session` as the export writes it."""
    info = {ours: row.get(column) for column, ours in HEADER.items()}
    times = {"created": row.get("time_created"), "updated": row.get("time_updated")}
    return {**info, "id": row.get("id"), "time": times, "revert": _object(row.get("revert"))}


def _messages(source: Source, session: str, tally: Tally) -> list[dict[str, Any]]:
    parts: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in sqlite.read_table(source.path, PARTS, (session,)):
        found = _data(row, "part", tally)
        if found is not None:
            parts[values.text(row.get("message_id"))].append(found)
    messages = []
    for row in sqlite.read_table(source.path, MESSAGES, (session,)):
        info = _data(row, "message", tally)
        if info is not None:
            info.setdefault("time", {"created": row.get("time_created")})
            messages.append({"info": info, "parts": parts.pop(values.text(row.get("id")), [])})
    _book_orphans(tally, "part", sum(len(left) for left in parts.values()))
    return messages


def _data(row: dict[str, Any], table: str, tally: Tally) -> dict[str, Any] | None:
    """Return the object in a row's column `data` under the row's id; None, booked as damage, where there is none."""
    found = _object(row.get("data"))
    if found:
        return {**found, "id": row.get("id")}
    tally.damage(0, f"{table} {values.text(row.get('id'))[:80]!r}: not a JSON object")
    return None


def _object(data: object) -> dict[str, Any]:
    if not isinstance(data, str | bytes):
        return {}
    try:
        return values.mapping(msgspec.json.decode(data))
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return {}


def _book_orphans(tally: Tally, table: str, count: object) -> None:
    for _ in range(count if isinstance(count, int) else 0):
        tally.row()
        tally.drop(reason(UNKNOWN, table, "without-its-session"))
