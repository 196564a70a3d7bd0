"""The archive: whole skill packages under a name that says when and which version, and the way back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from hermes_git.curator.tree import Edit, Tree
from hermes_git.errors import UserError
from hermes_git.knowledge.layout import is_below, skill_key, skill_roots
from hermes_git.settings import Settings

ARCHIVED = re.compile(r"(?P<name>[^/@]+)@(?P<date>\d{8})-(?P<tree>[0-9a-f]{7,64})\Z")
SHORT_ID = 7


@dataclass(frozen=True, order=True, slots=True)
class Archived:
    """One restore point: its folder, the key it had, the date it was archived (yyyymmdd) and its tree id's beginning.

    An archive made by another tool has no date or id; its folder name is its name.
    """

    key: str
    date: str
    tree: str
    root: str

    @property
    def label(self) -> str:
        """Return the name to restore it by: the folder relative to the archive."""
        return f"{self.key}@{self.date}-{self.tree}" if self.date else self.key


def archive_root(root: str, tree_id: str, now: int, tree: Tree, settings: Settings) -> str:
    """Return the archive folder for a skill; an existing one of that very name gets a longer id."""
    day = datetime.fromtimestamp(now, UTC).strftime("%Y%m%d")
    base = f"{settings.paths.archive}/{skill_key(root, settings)}@{day}-"
    for length in range(SHORT_ID, len(tree_id) + 1):
        if not tree.has_folder(base + tree_id[:length]):
            return base + tree_id[:length]
    raise UserError(f"{base}{tree_id} exists already", hint="this exact version was archived today; nothing to do")


def move(tree: Tree, source: str, target: str) -> tuple[Edit, ...]:
    """Return the edits that move a whole folder, modes and bytes untouched, links included."""
    inside = tree.below(source)
    removed = [Edit(path, None) for path in inside]
    added = [Edit(target + path[len(source) :], leaf) for path, leaf in inside.items()]
    return (*removed, *added)


def archived(tree: Tree, settings: Settings) -> tuple[Archived, ...]:
    """List every restore point in the archive, sorted by key and date."""
    roots = skill_roots(path for path in tree.leaves if is_below(path, settings.paths.archive))
    return tuple(sorted(_archived(root, settings) for root in roots))


def _archived(root: str, settings: Settings) -> Archived:
    inner = root[len(settings.paths.archive.rstrip("/")) + 1 :]
    category, _, folder = inner.rpartition("/")
    match = ARCHIVED.match(folder)
    name = match.group("name") if match else folder
    key = f"{category}/{name}" if category else name
    return Archived(key, match.group("date") if match else "", match.group("tree") if match else "", root)


def find(name: str, points: Iterable[Archived]) -> Archived:
    """Return the restore point that a name means: a printed label, a key or a bare name with one version."""
    every = tuple(points)
    found = [point for point in every if name in (point.label, point.root)]
    found = found or [point for point in every if name in (point.key, point.key.rsplit("/", 1)[-1])]
    found = found or [point for point in every if point.label.rsplit("/", 1)[-1] == name]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UserError(f"nothing called {name!r} is archived", hint="list it with: hermes-git skill archived")
    labels = "\n  ".join(point.label for point in found)
    raise UserError(f"{name!r} has {len(found)} archived versions", hint=f"name one of them:\n  {labels}")


def restore(tree: Tree, point: Archived, settings: Settings) -> tuple[str, tuple[Edit, ...]]:
    """Return where a restore point goes back to and the edits that copy it there; the point itself stays.

    Errors: `UserError` when an active skill is in the way.
    """
    target = f"{settings.paths.skills}/{point.key}"
    if tree.has_folder(target) or target in tree.leaves:
        hint = "rename or archive the active one first; the archived version stays where it is"
        raise UserError(f"{target} exists and is in use", hint=hint)
    inside = tree.below(point.root)
    return target, tuple(Edit(target + path[len(point.root) :], leaf) for path, leaf in inside.items())
