"""Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.json`, and the JSONL of newer versions.

A row is the header, and each record of the chat. One record holds text, thoughts and calls together with their
results; in which order they came is not recorded, so text is put before the calls, and that is noted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, blocks, finish, first_model, span
from hermes_git.sessions.loss import UNKNOWN, Tally, reason
from hermes_git.sessions.model import Role, Session, ToolCall
from hermes_git.sessions.source import Head, RowDigest, Source, derived_id, safe_id

NAME = "gemini-cli"
ROLES: dict[str, Role] = {
    "user": "user",
    "gemini": "assistant",
    "model": "assistant",
    "info": "system",
    "error": "system",
    "warning": "system",
}
USAGE = {"input": "input", "output": "output", "cached": "cache_read", "thoughts": "reasoning"}


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    if head.records:
        first = head.records[0]
        return 90 if {"sessionId", "projectHash"} <= first.keys() else 0
    if {"sessionId", "projectHash"} <= head.keys:
        return 90
    return 70 if {"history", "lastUpdated"} <= head.keys and '"parts"' in head.text else 0


@dataclass
class Chat:
    """One chat while it is read; newer versions write a record again when it goes on."""

    pairing: Pairing
    header: dict[str, Any] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)
    by_id: dict[str, list[Draft]] = field(default_factory=dict)
    raw: RowDigest = field(default_factory=RowDigest)


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the one session of a file, if it says anything."""
    chat = Chat(Pairing(tally))
    first = source.head.records[0] if source.head.records else {}
    if source.is_lines and "messages" not in first and "history" not in first:
        for row in source.rows(tally):
            chat.raw.append(row.raw)
            _line(chat, row.value, f"line {row.line}")
    else:
        _document(chat, source, tally)
    if chat.drafts:
        yield _session(chat, source)
    elif tally.merged:
        tally.unmerge(tally.merged, reason("empty", "session"))


def _document(chat: Chat, source: Source, tally: Tally) -> None:
    value = values.mapping(source.document(tally))
    if not value:
        return
    tally.row()
    tally.merge()
    chat.header = value
    chat.raw.append(values.dump(value).encode("utf-8"))
    for number, item in enumerate(values.items(value.get("messages", value.get("history"))), start=1):
        tally.row()
        _record(chat, values.mapping(item), f"message {number}")


def _line(chat: Chat, record: dict[str, Any], place: str) -> None:
    if "$set" in record or "sessionId" in record:
        chat.header = {**record, **chat.header, **values.mapping(record.get("$set"))}
        chat.pairing.tally.merge()
    else:
        _record(chat, record, place)


def _record(chat: Chat, record: dict[str, Any], place: str) -> None:
    tally = chat.pairing.tally
    kind = values.first_text(record, "type", "role")
    role = ROLES.get(kind)
    if role is None:
        tally.drop(reason(UNKNOWN, "type", kind or "none"))
        return
    name = values.text(record.get("id"))
    made = _drafts(chat, role, record)
    if not made:
        tally.drop(reason("empty", role))
        return
    for draft in made:
        draft.source_ids = [name or place] if draft is made[0] else [f"{name or place}:{draft.call_id}"]
    known = chat.by_id.get(name) if name else None
    if known:
        place_of = chat.drafts.index(known[0])
        chat.drafts[place_of : place_of + len(known)] = made
        tally.merge()
    else:
        chat.drafts += made
        tally.keep()
    chat.by_id[name] = made


def _drafts(chat: Chat, role: Role, record: dict[str, Any]) -> list[Draft]:
    tally = chat.pairing.tally
    content = record.get("content")
    said = [part for part in blocks(record.get("parts") if content is None else content, tally) if part]
    draft = Draft(role, said, timestamp=values.moment(record.get("timestamp", record.get("ts"))))
    if role == "system":
        draft.state = "harness"
    if role == "assistant":
        draft.model = values.text(record.get("model"))
        draft.usage = values.counts(values.mapping(record.get("tokens")), USAGE)
        draft.reasoning = [_thought(values.mapping(item)) for item in values.items(record.get("thoughts"))]
    calls = [values.mapping(item) for item in values.items(record.get("toolCalls"))]
    results = [_result(chat, draft, call) for call in calls]
    if calls and said:
        tally.note("text and calls in one record, their order unknown")
    return [] if draft.is_empty else [draft, *(result for result in results if result)]


def _thought(thought: dict[str, Any]) -> str:
    return ": ".join(
        part for part in (values.text(thought.get("subject")), values.text(thought.get("description"))) if part
    )


def _result(chat: Chat, draft: Draft, call: dict[str, Any]) -> Draft | None:
    """Add a call to its message and return the message of its result, if it came back."""
    name = values.text(call.get("name"))
    call_id = chat.pairing.call(call.get("id"), name)
    draft.calls.append(ToolCall(call_id, name, values.dump(call.get("args", {}))))
    result = call.get("result")
    if result is None:
        return None
    responses = [values.mapping(values.mapping(item).get("functionResponse")) for item in values.items(result)]
    outputs = [_output(response) for response in responses if response]
    text = [values.dump(result)] if isinstance(result, str) else outputs or blocks(result, chat.pairing.tally)
    failed = call.get("status") in ("error", "failed")
    time = values.moment(call.get("timestamp")) or draft.timestamp
    return Draft("tool", text, call_id=call_id, tool_name=name, is_error=failed, timestamp=time)


def _output(response: dict[str, Any]) -> str:
    inner = values.mapping(response.get("response"))
    told = inner.get("output", inner.get("error"))
    return values.text(told) if isinstance(told, str) else values.dump(response.get("response", ""))


def _session(chat: Chat, source: Source) -> Session:
    messages = finish(chat.drafts)
    began, ended = span(messages)
    own = values.text(chat.header.get("sessionId"))
    first = messages[0].content or messages[0].role
    return Session(
        id=safe_id(own, source.shown) if own else derived_id(source, first),
        agent="gemini-cli",
        source_format=NAME,
        source_path=source.stored,
        source_id=own,
        digest=chat.raw.hex,
        title=values.text(chat.header.get("summary")),
        started_at=values.moment(chat.header.get("startTime", chat.header.get("start_time"))) or began,
        ended_at=values.moment(chat.header.get("lastUpdated")) or ended,
        model=first_model(messages) or values.text(values.mapping(chat.header.get("meta")).get("model")),
        messages=messages,
        channel="cli",
    )
