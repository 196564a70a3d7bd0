"""Sources to learn from: files, folders, standard input, and URLs, which are named but never fetched."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from hermes_git import files
from hermes_git.commands.call import Call
from hermes_git.document import Document, is_binary
from hermes_git.errors import UserError
from hermes_git.learn import Source

MAX_FILE = 8 * 1024 * 1024
MAX_FILES = 200
"""Files of one folder that are read; more is a request to name what matters."""


def read_sources(call: Call, names: tuple[str, ...]) -> tuple[Source, ...]:
    """Read every source; a folder yields each of its text files."""
    return tuple(source for name in names for source in _read(call, name))


def _read(call: Call, name: str) -> list[Source]:
    if "://" in name:
        return [Source(name)]
    if name == "-":
        data = sys.stdin.buffer.read(MAX_FILE + 1)
        return [_source("-", data)]
    path = Path(os.path.normpath(call.folder / Path(name).expanduser()))
    _refuse_way_out(call, path, name)
    if path.is_dir() and not path.is_symlink():
        return _folder(call, path, name)
    return [_source(shown(call, path), files.read_bytes(path, limit=MAX_FILE))]


def _refuse_way_out(call: Call, path: Path, name: str) -> None:
    """Stop at a link of the repository that leads out of it: it could name any file of this machine."""
    repo = call.find_repo()
    if repo is None or repo.top is None or not path.is_relative_to(repo.top):
        return
    real = path.resolve()
    if not real.is_relative_to(repo.top.resolve()):
        raise UserError(
            "a link out of the repository is not followed", where=name, hint=f"name the file itself: {real}"
        )


def _folder(call: Call, path: Path, name: str) -> list[Source]:
    found = []
    for relative, file in files.walk(path):
        if any(part.startswith(".") for part in Path(relative).parts) or file.is_symlink() or not file.is_file():
            continue
        found.append(_source(shown(call, file), files.read_bytes(file, limit=MAX_FILE)))
        if len(found) > MAX_FILES:
            raise UserError(f"{name} has more than {MAX_FILES} files", hint="name the files that matter")
    if not found:
        raise UserError(f"{name} has no files to read", hint="hidden files and links are left out")
    return found


def _source(name: str, data: bytes) -> Source:
    digest = hashlib.sha256(data).hexdigest()
    document = Document(name, data)
    if len(data) > MAX_FILE:
        return Source(name, digest="", skipped=f"larger than {MAX_FILE:,} bytes")
    if not document.is_text or is_binary(data) or document.encoding == "undecodable":
        return Source(name, digest=digest, skipped=f"{document.kind}, {len(data):,} bytes: open it with your own tools")
    return Source(name, document.text, digest)


def shown(call: Call, path: Path) -> str:
    """Return a path as it is recorded: relative to the top of the repository, with forward slashes."""
    repo = call.find_repo()
    start = repo.top if repo and repo.top else call.folder
    return Path(os.path.relpath(path, start)).as_posix()


def digest_now(call: Call, recorded: str) -> str | None:
    """Return the digest a recorded path has now, or None where it is not there any more."""
    path = call.repo.work_tree() / recorded
    if not path.is_file():
        return None
    return hashlib.sha256(files.read_bytes(path)).hexdigest()
