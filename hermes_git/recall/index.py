"""The index on disk, and the only place of recall that touches files: open, check, write, merge, clean up.

The folder lies under git's own folder and is a projection: it may be deleted at any time. Its name holds a digest of
everything that decides the files' content, so another version of this tool starts its own. The manifest is replaced
atomically after the files it names are on disk; what it does not name is rubbish. No file is opened before its marks
(size, times, inode), or else its SHA-256, agree with the manifest.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import whoosh
from whoosh.codec.whoosh3 import W3Codec, W3Segment
from whoosh.filedb.filestore import FileStorage
from whoosh.index import TOC

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.recall import analyze, pairs, passage, segment_write
from hermes_git.recall import manifest as catalogue
from hermes_git.recall.engine_whoosh import Opened, WhooshEngine
from hermes_git.recall.manifest import Damaged, FileRecord, Manifest, SegmentRecord
from hermes_git.recall.passage import TOOL, Passage
from hermes_git.recall.segment_merge import merge
from hermes_git.recall.segment_read import UNREADABLE, SegmentReader
from hermes_git.recall.source import KNOWLEDGE, SESSIONS, Key, Source

LOCK = "lock"
NUMBER = re.compile(r"(?:\A|_)(\d{1,15})\.(?:seg|sources|toc|trm|pst|\w+\.col)\Z")
MAX_POSTINGS = 1_500_000
"""Postings held in memory before a segment is written; this bounds the memory of indexing."""

SHELVES = (SESSIONS, KNOWLEDGE)
TOOL_LENGTH = 2
"""A passage of tool output counts as this many times longer than it is, which is what lowers its weight."""


def schema_name() -> str:
    """Return the digest of everything that decides what the files hold, which is the name of their folder."""
    parts = (
        catalogue.FORMAT,
        analyze.VERSION,
        passage.VERSION,
        pairs.VERSION,
        whoosh.versionstring(),
        sys.byteorder,
        TOOL_LENGTH,
    )
    return hashlib.sha256(repr(parts).encode("ascii")).hexdigest()[:12]


def folder_of(state: Path) -> Path:
    """Return the folder of the index below a repository's folder of projections."""
    return state / "index" / schema_name()


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
    """An index open for reading, by shelf."""

    manifest: Manifest
    shelves: Mapping[str, list[Opened]]

    @classmethod
    def open(cls, folder: Path) -> Index | None:
        """Open an index; None if there is none, `Damaged` if it cannot be trusted."""
        for last in (False, False, True):
            found = load(folder)
            if found is None:
                return None
            try:
                return cls(found, _open_all(folder, found))
            except Damaged:  # unless a writer has just put newer files in the place of these
                if last or load(folder) == found:
                    raise
        return None

    @functools.cached_property
    def engines(self) -> Mapping[str, WhooshEngine]:
        """The engine of each shelf."""
        return {name: WhooshEngine(opened) for name, opened in self.shelves.items()}

    def sources(self) -> Iterator[Source]:
        """Yield all sources that are indexed and alive."""
        for engine in self.engines.values():
            yield from engine.sources()

    def close(self) -> None:
        """Let go of all files."""
        for opened in self.shelves.values():
            for segment in opened:
                segment.reader.close()


def _open_all(folder: Path, found: Manifest) -> dict[str, list[Opened]]:
    shelves: dict[str, list[Opened]] = {name: [] for name in SHELVES}
    for segment in found.segments:
        check(folder, segment.data)
        check(folder, segment.table)
        shelves[segment.shelf].append(open_segment(folder, segment))
    return shelves


def read_table(folder: Path, segment: SegmentRecord) -> catalogue.SourceTable:
    """Read the sources of a segment."""
    return catalogue.SourceTable((folder / segment.table.name).read_bytes())


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


