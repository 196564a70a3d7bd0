"""Where the files of a merged skill go: beside the target's, and where one name is taken, below the sibling's name."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass

from hermes_git.curator import links
from hermes_git.curator.links import Moves, Place
from hermes_git.curator.tree import Tree
from hermes_git.knowledge.skill import Skill


@dataclass(frozen=True, slots=True)
class Placing:
    """Where every file of the sibling goes, which of them the target has already, and notes for the report."""

    moves: Moves
    same: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def destinations(tree: Tree, target: Skill, sibling: Skill, skills: str) -> Placing:
    """Decide where each file of the sibling goes.

    A top folder in which one file would meet another of its name moves whole, so that its files still find each other.
    """
    inside = [path for path in tree.below(sibling.root) if path != sibling.path]
    inner = {path: path[len(sibling.root) + 1 :] for path in inside}
    crowded = {_top(inner[path]) for path in inside if _clashes(tree, path, inner[path], target, sibling, skills)}
    homes = {top: _free_folder(tree, f"{target.root}/{top or 'assets'}", sibling.folder) for top in sorted(crowded)}
    paths = {}
    for path in inside:
        top = _top(inner[path])
        rest = inner[path][len(top) :].lstrip("/")
        paths[path] = f"{homes[top]}/{rest}" if top in homes else f"{target.root}/{inner[path]}"
    folders = {folder: _folder_after(folder, paths) for folder in _folders(inside, sibling.root)}
    reference = _free_file(tree, f"{target.root}/references/{sibling.folder}", set(paths.values()))
    paths |= folders | {sibling.path: reference, sibling.root: reference}
    same = tuple(path for path in inside if paths[path] in tree.leaves)
    notes = [f"{top or 'a file'} is in both; the moved one is in {homes[top]}" for top in sorted(crowded)]
    return Placing(Moves(paths, {sibling.name: target.name}), same, tuple(notes))


def _top(inner: str) -> str:
    head, slash, _ = inner.partition("/")
    return head if slash else ""


def _clashes(tree: Tree, path: str, inner: str, target: Skill, sibling: Skill, skills: str) -> bool:
    """Say whether a file would meet another of its name; the same bytes with the same meaning are no clash."""
    there = f"{target.root}/{inner}"
    if tree.has_folder(there) or any(str(parent) in tree.leaves for parent in _parents(there)):
        return True
    taken = tree.leaves.get(there)
    if taken is None:
        return False
    return (
        taken != tree.leaves[path] or _has_paths(tree, path, sibling, skills) or _has_paths(tree, there, target, skills)
    )


def _parents(path: str) -> Iterable[str]:
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)


def _has_paths(tree: Tree, path: str, skill: Skill, skills: str) -> bool:
    """Say whether a text holds a path that means a file, so that the same words mean another thing elsewhere."""
    document = tree.document(path)
    if document is None or not document.is_text:
        return False
    place = Place(path, skill.root, skills)
    return links.canonical(document.text, place, tree, Moves()) != document.text


def _folders(inside: Iterable[str], root: str) -> set[str]:
    return {parent for path in inside for parent in _parents(path) if parent.startswith(f"{root}/")}


def _folder_after(folder: str, paths: dict[str, str]) -> str:
    """Return where a folder's files went, seen from any one of them."""
    path = min(path for path in paths if path.startswith(f"{folder}/"))
    depth = path[len(folder) :].count("/")
    after = paths[path]
    for _ in range(depth):
        after = posixpath.dirname(after)
    return after


def _free_folder(tree: Tree, parent: str, name: str) -> str:
    number, folder = 2, f"{parent}/{name}"
    while tree.has_folder(folder) or folder in tree.leaves:
        folder, number = f"{parent}/{name}-{number}", number + 1
    return folder


def _free_file(tree: Tree, stem: str, taken: set[str]) -> str:
    number, path = 2, f"{stem}.md"
    while path in tree.leaves or path in taken or tree.has_folder(path):
        path, number = f"{stem}-{number}.md", number + 1
    return path
