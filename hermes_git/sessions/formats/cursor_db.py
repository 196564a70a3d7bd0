"""Cursor's `store.db`: one SQLite file for each chat of its agent, below `~/.cursor/chats/<project>/<chat>/`.

The table `blobs` holds messages as JSON, each under the digest of its bytes, and the states of the chat in protocol
buffers; `meta` names the newest state in JSON that is written in hex. Field 1 of a state lists its messages in their
order, field 9 is the workspace. A row is a row of the two tables. There are no times but that of the chat's start.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import msgspec

from hermes_git import sqlite
from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, blocks, finish
from hermes_git.sessions.formats.cursor import CALLS, QUERY, RESULTS
from hermes_git.sessions.loss import BOOKKEEPING, UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session, ToolCall
from hermes_git.sessions.source import Head, RowDigest, Source, safe_id

NAME = "cursor-db"
LIVE_PATH = re.compile(r"(?:.*/)?chats/[^/]+/[^/]+/store\.db\Z")
"""While Cursor runs, the tables may still be in the write-ahead log, so that only the place tells."""
ROLES = ("system", "user", "assistant", "tool")
MESSAGES, WORKSPACE = 1, 9
MOST_TIMES = 100
"""How often one message may stand in a state; a state of millions of them would be larger than any memory."""
TAG = re.compile(r"\s*<([a-z][a-z_-]{0,60})>")
HARNESS_TAGS = frozenset(("rules", "timestamp"))


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    if not head.data.startswith(sqlite.MAGIC):
        return 0
    if b"CREATE TABLE blobs" in head.data and b"CREATE TABLE meta" in head.data:
        return 90
    return 60 if LIVE_PATH.match(head.path) else 0


@dataclass
class Chat:
    """What the database holds: the chat's own record, its newest state, and the messages in the order of writing."""

    meta: dict[str, Any]
    state: bytes
    found: dict[str, tuple[int, dict[str, Any]]] = field(default_factory=dict)

    @property
    def held(self) -> list[str]:
        """Return the ids of the messages that the newest state holds, in its order; all where there is no state."""
        if not self.state:
            return list(self.found)
        names = [part.hex() for part in _fields(self.state, MESSAGES)]
        times = Counter(names)
        return [name for name in names if name in self.found and times[name] <= MOST_TIMES]

    @property
    def cwd(self) -> str:
        """Return the folder that the chat was held in."""
        uri = next(_fields(self.state, WORKSPACE), b"").decode("utf-8", "replace")
        return unquote(uri.removeprefix("file://")) if uri.startswith("file:///") else ""


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the one session of a database, if it says anything."""
    chat = _chat(source, tally)
    pairing = Pairing(tally)
    drafts: list[Draft] = []
    raw = RowDigest(values.dump(chat.meta).encode("utf-8"))
    told: set[str] = set()
    system = ""
    held = set(chat.held)
    for name in _ordered(chat):
        record = chat.found[name][1]
        raw.append(values.dump(record).encode("utf-8"))
        if record["role"] == "system":
            if name not in told:
                system = _system(record, system, pairing, is_held=name in held)
            made = []
        else:
            made = _drafts(record, pairing)
            _book(made, str(record["role"]), tally, is_first=name not in told)
        for draft in made:
            draft.source_ids = [name]
            draft.state = "compacted" if name not in held and draft.state == "active" else draft.state
        told.add(name)
        drafts += made
    if drafts:
        yield _session(chat, drafts, source, raw, system)
    elif tally.merged:
        tally.unmerge(tally.merged, reason("empty", "session"))


def _book(made: list[Draft], role: str, tally: Tally, *, is_first: bool) -> None:
    """Book the row of a message; a message that is said again is the same row."""
    if made and is_first:
        tally.keep()
    elif is_first:
        tally.drop(reason("empty", role))


def _system(record: dict[str, Any], system: str, pairing: Pairing, *, is_held: bool) -> str:
    """Take a system message: that of the newest state is the session's, those of earlier states are bookkeeping."""
    if system or not is_held:
        pairing.tally.drop(reason(BOOKKEEPING, "system"))
        return system
    pairing.tally.merge()
    return "\n".join(blocks(record.get("content"), pairing.tally))


def _chat(source: Source, tally: Tally) -> Chat:
    meta: dict[str, Any] = {}
    for row in sqlite.read_table(source.path, "SELECT key, value FROM meta ORDER BY key"):
        tally.row()
        tally.merge()
        meta = meta or _record(row.get("value"))
    root = values.text(meta.get("latestRootBlobId"))
    chat = Chat(meta, b"")
    for row in sqlite.read_table(source.path, "SELECT rowid AS n, id, data FROM blobs ORDER BY rowid"):
        given, data = row.get("id"), row.get("data")
        name = given.hex() if isinstance(given, bytes) else values.text(given)
        data = data if isinstance(data, bytes) else values.text(data).encode("utf-8")
        tally.row()
        record = _object(data)
        if record.get("role") in ROLES:
            chat.found[name] = (len(chat.found), record)
        elif record:
            tally.drop(reason(UNKNOWN, "blob"))
        elif name == root:
            chat.state = data
            tally.merge()
        else:
            tally.drop(reason(BOOKKEEPING, "state"))
    if chat.found and not chat.state:
        tally.note("the order of messages is that of their writing: the chat's last state is missing")
    return chat


