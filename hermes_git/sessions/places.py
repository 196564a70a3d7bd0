"""The places a store can be in: a branch written by plumbing, or a folder; the same to callers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.gitrepo import read, run, write
from hermes_git.gitrepo.repository import Repository
from hermes_git.names import is_inside
from hermes_git.sessions import erase

Changes = Mapping[str, bytes | None]
Merge = Callable[[Mapping[str, bytes]], Changes]
"""What is there now → what to write; called again whenever somebody else wrote in between, so it must be pure."""


@dataclass(frozen=True, slots=True)
class View:
    """One version of a branch: its files as path → blob id, and a way to read some of them."""

    listing: Mapping[str, str]
    data: Callable[[Iterable[str]], dict[str, bytes]]


MergeTwo = Callable[[View, View], Changes]
"""Ours and theirs → what to write on top of ours; called again whenever ours moved meanwhile."""

ATTEMPTS = 50
LOCK_WAIT_SECONDS = 120.0
OURS = ("sessions/", "texts/", "ledger/", "forgotten.jsonl")
"""What a branch of ours holds at its top; one that holds none of these belongs to somebody else."""
LOCK_NAME = ".hermes-git.lock"
IDENTITY = re.compile(r"(.*) <(.*)> \d+ [+-]\d{4}\Z")


class Place(Protocol):
    """Where files are kept: listing, reading, and writing several of them at once."""

    @property
    def name(self) -> str:
        """Name the place for people: branch, tree or folder."""

    @property
    def where(self) -> str:
        """Say where the files are, for people."""

    def revision(self) -> str:
        """Return what identifies the present state: a commit, a digest of the listing, "" while there is nothing."""

    def listing(self) -> dict[str, str]:
        """Return all files as path → git blob id."""

    def paths(self) -> list[str]:
        """Return the paths of all files without reading any."""

    def read(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield `(path, bytes)` of those of the paths that exist."""

    def update(self, paths: Iterable[str], merge: Merge, message: str) -> str:
        """Write what `merge` makes of the present content of `paths`; return the new revision."""

    def erase(self, paths: Collection[str]) -> str:
        """Take paths that were removed out of the place's own history too; return the new revision."""


