"""opencode: what `opencode export` writes, one JSON object `{info, messages: [{info, parts}]}`.

A row is the object, and each of its messages. A tool part holds the call and its result. The folder and the database
that opencode itself keeps hold the same in pieces; their readers put them together and end here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, finish, first_model, span
from hermes_git.sessions.loss import BOOKKEEPING, UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session, ToolCall
from hermes_git.sessions.source import Head, RowDigest, Source, derived_id, safe_id

NAME = "opencode"
QUIET_PARTS = frozenset(("step-start", "step-finish", "snapshot", "patch", "agent", "compaction", "retry", "subtask"))
USAGE = {"input": "input", "output": "output", "reasoning": "reasoning"}
CACHE = {"read": "cache_read", "write": "cache_write"}


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    first = head.records[0] if head.records else {}
    keys = head.keys | first.keys()
    return 85 if {"info", "messages"} <= keys and '"parts"' in head.text and "trajectory_format" not in keys else 0


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the one session of a file, if it says anything."""
    value = values.mapping(source.document(tally))
    session = talk(value, source, tally, NAME) if value else None
    if session is not None:
        yield session


def talk(
    value: dict[str, Any], source: Source, tally: Tally, name: str, *, parts_are_rows: bool = False
) -> Session | None:
    """Return the session of `{info, messages}` and book its rows; None, booked as empty, if it says nothing."""
    tally.row()
    pairing = Pairing(tally)
    drafts: list[Draft] = []
    undone = values.mapping(values.mapping(value.get("info")).get("revert"))
    is_undone = False
    for number, item in enumerate(values.items(value.get("messages")), start=1):
        tally.row()
        said = values.mapping(item)
        info = values.mapping(said.get("info"))
        made = _message(said, pairing)
        if parts_are_rows:
            _book_parts(said, tally, kept=bool(made))
        if info.get("summary") is True:
            _compact(drafts, made)
        starts = bool(undone) and info.get("id") == undone.get("messageID")
        is_undone = is_undone or (starts and not undone.get("partID"))
        for draft in made:
            draft.source_ids = draft.source_ids or [f"message {number}"]
            draft.state = "rewound" if is_undone else draft.state
        is_undone = is_undone or starts
        drafts += made
    if not drafts:
        tally.drop(reason("empty", "session"))
        return None
    tally.merge()
    return _session(value, drafts, source, name)


def _compact(before: list[Draft], summary: list[Draft]) -> None:
    """Mark what a summary replaced, and the summary itself, which the program asked for."""
    for draft in before:
        draft.state = "compacted" if draft.state == "active" else draft.state
    for draft in summary:
        draft.state = "harness"


def _book_parts(item: dict[str, Any], tally: Tally, *, kept: bool) -> None:
    """Book the parts of a message, which are rows of their own where each is stored apart."""
    for part in values.items(item.get("parts")):
        kind = values.text(values.mapping(part).get("type"))
        tally.row()
        if kind in QUIET_PARTS:
            tally.drop(reason(BOOKKEEPING, kind))
        elif kept:
            tally.merge()
        else:
            tally.drop(reason("empty", "part"))


def _message(item: dict[str, Any], pairing: Pairing) -> list[Draft]:
    info = values.mapping(item.get("info"))
    role = info.get("role")
    if role not in ("user", "assistant"):
        pairing.tally.drop(reason(UNKNOWN, "role", role or "none"))
        return []
    draft = Draft("user" if role == "user" else "assistant", timestamp=values.moment(_time(info).get("created")))
    draft.model = values.text(info.get("modelID")) if role == "assistant" else ""
    draft.usage = _usage(values.mapping(info.get("tokens")))
    draft.finish_reason = values.text(info.get("finish"))
    results = [
        result for part in values.items(item.get("parts")) if (result := _part(values.mapping(part), draft, pairing))
    ]
    name = values.text(info.get("id"))
    draft.source_ids = [name] if name else []
    for result in results:
        result.source_ids = [f"{name}:{result.call_id}"]
    if draft.is_empty:
        pairing.tally.drop(reason("empty", draft.role))
        return []
    pairing.tally.keep()
    return [draft, *results]


def _usage(tokens: dict[str, Any]) -> dict[str, int]:
    return {**values.counts(tokens, USAGE), **values.counts(values.mapping(tokens.get("cache")), CACHE)}


def _time(info: dict[str, Any]) -> dict[str, Any]:
    return values.mapping(info.get("time"))


def _part(part: dict[str, Any], draft: Draft, pairing: Pairing) -> Draft | None:
    """Add a part to its message; return the message of a tool's result."""
    kind = values.text(part.get("type"))
    if kind == "text":
        if part.get("synthetic") is True:
            draft.state = "harness" if draft.role == "user" and not draft.content else draft.state
        elif draft.state == "harness":
            draft.state = "active"
        draft.content.append(values.text(part.get("text")))
    elif kind == "reasoning":
        draft.reasoning.append(values.text(part.get("text")))
    elif kind == "tool":
        return _tool(part, draft, pairing)
    elif kind not in QUIET_PARTS:
        pairing.tally.note("parts that are not text")
        draft.content.append(f"[{kind[:40] or 'unknown part'}]")
    return None


def _tool(part: dict[str, Any], draft: Draft, pairing: Pairing) -> Draft | None:
    name, state = values.text(part.get("tool")), values.mapping(part.get("state"))
    call_id = pairing.call(part.get("callID"), name)
    draft.calls.append(ToolCall(call_id, name, values.dump(state.get("input", {}))))
    output = state.get("output", state.get("error"))
    if output is None:
        return None
    failed = state.get("status") == "error"
    ended = values.moment(_time(state).get("end")) or draft.timestamp
    return Draft("tool", [values.dump(output)], call_id=call_id, tool_name=name, is_error=failed, timestamp=ended)


def _session(value: dict[str, Any], drafts: list[Draft], source: Source, name: str) -> Session:
    info = values.mapping(value.get("info"))
    messages = finish(drafts)
    began, ended = span(messages)
    own = values.text(info.get("id"))
    parent = values.text(info.get("parentID"))
    return Session(
        id=safe_id(own, source.shown) if own else derived_id(source, messages[0].content),
        agent="opencode",
        source_format=name,
        source_path=source.stored,
        source_id=own,
        digest=RowDigest(values.dump(value).encode("utf-8")).hex,
        title=values.text(info.get("title")),
        started_at=values.moment(_time(info).get("created")) or began,
        ended_at=values.moment(_time(info).get("updated")) or ended,
        model=first_model(messages),
        cwd=values.text(info.get("directory")),
        parent=safe_id(parent) if parent else "",
        parent_kind="subagent" if parent else "",
        messages=messages,
        channel="cli",
        agent_version=values.text(info.get("version")),
    )
