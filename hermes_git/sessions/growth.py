"""A session that is imported again: what is new is added, what was known keeps its number, nothing is lost."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

import msgspec

from hermes_git.sessions.model import Message, Session

NUMBERED = re.compile(r"\[REDACTED:([a-z0-9-]+):\d+\]")
HEADER = tuple(name for name in Session.__struct_fields__ if name not in ("id", "messages"))

Key = tuple[str, str, str, tuple[str, ...], str]


def key(message: Message) -> Key:
    """Return what makes two messages the same one in two sources: who says what in which call."""
    calls = tuple(call.id for call in message.tool_calls)
    content, reasoning = (NUMBERED.sub(r"[REDACTED:\1]", text) for text in (message.content, message.reasoning))
    return message.role, content, "" if content else reasoning, calls, message.tool_call_id


def said(message: Message) -> tuple[str, ...]:
    """Return what two sources of a session agree on where each gave the calls ids of its own: words, and calls."""
    parts = (message.content, *(part for call in message.tool_calls for part in (call.name, call.arguments)))
    return message.role, *(NUMBERED.sub(r"[REDACTED:\1]", part) for part in parts)


def grow(old: Session, new: Session) -> Session:
    """Return the stored session with what a newer or another source of it adds.

    A source that was read before replaces what it said then and may fill in the header; what it no longer holds was
    compacted away there and stays here. Another source of the same session only adds what is missing. A source that
    adds nothing changes nothing.
    """
    same = old.source_path == new.source_path
    twins = _match(old.messages, new.messages, same)
    taken = {old_id: new.messages[place] for place, old_id in twins.items()}
    kept = [_renewed(message, taken.get(message.id), same) for message in old.messages]
    added = [message for place, message in enumerate(new.messages) if place not in twins]
    following = max((message.id for message in old.messages), default=0) + 1
    numbered = [msgspec.structs.replace(message, id=number) for number, message in enumerate(added, start=following)]
    messages = (*kept, *numbered)
    header = _header(old, new, same=same or bool(added))
    grown = msgspec.structs.replace(old, messages=messages, **header)
    return old if grown.messages == old.messages and not _says_more(old, new, same) else grown


def is_related(old: Session, new: Session) -> bool:
    """Say whether two sessions under one id are the same session: one source, or a message in common."""
    if old.agent != new.agent:
        return False
    return old.source_path == new.source_path or bool(_match(old.messages, new.messages, same=False))


def _renewed(old: Message, new: Message | None, same: bool) -> Message:
    if not same:
        return old
    if new is not None:
        return msgspec.structs.replace(new, id=old.id)
    return msgspec.structs.replace(old, state="compacted") if old.state == "active" else old


def _match(old: Iterable[Message], new: Iterable[Message], same: bool) -> dict[int, int]:
    """Return place in `new` → id in `old` of messages that are the same, each used once."""
    by_source: dict[str, int] = {}
    by_key: dict[Key, list[int]] = defaultdict(list)
    by_words: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for message in old:
        by_source.update({name: message.id for name in message.source_ids if _identifies(name, same)})
        by_key[key(message)].append(message.id)
        if message.tool_calls and not same:
            by_words[said(message)].append(message.id)
    used: set[int] = set()
    found: dict[int, int] = {}
    for place, message in enumerate(new):
        named = (by_source.get(name) for name in message.source_ids if _identifies(name, same))
        alike = by_key.get(key(message), ())
        calling = by_words.get(said(message), ()) if message.tool_calls else ()
        twin = next((item for item in (*named, *alike, *calling) if item is not None and item not in used), None)
        if twin is not None:
            found[place] = twin
            used.add(twin)
    return found


def _identifies(name: str, same: bool) -> bool:
    """Say whether a source id names its row for ever.

    A place in a list never does. The line of a growing file and the counter of a database do within one source; in
    another source only an id that is long enough to be unique.
    """
    return not name.startswith("message ") and (same or (len(name) >= UNIQUE and not name.startswith("line ")))


UNIQUE = 12
"""From this length on an id is taken to be unique everywhere."""


def _header(old: Session, new: Session, *, same: bool) -> dict[str, object]:
    """Return the header fields of the grown session: the newer value of one source, else only what was empty."""
    found = {}
    for name in HEADER:
        before, after = getattr(old, name), getattr(new, name)
        found[name] = after if after and (same or not before) else before
    started = [time for time in (old.started_at, new.started_at) if time]
    ended = [time for time in (old.ended_at, new.ended_at) if time]
    return {**found, "started_at": min(started, default=""), "ended_at": max(ended, default="")}


def _says_more(old: Session, new: Session, same: bool) -> bool:
    """Say whether the header of a source adds something: any change of one source, a missing field of another."""
    if same:
        return True
    return any(getattr(new, name) and not getattr(old, name) for name in HEADER)
