"""A corpus of sessions for measuring recall: reading it, storing it in a repository, drawing queries from it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository
from hermes_git.sessions.model import Message, Session, ToolCall
from hermes_git.sessions.store import open_store, session_files
from hermes_git.settings import DEFAULTS

WORD = re.compile(r"[A-Za-z]{2,}")
AT_ONCE = 250


class Queries(NamedTuple):
    """Queries by kind, drawn from the corpus with a fixed seed."""

    common: list[str]
    conjunctions: list[str]
    phrases: list[str]
    many_words: list[str]


def rows(corpus: Path) -> Iterator[dict[str, Any]]:
    """Yield the sessions of a corpus, one JSON object a line."""
    with corpus.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def texts(row: dict[str, Any]) -> Iterator[str]:
    """Yield what is searched of each message: its content, and the arguments of its calls."""
    for message in row["messages"]:
        calls = message.get("tool_calls") or ()
        yield "\n".join([message["content"] or "", *(call["function"]["arguments"] for call in calls)])


def session(row: dict[str, Any]) -> Session:
    """Return a row of the corpus as a session."""
    parent = row["parent_session_id"] or ""
    return Session(
        row["id"],
        "hermes",
        title=row["title"],
        model=row["model"],
        started_at=iso(row["started_at"]),
        end_reason=row["end_reason"] or "",
        parent=parent,
        parent_kind="compaction" if parent else "",
        messages=tuple(_message(number, message) for number, message in enumerate(row["messages"], start=1)),
    )


def _message(number: int, row: dict[str, Any]) -> Message:
    return Message(
        number,
        row["role"],
        row["content"] or "",
        tool_calls=tuple(
            ToolCall(call["id"], call["function"]["name"], call["function"]["arguments"])
            for call in row.get("tool_calls") or ()
        ),
        tool_call_id=row.get("tool_call_id") or "",
        tool_name=row.get("tool_name") or "",
        timestamp=iso(row["timestamp"]),
    )


def iso(seconds: float) -> str:
    """Return Unix seconds as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def stored(corpus: Path, folder: Path) -> Repository:
    """Store a corpus on the branch of sessions of a new repository."""
    repo = create.create(folder)
    store = open_store(repo, DEFAULTS)
    batch: dict[str, bytes] = {}
    for number, row in enumerate(rows(corpus), start=1):
        batch |= session_files(session(row))
        if number % AT_ONCE == 0:
            store.write(batch, message="sessions")
            batch = {}
    if batch:
        store.write(batch, message="sessions")
    return repo


def draw(corpus: Path, seed: int = 11, number: int = 40) -> Queries:
    """Draw queries: words of many messages, three words of one message, three neighbours, eight with stop words."""
    chance = random.Random(seed)
    sample = [text for at, row in enumerate(rows(corpus)) if at % 20 == 0 for text in texts(row) if len(text) > 200]
    counts: dict[str, int] = {}
    for text in sample:
        for word in set(WORD.findall(text.lower())):
            counts[word] = counts.get(word, 0) + 1
    share = sorted(word for word, count in counts.items() if 0.1 * len(sample) < count < 0.5 * len(sample))
    known = [word for word, count in counts.items() if count > 3]
    conjunctions, phrases, many = [], [], []
    while len(phrases) < number:
        words = WORD.findall(chance.choice(sample))
        if len(words) < 20:
            continue
        at = chance.randrange(len(words) - 8)
        useful = sorted({word.lower() for word in words} & set(known))
        if len(useful) >= 3:
            conjunctions.append(" ".join(chance.sample(useful, 3)))
            phrases.append(_neighbours(chance, sample))
            many.append(" ".join(words[at : at + 8]).lower())
    return Queries(chance.sample(share, min(number, len(share))), conjunctions, phrases, many)


def _neighbours(chance: random.Random, sample: list[str]) -> str:
    """Return three neighbouring words of some text, only blanks between them."""
    while True:
        found = re.findall(r"[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}", chance.choice(sample))
        if found:
            return str(chance.choice(found)).lower()
