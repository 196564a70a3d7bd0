"""A proposal as the gate sees it: what differs, and every document that must be read to judge it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hermes_git.document import MODE_GITLINK, Document
from hermes_git.finding import Skipped
from hermes_git.gitrepo.batch import Objects
from hermes_git.gitrepo.read import Difference, TreeEntry
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import lock
from hermes_git.knowledge.layout import place, skill_roots
from hermes_git.settings import Settings

MAX_BYTES = 8 * 1024 * 1024
"""Largest file that is read to be judged; a larger one is reported and blocks."""

Listing = Callable[[str], dict[str, TreeEntry]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Differences between two trees and the documents needed to judge them.

    `changed` are the paths that hold new content; `documents` are those and the untouched files of their skills;
    `old` and `new` map memory, settings and waiver paths to their bytes before and after. `origins` are the folders of
    installed skills with the trust in their source, as the lock file says afterwards; read where skills are touched.
    """

    differences: tuple[Difference, ...]
    documents: tuple[Document, ...]
    changed: frozenset[str]
    old: dict[str, bytes]
    new: dict[str, bytes]
    too_large: tuple[tuple[str, int], ...] = ()
    not_scanned: tuple[Skipped, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def touched(self) -> frozenset[str]:
        """Return the paths that differ and are judged, and those that are gone: a skill without a file is another."""
        return self.changed | {row.path for row in self.differences if not row.id_after}


def build(
    repo: Repository,
    differences: Sequence[Difference],
    listing: Listing,
    settings: Settings,
    objects: Objects | None = None,
) -> Proposal:
    """Read what is needed to judge the differences; `listing` lists the proposed tree below a folder.

    `objects` is a reader that the caller keeps open over several proposals.
    """
    with contextlib.nullcontext(objects) if objects else Objects(repo) as source:
        return _build(source, differences, listing, settings)


def _build(objects: Objects, differences: Sequence[Difference], listing: Listing, settings: Settings) -> Proposal:
    entries = {row.path: TreeEntry(row.mode_after, row.id_after) for row in differences if row.id_after}
    around = _skill_files(differences, listing, settings)
    locked = around.pop(lock.path(settings), None)
    wanted = {**around, **entries}
    roots = skill_roots([*wanted, *(row.path for row in differences)])
    in_scope = {
        path: entry
        for path, entry in wanted.items()
        if settings.gate.scope == "all" or place(path, settings, roots).area != "other"
    }
    aside = sorted(set(entries) - set(in_scope))
    documents, too_large = _load(objects, in_scope)
    return Proposal(
        tuple(differences),
        documents,
        frozenset(path for path in entries if path in in_scope),
        *_sides(objects, differences, settings, documents),
        too_large,
        tuple(Skipped(path, "outside gate.scope = knowledge") for path in aside),
        _origins(objects, locked, settings),
    )


def _origins(objects: Objects, locked: TreeEntry | None, settings: Settings) -> dict[str, str]:
    """Read the lock file; one that is a link or too large is one that cannot be read."""
    if locked is None:
        return {}
    is_file = locked.mode.startswith("100")
    return lock.origins(objects.fetch(locked.id, limit=lock.MAX_BYTES)[1] if is_file else None, settings)


def compared(repo: Repository, differences: Sequence[Difference], settings: Settings) -> Proposal:
    """Read only the files whose content before and after is compared: enough to judge intent, no scan possible."""
    wanted = {
        row.path: TreeEntry(row.mode_after, row.id_after)
        for row in differences
        if row.id_after and place(row.path, settings).area in COMPARED
    }
    with Objects(repo) as objects:
        documents, too_large = _load(objects, wanted)
        sides = _sides(objects, differences, settings, documents)
    return Proposal(tuple(differences), (), frozenset(), *sides, too_large)


def _skill_files(differences: Sequence[Difference], listing: Listing, settings: Settings) -> dict[str, TreeEntry]:
    """List all files of the skills that differences touch, every SKILL.md of the same names, and the lock file."""
    folders = (settings.paths.skills, settings.paths.archive)
    touched = [row.path for row in differences if any(row.path.startswith(f"{folder}/") for folder in folders)]
    if not touched:
        return {}
    found: dict[str, TreeEntry] = {}
    for folder in folders:
        if any(path.startswith(f"{folder}/") for path in touched):
            found |= listing(folder)
    roots = skill_roots(found)
    hit = {root for root in roots if any(path.startswith(f"{root}/") for path in touched)}
    names = {root.rsplit("/", 1)[-1] for root in hit}
    twins = {root for root in roots - hit if root.rsplit("/", 1)[-1] in names}
    inside = tuple(f"{root}/" for root in hit)
    mains = {lock.path(settings), *(f"{root}/SKILL.md" for root in twins)}
    return {path: entry for path, entry in found.items() if path.startswith(inside) or path in mains}


Loaded = tuple[tuple[Document, ...], tuple[tuple[str, int], ...]]
"""Documents sorted by path, and `(path, size)` of what is too large to be read."""


def load(repo: Repository, entries: dict[str, TreeEntry]) -> Loaded:
    """Read tree entries as documents, sorted by path; those larger than the limit come back as `(path, size)`."""
    with Objects(repo) as objects:
        return _load(objects, entries)


def _load(objects: Objects, entries: dict[str, TreeEntry]) -> Loaded:
    documents, too_large = [], []
    for path in sorted(entries):
        entry = entries[path]
        if entry.mode == MODE_GITLINK:
            documents.append(Document(path, entry.id.encode(), entry.mode))
            continue
        size, data = objects.fetch(entry.id, limit=MAX_BYTES)
        if data is None:
            too_large.append((path, size))
        else:
            documents.append(Document(path, data, entry.mode, blob=entry.id))
    return tuple(documents), tuple(too_large)


def _sides(
    objects: Objects, differences: Iterable[Difference], settings: Settings, documents: Iterable[Document]
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the bytes before and after of the files whose content the gate compares, not only scans."""
    rows = {row.path: row for row in differences if place(row.path, settings).area in COMPARED}
    files = {path: row.id_before for path, row in rows.items() if row.mode_before.startswith("100")}
    before = {path: objects.fetch(object_id, limit=8 * MAX_BYTES)[1] for path, object_id in files.items()}
    old = {path: data for path, data in before.items() if data is not None}
    new = {document.path: document.data for document in documents if document.path in rows}
    return old, new


COMPARED = ("memory", "archived-memory", "settings", "waivers")