def _record(value: object) -> dict[str, Any]:
    """Return the object that is written as JSON, in hex or as it is."""
    text = values.text(value)
    try:
        return _object(bytes.fromhex(text))
    except ValueError:
        return _object(text.encode("utf-8"))


def _object(data: bytes) -> dict[str, Any]:
    if not data.lstrip().startswith(b"{"):
        return {}
    try:
        return values.mapping(msgspec.json.decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _fields(data: bytes, wanted: int) -> Iterator[bytes]:
    """Yield the values of a field that are bytes; what is no protocol buffer ends it."""
    at = 0
    while at < len(data):
        key, at = _number(data, at)
        kind = key & 7
        size, at = _number(data, at) if kind in (0, 2) else ({1: 8, 5: 4}.get(kind, len(data)), at)
        if kind == 0:
            continue
        if kind == 2 and key >> 3 == wanted and at + size <= len(data):
            yield data[at : at + size]
        at += size


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that is written at a place in steps of seven bits, and the place behind it."""
    found = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        found |= (byte & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if byte < 0x80:
            return found, at
    return 0, len(data)


def _ordered(chat: Chat) -> Iterator[str]:
    """Yield the newest state's messages in its order, and before each what was written earlier and is held no more."""
    held = chat.held
    known = set(held)
    left = iter([name for name in chat.found if name not in known])
    waiting = next(left, None)
    for name in held:
        while waiting is not None and chat.found[waiting][0] < chat.found[name][0]:
            yield waiting
            waiting = next(left, None)
        yield name
    yield from () if waiting is None else (waiting, *left)


def _drafts(record: dict[str, Any], pairing: Pairing) -> list[Draft]:
    content = record.get("content")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else values.items(content)
    parts = [values.mapping(part) for part in parts]
    if record["role"] == "user":
        return _said(parts, pairing)
    results = [_result(part, pairing) for part in parts if part.get("type") in RESULTS]
    draft = Draft("assistant")
    for part in parts:
        _add(part, draft, pairing)
    return [*results, *([] if draft.is_empty else [draft])]


def _said(parts: Iterable[dict[str, Any]], pairing: Pairing) -> list[Draft]:
    """Divide a user's message into what the person wrote and what the program put around it."""
    person, program = Draft("user"), Draft("user", state="harness")
    for text in blocks(list(parts), pairing.tally):
        asked = QUERY.findall(text)
        if asked:
            person.content += asked
            program.content.append(QUERY.sub("", text).strip())
        elif _is_harness(text):
            program.content.append(text)
        else:
            person.content.append(text)
    return [draft for draft in (program, person) if not draft.is_empty]


def _is_harness(text: str) -> bool:
    tag = TAG.match(text)
    name = tag[1] if tag else ""
    return ("_" in name or name in HARNESS_TAGS) and text.rstrip().endswith(f"</{name}>")


def _add(part: dict[str, Any], draft: Draft, pairing: Pairing) -> None:
    kind = part.get("type")
    if kind in CALLS:
        name = values.first_text(part, "toolName", "name")
        call_id = pairing.call(part.get("toolCallId", part.get("id")), name)
        draft.calls.append(ToolCall(call_id, name, values.dump(part.get("args", part.get("input", {})))))
    elif kind in ("reasoning", "thinking"):
        draft.reasoning.append(values.first_text(part, "text", "thinking"))
    elif kind == "redacted-reasoning":
        pairing.tally.note("reasoning that only the provider can read")
    elif kind not in RESULTS:
        draft.content += blocks([part], pairing.tally)


def _result(part: dict[str, Any], pairing: Pairing) -> Draft:
    name = values.first_text(part, "toolName", "name")
    call_id, name = pairing.result(part.get("toolCallId"), name)
    told = part.get("result", part.get("output"))
    text = blocks(told, pairing.tally) if isinstance(told, str | list) else [values.dump(told)] if told else []
    return Draft("tool", text, call_id=call_id, tool_name=name, is_error=part.get("isError") is True)


def _session(chat: Chat, drafts: list[Draft], source: Source, raw: RowDigest, system: str) -> Session:
    own = values.text(chat.meta.get("agentId")) or source.path.absolute().parent.name
    model = values.text(chat.meta.get("lastUsedModel"))
    return Session(
        id=safe_id(own, source.shown),
        agent="cursor",
        source_format=NAME,
        source_path=source.stored,
        source_id=own,
        digest=raw.hex,
        title=values.text(chat.meta.get("name")),
        started_at=values.moment(chat.meta.get("createdAt")),
        model="" if model == "default" else model,
        cwd=chat.cwd,
        system_prompt=system,
        messages=finish(drafts),
        channel="cli",
    )
