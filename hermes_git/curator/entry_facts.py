"""Gather what is known of each memory entry: its past, its uses, and whether what it names still exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from hermes_git.curator.facts import DAY, EntryFacts
from hermes_git.curator.tree import Tree
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.knowledge import entries
from hermes_git.knowledge.entries import Entry
from hermes_git.knowledge.layout import TARGETS, memory_path
from hermes_git.provenance import anchors
from hermes_git.provenance.anchors import ALIVE, GONE, UNKNOWN, Anchor
from hermes_git.provenance.entry_history import Origin, blame, load
from hermes_git.provenance.ledger import Use
from hermes_git.settings import Settings

HERE = "."
REPOSITORY_KEY = "hermes-git.repository."


def listed(tree: Tree, settings: Settings) -> Iterator[tuple[str, str, Entry]]:
    """Yield target, path and entry of every entry of the memory files in a tree."""
    for target in TARGETS:
        path = memory_path(settings, target)
        document = tree.document(path)
        for entry in entries.parse(document.text).entries if document else ():
            yield target, path, entry


def gather(
    repo: Repository, base: str, tree: Tree, uses: Mapping[str, tuple[Use, ...]], settings: Settings, *, now: int
) -> tuple[tuple[EntryFacts, ...], tuple[str, ...]]:
    """Return the facts of every entry, and sentences about repositories that could not be looked into."""
    rows = list(listed(tree, settings))
    if not rows:
        return (), ()
    origins = blame(load(repo, base))
    named = {entry.text: anchors.find(entry.text) for _, _, entry in rows}
    states, missing = states_of({anchor for found in named.values() for anchor in found}, repo, settings)
    facts = []
    for target, path, entry in rows:
        changed, author = _past(origins.get(entry.text), now)
        pairs = tuple((anchor, states.get(anchor, UNKNOWN)) for anchor in named[entry.text])
        facts.append(EntryFacts(entry, path, target, changed, author, uses.get(entry.id, ()), pairs))
    return tuple(facts), missing


def _past(origin: Origin | None, now: int) -> tuple[int, str]:
    if origin is None or origin.step.time > now + DAY:
        return 0, origin.actor.kind if origin else "unknown"
    return min(origin.step.time, now), origin.actor.kind


def states_of(
    wanted: Iterable[Anchor], repo: Repository, settings: Settings
) -> tuple[dict[Anchor, str], tuple[str, ...]]:
    """Look anchors up in every repository that the settings name; alive in one is alive, gone needs one that had it."""
    every = tuple(wanted)
    found: dict[Anchor, str] = {}
    missing = []
    paths = settings.paths
    own = (paths.memory, paths.archive, paths.curator, paths.skills)
    for name in settings.curator.repositories if every else ():
        try:
            other = repo if name == HERE else require(_folder(repo, name), clean=True)
        except UserError as error:
            missing.append(f"repository {name} was not looked into: {error.message}")
            continue
        for anchor, state in anchors.check(other, every, own if name == HERE else ()).items():
            found[anchor] = _stronger(found.get(anchor, UNKNOWN), state)
    return found, tuple(missing)


def _stronger(one: str, other: str) -> str:
    return next(state for state in (ALIVE, GONE, UNKNOWN) if state in (one, other))


def _folder(repo: Repository, name: str) -> Path:
    """Return where the user says a named repository is; a file of the repository must not choose a folder."""
    where = read.config(repo).get(f"{REPOSITORY_KEY}{name}")
    if not where:
        raise UserError(f"your configuration does not say where it is (git config {REPOSITORY_KEY}{name} FOLDER)")
    folder = Path(where).expanduser()
    if not folder.is_dir():
        raise UserError(f"there is no folder {folder}")
    return folder
