"""Drift: what the memory files on disk say that no commit explains, entry by entry.

A touched file, a fresh checkout, other line ends or another final newline are no drift: only entries count. A file that
cannot be read is an error, never an empty store.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hermes_git.errors import UserError
from hermes_git.gate import sync
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import entries
from hermes_git.knowledge.changes import EntryChange, classify
from hermes_git.knowledge.entries import MemoryFile
from hermes_git.knowledge.layout import TARGETS, memory_path
from hermes_git.settings import Settings


@dataclass(frozen=True, slots=True)
class FileDrift:
    """One memory file whose entries on disk differ from HEAD; `missing` when the file itself is gone from disk."""

    target: str
    path: str
    changes: tuple[EntryChange, ...]
    missing: bool = False


def drift(repo: Repository, settings: Settings, targets: Iterable[str] = TARGETS) -> tuple[FileDrift, ...]:
    """Compare memory files of the work tree with HEAD; `UserError` for the first that cannot be read."""
    found = (drift_of(repo, settings, target) for target in targets)
    return tuple(row for row in found if row is not None)


def drift_of(repo: Repository, settings: Settings, target: str) -> FileDrift | None:
    """Compare one memory file of the work tree with HEAD; None where both say the same."""
    path = memory_path(settings, target)
    committed = head_file(repo, path)
    disk = disk_file(repo, path, committed.encode())
    if disk is None:
        if committed.texts and not read.index_flags(repo, path):  # a sparse checkout leaves it out on purpose
            return FileDrift(target, path, classify(committed.texts, ()), missing=True)
        return None
    changes = classify(committed.texts, disk.texts)
    return FileDrift(target, path, changes) if changes else None


def head_file(repo: Repository, path: str) -> MemoryFile:
    """Return a memory file as HEAD has it; empty where HEAD has none."""
    head = read.head(repo)
    data = read.file_at(repo, head, path) if head else None
    return decoded(data or b"", f"{path} at HEAD")


def disk_file(repo: Repository, path: str, known: bytes = b"") -> MemoryFile | None:
    """Return a memory file as the work tree has it, or None where it has none; `known` is what it most likely holds."""
    data = sync.copy_on_disk(repo, path, known)
    return None if data is None else decoded(data, path)


def decoded(data: bytes, where: str) -> MemoryFile:
    """Parse the bytes of a memory file; bytes that are not UTF-8 are an error that names the line."""
    try:
        return entries.parse(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError("not UTF-8", where=f"{where}:{line}", hint="save it as UTF-8; nothing was changed") from error
