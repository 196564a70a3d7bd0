"""Erasing paths from the history of one branch, and looking for what is left of them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from hermes_git.gitrepo import read, run, write
from hermes_git.gitrepo.repository import Repository

SIGNATURES = (b"gpgsig ", b"gpgsig-sha256 ", b"mergetag ")
SESSION_FILE = re.compile(r"(?:^|/)sessions/(?:[0-9]{4}/[0-9]{2}|unknown)/[^/]+\.jsonl\Z")
"""Where a session lies, at the top of a branch of sessions or in a folder of any other."""


def rewrite(repo: Repository, ref: str, paths: Collection[str]) -> str:
    """Write the branch anew without some paths and point it there; return its new commit.

    Commits before the first that held one of the paths keep their ids; later ones keep persons, dates and messages.
    Signatures are dropped, since what they signed is gone.
    """
    tip = read.ref(repo, ref)
    if tip is None:
        return ""
    new: dict[str, str] = {}
    for commit in read.commits(repo, None, tip):
        changed = _without(repo, commit, paths, new)
        if changed != commit:
            new[commit] = changed
    if tip in new:
        write.move_ref(repo, ref, new[tip], tip, "forget")
    return new.get(tip, tip)


def _without(repo: Repository, commit: str, paths: Collection[str], new: dict[str, str]) -> str:
    """Return a commit with the paths left out and its parents replaced, or itself if that changes nothing."""
    held = [path for path in read.tree(repo, commit) if path in paths]
    head, _, message = read.blob(repo, commit).partition(b"\n\n")
    lines = _unsigned(head.split(b"\n"))
    if held:
        tree = write.write_tree(repo, commit, [write.Edit(path, "") for path in held])
        lines[0] = b"tree " + tree.encode()
    moved = [_parent(line, new) for line in lines]
    if not held and moved == lines:
        return commit
    data = b"\n".join(moved) + b"\n\n" + message
    return run.text(repo.git("hash-object", "-w", "-t", "commit", "--stdin", stdin=data))


def _unsigned(lines: list[bytes]) -> list[bytes]:
    """Return the header lines of a commit without signatures, which go on over lines that begin with a blank."""
    kept: list[bytes] = []
    signed = False
    for line in lines:
        signed = line.startswith(SIGNATURES) or (signed and line.startswith(b" "))
        if not signed:
            kept.append(line)
    return kept


def _parent(line: bytes, new: dict[str, str]) -> bytes:
    word, _, commit = line.partition(b" ")
    return b"parent " + new[commit.decode()].encode() if word == b"parent" and commit.decode() in new else line


@dataclass(frozen=True, slots=True)
class Remains:
    """Where erased blobs still are: the references that reach them, the reflog, the object store until it is pruned."""

    references: tuple[str, ...]
    in_reflog: bool
    stored: int

    @property
    def is_reachable(self) -> bool:
        """Say whether a clone or a checkout could still bring them back."""
        return bool(self.references)


def remains(repo: Repository, blobs: Collection[str]) -> Remains:
    """Look for blobs in all references, in the reflog and in the object store."""
    wanted = set(blobs)
    stored = _stored(repo, wanted)
    if not stored:
        return Remains((), False, 0)
    reached = tuple(name for name in references(repo) if _reaches(repo, wanted, name))
    return Remains(reached, _reaches(repo, wanted, "--reflog"), stored)


def references(repo: Repository) -> list[str]:
    """Return the full names of all references."""
    return read.ref_names(repo)


def session_blobs(repo: Repository, reference: str) -> list[str]:
    """Return the blobs that the history of a reference ever held as session files, at its top or in a folder."""
    output = run.text(repo.git("rev-list", "--objects", reference, "--"))
    rows = (line.partition(" ") for line in output.split("\n"))
    return [blob for blob, _, path in rows if SESSION_FILE.search(path)]


def _stored(repo: Repository, wanted: Collection[str]) -> int:
    """Count the objects that git has now, whatever was read of them before."""
    output = repo.git("cat-file", "--batch-check", stdin=("\n".join(wanted) + "\n").encode()) if wanted else b""
    return sum(1 for line in run.text(output).split("\n") if line and not line.endswith(" missing"))


def _reaches(repo: Repository, wanted: set[str], what: str) -> bool:
    output = run.text(repo.git("rev-list", "--objects", what, "--"))
    return any(line.split(" ", 1)[0] in wanted for line in output.split("\n"))
