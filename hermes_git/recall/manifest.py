"""The catalogue of an index: which segments it has, what is in them, and the digest of every file (no pickle)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import overload

import msgspec

from hermes_git.recall.source import Key, Source

NAME = "manifest.json"
FORMAT = 1


class Damaged(Exception):
    """The index on disk is not what was written: which file, and how that shows."""


class FileRecord(msgspec.Struct, frozen=True):
    """One file of the index: name, size, SHA-256, and the marks by which the file system shows that it was touched."""

    name: str
    bytes: int
    sha256: str
    mark: str = ""


class SegmentRecord(msgspec.Struct, frozen=True):
    """One segment: its shelf, its totals, its two files, and the ordinals of sources that are gone."""

    name: str
    shelf: str
    passages: int
    words: int
    sources: int
    data: FileRecord
    table: FileRecord
    dead: tuple[int, ...] = ()
    dead_passages: int = 0


class Manifest(msgspec.Struct, frozen=True):
    """The whole catalogue.

    `state` names the revisions that the segments cover, "" while a build is unfinished; `problems` say which sources
    could not be read.
    """

    schema: str
    generation: int = 0
    state: str = ""
    problems: tuple[str, ...] = ()
    segments: tuple[SegmentRecord, ...] = ()
    format: int = FORMAT
    engine: str = "whoosh"
    extra: tuple[FileRecord, ...] = ()

    @property
    def files(self) -> tuple[FileRecord, ...]:
        """Return the records of all files, each once; `extra` are those of an engine that keeps its own segments."""
        listed = [file for segment in self.segments for file in (segment.data, segment.table)]
        return tuple({file.name: file for file in (*listed, *self.extra)}.values())


class _KeyOfSource(msgspec.Struct):
    kind: str
    blob: str
    path: str = ""


_DECODER = msgspec.json.Decoder(Manifest)
_SOURCE = msgspec.json.Decoder(Source)
_KEY = msgspec.json.Decoder(_KeyOfSource)


def encode(manifest: Manifest) -> bytes:
    """Write a manifest as one JSON line and a second line with that line's SHA-256."""
    line = msgspec.json.encode(manifest)
    return line + b"\n" + hashlib.sha256(line).hexdigest().encode("ascii") + b"\n"


def decode(data: bytes) -> Manifest:
    """Read a manifest; `Damaged` if it is torn, altered, or of another format."""
    line, _, digest = data.partition(b"\n")
    if hashlib.sha256(line).hexdigest().encode("ascii") != digest.strip():
        raise Damaged(f"{NAME} is not what was written")
    try:
        found = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"{NAME}: {error}") from error
    if found.format != FORMAT:
        raise Damaged(f"{NAME} has format {found.format}, this tool writes {FORMAT}")
    return found


def encode_sources(sources: list[Source]) -> bytes:
    """Write the table of a segment's sources, one JSON line each."""
    return b"".join(msgspec.json.encode(source) + b"\n" for source in sources)


class SourceTable(Sequence[Source]):
    """The sources of a segment, each decoded when it is first asked for."""

    def __init__(self, data: bytes) -> None:
        self._lines = data.split(b"\n")[:-1]
        self._decoded: dict[int, Source] = {}

    def __len__(self) -> int:
        return len(self._lines)

    def keys(self, dead: Collection[int]) -> Iterator[Key]:
        """Yield the keys of the living sources, read without the rest."""
        try:
            for at, line in enumerate(self._lines):
                if at not in dead:
                    found = _KEY.decode(line)
                    yield Key(found.kind, found.blob, found.path)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Damaged(f"a table of sources: {error}") from error

    def problems(self, dead: Collection[int]) -> Iterator[str]:
        """Yield what is wrong with the living sources that could not be read."""
        for at, line in enumerate(self._lines):
            if b'"problem":' in line and at not in dead and self[at].problem:
                yield self[at].problem

    @overload
    def __getitem__(self, at: int) -> Source: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Source]: ...

    def __getitem__(self, at: int | slice) -> Source | Sequence[Source]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        if at not in self._decoded:
            try:
                self._decoded[at] = _SOURCE.decode(self._lines[at])
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise Damaged(f"a table of sources: {error}") from error
        return self._decoded[at]
