"""What can be said about an index: what it holds against what there is, and whether its files are sound."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hermes_git.gitrepo.repository import Repository
from hermes_git.recall import index
from hermes_git.recall.manifest import Damaged, Manifest
from hermes_git.recall.update import Wanted
from hermes_git.sessions.store import absent
from hermes_git.settings import Settings


def status(repo: Repository, settings: Settings) -> dict[str, Any]:
    """Return counts of what is indexed and of what there is, sizes, and the damage that shows without reading."""
    return _report(repo, settings, fully=False)


def verify(repo: Repository, settings: Settings) -> dict[str, Any]:
    """Return the same after reading every file and comparing its digest."""
    return _report(repo, settings, fully=True)


def _report(repo: Repository, settings: Settings, *, fully: bool) -> dict[str, Any]:
    place = index.place_of(repo)
    there = Wanted(repo, settings)
    wanted, folder = there.keys(), absent(there.store)
    damage, found = _damage(repo, fully=fully)
    sources = [] if found is None or damage else list(index.listed(place.folder, found.segments))
    known = {source.key for source in sources}
    return {
        "folder": str(place.folder),
        "engine": place.engine,
        "sources": len(wanted),
        "indexed": len(known),
        "missing": len(wanted - known),
        "surplus": len(known - wanted),
        "by_kind": dict(sorted(Counter(key.kind for key in known).items())),
        "unreadable": [
            *([f"{folder}: the folder of sessions is not there"] if folder else []),
            *sorted(source.problem for source in sources if source.problem),
        ],
        "segments": len(found.segments) if found else 0,
        "passages": sum(segment.passages - segment.dead_passages for segment in found.segments) if found else 0,
        "bytes": sum(file.bytes for file in found.files) if found else 0,
        "damage": damage,
    }


def _damage(repo: Repository, *, fully: bool) -> tuple[list[str], Manifest | None]:
    """Return everything that is wrong with the files, and the manifest if there is one."""
    folder = index.place_of(repo).folder
    try:
        found = index.load(folder)
    except Damaged as damage:
        return [str(damage)], None
    said = []
    for file in found.files if found else ():
        try:
            index.check(folder, file, fully=fully)
        except Damaged as damage:
            said.append(str(damage))
    return said, found
