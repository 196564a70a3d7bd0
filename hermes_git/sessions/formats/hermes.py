"""Hermes: `sessions export` JSONL, the JSON file of one session, raw message JSONL, and exported prompts.

A row is the object around a session, and each of its messages; where a file is a bare list of messages, each line.
`active = 0` marks what the user took back, `compacted = 1` what a summary replaced; both are kept, under their state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, finish
from hermes_git.sessions.formats import chat_messages
from hermes_git.sessions.loss import BOOKKEEPING, DUPLICATE, UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Head, RowDigest, Source, safe_id

NAME = "hermes"
FILE_ID = re.compile(r"(?:session_)?(\d{8}_\d{6}_[0-9a-z]{4,})\.jsonl?\Z")
HEADER_KEYS = frozenset(("started_at", "session_start", "platform", "last_updated", "end_reason", "source"))
SUMMARY = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:")
USAGE = {
    "input_tokens": "input",
    "output_tokens": "output",
    "cache_read_tokens": "cache_read",
    "cache_write_tokens": "cache_write",
    "reasoning_tokens": "reasoning",
}
NAIVE_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+\Z")


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    records = head.records
    if records and all(_is_export(record) for record in records):
        return 95
    if records and all(_is_prompt(record) for record in records):
        return 90
    if records and all(_is_message(record) for record in records):
        named = FILE_ID.search(head.name) is not None
        marked = any({"finish_reason", "reasoning"} & record.keys() for record in records)
        return 85 if named or marked else 0
    is_document = not records and "messages" in head.keys and bool({"session_id", "id"} & head.keys)
    return 90 if is_document and head.keys & HEADER_KEYS else 0


def _is_export(record: dict[str, Any]) -> bool:
    header = values.mapping(record.get("session")) or record
    return isinstance(record.get("messages"), list) and bool(HEADER_KEYS & header.keys())


def _is_message(record: dict[str, Any]) -> bool:
    role = values.text(record.get("role"))
    plain = role in chat_messages.ROLES or role == "session_meta"
    return plain and "content" in record and "type" not in record and "message" not in record


def _is_prompt(record: dict[str, Any]) -> bool:
    return {"session_id", "index", "role", "text"} <= record.keys()


@dataclass
class Parts:
    """One session while it is read: what its header says, and its messages."""

    header: dict[str, Any]
    pairing: Pairing
    drafts: list[Draft] = field(default_factory=list)
    raw: RowDigest = field(default_factory=RowDigest)
    seen: set[object] = field(default_factory=set)
    prompt: str = ""


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the sessions of a file."""
    records = source.head.records
    if records and _is_message(records[0]):
        yield from _bare(source, tally)
    elif records and _is_prompt(records[0]):
        yield from _prompts(source, tally)
    else:
        yield from _whole(source, tally)


def _whole(source: Source, tally: Tally) -> Iterator[Session]:
    """Read objects that each hold a whole session: lines of an export, or the one object of a file."""
    ends: dict[str, str] = {}
    for raw, record in _objects(source, tally):
        header = values.mapping(record.get("session")) or record
        parts = Parts(header, Pairing(tally), raw=RowDigest(raw))
        for number, item in enumerate(values.items(record.get("messages")), start=1):
            tally.row()
            take(parts, values.mapping(item), f"message {number}")
        name = values.first_text(header, "id", "session_id")
        ends[name] = values.text(header.get("end_reason"))
        if parts.drafts:
            tally.merge()
            yield session(parts, name or source.stem, source, ends)
        else:
            tally.drop(reason("empty", "session") if "messages" in record else reason(UNKNOWN, "no-messages"))


def _objects(source: Source, tally: Tally) -> Iterator[tuple[bytes, dict[str, Any]]]:
    if source.is_lines:
        yield from ((row.raw, row.value) for row in source.rows(tally))
        return
    value = source.document(tally)
    if isinstance(value, dict):
        tally.row()
        yield values.dump(value).encode("utf-8"), value
    elif value is not None:
        tally.damage(1, "not a session object")


def _bare(source: Source, tally: Tally) -> Iterator[Session]:
    """Read a file that is nothing but messages, one a line; the session's id is in its name."""
    found = FILE_ID.search(source.head.name)
    parts = Parts({}, Pairing(tally))
    for row in source.rows(tally):
        parts.raw.append(row.raw)
        take(parts, row.value, f"line {row.line}")
    if parts.drafts:
        yield session(parts, found.group(1) if found else source.stem, source, {})


