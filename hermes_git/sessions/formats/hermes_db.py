"""Hermes' `state.db`: the SQLite store of all its sessions, opened for reading only.

A row is a row of the tables `sessions` and `messages`. What was compacted or taken back is there too, under its
state, which an export leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hermes_git import sqlite
from hermes_git.sessions import values
from hermes_git.sessions.drafts import Pairing
from hermes_git.sessions.formats import hermes
from hermes_git.sessions.loss import Tally, reason
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Head, RowDigest, Source

NAME = "hermes-db"
LIVE_NAME = "state.db"
"""While Hermes runs, the tables may still be in the write-ahead log, so that only the name tells."""


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    is_hermes = b"parent_session_id" in head.data and b"CREATE TABLE messages" in head.data.replace(
        b"IF NOT EXISTS ", b""
    )
    if not head.data.startswith(sqlite.MAGIC):
        return 0
    return 95 if is_hermes else 60 if head.name == LIVE_NAME else 0


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield all sessions of the database, oldest first."""
    prompts = _prompts(source)
    ends: dict[str, str] = {}
    for record in sqlite.read_table(source.path, "SELECT * FROM sessions ORDER BY started_at, id"):
        header: dict[str, Any] = dict(record)
        tally.row()
        name = values.text(header.get("id"))
        header["system_prompt"] = header.get("system_prompt") or prompts.get(
            values.text(header.get("system_prompt_hash"))
        )
        parts = hermes.Parts(header, Pairing(tally), raw=RowDigest(values.dump(header).encode("utf-8")))
        query = "SELECT * FROM messages WHERE session_id = ? ORDER BY id"
        for message in sqlite.read_table(source.path, query, (name,)):
            tally.row()
            parts.raw.append(values.dump(message).encode("utf-8"))
            hermes.take(parts, message, f"row {message.get('id')}")
        ends[name] = values.text(header.get("end_reason"))
        if parts.drafts:
            tally.merge()
            yield hermes.session(parts, name, source, ends)
        else:
            tally.drop(reason("empty", "session"))


def _prompts(source: Source) -> dict[str, str]:
    """Return the system prompts that newer versions keep in a table of their own."""
    if "system_prompts" not in sqlite.tables(source.path):
        return {}
    found = sqlite.read_table(source.path, "SELECT * FROM system_prompts")
    return {values.text(row.get("hash")): values.text(row.get("prompt")) for row in found}
