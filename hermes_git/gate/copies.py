"""The user's own copies of memory files, with edits: what they hold once a commit changes the file below them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hermes_git.gate import sync
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import merge
from hermes_git.knowledge.layout import place
from hermes_git.settings import Settings


@dataclass(frozen=True, slots=True)
class Copies:
    """Path → bytes that the copy on disk, and the one in the index, should hold; only copies that have edits."""

    on_disk: Mapping[str, bytes]
    in_index: Mapping[str, bytes]


def carried(repo: Repository, settings: Settings, head: str, content: Mapping[str, bytes | None]) -> Copies:
    """Merge what a commit does to memory files, on top of `head`, into the copies that have edits.

    Where commit and edit touch the same entry, or the copy is no text, it stays as it is.
    """
    disk: dict[str, bytes] = {}
    staged: dict[str, bytes] = {}
    for path, after in content.items():
        if place(path, settings).area not in ("memory", "archived-memory"):
            continue
        before = read.file_at(repo, head, path) or b""
        found = sync.copy_on_disk(repo, path, before)
        entry = read.index(repo, path).get(path)
        for copy, kept in ((found, disk), (read.blob(repo, entry.id) if entry else None, staged)):
            if copy is not None and copy != before:
                kept.update(_merged(path, before, copy, after or b""))
    return Copies(disk, staged)


def _merged(path: str, before: bytes, copy: bytes, after: bytes) -> dict[str, bytes]:
    try:
        found = merge.three_way(*(data.decode("utf-8") for data in (before, copy, after)))
    except UnicodeDecodeError:
        return {}
    return {} if found.conflicts else {path: found.file.encode()}
