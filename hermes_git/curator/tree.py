"""A tree of files as a value: what a plan is made on, edited without git, with the ids that git will give."""

from __future__ import annotations

import bisect
import functools
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hermes_git.document import MODE_FILE, MODE_LINK, Document
from hermes_git.knowledge.skill import SKILL_FILE

AFTER_SLASH = chr(ord("/") + 1)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One file of a tree: mode and blob id; `data` is there for files that were read or newly made."""

    mode: str
    id: str
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """One path to be set to a leaf, or removed when `leaf` is None."""

    path: str
    leaf: Leaf | None


@dataclass(frozen=True)
class Tree:
    """All files of a commit, as path → leaf."""

    leaves: Mapping[str, Leaf] = field(default_factory=dict)
    object_format: str = "sha1"

    @functools.cached_property
    def folders(self) -> frozenset[str]:
        """Return every folder that holds a file."""
        found: set[str] = set()
        for path in self.leaves:
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(found)

    @functools.cached_property
    def _paths(self) -> list[str]:
        return sorted(self.leaves)

    def below(self, folder: str) -> dict[str, Leaf]:
        """Return the files inside a folder, sorted by path: they stand together among all paths."""
        first, beyond = (bisect.bisect_left(self._paths, f"{folder.rstrip('/')}{sign}") for sign in ("/", AFTER_SLASH))
        return {path: self.leaves[path] for path in self._paths[first:beyond]}

    def has_folder(self, folder: str) -> bool:
        """Say whether a folder with at least one file exists."""
        return folder in self.folders

    def edited(self, edits: Iterable[Edit]) -> Tree:
        """Return the tree with edits applied; the old one stays as it was."""
        leaves = dict(self.leaves)
        for edit in edits:
            if edit.leaf is None:
                leaves.pop(edit.path, None)
            else:
                leaves[edit.path] = edit.leaf
        return Tree(leaves, self.object_format)

    def document(self, path: str) -> Document | None:
        """Return a file that was read as a document, or None."""
        leaf = self.leaves.get(path)
        return None if leaf is None or leaf.data is None else Document(path, leaf.data, leaf.mode, blob=leaf.id)

    def documents(self, folder: str = "") -> tuple[Document, ...]:
        """Return every file that was read, inside a folder or anywhere, sorted by path."""
        leaves = self.below(folder) if folder else dict(sorted(self.leaves.items()))
        return tuple(
            Document(path, leaf.data, leaf.mode, blob=leaf.id)
            for path, leaf in leaves.items()
            if leaf.data is not None and leaf.mode != MODE_LINK
        )

    def leaf(self, data: bytes, mode: str = MODE_FILE) -> Leaf:
        """Return a new leaf with the id that git gives these bytes."""
        return Leaf(mode, blob_id(data, self.object_format), data)

    def folder_id(self, folder: str) -> str:
        """Return the id that git gives the tree object of a folder."""
        cut = len(folder) + 1 if folder else 0
        inside = self.below(folder) if folder else self.leaves
        return tree_id({path[cut:]: leaf for path, leaf in inside.items()}, self.object_format)


def blob_id(data: bytes, object_format: str = "sha1") -> str:
    """Return the id that git gives to bytes."""
    return hashlib.new(object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def tree_id(leaves: Mapping[str, Leaf], object_format: str = "sha1") -> str:
    """Return the id that git gives to a tree of these files, sub-folders and git's own order included."""
    rows: list[tuple[bytes, bytes]] = []
    folders: dict[str, dict[str, Leaf]] = {}
    for path, leaf in leaves.items():
        name, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(name, {})[rest] = leaf
        else:
            rows.append(_tree_row(name, leaf.mode, leaf.id))
    for name, inside in folders.items():
        rows.append(_tree_row(name, "40000", tree_id(inside, object_format)))
    data = b"".join(row for _, row in sorted(rows))
    return hashlib.new(object_format, b"tree %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _tree_row(name: str, mode: str, object_id: str) -> tuple[bytes, bytes]:
    raw = name.encode("utf-8", "surrogateescape")
    return (raw + (b"/" if mode == "40000" else b"")), mode.encode() + b" " + raw + b"\0" + bytes.fromhex(object_id)


def root_of(path: str, tree: Tree) -> str:
    """Return the folder of the skill a path is in, or ""."""
    folder = path.rpartition("/")[0]
    while folder:
        if f"{folder}/{SKILL_FILE}" in tree.leaves:
            return folder
        folder = folder.rpartition("/")[0]
    return ""
