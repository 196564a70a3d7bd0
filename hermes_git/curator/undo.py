"""Take a run or one of its steps back by content, from its report: it works after a squash merge and after edits."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from hermes_git.curator.tree import blob_id
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.merge_file import merge_lines
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import merge
from hermes_git.knowledge.layout import TARGETS
from hermes_git.settings import Settings


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that a step changed: blob ids and modes before and after, "" where there was none.

    `kept` holds the bytes of those of the two that the report itself carries.
    """

    path: str
    before: str
    after: str
    mode_before: str
    mode_after: str
    kept: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One step as its report records it."""

    number: int
    kind: str
    target: str
    into: str
    files: tuple[FileChange, ...]


def reports(repo: Repository, revision: str, settings: Settings) -> list[str]:
    """List the runs whose reports are in a revision, newest first."""
    folder = settings.paths.curator
    found = read.tree(repo, revision, folder)
    names = [path[len(folder) + 1 :].removesuffix(".json") for path in found if path.endswith(".json")]
    return sorted(names, reverse=True)


def steps(repo: Repository, revision: str, run: str, settings: Settings) -> tuple[Recorded, ...]:
    """Read the applied steps of a run from its report; `UserError` when there is none or it cannot be read."""
    path = f"{settings.paths.curator}/{run}.json"
    data = read.file_at(repo, revision, path)
    if data is None:
        known = reports(repo, revision, settings)
        hint = f"runs merged here: {', '.join(known[:5])}" if known else "no run is merged here"
        raise UserError(f"no report of a run called {run!r}", hint=hint)
    try:
        table = json.loads(data)
        kept = _kept(table.get("between", {}), repo.object_format)
        return tuple(_recorded(row, kept) for row in table["steps"] if row["commit"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(f"the report cannot be read: {error}", where=path, hint="use git revert") from error


def _kept(table: dict[str, str], object_format: str) -> dict[str, bytes]:
    """Return the texts that a report carries by blob id, those left out that the id is not of."""
    texts = {name: text.encode("utf-8") for name, text in table.items()}
    return {name: data for name, data in texts.items() if blob_id(data, object_format) == name}


def _recorded(row: dict[str, object], kept: Mapping[str, bytes]) -> Recorded:
    changes = tuple(_file_change(item, kept) for item in row["files"])  # type: ignore[attr-defined]
    return Recorded(int(str(row["number"])), str(row["kind"]), str(row["target"]), str(row["into"]), changes)


def _file_change(item: list[str], kept: Mapping[str, bytes]) -> FileChange:
    path, before, after, mode_before, mode_after = item
    inside = {name: kept[name] for name in (before, after) if name in kept}
    return FileChange(path, before, after, mode_before, mode_after, inside)


def inverse(repo: Repository, head: str, wanted: Iterable[Recorded]) -> tuple[dict[str, bytes | None], dict[str, str]]:
    """Return content and modes that take steps back on top of `head`, the newest step first.

    A file edited since is merged by line; where that fails, `UserError` names it and nothing is written.
    """
    now = {path: (entry.mode, entry.id) for path, entry in read.tree(repo, head).items()}
    content: dict[str, bytes | None] = {}
    modes: dict[str, str] = {}
    for step in sorted(wanted, key=lambda step: -step.number):
        for change in step.files:
            data = _back(repo, change, now.get(change.path, ("", ""))[1], content)
            if data is not UNCHANGED:
                content[change.path] = data if isinstance(data, bytes) else None
                modes[change.path] = change.mode_before or "100644"
    return content, modes


UNCHANGED = object()


def _back(repo: Repository, change: FileChange, current: str, content: dict[str, bytes | None]) -> object:
    kept = read.blob(repo, current) if current else None
    present = content.get(change.path, kept)
    before, after = (_blob(repo, name, change) for name in (change.before, change.after))
    if present == before:
        return UNCHANGED
    if present == after:
        return before
    if PurePosixPath(change.path).name in TARGETS.values():
        return _entries_back(change.path, after, present, before)
    if present is None or before is None or after is None:
        raise UserError("changed since the run", where=change.path, hint="take it back by hand: git revert")
    shorter = without_insertions(before, after, present)
    merged, conflicts = (shorter, 0) if shorter is not None else merge_lines(repo, after, present, before)
    if conflicts:
        raise UserError("the same lines were edited since the run", where=change.path, hint="take it back by hand")
    return UNCHANGED if merged == present else merged


def _entries_back(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> object:
    """Merge a memory file by entry; one that is missing holds no entries, and one without any was not there before."""
    merged = merge.three_way(*((data or b"").decode("utf-8", "surrogateescape") for data in (base, ours, theirs)))
    if merged.conflicts:
        raise UserError("the same entry was edited since the run", where=path, hint="take it back by hand")
    data = merged.file.encode()
    if data == (ours or b""):
        return UNCHANGED
    return data if data or theirs is not None else None


def without_insertions(before: bytes, after: bytes, present: bytes) -> bytes | None:
    """Take the lines that a step inserted out of a file edited since; a file that has none of them is as it should be.

    None if the step did more than insert, or its lines are not there just once. A merge by line would refuse when the
    line above was edited.
    """
    old, new = before.split(b"\n"), after.split(b"\n")
    blocks = []
    for tag, _, _, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag not in ("equal", "insert"):
            return None
        if tag == "insert":
            blocks.append(b"\n" + b"\n".join(new[start:end]))
    if all(present.count(block) == 1 for block in blocks):
        for block in blocks:
            present = present.replace(block, b"", 1)
        return present
    lines = {line for block in blocks for line in block.split(b"\n") if line.strip()}
    return None if lines & set(present.split(b"\n")) else present


def _blob(repo: Repository, object_id: str, change: FileChange) -> bytes | None:
    """Return bytes by id: from the report, else from the repository, which after a squash lacks what came between."""
    if not object_id or object_id in change.kept:
        return change.kept.get(object_id)
    if object_id == blob_id(b"", repo.object_format):  # what a run begins files with, no commit of a squash has it
        return b""
    if not read.sizes(repo, [object_id]):
        hint = "fetch the branch of the run, or take it back by hand"
        raise UserError("what stood here before is no longer in this repository", where=change.path, hint=hint)
    return read.blob(repo, object_id)
