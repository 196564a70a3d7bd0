"""Bringing the user's index and work tree along after a commit, without touching what is theirs.

A path whose copy equals what HEAD held follows the commit. A copy that was edited keeps the edit: the draft says what
it should hold instead, or it is left as it is.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes_git import files
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


def plan(
    repo: Repository,
    base: str | None,
    commit: str,
    content: Mapping[str, bytes | None],
    on_disk: Mapping[str, bytes],
    in_index: Mapping[str, bytes],
) -> Plan:
    """Say what has to follow a commit; nothing is touched yet."""
    names = list(content)
    old = read.tree(repo, base, *names) if base and names else {}
    new = read.tree(repo, commit, *names) if names else {}
    rows = []
    for name in names:
        before, after = old.get(name), new.get(name)
        rows.append(
            Followed(
                name,
                before.id if before else "",
                after.id if after else "",
                (after or before).mode if (after or before) else "100644",  # type: ignore[union-attr]
                write.write_blob(repo, on_disk[name]) if name in on_disk else "",
                write.write_blob(repo, in_index[name]) if name in in_index else "",
            )
        )
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
    current = disk_id(repo, target, row.path)
    if row.on_disk and current not in ("", row.before, row.after):
        files.write_atomic(target, read.smudged(repo, row.on_disk, row.path))
    elif current == row.before and row.after:
        mode = 0o755 if row.mode == "100755" else None
        files.write_atomic(target, read.smudged(repo, row.after, row.path), mode=mode)
    elif current == row.before and not row.after:
        files.remove(target)


def disk_id(repo: Repository, target: Path, path: str) -> str:
    """Return the id that the file on disk would have in the index, filters applied; "" when there is none."""
    if not target.is_file() or target.is_symlink():
        return ""
    found = repo.ask("hash-object", f"--path={path}", "--stdin", stdin=files.read_bytes(target))
    return found or ""


def same_content(repo: Repository, target: Path, path: str, data: bytes) -> bool:
    """Say whether the file on disk, filters applied, is what HEAD holds."""
    return disk_id(repo, target, path) == (repo.ask("hash-object", "--stdin", stdin=data) or "")
