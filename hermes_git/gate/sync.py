"""Bringing the user's index and work tree along after a commit, without touching what is theirs.

A path whose copy equals what HEAD held follows the commit. A copy that was edited keeps the edit: the draft says what
it should hold instead, or it is left as it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from hermes_git import files
from hermes_git.document import MODE_FILE, MODE_LINK
from hermes_git.errors import UserError
from hermes_git.gitrepo import read, run, write
from hermes_git.gitrepo.read import TreeEntry
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
    """All paths of one commit."""

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
    known: Mapping[str, TreeEntry | None] | None = None,
) -> Plan:
    """Say what has to follow a commit that put these blobs (path → id, "" removes); nothing is touched yet.

    `known` is what the base holds at paths (None: nothing); git is asked about it only where a path is not among them.
    """
    is_known = known is not None and written.keys() <= known.keys()
    old = known if known and is_known else read.tree(repo, base, *written) if base and written else {}
    sides = [(copies and copies.on_disk) or {}, (copies and copies.in_index) or {}]
    rows = []
    for name, after in written.items():
        before = old.get(name)
        mode = modes.get(name) or (before.mode if before else MODE_FILE)
        edited = [write.write_blob(repo, side[name]) if name in side else "" for side in sides]
        rows.append(Followed(name, before.id if before else "", after, mode, *edited))
    return Plan(commit, tuple(rows))


def carry_out(repo: Repository, todo: Plan) -> None:
    """Let index and work tree follow the commit, path by path; doing it twice changes nothing.

    The index goes first: from then on a plain `git commit` of somebody else keeps what was just written.
    """
    if todo.paths:
        write.patiently(lambda: _update_index(repo, todo.paths))
    for row in todo.paths:
        if not _linked_folder(repo, row.path):
            _follow_on_disk(repo, repo.work_tree() / row.path, row)


def _update_index(repo: Repository, rows: tuple[Followed, ...]) -> None:
    names = [row.path for row in rows]
    staged, flags = read.flagged_index(repo, *names)
    edits = []
    for row in rows:
        entry = staged.get(row.path)
        if (entry.id if entry else "") == row.before:
            edits.append(write.Edit(row.path, row.after, row.mode))
        elif row.in_index:
            edits.append(write.Edit(row.path, row.in_index, row.mode))
    write.update_index(repo, edits)
    write.set_index_flags(repo, {edit.path: flags[edit.path] for edit in edits if edit.id and edit.path in flags})


def refuse_through_links(repo: Repository, paths: Iterable[str]) -> None:
    """Stop where a folder on disk is a symbolic link: writing there would write somewhere else."""
    for path in paths:
        folder = _linked_folder(repo, path)
        if folder:
            hint = "put a real folder there; nothing was written"
            raise UserError("the folder is a symbolic link", where=folder, hint=hint)


def _linked_folder(repo: Repository, path: str) -> str:
    """Return the outermost folder of a path that is a symbolic link on disk, or ""."""
    folders = reversed(PurePosixPath(path).parents)
    return next((str(folder) for folder in folders if (repo.work_tree() / folder).is_symlink()), "")


def _follow_on_disk(repo: Repository, target: Path, row: Followed) -> None:
    if row.mode == MODE_LINK:
        _follow_link(repo, target, row)
        return
    current = disk_id(repo, target, row.path, (row.before, row.after))
    if not current and os.path.lexists(target):
        return  # a link, a folder or a device that the user put there
    if row.on_disk and current not in ("", row.before, row.after):
        files.write_atomic(target, read.smudged(repo, row.on_disk, row.path), scratch=repo.state / "tmp")
    elif current == row.before and row.after:
        mode = 0o755 if row.mode == "100755" else None
        data = read.blob(repo, row.after) if _is_plain(repo, target, row) else read.smudged(repo, row.after, row.path)
        files.write_atomic(target, data, mode=mode, scratch=repo.state / "tmp")
    elif current == row.before and not row.after:
        files.remove(target, up_to=repo.work_tree())


def _is_plain(repo: Repository, target: Path, row: Followed) -> bool:
    """Say whether the copy on disk holds just the stored bytes, so that no filter or line end is at work there."""
    return bool(row.before) and read.blob_id(repo, files.read_bytes(target)) == row.before


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


CONVERSIONS = ("filter", "working-tree-encoding", "ident")


def copy_on_disk(repo: Repository, path: str, known: bytes = b"") -> bytes | None:
    """Return the copy on disk as git would store it, filters and encodings undone, or None where there is none.

    `known` are bytes that need no conversion, such as what HEAD holds. Errors: `UserError` for a link, which could lead
    anywhere, for a path behind one, and for anything else that is not a regular file.
    """
    refuse_through_links(repo, [path])
    target = repo.work_tree() / path
    if target.is_symlink():
        raise UserError("a symbolic link, which is not followed", where=path, hint="put a regular file there")
    data = files.read_optional(target)
    if data is None or data == known or not _is_converted(repo, path):
        return data
    return read.blob(repo, run.text(repo.git("hash-object", "-w", f"--path={path}", "--stdin", stdin=data)))


def _is_converted(repo: Repository, path: str) -> bool:
    """Say whether attributes make the bytes on disk differ from the stored ones by more than line ends."""
    found = run.fields(repo.git("check-attr", "-z", *CONVERSIONS, "--", path))
    return any(value not in ("unspecified", "unset") for value in found[2::3])
