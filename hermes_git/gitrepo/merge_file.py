"""Git's own merge of lines, for files that have no merge of their own."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hermes_git.gitrepo import run
from hermes_git.gitrepo.repository import Repository

BINARY = 255


def merge_lines(repo: Repository, base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, int]:
    """Merge three versions of a file by line; return the bytes and the number of conflicts (1 for binary files)."""
    folder = repo.state / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="merge-", dir=folder) as scratch:
        names = [Path(scratch) / name for name in ("ours", "base", "theirs")]
        for name, data in zip(names, (ours, base, theirs), strict=True):
            name.write_bytes(data)
        status, out, _ = run.attempt(["merge-file", "-p", *map(str, names)], cwd=repo.cwd, clean=repo.clean)
    return (ours, 1) if status >= BINARY else (out, status)
