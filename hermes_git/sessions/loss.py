"""Counting what becomes of every source row while a source is read."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from hermes_git.sessions.model import LossReport

DAMAGED = "damaged"
UNKNOWN = "unknown"
BOOKKEEPING = "bookkeeping"
DUPLICATE = "duplicate"
LOSSES = (DAMAGED, UNKNOWN)
"""Reasons that mean something may be lost; all others drop what is known to hold nothing of the conversation."""

MOST_LISTED = 1000
"""How many damaged rows of one source are listed by line; all are counted."""
PLAIN_KIND = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,59}\Z")


def reason(kind: str, *names: object) -> str:
    """Return `kind:name/name`; a name that a hostile source made long or strange is called `other`."""
    known = [name for name in names if isinstance(name, str) and name]
    detail = "/".join(name if PLAIN_KIND.match(name) else "other" for name in known)
    return f"{kind}:{detail}" if detail else kind


def is_loss(why: str) -> bool:
    """Say whether dropping for this reason may lose something, so that the import must not exit with 0."""
    return why.split(":", 1)[0] in LOSSES


@dataclass
class Tally:
    """The running account of one source; each row must be booked exactly once."""

    path: str
    rows: int = 0
    kept: int = 0
    merged: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    damaged: list[str] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)

    def row(self) -> None:
        """Count one row of the source."""
        self.rows += 1

    def keep(self) -> None:
        """Book a row as the beginning of a message."""
        self.kept += 1

    def merge(self) -> None:
        """Book a row as folded into a message or into the header."""
        self.merged += 1

    def drop(self, why: str) -> None:
        """Book a row as dropped for a reason."""
        self.dropped[why] += 1

    def unmerge(self, rows: int, why: str) -> None:
        """Book rows as dropped that were merged into the header of a session that turned out to hold no message."""
        self.merged -= rows
        self.dropped[why] += rows

    def damage(self, line: int, what: str) -> None:
        """Count and book a row that could not be read, and remember where it is."""
        self.rows += 1
        self.dropped[DAMAGED] += 1
        self.list(line, what)

    def list(self, line: int, what: str) -> None:
        """Remember a place worth looking at."""
        if len(self.damaged) < MOST_LISTED:
            self.damaged.append(f"{self.path}:{line}: {what}")

    def note(self, what: str, times: int = 1) -> None:
        """Count a decision that is no loss."""
        self.notes[what] += times

    def report(self) -> LossReport:
        """Return the account as a value."""
        dropped, notes = dict(sorted(self.dropped.items())), dict(sorted(self.notes.items()))
        return LossReport(self.rows, self.kept, self.merged, dropped, tuple(self.damaged), notes)
