"""Merging two trees over their base: memory by entry, SKILL.md by key and section, everything else by line."""

from __future__ import annotations

from dataclasses import dataclass

from hermes_git.gitrepo import merge_file, read
from hermes_git.gitrepo.read import TreeEntry
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import merge, skill_merge
from hermes_git.knowledge.layout import place
from hermes_git.settings import Settings


@dataclass(frozen=True, slots=True)
class Clash:
    """One path that could not be merged, and what each side says, for a person to settle."""

    path: str
    detail: str


@dataclass(frozen=True, slots=True)
class MergedTrees:
    """What to write on top of ours (path → bytes, None removes; modes of new files), and what clashes."""

    content: dict[str, bytes | None]
    modes: dict[str, str]
    clashes: tuple[Clash, ...] = ()


def merge_trees(repo: Repository, base: str, ours: str, theirs: str, settings: Settings) -> MergedTrees:
    """Merge what `theirs` changed since `base` into `ours`; nothing is written."""
    mine, old = read.tree(repo, ours), read.tree(repo, base)
    content: dict[str, bytes | None] = {}
    modes: dict[str, str] = {}
    clashes: list[Clash] = []
    for row in read.compare(repo, base, theirs):
        current, before = _id(mine.get(row.path)), _id(old.get(row.path))
        if current == row.id_after:
            continue
        modes[row.path] = row.mode_after
        after = read.blob(repo, row.id_after) if row.id_after else None
        if current == before:
            content[row.path] = after
        elif after is None or not current:
            clashes.append(Clash(row.path, "one side removed what the other changed"))
        else:
            sides = (read.blob(repo, before) if before else b"", read.blob(repo, current), after)
            content[row.path], clash = _merge_one(repo, row.path, sides, settings)
            clashes += [Clash(row.path, clash)] if clash else []
    return MergedTrees(
        content, {path: mode for path, mode in modes.items() if content.get(path) is not None}, tuple(clashes)
    )


def _id(entry: TreeEntry | None) -> str:
    return entry.id if entry else ""


def _merge_one(repo: Repository, path: str, sides: tuple[bytes, bytes, bytes], settings: Settings) -> tuple[bytes, str]:
    """Merge base, ours and theirs of one file; return the bytes and what clashes, "" for nothing."""
    texts = [side.decode("utf-8", "surrogateescape") for side in sides]
    if place(path, settings).area in ("memory", "archived-memory"):
        found = merge.three_way(*texts)
        lines = [
            f"it was: {one.base}\n  it is: {one.ours or '(gone)'}\n  proposed: {one.theirs or '(gone)'}"
            for one in found.conflicts
        ]
        return found.file.encode(), "\n".join(lines)
    if path.endswith("/SKILL.md"):
        skill = skill_merge.three_way(*texts)
        return skill.text.encode("utf-8", "surrogateescape"), ", ".join(skill.conflicts)
    data, count = merge_file.merge_lines(repo, *sides)
    return data, f"{count} places" if count else ""
