"""Which format a file is in: every reader looks at its beginning, the surest one reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from hermes_git.sessions.formats import (
    atif,
    claude_code,
    codex,
    companion,
    cursor,
    cursor_db,
    gemini,
    hermes,
    hermes_db,
    openai_chat,
    opencode,
    opencode_db,
    opencode_storage,
    pi,
    sharegpt,
    specstory,
    swe_agent,
    tau2,
)
from hermes_git.sessions.loss import Tally
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Head, Source


class Format(Protocol):
    """A module that reads one source format."""

    NAME: str

    def sniff(self, head: Head) -> int:
        """Return how sure it is that a file is in this format, 0 to 100."""

    def read(self, source: Source, tally: Tally) -> Iterator[Session]:
        """Yield the sessions of a file and book every one of its rows."""


FORMATS: dict[str, Format] = {
    claude_code.NAME: claude_code,
    codex.NAME: codex,
    hermes.NAME: hermes,
    hermes_db.NAME: hermes_db,
    openai_chat.NAME: openai_chat,
    gemini.NAME: gemini,
    opencode.NAME: opencode,
    opencode_db.NAME: opencode_db,
    opencode_storage.NAME: opencode_storage,
    cursor.NAME: cursor,
    cursor_db.NAME: cursor_db,
    pi.NAME: pi,
    specstory.NAME: specstory,
    atif.NAME: atif,
    swe_agent.NAME: swe_agent,
    tau2.NAME: tau2,
    sharegpt.NAME: sharegpt,
    companion.NAME: companion,
}
"""Name → module; a format is added by a line here."""


def detect(head: Head) -> Format | None:
    """Return the format that recognises a file best, or None if none does."""
    scores = [(module.sniff(head), module) for module in FORMATS.values()]
    best = max(scores, key=lambda pair: pair[0])
    return best[1] if best[0] > 0 else None
