"""The proof of one step: the loss ledger of everything it touches, links compared by what they point to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hermes_git.curator import links
from hermes_git.curator.links import Moves, Place
from hermes_git.curator.loss import Canonical, Fate, Loss, compare, pieces
from hermes_git.curator.names import has_header, renamed
from hermes_git.curator.plan import Step
from hermes_git.curator.sections import KNOWN_AS
from hermes_git.curator.tree import Edit, Tree, root_of
from hermes_git.curator.units import Unit, folded
from hermes_git.document import Document


def prove(step: Step, before: Tree, skills: str) -> Loss:
    """Return the loss ledger of a step; `before` is the tree it starts from, `skills` the skills folder.

    What is archived is a package that must stay as it is, so there the very words count and no path in them is read.
    """
    after = before.edited(step.edits)
    paths = {edit.path for edit in step.edits}
    old, new = _documents(before, paths), _documents(after, paths)
    if step.kind != "consolidate":
        return compare(old, new)
    empty = {document.path: _dangling(document, before, step.moves, skills) for document in old}
    origins = {now: path for path, now in step.moves.paths.items() if path in before.leaves}
    origins |= {path: path for path in before.leaves}
    now_empty = {document.path: empty.get(origins.get(document.path, ""), frozenset()) for document in new}
    shapes = (
        _canonical(before, step.moves, skills, empty),
        _canonical(after, Moves(), skills, now_empty),
    )
    return _reworded(compare(old, new, canonical=shapes), old, new)


NAMING = re.compile(r"(?:#+|name:|description:)\s+")


def _reworded(loss: Loss, old: Iterable[Document], new: Iterable[Document]) -> Loss:
    """Count a title, name or description as moved when the line that names a folded sibling says it word for word."""
    known = {unit.key for document in old for unit in pieces(document)}
    added = [
        (f" {unit.text} ", document.path)
        for document in new
        for unit in pieces(document)
        if unit.kind == "item" and unit.line and _names_folded(unit, document) and unit.key not in known
    ]

    def again(fate: Fate) -> Fate:
        named = NAMING.match(fate.unit.text) if fate.status == "dropped" else None
        words = fate.unit.text[named.end() :].strip("\"' ") if named else ""
        now = next((path for text, path in added if words and re.search(rf"\W{re.escape(words)}\W", text)), "")
        return replace(fate, status="moved", now=now) if now else fate

    return Loss(tuple(map(again, loss.fates)))


def _documents(tree: Tree, paths: Iterable[str]) -> list[Document]:
    return [document for path in sorted(paths) if (document := tree.document(path)) is not None]


def _place(document: Document, tree: Tree, skills: str) -> Place:
    return Place(document.path, root_of(document.path, tree), skills)


def _dangling(document: Document, tree: Tree, moves: Moves, skills: str) -> frozenset[str]:
    return (
        links.dangling(document.text, _place(document, tree, skills), tree, moves) if document.is_text else frozenset()
    )


def _canonical(tree: Tree, moves: Moves, skills: str, empty: Mapping[str, frozenset[str]]) -> Canonical:
    def text_of(document: Document) -> str:
        text = renamed(document.text, moves.names) if has_header(document) else document.text
        return links.canonical(text, _place(document, tree, skills), tree, moves, empty[document.path])

    return text_of


def _names_folded(unit: Unit, document: Document) -> bool:
    return folded(document.lines[unit.line - 1]).startswith(KNOWN_AS)


def undeclared(loss: Loss, declared_units: Iterable[Unit]) -> Iterator[Fate]:
    """Yield the fates that a step must answer for: dropped, or folded as a duplicate without being declared."""
    declared = Counter(unit.key for unit in declared_units)
    for fate in loss.of("dropped", "duplicate"):
        if declared[fate.unit.key] > 0:
            declared[fate.unit.key] -= 1
        else:
            yield fate


def vanished(before: Tree, edits: Iterable[Edit]) -> Iterator[str]:
    """Yield the paths whose bytes were not read as text and stand nowhere after the edits."""
    rows = tuple(edits)
    after = before.edited(rows)
    ids = {leaf.id for leaf in after.leaves.values()}
    for edit in rows:
        old = before.leaves.get(edit.path)
        if old is not None and old.data is None and old.id not in ids:
            yield edit.path
