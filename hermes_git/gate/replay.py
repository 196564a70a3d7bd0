"""The commits of a range, oldest first, each with what it changes and the files it leads to: one pass of `git log`.

A listing is carried from commit to commit by applying differences, so that a long range does not list the tree anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes_git.gitrepo import read
from hermes_git.gitrepo.read import Difference, TreeEntry
from hermes_git.gitrepo.repository import Repository

FORMAT = "%x1e%H %P%n%B"


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of the range: id, parents, message, and what it changes against its first parent."""

    id: str
    parents: tuple[str, ...]
    message: str
    differences: tuple[Difference, ...] = ()

    @property
    def subject(self) -> str:
        """Return the first line of the message."""
        return self.message.partition("\n")[0]

    @property
    def is_merge(self) -> bool:
        """Say whether it has several parents."""
        return len(self.parents) > 1


def commits(repo: Repository, base: str | None, tip: str) -> list[Commit]:
    """Read the commits of `base..tip`, parents before children."""
    span = f"{base}..{tip}" if base else tip
    options = ("--reverse", "--topo-order", "--root", "--raw", "--no-abbrev", "--no-renames")
    records = read.log(
        repo, *options, "--diff-merges=first-parent", f"--format={FORMAT}", "--end-of-options", span, "--"
    )
    return list(_parse(records, repo.null_id))


def _parse(records: Iterable[str], null_id: str) -> Iterator[Commit]:
    head: str | None = None
    rows: list[str] = []
    stream = iter(records)
    for record in stream:
        text = record.lstrip("\n")
        if text.startswith("\x1e"):
            if head is not None:
                yield _commit(head, rows, null_id)
            head, rows = text[1:], []
        elif text.startswith(":"):
            rows += [text, next(stream)]
    if head is not None:
        yield _commit(head, rows, null_id)


def _commit(head: str, rows: list[str], null_id: str) -> Commit:
    first, _, message = head.partition("\n")
    words = first.split()
    return Commit(words[0], tuple(words[1:]), message, tuple(read.differences(rows, null_id)))


class Listings:
    """The files of each commit of a range, below some folders: the first is asked of git, the others follow from it."""

    def __init__(self, repo: Repository, rows: Iterable[Commit], folders: tuple[str, ...]) -> None:
        self._repo = repo
        self._prefixes = tuple(f"{folder}/" for folder in folders)
        self._folders = folders
        self._kept: dict[str, dict[str, TreeEntry]] = {}
        self._waiting = Counter(row.parents[0] for row in rows if row.parents)

    def of(self, row: Commit) -> dict[str, TreeEntry]:
        """Return path → entry of a commit; commits must be asked for in order, each once."""
        files = self._before(row.parents[0]) if row.parents else {}
        for change in row.differences:
            if not change.path.startswith(self._prefixes):
                continue
            if change.id_after:
                files[change.path] = TreeEntry(change.mode_after, change.id_after)
            else:
                files.pop(change.path, None)
        if self._waiting[row.id]:
            self._kept[row.id] = files
        return files

    def _before(self, parent: str) -> dict[str, TreeEntry]:
        """Return a listing of the parent that may be changed: a copy while other children still need it."""
        known = self._kept.get(parent)
        files = read.tree(self._repo, parent, *self._folders) if known is None else known
        self._waiting[parent] -= 1
        if self._waiting[parent] <= 0:
            self._kept.pop(parent, None)
            return files
        self._kept[parent] = files
        return dict(files)
