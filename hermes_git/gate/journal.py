"""The journal: what index and work tree still have to follow, kept on disk while a commit is being landed.

A process that is killed, or that meets a lock or a full disk, right after it moved HEAD leaves its plan here, and the
next write of the same work tree carries it out. The folder lies inside the git folder, and is read as if anybody could
have written to it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from hermes_git import files
from hermes_git.document import MODE_EXECUTABLE, MODE_FILE, MODE_LINK
from hermes_git.errors import UserError
from hermes_git.gate import sync
from hermes_git.gate.sync import Followed, Plan
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.names import is_inside

FORMAT = 2
MAX_BYTES = 64 * 1024 * 1024
OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
MODES = (MODE_FILE, MODE_EXECUTABLE, MODE_LINK)


@contextlib.contextmanager
def keep(repo: Repository, todo: Plan) -> Iterator[None]:
    """Keep the plan on disk while it is carried out; what cannot be finished once HEAD has moved stays there.

    Errors: `UserError` that says the commit is made where only the copies could not follow it.
    """
    path = _folder(repo) / f"{todo.commit}.json"
    files.write_atomic(path, _encode(repo, todo))
    try:
        yield
    except BaseException as error:
        if read.head(repo) != todo.commit:
            files.remove(path)
        elif isinstance(error, UserError | OSError):
            raise _unfinished(todo, error) from error
        raise
    files.remove(path)


def _unfinished(todo: Plan, error: UserError | OSError) -> UserError:
    said = error.message if isinstance(error, UserError) else f"{error.filename}: {error.strerror}"
    hint = error.hint if isinstance(error, UserError) and error.hint else "mend that"
    return UserError(
        f"commit {todo.commit[:12]} is made, but your copies could not follow it: {said}",
        hint=f"{hint}\n  then run: hermes-git doctor --fix",
    )


def waiting(repo: Repository) -> list[Path]:
    """List the plans that were not finished, of every work tree of the repository."""
    return [path for _, path in files.walk(_folder(repo)) if path.suffix == ".json"]


def damaged(repo: Repository) -> list[Path]:
    """List the files that are no plans of ours; nothing is done with them."""
    return [path for path in waiting(repo) if _decode(path) is None]


def recover(repo: Repository) -> list[str]:
    """Finish what killed processes left half followed in this work tree; return the commits concerned.

    The caller holds the lock for writing. A path follows only while HEAD still holds what the commit put there.
    """
    finished = []
    for _, path in files.walk(_folder(repo)):
        if path.suffix != ".json":
            files.remove(path)  # a temporary file whose writer was killed
            continue
        found = _decode(path)
        if found is None or found[0] != _work_tree(repo):
            if found and not (repo.common_dir / found[0]).is_dir():
                files.remove(path)  # its work tree is gone
            continue
        todo = _still_true(repo, found[1])
        sync.carry_out(repo, todo)
        files.remove(path)
        finished += [todo.commit] if todo.paths else []
    return finished


def _still_true(repo: Repository, todo: Plan) -> Plan:
    """Leave out the paths that HEAD no longer holds as the commit left them."""
    head = read.head(repo)
    now = read.tree(repo, head, *(row.path for row in todo.paths)) if head and todo.paths else {}
    ids = {path: entry.id for path, entry in now.items()}
    return Plan(todo.commit, tuple(row for row in todo.paths if head and ids.get(row.path, "") == row.after))


def _folder(repo: Repository) -> Path:
    return repo.state / "journal"


def _work_tree(repo: Repository) -> str:
    """Name the work tree by its git folder, which stays the same when the checkout is moved."""
    return os.path.relpath(repo.git_dir, repo.common_dir)


def _encode(repo: Repository, todo: Plan) -> bytes:
    rows = [[row.path, row.before, row.after, row.mode, row.on_disk, row.in_index] for row in todo.paths]
    record = {"format": FORMAT, "work_tree": _work_tree(repo), "commit": todo.commit, "paths": rows}
    return json.dumps(record).encode("ascii")


def _decode(path: Path) -> tuple[str, Plan] | None:
    """Read a plan and the name of its work tree, or None where any part of it is not what we write."""
    try:
        record = json.loads(files.read_bytes(path, limit=MAX_BYTES))
        rows = tuple(Followed(*row) for row in record["paths"])
        name, commit = record["work_tree"], record["commit"]
        sound = record["format"] == FORMAT and isinstance(name, str) and bool(OBJECT_ID.fullmatch(commit))
        return (name, Plan(commit, rows)) if sound and all(map(_is_sound, rows)) else None
    except (UserError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _is_sound(row: Followed) -> bool:
    ids = (row.before, row.after, row.on_disk, row.in_index)
    return is_inside(row.path) and row.mode in MODES and all(not one or OBJECT_ID.fullmatch(one) for one in ids)
