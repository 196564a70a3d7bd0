"""BROWSE: the lineages that were active last, one after the other, by day, or by repository."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hermes_git.recall.engine import accepts
from hermes_git.recall.passage import seconds
from hermes_git.recall.query import Filters
from hermes_git.recall.search import Recall
from hermes_git.recall.source import Source

DAY, REPOSITORY = "day", "repository"
GROUPINGS = (DAY, REPOSITORY)
SHOWN_OF_GROUP = 5
UNKNOWN = "unknown"

Row = dict[str, Any]


def browse(recall: Recall, filters: Filters, *, limit: int, current: str = "", by: str = "") -> Row:
    """List lineages, the last active first, each by its newest session that passes the filters.

    `limit` counts sessions; grouped, it counts groups, of each of which the newest sessions are shown.
    """
    rows = _rows(recall, filters, current)
    groups = _groups(rows, by) if by else []
    shown = [row for group in groups[:limit] for row in group[:SHOWN_OF_GROUP]] if by else rows[:limit]
    grouped: Row = {"by": by, "groups": [_group(group, by) for group in groups[:limit]]} if by else {}
    kinds = f" in {len(groups[:limit])} of {len(groups)} {PLURAL[by]}" if by else ""
    return {
        "success": True,
        "mode": "browse",
        "results": shown,
        "count": len(shown),
        "total": len(rows),
        **grouped,
        "message": f"{len(shown)} of {len(rows)} sessions{kinds}, the last active first",
        "notes": [
            f"{name}: needs a word to look for beside it" for name in ("role", "tool", "path") if filters.of(name)
        ],
    }


PLURAL = {DAY: "days", REPOSITORY: "repositories"}


def _rows(recall: Recall, filters: Filters, current: str) -> list[Row]:
    newest: dict[str, Source] = {}
    for source in sorted(recall.sessions(), key=lambda source: (source.active, source.id)):
        if accepts(filters, source) and _is_in_time(filters, source):
            newest[recall.lineages.root(source)] = source
    mine = recall.lineages.of(current) if current else ""
    rows = [_row(recall, source) for root, source in newest.items() if root != mine]
    return sorted(rows, key=lambda row: (row["last_active"], row["session_id"]), reverse=True)


def _is_in_time(filters: Filters, source: Source) -> bool:
    """Say whether a session was going on at some time between `after` and `before`."""
    if not (filters.after or filters.before):
        return True
    first, last = seconds(source.started), seconds(source.active)
    return bool(first) and last >= filters.after and first < (filters.before or 2**33)


def _row(recall: Recall, source: Source) -> Row:
    return {
        "session_id": source.id,
        "title": source.title or recall.lineages.by_id[source.id].title,
        "source": source.channel or source.agent,
        "agent": source.agent,
        "started_at": source.started,
        "last_active": source.active,
        "message_count": source.messages,
        "preview": source.preview,
        REPOSITORY: source.repository or source.cwd,
        "path": source.path,
        "blob": source.blob,
    }


def _key(row: Row, by: str) -> str:
    """Return the day of a session's last message, in UTC, or the repository (else the folder) that it was held in."""
    return str(row["last_active"][:10] if by == DAY else row[REPOSITORY]) or UNKNOWN


def _groups(rows: Iterable[Row], by: str) -> list[list[Row]]:
    """Return the rows by their key, the group of the newest row first, rows in their order."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(_key(row, by), []).append(row)
    return list(found.values())


def _group(rows: list[Row], by: str) -> Row:
    return {
        by: _key(rows[0], by),
        "sessions": len(rows),
        "messages": sum(row["message_count"] for row in rows),
        "last_active": rows[0]["last_active"],
        "shown": len(rows[:SHOWN_OF_GROUP]),
    }
