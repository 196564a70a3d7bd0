"""The history of a repository as plain values: one `git log` pass, renames detected, parsed and cached by commit id."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hermes_git import files
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository

FORMAT = "%x1e%H%n%ct%n%an%n%ae%n%B"
"""Only the message can hold a line end, so no name or message is taken for another field."""

CACHE_VERSION = 2
CACHE_LIMIT = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Row:
    """One path that a commit changed: status letter (A M D R T), similarity of a rename, both paths and blob ids.

    `path` is the path after the commit; `source` the path before it, different for a rename only.
    """

    status: str
    path: str
    source: str
    before: str
    after: str
    score: int = 0


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: id, committer time in seconds since 1970, author, whole message, and the paths it changed."""

    id: str
    time: int
    name: str
    email: str
    message: str
    rows: tuple[Row, ...] = ()


def commits(repo: Repository, tip: str) -> tuple[Commit, ...]:
    """Return all commits that `tip` can reach, parents before children; cached by the id of `tip`."""
    cache = repo.state / "cache" / f"log-{tip}.json"
    cached = _from_cache(cache)
    if cached is not None:
        return cached
    found = tuple(parse(_log(repo, tip)))
    files.keep(cache, _to_cache(found), alike="log-*.json")
    return found


def _log(repo: Repository, tip: str) -> list[str]:
    return read.log(
        repo, "--topo-order", "--reverse", "--raw", "--no-abbrev", "-M", f"--format={FORMAT}", "--end-of-options", tip
    )


def parse(records: Iterable[str]) -> Iterator[Commit]:
    """Turn the NUL-separated records of `git log -z --raw` in our format into commits, in the order given."""
    head: list[str] = []
    rows: list[Row] = []
    stream = iter(records)
    for record in stream:
        text = record.lstrip("\n")
        if text.startswith("\x1e"):
            if head:
                yield _commit(head, rows)
            head, rows = text[1:].split("\n", 4), []
        elif text.startswith(":"):
            rows.append(_row(text, stream))
    if head:
        yield _commit(head, rows)


def rows(records: Iterable[str]) -> list[Row]:
    """Turn the NUL-separated records of `git diff-tree -z --raw` into rows."""
    stream = iter(records)
    return [_row(record, stream) for record in stream]


def _commit(head: list[str], rows: list[Row]) -> Commit:
    return Commit(head[0], read.moment(head[1]), head[2], head[3], head[4], tuple(rows))


def _row(meta: str, stream: Iterator[str]) -> Row:
    _, _, before, after, status = meta.removeprefix(":").split(" ")
    source = next(stream)
    path = next(stream) if status[:1] in "RC" else source
    return Row(status[:1], path, source, before, after, int(status[1:] or 0))


def _to_cache(found: tuple[Commit, ...]) -> bytes:
    rows = [
        [
            commit.id,
            commit.time,
            commit.name,
            commit.email,
            commit.message,
            [[row.status, row.path, row.source, row.before, row.after, row.score] for row in commit.rows],
        ]
        for commit in found
    ]
    return json.dumps({"version": CACHE_VERSION, "commits": rows}).encode("ascii")


def _from_cache(path: Path) -> tuple[Commit, ...] | None:
    """Read a cache file back; one that is missing, torn or of another version counts as missing."""
    data = files.read_optional(path, limit=CACHE_LIMIT)
    if data is None:
        return None
    try:
        table = json.loads(data)
        if table["version"] != CACHE_VERSION:
            return None
        return tuple(
            Commit(id, time, name, email, message, tuple(Row(*item) for item in rows))
            for id, time, name, email, message, rows in table["commits"]
        )
    except (ValueError, KeyError, TypeError, IndexError):
        return None
