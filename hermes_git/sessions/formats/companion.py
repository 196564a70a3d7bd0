"""Files that agents keep beside sessions and that hold no word of them: indexes, and what kind a sub-agent is.

They are known by name and content, so that a folder of sessions is imported without a remainder. A row is a file.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

from hermes_git.sessions.loss import BOOKKEEPING, Tally, reason
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Head, Source

NAME = "companion"
KNOWN = (
    ("agent-*.meta.json", ('"agentType"',)),
    ("sessions-index.json", ('"version"', '"entries"')),
    ("sessions.json", ('"session_key"', '"session_id"', '"platform"')),
)
"""Pattern of names, and what the beginning of the file holds: Claude Code's two, Hermes' one."""


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    marks = next((marks for names, marks in KNOWN if fnmatch.fnmatchcase(head.name, names)), ())
    return 40 if marks and all(mark in head.text for mark in marks) else 0


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield nothing, and book the file."""
    tally.row()
    tally.drop(reason(BOOKKEEPING, source.path.name if source.path.name in dict(KNOWN) else "agent.meta.json"))
    yield from ()
