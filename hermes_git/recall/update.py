"""Bringing the index up to date: the difference between what there is and what is indexed, by blob id."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from hermes_git.errors import UserError
from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.layout import skill_roots
from hermes_git.recall import index, merging
from hermes_git.recall.index import Place, Writer
from hermes_git.recall.manifest import Damaged, Manifest
from hermes_git.recall.passage import Passage, cut, session_units
from hermes_git.recall.source import (
    Key,
    Source,
    commit_source,
    commit_unit,
    knowledge_keys,
    knowledge_source,
    session_source,
    units_of,
)
from hermes_git.recall.texts import RepositoryTexts, commits
from hermes_git.sessions.store import SESSIONS, SUFFIX, open_store
from hermes_git.settings import Settings

MAX_COMMITS = 20_000
"""Commits whose messages are searched, newest first."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Update:
    """What an update did, or why it did nothing; `note` is a sentence for the person at the keyboard."""

    added: int = 0
    removed: int = 0
    total: int = 0
    unreadable: tuple[str, ...] = ()
    note: str = ""


class Wanted:
    """What should be in the index of a repository: its sources by key, and the revisions they come from."""

    def __init__(self, repo: Repository, settings: Settings) -> None:
        self.repo, self.settings = repo, settings
        self.store = open_store(repo, settings)
        self.head = read.head(repo) or ""
        self.roots: frozenset[str] = frozenset()
        self.state = self._state()

    def _state(self) -> str:
        """Return a digest of the revisions and settings that decide which sources there are.

        It is taken before they are listed: what is stored in between makes the next update look again.
        """
        parts = (self.store.place.name, self.store.revision, self.head, repr(self.settings.paths))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    def keys(self) -> set[Key]:
        """Return the keys of all sources."""
        listed = self.store.files(SESSIONS).items()
        found = {Key("session", blob, path) for path, blob in listed if path.endswith(SUFFIX)}
        if self.head:
            paths = self.settings.paths
            tree = read.tree(self.repo, self.head, paths.memory, paths.skills, paths.archive)
            self.roots = skill_roots(tree)
            found |= set(knowledge_keys({path: (entry.mode, entry.id) for path, entry in tree.items()}, self.settings))
            newest = run.text(self.repo.git("rev-list", f"--max-count={MAX_COMMITS}", self.head)).split()
            found |= {Key("commit", commit, "") for commit in newest}
        return found


def bring_up_to_date(
    repo: Repository, settings: Settings, *, wait: float = 10.0, progress: Progress | None = None, fully: bool = False
) -> Update:
    """Add what is new and drop what is gone; rebuild what is damaged or missing. Cheap when nothing changed.

    `fully` also merges segments that are many. Errors: `UserError` when the lock is held longer than `wait`
    seconds; `OSError` when the folder cannot be written.
    """
    place = index.place_of(repo)
    wanted = Wanted(repo, settings)
    found, note = trusted(place.folder)
    if found is not None and found.state == wanted.state and not (fully and merging.due(found)):
        return Update()
    with index.writing(place, wait=wait, afresh=bool(note)) as writer:
        done = _write(writer, wanted, progress)
        writer.settle(fully=fully)
        writer.commit(wanted.state)
    return replace(done, note=note or ("" if found else "the index was built"))


def rebuild(repo: Repository, settings: Settings, *, wait: float = 10.0, progress: Progress | None = None) -> Update:
    """Build the index from nothing; until it is done the old one answers."""
    wanted = Wanted(repo, settings)
    with index.writing(index.place_of(repo), wait=wait, afresh=True) as writer:
        done = _write(writer, wanted, progress, keep=False)
        writer.commit(wanted.state)
    index.sweep_others(repo.state)
    return done


def optimize(repo: Repository, *, wait: float = 10.0) -> Manifest:
    """Merge each shelf into one segment."""
    with index.writing(index.place_of(repo), wait=wait) as writer:
        writer.optimize()
        done = writer.commit(writer.manifest.state)
    index.sweep_others(repo.state)
    return done


def build_aside(repo: Repository, settings: Settings, place: Place, progress: Progress | None = None) -> Update:
    """Build an index in another place, for a repository whose own cannot be written."""
    wanted = Wanted(repo, settings)
    with index.writing(place, wait=0.0) as writer:
        done = _write(writer, wanted, progress)
        writer.commit(wanted.state)
    return done


def trusted(folder: Path) -> tuple[Manifest | None, str]:
    """Return the manifest if every file it names is as written; else None and a sentence that says what is wrong."""
    try:
        found = index.load(folder)
        for file in found.files if found else ():
            index.check(folder, file)
    except Damaged as damage:
        return None, f"the index was damaged ({damage}) and has been rebuilt"
    return found, ""


def _write(writer: Writer, wanted: Wanted, progress: Progress | None, *, keep: bool = True) -> Update:
    """Drop and add sources; with `keep` each full segment is committed, so that a killed build is not lost."""
    known = set(writer.keys())
    keys = wanted.keys()
    gone, fresh = known - keys, sorted(keys - known, key=lambda key: (key.kind, key.path, key.blob))
    writer.drop(gone)
    texts = RepositoryTexts(wanted.repo, wanted.store)
    unreadable: list[str] = []
    try:
        for number, (source, passages, problem) in enumerate(_load(fresh, wanted, texts), start=1):
            if writer.add(source, passages) and keep:
                writer.commit()
            if problem:
                unreadable.append(problem)
            if progress:
                progress(number, len(fresh))
    finally:
        texts.close()
    return Update(len(fresh), len(gone), len(keys), tuple(unreadable))


Loaded = tuple[Source, list[Passage], str]


def _load(keys: list[Key], wanted: Wanted, texts: RepositoryTexts) -> Iterator[Loaded]:
    """Yield each source with its passages, and what is wrong with it if it cannot be read."""
    for key in keys:
        if key.kind != "commit":
            try:
                yield _load_file(key, wanted, texts)
            except UserError as error:
                yield Source(*key, id=key.path, problem=str(error)), [], str(error)
    for commit in commits(wanted.repo, [key.blob for key in keys if key.kind == "commit"]):
        when = datetime.fromtimestamp(commit.time, UTC).isoformat().replace("+00:00", "Z")
        key = Key("commit", commit.id, "")
        yield commit_source(key, commit, when), list(cut([commit_unit(commit)])), ""


def _load_file(key: Key, wanted: Wanted, texts: RepositoryTexts) -> Loaded:
    if key.kind == "session":
        session = texts.session(key)
        return session_source(key, session), list(cut(session_units(session))), ""
    units = units_of(key, texts.data(key))
    source = knowledge_source(key, wanted.settings, wanted.roots, units)
    return source, list(cut(units, apart=True)), ""
