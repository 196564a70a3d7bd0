"""Codex rollouts: JSONL files below `$CODEX_HOME/sessions`, every row `{timestamp, type, payload}`.

A row is one JSON record. The items of one model step (reasoning, text, calls) become one message. The model of a turn
is in its `turn_context`. Events repeat what the items say; they are used only where no item says it. Very old files
hold bare items without the envelope.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Pairing, finish
from hermes_git.sessions.formats import codex_items
from hermes_git.sessions.formats.codex_items import Rollout
from hermes_git.sessions.loss import BOOKKEEPING, UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session
from hermes_git.sessions.rows import Row
from hermes_git.sessions.source import Head, RowDigest, Source, safe_id, short_digest

NAME = "codex"

ENVELOPES = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"))
OTHER_ENVELOPES = frozenset(("inter_agent_communication_metadata",))
BARE = frozenset(
    "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output local_shell_call "
    "web_search_call tool_call tool_result function_result".split()
)
STATE_ROWS = ("record_type", "git")


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    records = head.records
    if any(
        values.text(record.get("type")) in ENVELOPES and isinstance(record.get("payload"), dict) for record in records
    ):
        return 95
    if not records or any("message" in record and "role" not in record for record in records):
        return 0
    bare = sum(_is_bare(record) for record in records)
    return 60 if bare == len(records) and any(_marks(record) for record in records) else 0


def _is_bare(record: dict[str, Any]) -> bool:
    """Say whether a row may stand in a file without envelopes."""
    if record.get("type") == "reasoning":
        return "summary" in record
    if values.text(record.get("type")) in BARE or "record_type" in record or record.get("type") == "error":
        return True
    said = isinstance(record.get("content", record.get("message")), str)
    return ("role" in record and said) or ("instructions" in record and "id" in record)


def _marks(record: dict[str, Any]) -> bool:
    """Say whether a row is one that only Codex writes, so that plain chat rows alone are not taken for it."""
    items = {"function_call", "function_call_output", "reasoning", "custom_tool_call", "local_shell_call"}
    item = (
        values.text(record.get("type")) in items
        or "record_type" in record
        or ("instructions" in record and "id" in record)
    )
    parts = [values.mapping(part).get("type") for part in values.items(record.get("content"))]
    early = "timestamp" in record and isinstance(record.get("model"), str) and record.get("role") == "user"
    return item or early or bool({"input_text", "output_text"} & {part for part in parts if isinstance(part, str)})


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the one session of a file, if it says anything."""
    rollout = Rollout(Pairing(tally), tally)
    raw = RowDigest()
    for row in source.rows(tally):
        raw.append(row.raw)
        _take(rollout, row)
    codex_items.settle(rollout)
    if rollout.drafts:
        yield _session(rollout, source, raw)
    elif tally.merged:
        tally.unmerge(tally.merged, reason("empty", "session"))


def _take(rollout: Rollout, row: Row) -> None:
    record = row.value
    kind = values.text(record.get("type"))
    payload = values.mapping(record.get("payload"))
    rollout.at(f"line {row.line}", values.moment(record.get("timestamp", record.get("created_at"))))
    if kind == "session_meta":
        rollout.header = rollout.header or payload
        rollout.tally.merge()
    elif kind == "turn_context":
        rollout.model = values.text(payload.get("model")) or rollout.model
        rollout.context = rollout.context or payload
        rollout.tally.merge()
    elif kind == "response_item":
        codex_items.item(rollout, payload)
    elif kind == "event_msg":
        codex_items.event(rollout, payload)
    elif kind == "compacted":
        codex_items.compacted(rollout, payload)
    elif kind in ENVELOPES | OTHER_ENVELOPES:
        rollout.tally.drop(reason(BOOKKEEPING, kind))
    else:
        _bare(rollout, record)


def _bare(rollout: Rollout, record: dict[str, Any]) -> None:
    """Take a row without an envelope."""
    if "record_type" in record or record.get("type") == "error":
        rollout.tally.drop(reason(BOOKKEEPING, record.get("type") or "state"))
    elif "role" not in record and "id" in record and STATE_KEYS & record.keys():
        rollout.header = rollout.header or record
        rollout.tally.merge()
    elif "role" in record or values.text(record.get("type")) in BARE:
        rollout.model = values.text(record.get("model")) or rollout.model
        codex_items.item(
            rollout, {"type": "message", **record, "content": record.get("content", record.get("message"))}
        )
    else:
        rollout.tally.drop(reason(UNKNOWN, record.get("type") or "no-type"))


STATE_KEYS = {"instructions", "git", "timestamp", "cwd"}


def _session(rollout: Rollout, source: Source, raw: RowDigest) -> Session:
    header = rollout.header
    git = values.mapping(header.get("git"))
    messages = finish(rollout.drafts)
    times = sorted(message.timestamp for message in messages if message.timestamp)
    own = values.first_text(header, "id", "session_id")
    stem = source.stem
    parent, kind = _parent(header)
    return Session(
        id=safe_id(own, source.shown)
        if own
        else safe_id(f"{stem[:100]}-{short_digest(raw.first.hex())[:8]}", source.shown),
        agent="codex",
        source_format=NAME,
        source_path=source.stored,
        source_id=own or stem,
        digest=raw.hex,
        title=rollout.title,
        started_at=values.moment(header.get("timestamp")) or (times[0] if times else ""),
        ended_at=times[-1] if times else "",
        end_reason=rollout.end_reason,
        model=next((message.model for message in messages if message.model), rollout.model),
        cwd=values.text(header.get("cwd")) or values.text(rollout.context.get("cwd")),
        repository=values.text(git.get("repository_url")),
        branch=values.text(git.get("branch")),
        commit=values.text(git.get("commit_hash")),
        parent=safe_id(parent) if parent else "",
        parent_kind=kind if parent else "",
        system_prompt=_instructions(header, rollout.context),
        tools=values.dump(header["dynamic_tools"]) if values.items(header.get("dynamic_tools")) else "",
        messages=messages,
        channel=values.text(header.get("source")) or values.text(header.get("originator")),
        agent_version=values.text(header.get("cli_version")),
        usage=rollout.usage,
    )


def _parent(header: dict[str, Any]) -> tuple[str, Any]:
    """Return the parent thread and what made this one: a sub-agent's start or a fork."""
    forked = values.text(header.get("forked_from_id"))
    parent = values.text(header.get("parent_thread_id"))
    is_agent = "subagent" in values.mapping(header.get("source")) or header.get("thread_source") == "subagent"
    return (parent, "subagent") if parent and (is_agent or not forked) else (forked, "fork")


def _instructions(header: dict[str, Any], context: dict[str, Any]) -> str:
    given = header.get("base_instructions", header.get("instructions"))
    told = values.text(given) or values.text(values.mapping(given).get("text"))
    return told or values.text(context.get("base_instructions"))
