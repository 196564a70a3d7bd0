"""The loss ledger of any range of commits: what knowledge said at its start, and where each piece is at its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hermes_git.curator import links
from hermes_git.curator.links import Moves, Place
from hermes_git.curator.loss import Canonical, Fate, Loss, compare
from hermes_git.curator.snapshot import read_tree
from hermes_git.curator.tree import Tree, root_of
from hermes_git.document import Document
from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import entries
from hermes_git.knowledge.layout import place, skill_key
from hermes_git.provenance.change import Change, parse
from hermes_git.provenance.log import Row, rows
from hermes_git.settings import Settings

KNOWLEDGE = ("memory", "archived-memory", "skill", "archived-skill", "category")
TAKES_AWAY = frozenset("remove replace edit patch delete evict forget split merge consolidate write revert".split())
SHORTEST_ID = 7


@dataclass(frozen=True, slots=True)
class RangeLoss:
    """The ledger of a range: fates of all units in files that differ, and those dropped without a word."""

    loss: Loss
    undeclared: tuple[Fate, ...]
    files: int


def measure(repo: Repository, start: str, end: str, settings: Settings) -> RangeLoss:
    """Compare the knowledge of two commits; `start` and `end` are ids of commits or trees."""
    differences = changed(repo, start, end)
    before, after = read_tree(repo, start)[0], read_tree(repo, end)[0]
    moves = Moves({row.source: row.path for row in differences if row.status == "R"})
    old = _documents(before, {row.source for row in differences if row.status != "A"}, settings)
    new = _documents(after, {row.path for row in differences if row.status != "D"}, settings)
    shapes = _canonical(before, moves, settings), _canonical(after, Moves(), settings)
    loss = compare(old, new, canonical=shapes)
    if loss.count("dropped"):
        touched = {document.path for document in new}
        others = [row for row in _documents(after, after.leaves, settings) if row.path not in touched]
        loss = compare(old, new, canonical=shapes, elsewhere=others)
    named = _changes(repo, start, end)
    lost = tuple(fate for fate in loss.of("dropped") if not _is_declared(fate, named, before, settings))
    return RangeLoss(loss, lost, len({document.path for document in (*old, *new)}))


def changed(repo: Repository, start: str, end: str) -> list[Row]:
    """List the paths that differ between two commits, renames paired."""
    out = repo.git("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "-M", "--end-of-options", start, end)
    return rows(run.fields(out))


def _documents(tree: Tree, paths: Iterable[str], settings: Settings) -> list[Document]:
    found = []
    for path in sorted(paths):
        document = tree.document(path)
        root = root_of(path, tree)
        area = place(path, settings, frozenset({root} if root else ())).area
        if document is not None and area in KNOWLEDGE:
            found.append(document)
    return found


def _canonical(tree: Tree, moves: Moves, settings: Settings) -> Canonical:
    def text_of(document: Document) -> str:
        spot = Place(document.path, root_of(document.path, tree), settings.paths.skills)
        return links.canonical(document.text, spot, tree, moves)

    return text_of


def _changes(repo: Repository, start: str, end: str) -> list[Change]:
    """Return the changes that the messages of a range declare; two trees have no messages."""
    if not (read.ref(repo, start) and read.ref(repo, end)):
        return []
    bodies = read.log(repo, "--format=%B", "--end-of-options", f"{start}..{end}")
    return [change for body in bodies for change in parse(body) if change.action in TAKES_AWAY]


def _is_declared(fate: Fate, named: Iterable[Change], before: Tree, settings: Settings) -> bool:
    """Say whether a change line owns up to a loss: by the id of the entry, or by the key of the skill."""
    spot = place(fate.path, settings)
    if spot.area in ("memory", "archived-memory"):
        ids = _entry_ids(before, fate)
        return any(len(row.before) >= SHORTEST_ID and id.startswith(row.before) for row in named for id in ids)
    root = root_of(fate.path, before)
    words: Mapping[str, None] = dict.fromkeys((fate.path, root, skill_key(root, settings) if root else ""))
    return any(row.target.removeprefix("skill:") in words for row in named if row.target)


def _entry_ids(tree: Tree, fate: Fate) -> list[str]:
    """Return the id of the entry that a unit stands in."""
    document = tree.document(fate.path)
    found = entries.parse(document.text).entries if document else ()
    above = [entry for entry in found if entry.line <= fate.unit.line]
    return [above[-1].id] if above else []
