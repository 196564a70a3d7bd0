"""Forgetting: sessions leave the store, its history and every later import, and what is left of them is said."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.sessions import canonical
from hermes_git.sessions.erase import references, session_blobs
from hermes_git.sessions.model import Session
from hermes_git.sessions.store import FORGOTTEN, TEXTS, Store, Stored

FORMAT = 1
GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be forgotten: sessions (sub-agents of a forgotten one included), and texts that only they name."""

    sessions: tuple[Stored, ...] = ()
    digests: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    blobs: tuple[str, ...] = ()

    @property
    def paths(self) -> frozenset[str]:
        """Return all paths that leave the store."""
        return frozenset([*(stored.path for stored in self.sessions), *self.texts])


@dataclass
class Reading:
    """The headers of all stored sessions and the texts that each names."""

    stored: list[Stored]
    headers: dict[str, Session] = field(default_factory=dict)
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)


def plan(store: Store, names: Iterable[str] = (), *, before: str = "") -> Plan:
    """Plan to forget sessions by id or pattern (`*`, `?`, `[…]`), and those that ended before a time.

    Errors: `UserError` for an id or a pattern that matches nothing.
    """
    reading = _read(store)
    chosen = {stored.id for name in names for stored in _matching(store, reading.stored, name)}
    if before:
        chosen |= {stored.id for stored in reading.stored if _ended(reading.headers[stored.id]) < before}
    chosen |= _sub_agents(reading, chosen)
    gone = tuple(stored for stored in reading.stored if stored.id in chosen)
    kept = {text for stored in reading.stored if stored.id not in chosen for text in reading.texts[stored.id]}
    lost = sorted({text for stored in gone for text in reading.texts[stored.id]} - kept)
    listing = store.files(TEXTS)
    paths = tuple(TEXTS + text for text in lost if TEXTS + text in listing)
    blobs = (*(stored.blob for stored in gone), *(listing[path] for path in paths))
    digests = tuple(sorted(identity(reading.headers[stored.id]) for stored in gone))
    return Plan(gone, digests, paths, blobs)


def _read(store: Store) -> Reading:
    reading = Reading(store.sessions())
    names = {stored.path: stored.id for stored in reading.stored}
    for path, data in store.read(names):
        reading.headers[names[path]] = canonical.decode_header(data, where=path)
        reading.texts[names[path]] = canonical.references(data, where=path)
    return reading


def _matching(store: Store, stored: list[Stored], name: str) -> list[Stored]:
    if not GLOB & set(name):
        return [store.find(name)]
    found = [item for item in stored if fnmatch.fnmatchcase(item.id, name)]
    if not found:
        raise UserError(f"no session matches {name!r}", hint="list them with: hermes-git session list")
    return found


def _ended(session: Session) -> str:
    """Return when a session ended; one that names no time is never old."""
    return session.ended_at or session.started_at or "9999"


def _sub_agents(reading: Reading, chosen: Collection[str]) -> set[str]:
    """Return the sub-agents of the chosen sessions, which say what these say, and theirs."""
    found: set[str] = set(chosen)
    while True:
        more = {
            name
            for name, header in reading.headers.items()
            if name not in found and header.parent in found and header.parent_kind == "subagent"
        }
        if not more:
            return found
        found |= more


def identity(session: Session) -> str:
    """Return the digest under which a forgotten session is remembered: it tells nobody what its id was."""
    return identity_of(session.agent, session.id)


def identity_of(agent: str, name: str) -> str:
    """Return the digest of a session by its agent and id."""
    return hashlib.sha256(f"{agent}\0{name}".encode()).hexdigest()[:32]


def forgotten(store: Store) -> frozenset[str]:
    """Return the digests of all sessions that were forgotten."""
    return forgotten_in(store.read_one(FORGOTTEN) or b"")


def forgotten_in(data: bytes) -> frozenset[str]:
    """Return the digests that the bytes of `forgotten.jsonl` name."""
    lines = [line for line in data.split(b"\n") if line]
    try:
        rows = [msgspec.json.decode(line, type=dict[str, object]) for line in lines]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(
            f"not JSON: {error}", where=FORGOTTEN, hint="restore the file from the branch's history"
        ) from error
    return frozenset(str(row.get("digest", "")) for row in rows)


def _lines(digests: Iterable[str]) -> bytes:
    rows = (msgspec.json.encode({"format": FORMAT, "digest": digest}) for digest in sorted(digests))
    return b"".join(row + b"\n" for row in rows)


def taken_back(present: bytes, sessions: Iterable[Session]) -> dict[str, bytes | None]:
    """Return the change by which sessions that were forgotten and are imported again are forgotten no more."""
    known = forgotten_in(present)
    left = known - {identity(session) for session in sessions}
    return {FORGOTTEN: _lines(left) or None} if left != known else {}


def forget(store: Store, planned: Plan, *, message: str) -> str:
    """Remove what was planned, remember that it was forgotten, and write the branch's history without it."""

    def merge(present: Mapping[str, bytes]) -> dict[str, bytes | None]:
        known = forgotten_in(present.get(FORGOTTEN, b"")) | set(planned.digests)
        return {FORGOTTEN: _lines(known), **dict.fromkeys(planned.paths)}

    store.update([FORGOTTEN], merge, message=message)
    return store.place.erase(planned.paths)


class Trace(NamedTuple):
    """A forgotten session that a reference still reaches."""

    reference: str
    id: str


def traces(repo: Repository, store: Store) -> list[Trace]:
    """Look through the history of every reference for sessions that were forgotten, also before this clone knew it."""
    gone = forgotten(store)
    if not gone:
        return []
    found: list[Trace] = []
    known: dict[str, str] = {}
    for reference in references(repo):
        held = session_blobs(repo, reference)
        for blob, data in read.blobs(repo, [blob for blob in held if blob not in known]):
            known[blob] = _forgotten_id(data, gone)
        found += sorted({Trace(reference, known[blob]) for blob in held if known[blob]})
    return found


def _forgotten_id(data: bytes, gone: Collection[str]) -> str:
    """Return the id of a session if it was forgotten, else ""; a blob that is no session was none."""
    try:
        header = canonical.decode_header(data)
    except UserError:
        return ""
    return header.id if identity(header) in gone else ""
