"""OpenAI chat: `{"messages": […], "tools": […]}` as JSONL, as one JSON object, or as a JSON array of them.

A row is the object around a conversation, and each of its messages. The first system message becomes the session's
system prompt. A conversation without an id is identified by the digest of its content. The reward of a tau-bench run
(`traj`) is its end reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, finish
from hermes_git.sessions.formats import chat_messages
from hermes_git.sessions.loss import UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Head, RowDigest, Source, safe_id

NAME = "openai-chat"
MESSAGE_KEYS = ("messages", "traj", "conversation")
ID_KEYS = ("session_id", "conversation_id", "id", "trace_id", "request_id")
NOT_OURS = frozenset(
    ("started_at", "session_start", "trajectory_format", "info", "simulations", "sessionId", "projectHash")
)


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    records = head.records
    if records and all(_is_conversation(record) for record in records):
        return 80
    keys = head.keys
    is_document = not records and bool(keys & set(MESSAGE_KEYS)) and '"role"' in head.text
    allowed = NOT_OURS - ({"info"} if "traj" in keys else set())
    return 40 if is_document and not keys & allowed else 0


def _is_conversation(record: dict[str, Any]) -> bool:
    if NOT_OURS & record.keys() - ({"info"} if "traj" in record else set()):
        return False
    messages = _messages(record)
    return bool(messages) and all(
        values.text(values.mapping(item).get("role")) in chat_messages.ROLES for item in messages
    )


def _messages(record: dict[str, Any]) -> list[Any]:
    return next((found for key in MESSAGE_KEYS if (found := values.items(record.get(key)))), [])


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the sessions of a file, one for each object that holds messages."""
    if source.is_lines:
        for row in source.rows(tally):
            yield from _conversation(row.value, source, tally)
        return
    value = source.document(tally)
    listed = value if isinstance(value, list) else [] if value is None else [value]
    for number, item in enumerate(listed, start=1):
        if isinstance(item, dict):
            tally.row()
            yield from _conversation(item, source, tally)
        else:
            tally.damage(number, "an array item where an object is expected")


def _conversation(record: dict[str, Any], source: Source, tally: Tally) -> Iterator[Session]:
    """Book the object's own row, which the caller counted, and the rows of its messages."""
    pairing = Pairing(tally)
    drafts: list[Draft] = []
    prompt = ""
    for number, item in enumerate(_messages(record), start=1):
        tally.row()
        made = chat_messages.draft(values.mapping(item), pairing)
        if made is None:
            tally.drop(reason(UNKNOWN, "role", values.mapping(item).get("role") or "none"))
        elif made.is_empty:
            tally.drop(reason("empty", made.role))
        elif made.role == "system" and not drafts and not prompt:
            prompt = made.text
            tally.merge()
        else:
            made.source_ids = [values.text(values.mapping(item).get("id")) or f"message {number}"]
            drafts.append(made)
            tally.keep()
        if values.mapping(item).get("weight") == 0:
            tally.note("answers with weight 0")
    if not drafts:
        tally.drop(reason("empty", "session") if "messages" in record else reason(UNKNOWN, "no-messages"))
        return
    tally.merge()
    yield _session(record, drafts, prompt, source)


def _session(record: dict[str, Any], drafts: list[Draft], prompt: str, source: Source) -> Session:
    content = values.dump({key: record[key] for key in record if key not in ("usage", "created")}).encode("utf-8")
    digest = RowDigest(content).hex
    own = values.first_text(record, *ID_KEYS)
    messages = finish(drafts)
    times = sorted(message.timestamp for message in messages if message.timestamp)
    created = values.moment(record.get("created", record.get("timestamp", record.get("created_at"))))
    tools = record.get("tools", record.get("functions"))
    return Session(
        id=safe_id(own, source.shown) if own else f"chat-{digest[:16]}",
        agent="openai-chat",
        source_format=NAME,
        source_path=source.stored,
        source_id=own,
        digest=digest,
        title=values.text(record.get("title")),
        started_at=created or (times[0] if times else ""),
        ended_at=times[-1] if times else "",
        end_reason=values.verdict(record.get("reward")) if "traj" in record else "",
        model=values.text(record.get("model")),
        system_prompt=prompt,
        tools=values.dump(tools) if values.items(tools) else "",
        messages=messages,
    )
