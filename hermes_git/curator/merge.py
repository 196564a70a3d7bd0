"""Merge one skill into another so that nothing is lost: the sibling becomes a reference of the target.

Its SKILL.md moves whole to the target's `references/<name>.md`, less the sections that the target proves to hold
already; its other files move beside the target's; every link in the repository to any of them follows.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes_git.curator import links
from hermes_git.curator.links import Moves, Place
from hermes_git.curator.sections import fold, insert_reference, reference_line, title
from hermes_git.curator.tree import Edit, Leaf, Tree, root_of
from hermes_git.curator.units import Unit
from hermes_git.document import Document
from hermes_git.knowledge.frontmatter import BadHeader, read
from hermes_git.knowledge.layout import is_below, place
from hermes_git.knowledge.skill import Skill
from hermes_git.settings import Settings

UNTOUCHED = ("archived-skill", "archived-memory", "curator", "policy", "settings", "waivers")
"""Areas whose files are records or policy: links in them are left as they were written."""


@dataclass(frozen=True, slots=True)
class Merge:
    """The edits of one merge, where files went, the units folded because the target has them, and notes to show."""

    edits: tuple[Edit, ...]
    moves: Moves
    folded: tuple[Unit, ...] = ()
    notes: tuple[str, ...] = ()


def merge(tree: Tree, target: Skill, sibling: Skill, settings: Settings) -> Merge:
    """Move `sibling` into `target`; both are skills of `tree`."""
    moves, notes = _moves(tree, target, sibling)
    reference = moves.after(sibling.path)
    home, there = (Place(skill.path, skill.root, settings.paths.skills) for skill in (sibling, target))
    text, folded = fold(
        _text(tree, sibling.path),
        _text(tree, target.path),
        lambda words: links.canonical(words, home, tree, moves),
        lambda words: links.canonical(words, there, tree, moves),
    )
    if text:
        away = Place(reference, target.root, settings.paths.skills)
        body = links.rewrite(text, home, away, tree, moves)
        edits = _put(tree, reference, body, tree.leaves[sibling.path])
    else:
        reference, edits = "", []
        moves = Moves({**moves.paths, sibling.path: target.path, sibling.root: target.path})
    edits += _files(tree, target, sibling, moves, settings)
    edits += _target_edit(tree, target, sibling, reference, moves, settings)
    edits += _referrers(tree, target, sibling, moves, settings)
    return Merge(tuple(edits), moves, folded, tuple(notes))


def is_editable(document: Document) -> bool:
    """Say whether text can be written back as it was read but for the words that change."""
    return document.is_text and document.encoding in ("utf-8", "utf-8-sig")


def _text(tree: Tree, path: str) -> str:
    document = tree.document(path)
    return document.text if document else ""


def _put(tree: Tree, path: str, text: str, like: Leaf) -> list[Edit]:
    """Return the edit that writes text at a path, keeping mode and byte order mark of the leaf it came from."""
    bom = b"\xef\xbb\xbf" if (like.data or b"").startswith(b"\xef\xbb\xbf") else b""
    return [Edit(path, tree.leaf(bom + text.encode("utf-8", "surrogateescape"), like.mode))]


def _moves(tree: Tree, target: Skill, sibling: Skill) -> tuple[Moves, list[str]]:
    """Decide where each file of the sibling goes; a folder in which one name is taken moves below its own name."""
    inside = [path for path in tree.below(sibling.root) if path != sibling.path]
    crowded = {_top(path, sibling) for path in inside if _clashes(tree, path, target, sibling)}
    reference = _free(tree, f"{target.root}/references/{sibling.folder}", ".md")
    paths = {sibling.path: reference, sibling.root: reference}
    notes = []
    for path in inside:
        inner = path[len(sibling.root) + 1 :]
        top, rest = _top(path, sibling), inner[len(_top(path, sibling)) :].lstrip("/")
        if top in crowded:
            inner = posixpath.join(top or "assets", sibling.folder, rest)
        paths[path] = f"{target.root}/{inner}"
    for top in sorted(crowded):
        where = top or "their folder"
        notes.append(f"both have a file of one name in {where}; the moved ones are in {sibling.folder}/ there")
    for folder in {posixpath.dirname(path) for path in inside} - {sibling.root}:
        moved = {posixpath.dirname(paths[path]) for path in inside if posixpath.dirname(path) == folder}
        paths[folder] = min(moved)
    return Moves(paths), notes


def _top(path: str, sibling: Skill) -> str:
    head, slash, _ = path[len(sibling.root) + 1 :].partition("/")
    return head if slash else ""


def _clashes(tree: Tree, path: str, target: Skill, sibling: Skill) -> bool:
    there = f"{target.root}/{path[len(sibling.root) + 1 :]}"
    taken = tree.leaves.get(there)
    return tree.has_folder(there) or (taken is not None and taken != tree.leaves[path])


def _free(tree: Tree, stem: str, suffix: str) -> str:
    """Return the first of stem.md, stem-2.md, … that no file has."""
    number, path = 2, stem + suffix
    while path in tree.leaves or tree.has_folder(path):
        path = f"{stem}-{number}{suffix}"
        number += 1
    return path


def _files(tree: Tree, target: Skill, sibling: Skill, moves: Moves, settings: Settings) -> Iterator[Edit]:
    """Move the sibling's other files, links in its Markdown following."""
    for path, leaf in tree.below(sibling.root).items():
        yield Edit(path, None)
        if path == sibling.path:
            continue
        now = moves.after(path)
        document = tree.document(path)
        if document is None or not is_editable(document) or document.kind not in ("markdown", "text", "description"):
            yield Edit(now, leaf)
            continue
        before = Place(path, sibling.root, settings.paths.skills)
        after = Place(now, target.root, settings.paths.skills)
        text = links.rewrite(document.text, before, after, tree, moves)
        yield from _put(tree, now, text, leaf) if text != document.text else [Edit(now, leaf)]


