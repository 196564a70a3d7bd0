"""Bringing the user's index and work tree along after a commit, without touching what is theirs.

A path whose copy equals what HEAD held follows the commit. A copy that was edited keeps the edit: the draft says what
it should hold instead, or it is left as it is.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hermes_git import files
from hermes_git.document import MODE_FILE, MODE_LINK
from hermes_git.gitrepo import read, write
from hermes_git.gitrepo.repository import Repository


@dataclass(frozen=True, slots=True)
class Followed:
    """One path to bring along: object ids before and after, and ids for the edited copies of index and disk."""

    path: str
    before: str
    after: str
    mode: str
    on_disk: str = ""
    in_index: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """All paths of one commit, with the work tree they belong to."""

    top: str
    commit: str
    paths: tuple[Followed, ...]


class Copies(Protocol):
    """What the user's own copies should hold afterwards, where they have edits (path → bytes)."""

    @property
    def on_disk(self) -> Mapping[str, bytes] | None:
        """Return the edited files of the work tree."""

    @property
    def in_index(self) -> Mapping[str, bytes] | None:
        """Return the edited entries of the index."""


def plan(
    repo: Repository,
    base: str | None,
    commit: str,
    written: Mapping[str, str],
    *,
    modes: Mapping[str, str],
    copies: Copies | None = None,
) -> Plan:
    """Say what has to follow a commit that put these blobs (path → id, "" removes); nothing is touched yet."""
    old = read.tree(repo, base, *written) if base and written else {}
    sides = [(copies and copies.on_disk) or {}, (copies and copies.in_index) or {}]
    rows = []
    for name, after in written.items():
        before = old.get(name)
        mode = modes.get(name) or (before.mode if before else MODE_FILE)
        edited = [write.write_blob(repo, side[name]) if name in side else "" for side in sides]
        rows.append(Followed(name, before.id if before else "", after, mode, *edited))
    return Plan(str(repo.work_tree()), commit, tuple(rows))


@contextlib.contextmanager
def journal(repo: Repository, todo: Plan) -> Iterator[None]:
    """Keep the plan on disk while it is carried out, so that the next run can finish it after a crash."""
    path = repo.state / "journal" / f"{todo.commit}.json"
    rows = [[row.path, row.before, row.after, row.mode, row.on_disk, row.in_index] for row in todo.paths]
    record = {"format": 1, "top": todo.top, "commit": todo.commit, "paths": rows}
    files.write_atomic(path, json.dumps(record).encode("utf-8"))
    try:
        yield
    finally:
        files.remove(path)


def recover(repo: Repository) -> list[str]:
    """Finish the writes that a killed process left half followed; return the commits concerned."""
    finished = []
    for _, path in files.walk(repo.state / "journal"):
        record = json.loads(files.read_bytes(path))
        todo = Plan(record["top"], record["commit"], tuple(Followed(*row) for row in record["paths"]))
        if todo.top != str(repo.top):
            continue  # another work tree's; it will finish its own
        if read.head(repo) == todo.commit:
            carry_out(repo, todo)
            finished.append(todo.commit)
        files.remove(path)
    return finished


def carry_out(repo: Repository, todo: Plan) -> None:
    """Let index and work tree follow the commit, path by path; doing it twice changes nothing."""
    staged = read.index(repo, *(row.path for row in todo.paths)) if todo.paths else {}
    edits = []
    for row in todo.paths:
        _follow_on_disk(repo, Path(todo.top) / row.path, row)
        entry = staged.get(row.path)
        if (entry.id if entry else "") == row.before:
            edits.append(write.Edit(row.path, row.after, row.mode))
        elif row.in_index:
            edits.append(write.Edit(row.path, row.in_index, row.mode))
    write.update_index(repo, edits)


def _follow_on_disk(repo: Repository, target: Path, row: Followed) -> None:
    if row.mode == MODE_LINK:
        _follow_link(repo, target, row)
        return
    current = disk_id(repo, target, row.path, (row.before, row.after))
    if row.on_disk and current not in ("", row.before, row.after):
        files.write_atomic(target, read.smudged(repo, row.on_disk, row.path))
    elif current == row.before and row.after:
        mode = 0o755 if row.mode == "100755" else None
        files.write_atomic(target, read.smudged(repo, row.after, row.path), mode=mode)
    elif current == row.before and not row.after:
        files.remove(target, up_to=repo.work_tree())


def _follow_link(repo: Repository, target: Path, row: Followed) -> None:
    """Let a symbolic link follow: it is made and removed as a link, and never opened."""
    text = files.read_link(target)
    current = write.blob_id(repo, text) if text is not None else ""
    if current != row.before or (not current and os.path.lexists(target)):
        return
    if row.after:
        files.write_link(target, read.blob(repo, row.after))
    else:
        files.remove(target, up_to=repo.work_tree())


def disk_id(repo: Repository, target: Path, path: str, known: tuple[str, ...] = ()) -> str:
    """Return the id that the file on disk would have in the index, filters applied; "" when there is none.

    Git is asked only when the plain bytes are not one of the `known` ids.
    """
    if not target.is_file() or target.is_symlink():
        return ""
    data = files.read_bytes(target)
    plain = read.blob_id(repo, data)
    if plain in known:
        return plain
    return repo.ask("hash-object", f"--path={path}", "--stdin", stdin=data) or ""


def same_content(repo: Repository, target: Path, path: str, data: bytes) -> bool:
    """Say whether the file on disk, filters applied, is what HEAD holds."""
    wanted = read.blob_id(repo, data)
    return disk_id(repo, target, path, (wanted,)) == wanted
