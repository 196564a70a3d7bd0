"""Which knowledge a session taught: change lines that name the session, or a message of it as evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hermes_git.names import whole_number
from hermes_git.provenance.change import Change, parse
from hermes_git.provenance.log import Commit


@dataclass(frozen=True, slots=True)
class Citation:
    """One change that cites a session: the commit, and what it did; `message` is 0 where only the session is named."""

    commit: str
    time: int
    change: Change
    session: str
    message: int = 0


def citations(commits: Iterable[Commit]) -> tuple[Citation, ...]:
    """Return every citation in a history, in its order."""
    found = []
    for commit in commits:
        for change in parse(commit.message):
            session, _, number = change.extra.get("evidence", "").rpartition("#")
            message = whole_number(number)
            if session and message is not None:
                found.append(Citation(commit.id, commit.time, change, session, message))
            elif change.session:
                found.append(Citation(commit.id, commit.time, change, change.session))
    return tuple(found)


def of_session(found: Iterable[Citation], session: str, message: int = 0) -> tuple[Citation, ...]:
    """Return the citations of a session, or of one message of it."""
    return tuple(row for row in found if row.session == session and message in (0, row.message))


def of_target(found: Iterable[Citation], target: str, ids: Iterable[str] = ()) -> tuple[Citation, ...]:
    """Return the citations of a skill's key, or of entries by the ids they have or had."""
    wanted = frozenset(ids)
    return tuple(
        row for row in found if row.change.target.removeprefix("skill:") == target or row.change.after in wanted
    )
