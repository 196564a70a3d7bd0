"""Merge one skill into another so that nothing is lost: the sibling becomes a reference of the target.

Its SKILL.md moves whole to the target's `references/<name>.md`, less the sections that the target proves to hold
already; its other files move beside the target's; every link in the repository to any of them follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hermes_git.curator import links
from hermes_git.curator.links import Moves, Place
from hermes_git.curator.loss import pieces
from hermes_git.curator.names import has_header, renamed
from hermes_git.curator.placing import destinations
from hermes_git.curator.sections import fold, insert_reference, reference_line, title
from hermes_git.curator.tree import Edit, Leaf, Tree, root_of
from hermes_git.curator.units import Unit
from hermes_git.document import Document
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
    placed = destinations(tree, target, sibling, settings.paths.skills)
    moves = placed.moves
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
        body = renamed(links.rewrite(text, home, away, tree, moves), moves.names)
        edits = _put(tree, reference, body, tree.leaves[sibling.path])
    else:
        reference, edits = "", []
        moves = replace(moves, paths={**moves.paths, sibling.path: target.path, sibling.root: target.path})
    edits += _files(tree, target, sibling, moves, settings)
    edits += _target_edit(tree, target, sibling, reference, moves, settings)
    edits += _referrers(tree, target, sibling, moves, settings)
    twice = (unit for path in placed.same if (document := tree.document(path)) for unit in pieces(document))
    return Merge(tuple(edits), moves, (*folded, *twice), placed.notes)


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


def _files(tree: Tree, target: Skill, sibling: Skill, moves: Moves, settings: Settings) -> Iterator[Edit]:
    """Move the sibling's other files, paths in them following."""
    for path, leaf in tree.below(sibling.root).items():
        yield Edit(path, None)
        if path == sibling.path:
            continue
        now = moves.after(path)
        document = tree.document(path)
        if document is None or not is_editable(document):
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
    new = renamed(links.rewrite(text, spot, spot, tree, moves), moves.names)
    inner = reference[len(target.root) + 1 :] if reference else ""
    heading = title(_text(tree, sibling.path))
    new = insert_reference(new, reference_line(sibling.name, inner, heading, sibling.description))
    if new != text:
        yield from _put(tree, target.path, new, tree.leaves[target.path])


def _referrers(tree: Tree, target: Skill, sibling: Skill, moves: Moves, settings: Settings) -> Iterator[Edit]:
    """Rewrite the links to the sibling in every other text of the repository, and its name in lists of skills."""
    for document in _mentioning(tree, sibling):
        if is_below(document.path, sibling.root) or document.path == target.path:
            continue
        if place(document.path, settings).area in UNTOUCHED or not is_editable(document):
            continue
        root = root_of(document.path, tree)
        spot = Place(document.path, root, settings.paths.skills)
        text = links.rewrite(document.text, spot, spot, tree, moves)
        text = renamed(text, moves.names) if has_header(document) else text
        if text != document.text:
            yield from _put(tree, document.path, text, tree.leaves[document.path])


def _mentioning(tree: Tree, sibling: Skill) -> Iterator[Document]:
    """Yield the texts that hold the sibling's name at all, bytes looked at before anything is decoded."""
    names = {sibling.folder.encode(), sibling.name.encode()}
    for path, leaf in sorted(tree.leaves.items()):
        if leaf.data is not None and any(name in leaf.data for name in names):
            document = Document(path, leaf.data, leaf.mode, blob=leaf.id)
            if document.is_text:
                yield document
