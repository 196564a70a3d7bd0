"""Where the sessions of an export come from: the store as it is, or as it was at a revision."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from hermes_git.errors import UserError
from hermes_git.export import review
from hermes_git.gate import proposals
from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import change, log
from hermes_git.sessions import canonical
from hermes_git.sessions.model import Session
from hermes_git.sessions.places import Merge
from hermes_git.sessions.store import Store, open_store
from hermes_git.settings import Settings

BATCH = 8
"""Sessions read by one process; few, because all of a batch is in memory at once."""

REVERTS = re.compile(r"This reverts commit ([0-9a-f]{7,64})")


@dataclass(frozen=True, slots=True)
class Past:
    """The sessions branch, or any commit of it, read only."""

    repo: Repository
    commit: str
    name: str = "revision"

    @property
    def where(self) -> str:
        """Say where the files are, for people."""
        return f"at {self.commit[:12]}"

    def revision(self) -> str:
        """Return the commit."""
        return self.commit

    def listing(self) -> dict[str, str]:
        """List the regular files of the commit as path → blob id."""
        return {
            path: entry.id for path, entry in read.tree(self.repo, self.commit).items() if entry.mode.startswith("100")
        }

    def paths(self) -> list[str]:
        """Return the paths of the listing."""
        return [*self.listing()]

    def read(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield `(path, bytes)` of those of the paths that exist."""
        present = self.listing()
        for path in sorted(set(paths)):
            if path in present:
                yield path, read.blob(self.repo, present[path])

    def update(self, paths: Iterable[str], merge: Merge, message: str) -> str:  # noqa: ARG002 - the past has one shape
        """Refuse: the past is read only."""
        raise _read_only()

    def erase(self, paths: Collection[str]) -> str:  # noqa: ARG002 - the past has one shape
        """Refuse: the past is read only."""
        raise _read_only()


def _read_only() -> UserError:
    return UserError("a past revision cannot be written", hint="leave out --rev")


def store_at(repo: Repository, settings: Settings, revision: str | None) -> Store:
    """Open the store as it is now, or at a revision of the branch that holds it."""
    if revision is None:
        return open_store(repo, settings)
    commit = read.resolve(repo, revision)
    return Store(Past(repo, commit))


def sessions(store: Store) -> Iterator[Session]:
    """Yield all sessions of a store in the order of their paths, a few in memory at a time."""
    stored = store.sessions()
    for start in range(0, len(stored), BATCH):
        for path, data in store.read(item.path for item in stored[start : start + BATCH]):
            yield store.decode(data, path)


def families(store: Store) -> dict[str, str]:
    """Return, for each session that was forked, resumed or compacted from another, the session it all goes back to."""
    parents: dict[str, str] = {}
    stored = store.sessions()
    for start in range(0, len(stored), BATCH):
        for path, data in store.read(item.path for item in stored[start : start + BATCH]):
            header = canonical.decode_header(data, where=path)
            if header.parent and header.parent != header.id:
                parents[header.id] = header.parent
    return {session: _root(session, parents) for session in parents}


def _root(session: str, parents: dict[str, str]) -> str:
    """Follow parents to the first one; a ring, which damaged data may hold, ends at its smallest name."""
    seen = [session]
    while (parent := parents.get(seen[-1])) is not None:
        if parent in seen:
            return min(seen[seen.index(parent) :])
        seen.append(parent)
    return seen[-1]


def reverted(repo: Repository) -> frozenset[str]:
    """Return the ids of sessions all of whose commits were reverted, by what the commits of HEAD say."""
    if read.head(repo) is None:
        return frozenset()
    bodies = dict(record.partition("\n")[::2] for record in read.log(repo, "--format=%H%n%B", "HEAD"))
    undone = {match for body in bodies.values() for match in REVERTS.findall(body)}
    made: dict[str, list[bool]] = {}
    for commit, body in bodies.items():
        if not REVERTS.search(body):
            for found in change.parse(body):
                made.setdefault(found.session, []).append(any(commit.startswith(name) for name in undone))
    return frozenset(session for session, gone in made.items() if session and all(gone))


def edits(repo: Repository) -> Iterator[review.Edit]:
    """Yield what history and refused proposals tell about edits of entries and skills, oldest first."""
    if read.head(repo) is None:
        return

    def blobs(ids: list[str]) -> dict[str, bytes]:
        return dict(read.blobs(repo, ids))

    found = log.commits(repo, revision_of(repo))
    undone = {name for commit in found for name in REVERTS.findall(commit.message)}
    kept = [commit for commit in found if not REVERTS.search(commit.message)]
    yield from review.edits(kept, is_kept=lambda commit: not _is_named(commit, undone), blobs=blobs)
    yield from review.edits(_refused(repo), is_kept=lambda _: False, blobs=blobs)


def _is_named(commit: str, names: Collection[str]) -> bool:
    return any(commit.startswith(name) for name in names)


def _refused(repo: Repository) -> Iterator[log.Commit]:
    """Yield the commits of proposals that a person refused."""
    for commit in repo.git("for-each-ref", "--format=%(objectname)", proposals.REJECTED).decode().split():
        options = ("--max-count=1", "--raw", "--no-abbrev", "-M", f"--format={log.FORMAT}")
        yield from log.parse(read.log(repo, *options, "--end-of-options", commit))


def revision_of(repo: Repository) -> str:
    """Return the commit that the knowledge stands at, or ""."""
    return run.text(repo.git("rev-parse", "HEAD")) if read.head(repo) else ""
