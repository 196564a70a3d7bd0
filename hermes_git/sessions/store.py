"""The store of sessions and of the ledger, the same whether it is a branch, a folder of the tree or one outside git."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.sessions import canonical
from hermes_git.sessions.model import Session
from hermes_git.sessions.places import LOCK_NAME, BranchPlace, FolderPlace, Merge, Place
from hermes_git.sessions.source import short_digest
from hermes_git.settings import Settings

SESSIONS = "sessions/"
TEXTS = "texts/"
FORGOTTEN = "forgotten.jsonl"
SUFFIX = ".jsonl"
FOLDER_KEY = "hermes-git.sessionsfolder"
"""The user's own configuration that names a folder outside git; a file of the repository must not choose one."""


class Stored(NamedTuple):
    """One stored session: its id, where it lies, and the git blob id of its bytes."""

    id: str
    path: str
    blob: str


CASE_MARK = "~"
"""Stands in a file's name between an id and what tells it from one in other letter case; no id holds it."""


def session_path(session: Session) -> str:
    """Return where a session is stored: `sessions/<yyyy>/<mm>/<id>.jsonl`, under `unknown/` without a start time.

    An id with capital letters is followed by a digest of it, since many file systems do not tell case apart.
    """
    year, month = session.started_at[:4], session.started_at[5:7]
    known = year.isdigit() and month.isdigit() and len(year) == 4
    mark = "" if session.id == session.id.lower() else CASE_MARK + short_digest(session.id)[:8]
    return f"{SESSIONS}{f'{year}/{month}' if known else 'unknown'}/{session.id}{mark}{SUFFIX}"


def stored_id(path: str) -> str:
    """Return the id of the session that is stored at a path."""
    return PurePosixPath(path).stem.partition(CASE_MARK)[0]


@dataclass(frozen=True, slots=True)
class Store:
    """Files by path, atomically written; on top of that, sessions by id."""

    place: Place

    @property
    def revision(self) -> str:
        """Return what identifies the present state, or "" while the store is empty."""
        return self.place.revision()

    def files(self, prefix: str = "") -> dict[str, str]:
        """List the files whose path starts with `prefix` as path → git blob id, sorted by path."""
        found = self.place.listing()
        return {path: found[path] for path in sorted(found) if path.startswith(prefix)}

    def read(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield `(path, bytes)`, sorted by path, of those of the paths that exist."""
        return self.place.read(paths)

    def read_one(self, path: str) -> bytes | None:
        """Return the bytes of one file, or None if there is none."""
        return dict(self.place.read([path])).get(path)

    def write(self, files: Mapping[str, bytes | None], *, message: str) -> str:
        """Set files, or remove those given as None; return the new revision.

        On a branch this is one commit with `message`, all or nothing, and none when nothing changes. In a folder each
        file is replaced atomically in the order given.
        """
        return self.place.update((), lambda _: files, message)

    def update(self, paths: Iterable[str], merge: Merge, *, message: str) -> str:
        """Write what `merge` makes of the present bytes of `paths`; concurrent writers are never overwritten."""
        return self.place.update(paths, merge, message)

    def append(self, path: str, lines: Iterable[bytes], *, message: str) -> str:
        """Append whole lines to a file that others may append to at the same time; return the new revision."""
        added = b"".join(line.rstrip(b"\n") + b"\n" for line in lines)

        def merge(present: Mapping[str, bytes]) -> dict[str, bytes | None]:
            before = present.get(path, b"")
            torn = before and not before.endswith(b"\n")
            return {path: before + (b"\n" if torn else b"") + added}

        return self.place.update([path], merge, message)

    def sessions(self) -> list[Stored]:
        """List the stored sessions, sorted by path, which is by month of their start."""
        found = self.files(SESSIONS)
        return [Stored(stored_id(path), path, blob) for path, blob in found.items() if path.endswith(SUFFIX)]

    def ids(self) -> list[str]:
        """Return the ids of the stored sessions, sorted by path, without reading any."""
        paths = sorted(path for path in self.place.paths() if path.startswith(SESSIONS) and path.endswith(SUFFIX))
        return [stored_id(path) for path in paths]

    def find(self, name: str) -> Stored:
        """Find a session by its id or by the beginning of only one; else name the nearest ids."""
        stored = self.sessions()
        exact = [item for item in stored if item.id == name]
        matches = exact or [item for item in stored if name and item.id.startswith(name)]
        if len(matches) == 1:
            return matches[0]
        near = [item.id for item in matches[:5]] or difflib.get_close_matches(name, [item.id for item in stored], n=3)
        hint = f"did you mean: {', '.join(near)}" if near else "list them with: hermes-git session list"
        raise UserError(f"{len(matches) or 'no'} sessions match {name!r}", hint=hint)

    def session(self, name: str) -> Session:
        """Load one session whole, shared texts resolved."""
        stored = self.find(name)
        data = self.read_one(stored.path)
        if data is None:
            raise UserError(f"session {stored.id} was removed a moment ago", hint="hermes-git session list")
        return self.decode(data, stored.path)

    def decode(self, data: bytes, where: str) -> Session:
        """Read canonical bytes, fetching the shared texts they name."""
        return canonical.decode(data, self.texts(canonical.references(data, where=where)), where=where)

    def texts(self, digests: Iterable[str]) -> dict[str, str]:
        """Return those of the shared texts that exist, as digest → text."""
        found = self.place.read([TEXTS + digest for digest in digests])
        return {path.removeprefix(TEXTS): data.decode("utf-8") for path, data in found}


def session_files(session: Session, path: str = "") -> dict[str, bytes]:
    """Return the files that store a session, the texts it names first, so that no reader finds a dangling name."""
    texts = {TEXTS + digest: data for digest, data in canonical.texts(session).items()}
    return {**texts, path or session_path(session): canonical.encode(session)}


def open_store(repo: Repository, settings: Settings, *, now: datetime | None = None) -> Store:
    """Open the store that the settings name; it need not exist yet. `now` fixes the dates of commits."""
    kind = settings.sessions.place
    if kind == "branch":
        return Store(BranchPlace(repo, settings.sessions.branch, now))
    if kind == "tree":
        root = repo.work_tree() / settings.sessions.folder
        return Store(FolderPlace(root, repo.object_format, repo.state / "sessions.lock", "tree"))
    return open_folder(_outside(repo), repo.object_format)


def absent(store: Store) -> str:
    """Return the folder outside git that should hold the sessions and is not there, else "".

    Nothing was imported yet, or its disk is not mounted: either way "no sessions" would be more than is known.
    """
    place = store.place
    if isinstance(place, FolderPlace) and place.name == "folder" and not place.root.is_dir():
        return str(place.root)
    return ""


def open_folder(root: Path, object_format: str = "sha1") -> Store:
    """Open a store in a folder outside git."""
    return Store(FolderPlace(root, object_format, root / LOCK_NAME))


def _outside(repo: Repository) -> Path:
    named = read.config(repo).get(FOLDER_KEY, "")
    if not named:
        raise UserError(
            "sessions are set to live in a folder outside git, and your configuration names none",
            hint="git config hermes-git.sessionsFolder /path/to/folder (a file of the repository must not choose it)",
        )
    return repo.cwd / Path(named).expanduser()
