"""The index on disk, and the only place of recall that touches files: open, check, write, merge, clean up.

The folder lies under git's own folder and is a projection: it may be deleted at any time. Its name holds a digest of
everything that decides the files' content, so another version of this tool starts its own. The manifest is replaced
atomically after the files it names are on disk; what it does not name is rubbish. No file is opened before its marks
(size, times, inode), or else its SHA-256, agree with the manifest.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import whoosh
from whoosh.codec.whoosh3 import W3Codec, W3Segment

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.recall import analyze, pairs, passage, segment_write
from hermes_git.recall import manifest as catalogue
from hermes_git.recall.engine import Engine
from hermes_git.recall.engine_whoosh import Opened, WhooshEngine
from hermes_git.recall.manifest import Damaged, FileRecord, Manifest, SegmentRecord
from hermes_git.recall.passage import Passage
from hermes_git.recall.segment_read import UNREADABLE, SegmentReader
from hermes_git.recall.source import KNOWLEDGE, SESSIONS, Key, Source

WHOOSH, TANTIVY = "whoosh", "tantivy"
ENGINES = (WHOOSH, TANTIVY)
ENGINE_KEY = "hermes-git.engine"
"""The user's own configuration; a file of the repository must not choose code to run."""

LOCK = "lock"
NUMBER = re.compile(r"(?:\A|_)(\d{1,15})(?:\.(?:seg|sources|toc|trm|pst|\w+\.col)|-\w+)\Z")
SHELVES = (SESSIONS, KNOWLEDGE)
TOOL_LENGTH = 2
"""A passage of tool output counts as this many times longer than it is, which is what lowers its weight."""


def schema_name(engine: str = WHOOSH) -> str:
    """Return the digest of everything that decides what the files hold, which is the name of their folder."""
    parts = (
        engine,
        catalogue.FORMAT,
        analyze.VERSION,
        passage.VERSION,
        pairs.VERSION,
        whoosh.versionstring(),
        sys.byteorder,
        TOOL_LENGTH,
    )
    return hashlib.sha256(repr(parts).encode("ascii")).hexdigest()[:12]


def folder_of(state: Path, engine: str = WHOOSH) -> Path:
    """Return the folder of the index below a repository's folder of projections."""
    return state / "index" / schema_name(engine)


def place_of(repo: Repository) -> Place:
    """Return where the index of a repository is, and the engine that the user's own configuration asks for."""
    engine = read.config(repo).get(ENGINE_KEY, WHOOSH)
    if engine not in ENGINES:
        hint = f"git config {ENGINE_KEY} {WHOOSH}"
        raise UserError(f"{ENGINE_KEY} is {engine!r}, not one of {', '.join(ENGINES)}", hint=hint)
    if engine == TANTIVY and importlib.util.find_spec("tantivy") is None:
        hint = f"install it: pip install 'hermes-git[fast]', or: git config {ENGINE_KEY} {WHOOSH}"
        raise UserError("the search engine tantivy is not installed", hint=hint)
    return Place(folder_of(repo.state, engine), engine)


class Writer(Protocol):
    """Adds and drops sources; nothing counts before `commit`. Made by `writing`, which holds the lock."""

    manifest: Manifest

    def keys(self) -> Iterator[Key]:
        """Yield the keys of the sources that are alive in what was committed."""

    def add(self, source: Source, passages: Iterable[Passage]) -> bool:
        """Add a source with its passages; return whether that filled a segment, so that a commit is worth while."""

    def drop(self, keys: Collection[Key]) -> None:
        """Mark sources as gone; their passages no longer answer."""

    def settle(self, *, fully: bool) -> None:
        """Merge what has piled up: in passing little at a time, `fully` whatever is due."""

    def optimize(self) -> None:
        """Merge all that can be merged."""

    def commit(self, state: str = "") -> Manifest:
        """Write what was added, then the manifest; `state` is what the index covers now, "" if more is to come."""

    def clean(self) -> None:
        """Remove files that the manifest does not name."""


class Place(NamedTuple):
    """Where an index is, and by which engine."""

    folder: Path
    engine: str = WHOOSH


def mark(status: os.stat_result) -> str:
    """Return the marks that change whenever a file is written, replaced or copied."""
    return f"{status.st_size}-{status.st_mtime_ns}-{status.st_ctime_ns}-{status.st_ino}"


def record(path: Path) -> FileRecord:
    """Make a file durable and return its record."""
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    status = path.stat()
    return FileRecord(path.name, status.st_size, digest, mark(status))


def check(folder: Path, file: FileRecord, *, fully: bool = False) -> None:
    """Raise `Damaged` unless a file is the one that was recorded; its bytes are read only if its marks differ."""
    path = folder / file.name
    try:
        status = path.stat()
        if mark(status) == file.mark and not fully:
            return
        with path.open("rb") as stream:
            same = status.st_size == file.bytes and hashlib.file_digest(stream, "sha256").hexdigest() == file.sha256
    except FileNotFoundError:
        raise Damaged(f"{file.name} is missing") from None
    if not same:
        raise Damaged(f"{file.name} is not what was written")


def load(folder: Path) -> Manifest | None:
    """Read the manifest; None if there is no index."""
    try:
        data = (folder / catalogue.NAME).read_bytes()
    except FileNotFoundError:
        return None
    return catalogue.decode(data)


