"""The uses that all stored sessions show, each session read once: what it showed is cached by its blob id."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import ledger, uses
from hermes_git.provenance.ledger import Use
from hermes_git.sessions.store import SESSIONS, Store

CACHE_VERSION = 2
CACHE_LIMIT = 256 * 1024 * 1024


def gather(repo: Repository, store: Store, entries: Mapping[str, str]) -> tuple[list[Use], tuple[str, ...]]:
    """Return the uses of all stored sessions and the paths of unreadable ones; `entries` maps ids to texts."""
    path = repo.state / "cache" / "session-uses.json"
    key = _key(entries)
    cached = _load(path, key)
    stored = store.sessions()
    fresh = {item.path: item.blob for item in stored if item.blob not in cached}
    unread: list[str] = []
    for where, data in store.read(fresh):
        try:
            cached[fresh[where]] = uses.from_session(store.decode(data, where), entries)
        except UserError:
            unread.append(where.removeprefix(SESSIONS))
    if fresh:
        present = {item.blob for item in stored}
        _save(path, key, {blob: found for blob, found in cached.items() if blob in present})
    return [use for item in stored for use in cached.get(item.blob, ())], tuple(unread)


def _key(entries: Mapping[str, str]) -> str:
    return hashlib.sha256("\0".join(sorted(entries)).encode("ascii")).hexdigest()[:16]


def _load(path: Path, key: str) -> dict[str, tuple[Use, ...]]:
    """Read the cache; one of another version, for other entries, or torn counts as empty."""
    data = files.read_optional(path, limit=CACHE_LIMIT)
    try:
        table = json.loads(data) if data else {}
        if table.get("version") != CACHE_VERSION or table.get("entries") != key:
            return {}
        rows = table["sessions"].items()
        return {blob: tuple(ledger.decode(line.encode("ascii")) for line in lines) for blob, lines in rows}
    except (ValueError, KeyError, TypeError, AttributeError, UserError):
        return {}


def _save(path: Path, key: str, found: Mapping[str, tuple[Use, ...]]) -> None:
    rows = {blob: [ledger.encode(use).decode("ascii").strip() for use in row] for blob, row in sorted(found.items())}
    table = {"version": CACHE_VERSION, "entries": key, "sessions": rows}
    files.keep(path, json.dumps(table).encode("ascii"))
