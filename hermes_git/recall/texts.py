"""Where the text of a source is: in git's objects, or in the folder that sessions live in."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from hermes_git.errors import UserError
from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.batch import Objects
from hermes_git.gitrepo.repository import Repository
from hermes_git.recall.passage import Unit
from hermes_git.recall.source import Commit, Key, Source, commit_unit, texts_of
from hermes_git.sessions import canonical
from hermes_git.sessions.model import Session
from hermes_git.sessions.store import Store

KEPT = 32
"""Sources whose units stay in memory."""

KEPT_BYTES = 8_000_000
COMMIT_FORMAT = "%H %at %an%n%B"
COMMITS_AT_ONCE = 500


class RepositoryTexts:
    """Reads sources of one repository; the last few stay in memory."""

    def __init__(self, repo: Repository, store: Store) -> None:
        self.repo, self.store = repo, store
        self.objects = Objects(repo)
        self._kept: OrderedDict[Key, tuple[Mapping[int, Unit], int]] = OrderedDict()

    def close(self) -> None:
        """End the process that reads objects."""
        self.objects.close()

    def data(self, key: Key) -> bytes:
        """Return the bytes of a file of the tree or of a session."""
        if key.kind == "session" and self.store.place.name != "branch":
            found = self.store.read_one(key.path)
            if found is None:
                raise UserError(f"{key.path} is gone", hint="run: hermes-git index update")
            return found
        return self.objects.read(key.blob)

    def session(self, key: Key) -> Session:
        """Return a session whole, its shared texts left out."""
        return canonical.decode(self.data(key), where=key.path)

    def of(self, source: Source) -> Mapping[int, Unit]:
        """Return the units of a source by id, each with its whole text."""
        key = source.key
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][0]
        units: Mapping[int, Unit]
        if key.kind == "commit":
            units, size = dict(enumerate(map(commit_unit, commits(self.repo, [key.blob])), start=1)), 0
        else:
            data = self.data(key)
            units, size = texts_of(key, data), len(data)
        self._kept[key] = (units, size)
        while len(self._kept) > KEPT or sum(size for _, size in self._kept.values()) > KEPT_BYTES:
            self._kept.popitem(last=False)
        return units


def commits(repo: Repository, ids: list[str]) -> list[Commit]:
    """Return commits by id; ones that are gone are left out."""
    found = []
    for start in range(0, len(ids), COMMITS_AT_ONCE):
        wanted = "\n".join(ids[start : start + COMMITS_AT_ONCE]).encode("ascii")
        args = ("log", "-z", "--no-walk=unsorted", "--ignore-missing", "--stdin", f"--format={COMMIT_FORMAT}")
        for row in run.fields(repo.git(*args, stdin=wanted)):
            head, _, message = row.partition("\n")
            commit_id, time, author = head.split(" ", 2)
            found.append(Commit(commit_id, author, read.moment(time), message.strip()))
    return found
