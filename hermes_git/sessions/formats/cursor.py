"""Cursor agent transcripts: JSONL below `~/.cursor/projects/*/agent-transcripts`, `{role, message: {content}}` a line.

A row is one line. There are no ids and no times, and often no results; calls and results are paired by position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, blocks, finish
from hermes_git.sessions.loss import BOOKKEEPING, UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session, ToolCall
from hermes_git.sessions.rows import Row
from hermes_git.sessions.source import Head, RowDigest, Source, derived_id, safe_id

NAME = "cursor"
QUERY = re.compile(r"<user_query>\n?(.*?)\n?</user_query>", re.DOTALL)
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
CALLS = ("tool_use", "tool_call", "tool-call")
RESULTS = ("tool_result", "tool-result")


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    return 80 if head.records and all(_is_ours(record) for record in head.records) else 0


def _is_ours(record: dict[str, Any]) -> bool:
    said = record.get("role") in ("user", "assistant") and isinstance(
        values.mapping(record.get("message")).get("content"), list
    )
    return (said and "type" not in record and "uuid" not in record) or record.get("type") == "turn_ended"


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the one session of a file, if it says anything."""
    pairing = Pairing(tally)
    drafts: list[Draft] = []
    raw = RowDigest()
    for row in source.rows(tally):
        raw.append(row.raw)
        drafts += _take(row, pairing)
    if drafts:
        yield _session(drafts, raw, source)


def _take(row: Row, pairing: Pairing) -> list[Draft]:
    record, tally = row.value, pairing.tally
    role = record.get("role")
    if record.get("type") == "turn_ended":
        tally.drop(reason(BOOKKEEPING, "turn_ended"))
        return []
    if role not in ("user", "assistant"):
        tally.drop(reason(UNKNOWN, "role", role or "none"))
        return []
    parts = [values.mapping(part) for part in values.items(values.mapping(record.get("message")).get("content"))]
    made = [_result(part, pairing) for part in parts if part.get("type") in RESULTS]
    draft = Draft("user" if role == "user" else "assistant", model=values.text(record.get("model")))
    for part in parts:
        _add(part, draft, pairing)
    made += [] if draft.is_empty else [draft]
    for message in made:
        message.source_ids = [f"line {row.line}"]
    if made:
        tally.keep()
    else:
        tally.drop(reason("empty", draft.role))
    return made


def _add(part: dict[str, Any], draft: Draft, pairing: Pairing) -> None:
    kind = part.get("type")
    if kind in CALLS:
        name = values.text(part.get("name"))
        call_id = pairing.call(part.get("id"), name)
        draft.calls.append(ToolCall(call_id, name, values.dump(part.get("input", part.get("args", {})))))
    elif kind == "thinking":
        draft.reasoning.append(values.first_text(part, "thinking", "text"))
    elif kind not in RESULTS:
        draft.content += [QUERY.sub(r"\1", text) for text in blocks([part], pairing.tally)]


def _result(part: dict[str, Any], pairing: Pairing) -> Draft:
    given = part.get("tool_use_id", part.get("toolCallId"))
    known = given if given in pairing.names else ""
    call_id, name = pairing.result(known, values.text(part.get("name")))
    text = blocks(part.get("content", part.get("result")), pairing.tally)
    return Draft(
        "tool", text, call_id=call_id or values.text(given), tool_name=name, is_error=part.get("is_error") is True
    )


def _session(drafts: list[Draft], raw: RowDigest, source: Source) -> Session:
    stem, folder = source.stem, source.path.parent
    is_agent = folder.name == "subagents"
    parent = folder.parent.name if is_agent and UUID.match(folder.parent.name) else ""
    return Session(
        id=safe_id(stem) if UUID.match(stem) else derived_id(source, raw.first.hex()),
        agent="cursor",
        source_format=NAME,
        source_path=source.stored,
        source_id=stem,
        digest=raw.hex,
        model=next((draft.model for draft in drafts if draft.model), ""),
        parent=safe_id(parent) if parent else "",
        parent_kind="subagent" if parent else "",
        messages=finish(drafts),
        channel="ide",
    )