@dataclass(frozen=True, slots=True)
class BranchPlace:
    """A branch that is never checked out; each write is one commit, moved by compare-and-swap."""

    repo: Repository
    branch: str
    now: datetime | None = None
    name: str = "branch"

    @property
    def ref(self) -> str:
        """Return the full name of the branch."""
        return f"refs/heads/{self.branch}"

    @property
    def where(self) -> str:
        """Say where the files are, for people."""
        return f"on branch {self.branch}"

    def _tips(self) -> tuple[str | None, str | None]:
        """Return the commit to build on and the local branch's commit; a fresh clone has only the remote's branch."""
        local = read.ref(self.repo, self.ref)
        return local or read.ref(self.repo, f"refs/remotes/origin/{self.branch}"), local

    def revision(self) -> str:
        """Return the id of the branch's commit, or ""."""
        return self._tips()[0] or ""

    def listing(self) -> dict[str, str]:
        """List the regular files of the branch; links and gitlinks are none of ours and are left alone."""
        return self._listing(self._tips()[0])

    def paths(self) -> list[str]:
        """Return the paths of the listing."""
        return [*self.listing()]

    def _listing(self, tip: str | None) -> dict[str, str]:
        entries = read.tree(self.repo, tip) if tip else {}
        return {path: entry.id for path, entry in entries.items() if entry.mode.startswith("100")}

    def read(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the files that exist, sorted by path."""
        yield from self._read(self._tips()[0], paths)

    def _read(self, tip: str | None, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        present = self._listing(tip)
        wanted = sorted(path for path in set(paths) if path in present)
        by_id: dict[str, list[str]] = {}
        for path in wanted:
            by_id.setdefault(present[path], []).append(path)
        for object_id, data in read.blobs(self.repo, by_id):
            yield from ((path, data) for path in by_id[object_id])

    def update(self, paths: Iterable[str], merge: Merge, message: str) -> str:
        """Commit what `merge` returns on top of the branch; start over if the branch moved meanwhile."""
        wanted = tuple(paths)
        with files.lock(self.repo.state / "sessions.lock", wait=LOCK_WAIT_SECONDS, purpose="writing sessions"):
            for _ in range(ATTEMPTS):
                tip, local = self._tips()
                self._check_ours(tip)
                changes = merge(dict(self._read(tip, wanted)))
                commit = self._commit(tip, changes, message)
                if commit == local:
                    return commit
                try:
                    write.move_ref(self.repo, self.ref, commit, local, message.split("\n", 1)[0])
                except write.Moved:
                    continue
                return commit
        raise UserError(f"{self.branch} moved {ATTEMPTS} times while this was being written", hint="run it again")

    def join(self, other: str, merge: MergeTwo, message: str) -> str:
        """Take another version of the branch in: move on to it, or commit what `merge` makes of both.

        `other` is the id of a commit; the revision of the branch is returned, the old one where it has all of `other`.
        """
        with files.lock(self.repo.state / "sessions.lock", wait=LOCK_WAIT_SECONDS, purpose="merging sessions"):
            self._check_ours(other)
            for _ in range(ATTEMPTS):
                tip, local = self._tips()
                self._check_ours(tip)
                base = read.merge_base(self.repo, tip, other) if tip else None
                if tip is None or base in (tip, other):
                    commit = other if tip is None or base == tip else tip
                else:
                    changes = merge(self._view(tip), self._view(other))
                    commit = self._commit(tip, changes, message, also=other)
                if commit == local:
                    return commit
                try:
                    write.move_ref(self.repo, self.ref, commit, local, message.split("\n", 1)[0])
                except write.Moved:
                    continue
                return commit
        raise UserError(f"{self.branch} moved {ATTEMPTS} times while this was being merged", hint="run it again")

    def _view(self, tip: str) -> View:
        return View(self._listing(tip), lambda paths: dict(self._read(tip, paths)))

    def _check_ours(self, tip: str | None) -> None:
        """Refuse a branch that somebody works on: a setting must not make sessions land beside other files."""
        checked_out = f"branch {self.ref}\n" in run.text(self.repo.git("worktree", "list", "--porcelain")) + "\n"
        listing = self._listing(tip)
        foreign = bool(listing) and not any(path.startswith(OURS) for path in listing)
        if checked_out or foreign:
            why = "is checked out" if checked_out else "holds other files and no sessions"
            raise UserError(
                f"the branch {self.branch} {why}",
                hint="give sessions a branch of their own: sessions.branch in hermes-git.toml",
            )

    def erase(self, paths: Collection[str]) -> str:
        """Write the branch anew without the paths; no other reference is touched."""
        with files.lock(self.repo.state / "sessions.lock", wait=LOCK_WAIT_SECONDS, purpose="forgetting sessions"):
            return erase.rewrite(self.repo, self.ref, paths)

    def _commit(self, tip: str | None, changes: Changes, message: str, *, also: str = "") -> str:
        """Return a commit with the changes applied, or the tip itself if they change nothing and no other is merged."""
        _check(changes)
        kept = {path: data for path, data in changes.items() if data is not None}
        ids = dict(zip(kept, write.write_blobs(self.repo, list(kept.values())), strict=True))
        tree = write.write_tree(self.repo, tip, [write.Edit(path, ids.get(path, "")) for path in changes])
        before = read.resolve(self.repo, tip, kind="tree") if tip else self.repo.empty_tree
        if tree == before and not also:
            return tip or ""
        person = self._person()
        sign = write.wants_signature(self.repo)
        parents = [parent for parent in (tip, also) if parent]
        return write.commit_tree(self.repo, tree, parents, message, author=person, committer=person, sign=sign)

    def _person(self) -> write.Person | None:
        """Return git's own identity at the moment given, or None to let git take the present time."""
        if self.now is None:
            return None
        found = IDENTITY.match(self.repo.ask("var", "GIT_COMMITTER_IDENT") or "")
        if found is None:
            raise UserError("git does not know who you are", hint="git config --global user.name and user.email")
        return write.Person(found.group(1), found.group(2), f"{int(self.now.timestamp())} +0000")


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """A folder, of the work tree or outside git; each file is replaced atomically, in the order given."""

    root: Path
    object_format: str
    lock: Path
    name: str = "folder"

    @property
    def where(self) -> str:
        """Say where the files are, for people."""
        return f"in {self.root}"

    def revision(self) -> str:
        """Return a digest of the listing, or "" while the folder is empty."""
        rows = "".join(f"{path}\0{object_id}\0" for path, object_id in self.listing().items())
        return hashlib.sha256(rows.encode("utf-8", "surrogateescape")).hexdigest() if rows else ""

    def listing(self) -> dict[str, str]:
        """List the regular files below the folder with the blob ids that git would give them; no link is followed."""
        return {path: self._id(data) for path, data in self.read(self.paths())}

    def paths(self) -> list[str]:
        """Return the paths of the regular files below the folder, hidden ones left out."""
        found = files.walk(self.root)
        return [path for path, real in found if not real.is_symlink() and not path.rsplit("/", 1)[-1].startswith(".")]

    def _id(self, data: bytes) -> str:
        return hashlib.new(self.object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    def read(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the files that exist, sorted by path; what is reached through a link does not exist."""
        for path in sorted(set(paths)):
            data = files.read_optional(self.root / path) if self._is_plain(path) else None
            if data is not None:
                yield path, data

    def _is_plain(self, path: str) -> bool:
        if not is_inside(path):
            return False
        real = self.root / path
        chain = [real, *real.parents][: len(path.split("/"))]
        return not any(part.is_symlink() for part in chain)

    def update(self, paths: Iterable[str], merge: Merge, message: str) -> str:  # noqa: ARG002 - folders keep no message
        """Write what `merge` returns, file by file in its order, under an exclusive lock."""
        with files.lock(self.lock, wait=LOCK_WAIT_SECONDS, purpose="writing sessions"):
            changes = merge(dict(self.read(paths)))
            _check(changes)
            for path, data in changes.items():
                self._write(path, data)
        return self.revision()

    def erase(self, paths: Collection[str]) -> str:  # noqa: ARG002 - a folder has no history of its own
        """Return the revision; what the history of the tree holds is not this place's to rewrite."""
        return self.revision()

    def _write(self, path: str, data: bytes | None) -> None:
        if not self._is_plain(path):
            raise UserError(f"{self.root / path} is reached through a symbolic link", hint="remove the link")
        if data is None:
            files.remove(self.root / path, up_to=self.root)
        elif dict(self.read([path])).get(path) != data:
            files.write_atomic(self.root / path, data)


def _check(changes: Changes) -> None:
    """Refuse a path that would leave the place; paths are made by us, so this is a second lock on the door."""
    bad = next((path for path in changes if not is_inside(path)), None)
    if bad is not None:
        raise UserError(f"{bad!r} is not a path inside the store", hint="session ids must be plain file names")