def _prompts(source: Source, tally: Tally) -> Iterator[Session]:
    """Read exported prompts: sessions of which only the user's side is known."""
    sessions: dict[str, Parts] = {}
    for row in source.rows(tally):
        name = values.text(row.value.get("session_id"))
        parts = sessions.setdefault(name, Parts({"end_reason": "prompts only"}, Pairing(tally)))
        parts.raw.append(row.raw)
        record = {**row.value, "content": row.value.get("text"), "id": row.value.get("message_id")}
        take(parts, record, f"line {row.line}")
    for name, parts in sessions.items():
        if parts.drafts:
            yield session(parts, name, source, {})


def take(parts: Parts, record: dict[str, Any], place: str) -> None:
    """Book one message and add it to its session."""
    tally = parts.pairing.tally
    key = record.get("id")
    made = chat_messages.draft(record, parts.pairing)
    if record.get("role") == "session_meta":
        tally.drop(reason(BOOKKEEPING, "session_meta"))
    elif made is None:
        tally.drop(reason(UNKNOWN, "role", record.get("role") or "none"))
    elif isinstance(key, int | str) and key in parts.seen:
        tally.drop(DUPLICATE)
    elif made.is_empty:
        tally.drop(reason("empty", made.role))
    elif made.role == "system" and not parts.drafts and not parts.prompt:
        parts.prompt = made.text
        tally.merge()
    else:
        parts.seen.add(key)
        _finish(parts, made, record, str(key) if isinstance(key, int | str) else place)
        tally.keep()


def _finish(parts: Parts, made: Draft, record: dict[str, Any], name: str) -> None:
    made.source_ids = [name]
    if record.get("compacted") in (1, True):
        made.state = "compacted"
    elif record.get("active") in (0, False) and record.get("active") is not None:
        made.state = "rewound"
    elif made.role == "system" or made.text.startswith(SUMMARY):
        made.state = "harness"
    tokens = record.get("token_count")
    if isinstance(tokens, int) and tokens > 0:
        made.usage = made.usage or {"output": tokens}
    time = record.get("timestamp")
    if isinstance(time, str) and NAIVE_TIME.match(time):
        parts.pairing.tally.note("times without a zone read as UTC")
    parts.drafts.append(made)


def session(parts: Parts, name: str, source: Source, ends: dict[str, str]) -> Session:
    """Return the session that its parts make; `ends` says how the sessions before it ended."""
    header = parts.header
    messages = finish(parts.drafts)
    times = sorted(message.timestamp for message in messages if message.timestamp)
    config = values.mapping(chat_messages.decoded(header.get("model_config")))
    parent = values.text(header.get("parent_session_id"))
    channel = values.first_text(header, "source", "platform")
    tools = header.get("tools")
    return Session(
        id=safe_id(name, source.shown),
        agent="hermes",
        source_format=NAME,
        source_path=source.stored,
        source_id=name,
        digest=parts.raw.hex,
        title=values.text(header.get("title")),
        started_at=values.moment(header.get("started_at", header.get("session_start"))) or (times[0] if times else ""),
        ended_at=values.moment(header.get("ended_at") or header.get("last_updated")) or (times[-1] if times else ""),
        end_reason=values.text(header.get("end_reason")),
        model=values.text(header.get("model")),
        cwd=values.first_text(header, "cwd") or values.text(config.get("cwd")),
        repository=values.text(header.get("git_repo_root")),
        branch=values.text(header.get("git_branch")),
        parent=safe_id(parent) if parent else "",
        parent_kind=_kind(channel, ends.get(parent, "")) if parent else "",
        system_prompt=values.text(header.get("system_prompt")) or parts.prompt,
        tools=values.dump(tools) if values.items(tools) else "",
        messages=messages,
        channel=channel,
        usage=values.counts(header, USAGE),
    )


def _kind(channel: str, parent_end: str) -> Any:
    """Return what made a session of its parent; the parent's end says so if it was exported before."""
    if channel in ("subagent", "tool"):
        return "subagent"
    return "fork" if parent_end == "branched" else "compaction"