def _target_edit(
    tree: Tree, target: Skill, sibling: Skill, reference: str, moves: Moves, settings: Settings
) -> Iterator[Edit]:
    """Add the line that says when to load the reference, and let links to the sibling follow."""
    spot = Place(target.path, target.root, settings.paths.skills)
    text = _text(tree, target.path)
    new = links.rewrite(text, spot, spot, tree, moves)
    inner = reference[len(target.root) + 1 :] if reference else ""
    heading = title(_text(tree, sibling.path))
    new = insert_reference(new, reference_line(sibling.name, inner, heading, sibling.description))
    if new != text:
        yield from _put(tree, target.path, new, tree.leaves[target.path])


def _referrers(tree: Tree, target: Skill, sibling: Skill, moves: Moves, settings: Settings) -> Iterator[Edit]:
    """Rewrite the links to the sibling in every other text of the repository, and its name in lists of skills."""
    for document in _mentioning(tree.documents(), sibling):
        if is_below(document.path, sibling.root) or document.path == target.path:
            continue
        if place(document.path, settings).area in UNTOUCHED or not is_editable(document):
            continue
        root = root_of(document.path, tree)
        spot = Place(document.path, root, settings.paths.skills)
        text = links.rewrite(document.text, spot, spot, tree, moves)
        text = _renamed(text, document, sibling, target)
        if text != document.text:
            yield from _put(tree, document.path, text, tree.leaves[document.path])


def _mentioning(documents: Iterable[Document], sibling: Skill) -> Iterator[Document]:
    names = {sibling.folder.encode(), sibling.name.encode()}
    return (document for document in documents if document.is_text and any(name in document.data for name in names))


LIST_KEYS = ("related_skills", "related-skills", "skills", "requires_skills", "depends_on")


def _renamed(text: str, document: Document, sibling: Skill, target: Skill) -> str:
    """Replace the sibling's name in lists of skills of a header, where hosts follow it by name."""
    if document.kind != "skill":
        return text
    try:
        header = read(text)
    except BadHeader:
        return text
    source = text[header.start : header.end]
    lines = source.split("\n")
    active = False
    for number, line in enumerate(lines):
        key = line.split(":", 1)[0].strip() if ":" in line else ""
        active = key in LIST_KEYS or (active and line.lstrip().startswith("- "))
        if active:
            lines[number] = _swap_word(line, sibling.name, target.name)
    return text[: header.start] + "\n".join(lines) + text[header.end :]


def _swap_word(line: str, old: str, new: str) -> str:
    """Replace a whole word of a line by another."""
    return re.sub(rf"(?<![\w/.-]){re.escape(old)}(?![\w/.-])", new, line)