@dataclass
class Index:
    """An index open for reading: an engine for each shelf."""

    manifest: Manifest
    engines: Mapping[str, Engine]

    @classmethod
    def open(cls, place: Place) -> Index | None:
        """Open an index; None if there is none, `Damaged` if it cannot be trusted."""
        for last in (False, False, True):
            found = load(place.folder)
            if found is None:
                return None
            try:
                return cls(found, _open_all(place, found))
            except Damaged:  # unless a writer has just put newer files in the place of these
                if last or load(place.folder) == found:
                    raise
        return None

    def sources(self) -> Iterator[Source]:
        """Yield all sources that are indexed and alive."""
        for engine in self.engines.values():
            yield from engine.sources()

    def close(self) -> None:
        """Let go of all files."""
        for engine in self.engines.values():
            engine.close()


def _open_all(place: Place, found: Manifest) -> dict[str, Engine]:
    for file in found.files:
        check(place.folder, file)
    if place.engine == TANTIVY:
        from hermes_git.recall import tantivy_index

        return tantivy_index.open_engines(place.folder, found)
    shelves: dict[str, list[Opened]] = {name: [] for name in SHELVES}
    for segment in found.segments:
        shelves[segment.shelf].append(open_segment(place.folder, segment))
    return {name: WhooshEngine(opened) for name, opened in shelves.items()}


def read_table(folder: Path, segment: SegmentRecord) -> catalogue.SourceTable:
    """Read the sources of a segment."""
    return catalogue.SourceTable((folder / segment.table.name).read_bytes())


def write_table(folder: Path, name: str, table: list[Source]) -> FileRecord:
    """Write the sources of a segment and return the record of their file."""
    path = folder / f"{name}.sources"
    path.write_bytes(catalogue.encode_sources(table))
    return record(path)


def whoosh_segment(segment: SegmentRecord) -> Any:
    """Return Whoosh's own object for a segment."""
    made = W3Segment(W3Codec(), segment_write.INDEX_NAME, segment.passages, segid=segment.name)
    made.compound = True
    made._fieldlengths = {segment_write.TEXT: segment.words}
    return made


def open_segment(folder: Path, segment: SegmentRecord) -> Opened:
    """Map a segment into memory; its files have been checked."""
    stream = (folder / segment.data.name).open("rb")
    try:
        reader = SegmentReader(stream, whoosh_segment(segment))
    except UNREADABLE as error:
        stream.close()
        raise Damaged(f"{segment.data.name}: {type(error).__name__}: {error}") from error
    return Opened(reader, read_table(folder, segment), frozenset(segment.dead))


def listed(folder: Path, segments: Iterable[SegmentRecord]) -> Iterator[Source]:
    """Yield the living sources of segments, which stay unopened."""
    for segment in segments:
        table = read_table(folder, segment)
        yield from (source for at, source in enumerate(table) if at not in segment.dead)


class Busy(UserError):
    """Another process is writing the index."""


@contextlib.contextmanager
def writing(place: Place, *, wait: float, afresh: bool = False) -> Iterator[Writer]:
    """Hold the write lock and yield a writer on the index as it is now; `afresh` starts from nothing.

    Errors: `Busy` when another process holds the lock longer than `wait` seconds; `OSError` when the folder cannot
    be written.
    """
    folder = place.folder
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(files.lock(folder / LOCK, wait=wait, purpose="indexing"))
        except UserError as error:
            raise Busy(error.message, hint=error.hint) from error
        found = None if afresh else load(folder)
        writer = _writer(place, found or Manifest(schema_name(place.engine), engine=place.engine))
        if not afresh:
            writer.clean()
        yield writer


def _writer(place: Place, found: Manifest) -> Writer:
    """Return the writer of an engine; both modules know this one, so they are imported here."""
    if place.engine == TANTIVY:
        from hermes_git.recall import tantivy_index

        return tantivy_index.TantivyWriter(place.folder, found)
    from hermes_git.recall.writer import WhooshWriter

    return WhooshWriter(place.folder, found)


def last_number(folder: Path) -> int:
    """Return the highest number that a file of the folder bears, so that no name is used twice."""
    numbers = (NUMBER.search(path.name) for path in folder.iterdir())
    return max((int(found.group(1)) for found in numbers if found), default=0)


def sweep(folder: Path, kept: Collection[str]) -> None:
    """Remove what is not to be kept; what another process holds open may stay a while."""
    for path in folder.iterdir():
        if path.name not in kept and path.name not in (catalogue.NAME, LOCK):
            with contextlib.suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def sweep_others(state: Path) -> None:
    """Remove the indexes that other versions of this tool left."""
    sweep(state / "index", {schema_name(engine) for engine in ENGINES})


def new_folder(folder: Path) -> Path:
    """Make a folder inside that of an index."""
    folder.mkdir(exist_ok=True)
    return folder


@contextlib.contextmanager
def temporary() -> Iterator[Place]:
    """Yield a place for an index that cannot be kept, and remove it afterwards."""
    with tempfile.TemporaryDirectory(prefix="hermes-git-index-") as name:
        yield Place(Path(name))