class Writer:
    """Adds and drops sources; nothing counts before `commit`. Made by `writing`, which holds the lock."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self.storage = FileStorage(str(folder))
        self._segments = list(manifest.segments)
        self._generation = max(manifest.generation, _last_generation(folder))
        self._builders: dict[str, segment_write.SegmentBuilder] = {}
        self._tables: dict[str, list[Source]] = {}

    def _name(self) -> str:
        self._generation += 1
        return f"{self._generation:08d}"

    def sources(self) -> Iterator[Source]:
        """Yield the sources that are alive in the segments on disk."""
        return _alive(self.folder, self._segments)

    def add(self, source: Source, passages: Iterable[Passage]) -> bool:
        """Add a source with its passages; return whether that filled a segment, which was written out."""
        shelf = source.key.shelf
        if shelf not in self._builders:
            self._builders[shelf] = segment_write.SegmentBuilder(self.storage, self._name())
        builder, table = self._builders[shelf], self._tables.setdefault(shelf, [])
        first = len(builder.rows)
        for piece in passages:
            words = analyze.words(piece.text)
            length = len(words) * TOOL_LENGTH if piece.lane == TOOL else len(words)
            place, signature = passage.pack(piece.spans), pairs.signature(words)
            row = segment_write.Row(length, place, len(table), piece.time, signature)
            builder.add(analyze.term_counts(words), piece.tags, row)
        table.append(msgspec.structs.replace(source, first=first, count=len(builder.rows) - first))
        full = builder.postings > MAX_POSTINGS
        if full:
            self._flush(shelf)
        return full

    def _flush(self, shelf: str) -> None:
        builder, table = self._builders.pop(shelf), self._tables.pop(shelf)
        if not builder.rows:  # a segment needs one passage, and an empty source must be remembered too
            builder.add({}, (), segment_write.Row(0, b"", 0, 0))
        self._register(builder.finish(), shelf, table)

    def _register(self, segment: Any, shelf: str, table: list[Source]) -> SegmentRecord:
        name = segment.segid
        table_path = self.folder / f"{name}.sources"
        table_path.write_bytes(catalogue.encode_sources(table))
        data = self.folder / segment.make_filename(segment.COMPOUND_EXT)
        words = segment._fieldlengths[segment_write.TEXT]
        made = SegmentRecord(name, shelf, segment.doc_count_all(), words, len(table), record(data), record(table_path))
        self._segments.append(made)
        return made

    def drop(self, keys: Collection[Key]) -> None:
        """Mark sources as gone; their passages no longer answer and are left out of the next merge."""
        for at, segment in enumerate(self._segments):
            table = read_table(self.folder, segment)
            gone = {number for number, source in enumerate(table) if source.key in keys} - set(segment.dead)
            if gone:
                dead = tuple(sorted({*segment.dead, *gone}))
                passages = sum(table[number].count for number in dead)
                self._segments[at] = msgspec.structs.replace(segment, dead=dead, dead_passages=passages)
        self._segments = [segment for segment in self._segments if len(segment.dead) < segment.sources]

    def merge(self, names: Collection[str]) -> None:
        """Replace segments of one shelf by one that holds what is alive in them, term by term."""
        chosen = [segment for segment in self._segments if segment.name in names]
        opened = [open_segment(self.folder, segment) for segment in chosen]
        made, table = merge(self.storage, self._name(), opened)
        for segment in opened:
            segment.reader.close()
        self._segments = [segment for segment in self._segments if segment.name not in names]
        if made is not None:
            self._register(made, chosen[0].shelf, table)

    def commit(self, state: str = "") -> Manifest:
        """Write what was added, then the manifest; `state` is what the index covers now, "" if more is to come."""
        for shelf in sorted(self._builders):
            self._flush(shelf)
        self._generation += 1
        segments = tuple(self._segments)
        tables = [(read_table(self.folder, segment), segment.dead) for segment in segments]
        problems = tuple(sorted(problem for table, dead in tables for problem in table.problems(dead)))
        self.manifest = Manifest(self.manifest.schema, self._generation, state, problems, segments)
        made = [whoosh_segment(segment) for segment in segments]
        for segment, kept in zip(made, segments, strict=True):
            segment._deleted = set(_dead_passages(self.folder, kept)) if kept.dead else None
        TOC(segment_write.schema(), made, self._generation).write(self.storage, segment_write.INDEX_NAME)
        files.write_atomic(self.folder / catalogue.NAME, catalogue.encode(self.manifest))
        self.clean()
        return self.manifest

    @property
    def segments(self) -> tuple[SegmentRecord, ...]:
        """Return the segments as they will be after `commit`, those still in memory left out."""
        return tuple(self._segments)

    def clean(self) -> None:
        """Remove files that the manifest does not name; one that another process holds open may stay a while."""
        kept = {catalogue.NAME, LOCK, f"_{segment_write.INDEX_NAME}_{self._generation}.toc", *self.manifest.files}
        for path in self.folder.iterdir():
            if path.name not in kept:
                with contextlib.suppress(OSError):
                    path.unlink()


def _dead_passages(folder: Path, segment: SegmentRecord) -> Iterator[int]:
    table = read_table(folder, segment)
    for number in segment.dead:
        yield from range(table[number].first, table[number].first + table[number].count)


def listed(folder: Path, found: Manifest) -> Iterator[Source]:
    """Yield the sources that an index holds, its segments unopened."""
    return _alive(folder, found.segments)


def _alive(folder: Path, segments: Iterable[SegmentRecord]) -> Iterator[Source]:
    for segment in segments:
        table = read_table(folder, segment)
        yield from (source for at, source in enumerate(table) if at not in segment.dead)


class Busy(UserError):
    """Another process is writing the index."""


@contextlib.contextmanager
def writing(folder: Path, *, wait: float, afresh: bool = False) -> Iterator[Writer]:
    """Hold the write lock and yield a writer on the index as it is now; `afresh` starts from nothing.

    Errors: `Busy` when another process holds the lock longer than `wait` seconds; `OSError` when the folder cannot
    be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(files.lock(folder / LOCK, wait=wait, purpose="indexing"))
        except UserError as error:
            raise Busy(error.message, hint=error.hint) from error
        found = None if afresh else load(folder)
        writer = Writer(folder, found or Manifest(schema_name()))
        if not afresh:
            writer.clean()
        yield writer


def _last_generation(folder: Path) -> int:
    """Return the highest number that a file of the folder bears, so that no name is used twice."""
    numbers = (NUMBER.search(path.name) for path in folder.iterdir())
    return max((int(found.group(1)) for found in numbers if found), default=0)


@contextlib.contextmanager
def temporary() -> Iterator[Path]:
    """Yield a folder for an index that cannot be kept, and remove it afterwards."""
    with tempfile.TemporaryDirectory(prefix="hermes-git-index-") as name:
        yield Path(name)
