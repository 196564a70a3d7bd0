"""pi and OpenClaw: JSONL that begins with a `session` row; messages, calls and results in blocks of their own names.

A row is one JSON record. Newer files make a tree of `id` and `parentId`; a compaction replaces what was said before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, blocks, finish, first_model, span
from hermes_git.sessions.formats.tree import Tree, mark
from hermes_git.sessions.loss import BOOKKEEPING, UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session, ToolCall
from hermes_git.sessions.rows import Row
from hermes_git.sessions.source import Head, RowDigest, Source, derived_id, safe_id

NAME = "pi"
KNOWN = frozenset(("model_change", "thinking_level_change", "custom", "label", "session_info", "branch_summary"))
COMPACTIONS = ("compaction", "compact")
USAGE = {"input": "input", "output": "output", "cacheRead": "cache_read", "cacheWrite": "cache_write"}


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    first = head.records[0] if head.records else {}
    return 90 if first.get("type") == "session" and "id" in first and ("cwd" in first or "timestamp" in first) else 0


@dataclass
class Log:
    """One session while it is read."""

    pairing: Pairing
    header: dict[str, Any] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)
    tree: Tree = field(default_factory=Tree)
    title: str = ""
    rows: list[list[Draft]] = field(default_factory=list)


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the one session of a file, if it says anything."""
    log = Log(Pairing(tally))
    raw = RowDigest()
    for row in source.rows(tally):
        raw.append(row.raw)
        log.rows.append([])
        _take(log, row)
    if log.drafts:
        mark(log.tree, log.drafts)
        yield _session(log, raw, source)
    elif tally.merged:
        tally.unmerge(tally.merged, reason("empty", "session"))


def _take(log: Log, row: Row) -> None:
    record, tally = row.value, log.pairing.tally
    kind = values.text(record.get("type"))
    made: list[Draft] = []
    if kind == "session":
        log.header = log.header or record
        tally.merge()
        return
    if kind == "message":
        made = _message(log, values.mapping(record.get("message")))
    elif kind in COMPACTIONS:
        made = _compaction(log, record)
    elif kind == "custom_message":
        made = _harness(blocks(record.get("content"), tally))
    elif kind in KNOWN:
        log.title = values.text(record.get("name")) or log.title if kind == "session_info" else log.title
        tally.drop(reason(BOOKKEEPING, kind))
    else:
        tally.drop(reason(UNKNOWN, kind or "no-type"))
    if not made and kind in ("message", "custom_message", *COMPACTIONS):
        tally.drop(reason("empty", kind))
    _add(log, row, made)


def _add(log: Log, row: Row, made: list[Draft]) -> None:
    name = values.text(row.value.get("id"))
    for draft in made:
        draft.source_ids = [name or f"line {row.line}"]
        draft.timestamp = values.moment(row.value.get("timestamp"))
    log.drafts += made
    log.rows[-1] += made
    log.tree.add(name, values.text(row.value.get("parentId")), made)
    if made:
        log.pairing.tally.keep()


def _message(log: Log, message: dict[str, Any]) -> list[Draft]:
    role, tally = message.get("role"), log.pairing.tally
    if role == "assistant":
        return _assistant(log, message)
    if role == "toolResult":
        call_id, name = log.pairing.result(message.get("toolCallId"), values.text(message.get("toolName")))
        text = blocks(message.get("content"), tally)
        return [Draft("tool", text, call_id=call_id, tool_name=name, is_error=message.get("isError") is True)]
    if role == "bashExecution":
        output = f"$ {values.text(message.get('command'))}\n{values.text(message.get('output'))}"
        return _harness([output])
    text = [part for part in blocks(message.get("content"), tally) if part]
    return [Draft("user", text)] if role == "user" and text else _harness(text)


def _harness(text: list[str]) -> list[Draft]:
    said = [part for part in text if part]
    return [Draft("user", said, state="harness")] if said else []


def _assistant(log: Log, message: dict[str, Any]) -> list[Draft]:
    draft = Draft("assistant", model=values.text(message.get("model")))
    draft.finish_reason = values.text(message.get("stopReason"))
    draft.usage = values.counts(values.mapping(message.get("usage")), USAGE)
    content = message.get("content")
    for block in [content] if isinstance(content, str) else values.items(content):
        part = values.mapping(block)
        if part.get("type") == "toolCall":
            name = values.text(part.get("name"))
            call_id = log.pairing.call(part.get("id"), name)
            draft.calls.append(ToolCall(call_id, name, values.dump(part.get("arguments", {}))))
        elif part.get("type") == "thinking":
            draft.reasoning.append(values.text(part.get("thinking")))
        else:
            draft.content += blocks([block], log.pairing.tally)
    return [] if draft.is_empty else [draft]


def _compaction(log: Log, record: dict[str, Any]) -> list[Draft]:
    """Mark what was said before as compacted, the entries that it kept excepted, and return its summary."""
    kept, index = values.text(record.get("firstKeptEntryId")), record.get("firstKeptEntryIndex")
    place = len(log.rows)
    if kept:
        found = (number for number, row in enumerate(log.rows) if any(kept in draft.source_ids for draft in row))
        place = next(found, place)
    elif isinstance(index, int) and index >= 0:
        place = index
    log.tree.compacted += (draft for row in log.rows[:place] for draft in row)
    return _harness([values.first_text(record, "summary", "note")])


def _session(log: Log, raw: RowDigest, source: Source) -> Session:
    messages = finish(log.drafts)
    began, ended = span(messages)
    own = values.text(log.header.get("id"))
    parent = PurePosixPath(values.first_text(log.header, "branchedFrom", "parentSession")).stem
    return Session(
        id=safe_id(own, source.shown) if own else derived_id(source, raw.first.hex()),
        agent="pi",
        source_format=NAME,
        source_path=source.stored,
        source_id=own,
        digest=raw.hex,
        title=log.title,
        started_at=values.moment(log.header.get("timestamp")) or began,
        ended_at=ended,
        model=first_model(messages) or values.text(log.header.get("modelId")),
        cwd=values.text(log.header.get("cwd")),
        parent=safe_id(parent) if parent else "",
        parent_kind="fork" if parent else "",
        messages=messages,
        channel="cli",
    )
