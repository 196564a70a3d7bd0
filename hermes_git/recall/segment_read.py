"""Reading a segment in Whoosh's W3 format without copying it, and scoring it term at a time.

Whoosh copies every part of a compound file into memory when it opens it, and scores posting by posting through six
calls each. Here the parts are views of one memory map, and a whole block is decoded and scored at once; the scores
are those of Whoosh's own BM25F. Whoosh's files hold pickles; they are read with a reader that knows numbers, text
and tuples only, so an index file can be wrong, but it cannot run anything.
"""

from __future__ import annotations

import functools
import mmap
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import accumulate
from pickle import Unpickler, UnpicklingError
from typing import Any, NamedTuple

from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.compound import CompoundStorage
from whoosh.filedb.filetables import FileFormatError, OrderedHashReader
from whoosh.filedb.structfile import BufferFile, StructFile
from whoosh.system import pack_ushort, unpack_int, unpack_long

from hermes_git.recall.segment_write import COLUMNS, TERM_INFO, TEXT

UNREADABLE = (
    *(zlib.error, UnpicklingError, struct.error, FileFormatError, EOFError, OSError),
    *(LookupError, ValueError, TypeError, AttributeError),
)
"""What reading a file raises whose bytes are not what was written."""

Weights = float | Sequence[float]
Block = tuple[Sequence[int], Weights]
"""Increasing passage numbers and their weights; a float stands for the same weight throughout."""


class Posting(NamedTuple):
    """Where the postings of one term are: how many passages, the heaviest weight, and the bytes that say more."""

    passages: int
    inline: bytes
    offset: int
    size: int


RECORD = struct.Struct("!ii")
"""How the dictionary file begins a record: the lengths of its key and of its value."""


class PlainReader(Unpickler):
    """A reader of pickles that makes plain values and refuses every name of a class or function."""

    def find_class(self, module: str, name: str) -> Any:
        """Refuse."""
        raise UnpicklingError(f"an index file names {module}.{name}")


def plain(data: bytes) -> Any:
    """Read one pickle of plain values."""
    return PlainReader(BytesIO(data)).load()


class _View:
    """A file over a buffer that copies only what is read."""

    def __init__(self, buffer: memoryview) -> None:
        self.buffer, self.at = buffer, 0

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = offset + (0, self.at, len(self.buffer))[whence]
        return self.at

    def tell(self) -> int:
        return self.at

    def read(self, size: int | None = None) -> bytes:
        end = len(self.buffer) if size is None or size < 0 else self.at + size
        data = bytes(self.buffer[self.at : end])
        self.at += len(data)
        return data

    def readinto(self, target: Any) -> int:
        data = self.read(len(target))
        target[: len(data)] = data
        return len(data)

    def readline(self) -> bytes:
        found = bytes(self.buffer[self.at : self.at + 4096]).find(b"\n")
        return self.read(found + 1 if found >= 0 else None)

    def close(self) -> None:
        self.buffer = memoryview(b"")


class LazyFile(BufferFile):  # type: ignore[misc]
    """Whoosh's buffer file without its copy of the buffer."""

    def __init__(self, buffer: memoryview, name: str) -> None:
        self._buf, self._name, self.file = buffer, name, _View(buffer)
        self.onclose, self.is_real, self.is_closed = None, False, False

    def read_pickle(self) -> Any:
        """Read one pickle of plain values."""
        return PlainReader(self.file).load()


class PlainFile(StructFile):  # type: ignore[misc]
    """Whoosh's structured file, whose pickles are plain values."""

    def read_pickle(self) -> Any:
        """Read one pickle of plain values."""
        return PlainReader(self.file).load()


class LazyStorage(CompoundStorage):  # type: ignore[misc]
    """Whoosh's compound file, mapped into memory and handed out in views."""

    def open_file(self, name: str, *_: Any, **__: Any) -> Any:
        """Open one part as a view of the map."""
        offset, length = self.range(name)
        return LazyFile(memoryview(self._source)[offset : offset + length], name)


class SegmentReader:
    """One segment, open for reading: its dictionary, its postings, its columns. `stream` is its open binary file."""

    def __init__(self, stream: Any, segment: Any) -> None:
        self.segment = segment
        self.passages: int = segment.doc_count_all()
        self.words: int = segment._fieldlengths.get(TEXT, 0)
        self.storage = LazyStorage(PlainFile(stream))
        name = segment.make_filename(W3Codec.TERMS_EXT)
        self.dictionary = OrderedHashReader(self.storage.open_file(name), self.storage.file_length(name))
        self.fields: dict[str, int] = self.dictionary.extras["fieldmap"]
        self._postings = self.storage.open_file(segment.make_filename(W3Codec.POSTS_EXT))._buf

    def release(self) -> None:
        """Tell the system that the pages read so far need not stay in this process; reading them again is cheap."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self.storage._source.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Let go of the map; views that are still in use keep it alive until they are gone."""
        self.dictionary = self._postings = None
        self.__dict__.pop("_columns", None)
        self.storage.close()

    def _column(self, name: str, kind: Any) -> Any:
        filename = W3Codec.column_filename(self.segment, name)
        return kind.reader(self.storage.open_file(filename), 0, self.storage.file_length(filename), self.passages)

    @functools.cached_property
    def norms(self) -> bytes:
        """The length byte of each passage."""
        name = W3Codec.column_filename(self.segment, f"_{TEXT}_len")
        data = bytes(self.storage.open_file(name)._buf)
        return data + bytes(self.passages - len(data))

    @functools.cached_property
    def sources(self) -> Sequence[int]:
        """The ordinal of the source of each passage."""
        return self._numbers("source")

    @functools.cached_property
    def times(self) -> Sequence[int]:
        """When each passage was said, in Unix seconds, 0 if unknown."""
        return self._numbers("time")

    def _numbers(self, name: str) -> Sequence[int]:
        filename = W3Codec.column_filename(self.segment, name)
        file = self.storage.open_file(filename)
        stored = self.storage.file_length(filename) // 4
        found = file.get_array(0, "I", stored)
        found.extend([0] * (self.passages - stored))
        return found  # type: ignore[no-any-return]

    @functools.cached_property
    def places(self) -> Sequence[bytes]:
        """The packed spans of each passage."""
        return self._column("place", COLUMNS["place"])  # type: ignore[no-any-return]

    @functools.cached_property
    def pairs(self) -> Sequence[bytes]:
        """The signature of the pairs of words of each passage."""
        return self._column("pairs", COLUMNS["pairs"])  # type: ignore[no-any-return]

    def key(self, field: str, term: bytes = b"") -> bytes:
        """Return the dictionary key of a term; a field that the segment lacks has a key that is never found."""
        return bytes(pack_ushort(self.fields.get(field, 0xFFFF))) + term

    def posting(self, field: str, term: str) -> Posting | None:
        """Look a term up; None if no passage has it."""
        found = self.dictionary.get(self.key(field, term.encode("utf-8", "surrogatepass")))
        return None if found is None else parse_posting(found)

    def terms_from(self, field: str, start: str) -> Iterator[tuple[str, Posting]]:
        """Yield the terms of a field from `start` on, in order of their bytes."""
        key = self.key(field, start.encode("utf-8", "surrogatepass"))
        for found, value in self.dictionary.items_from(key):
            if found[:2] != key[:2]:
                return
            yield found[2:].decode("utf-8", "surrogatepass"), parse_posting(value)

    def entries(self, field: str) -> Iterator[tuple[bytes, bytes]]:
        """Yield all terms of a field as bytes, in order, with the dictionary's values."""
        prefix = self.key(field)
        at, end, buffer = (
            self.dictionary.closest_key_pos(prefix),
            self.dictionary.endofdata,
            self.dictionary.dbfile._buf,
        )
        while at is not None and at < end:
            key_length, length = RECORD.unpack_from(buffer, at)
            key, value = at + RECORD.size, at + RECORD.size + key_length
            if buffer[key : key + 2] != prefix:
                return
            at = value + length
            yield bytes(buffer[key + 2 : value]), bytes(buffer[value:at])

    def blocks_of(self, value: bytes) -> Iterable[Block]:
        """Return the postings that a dictionary's value leads to."""
        if value[0]:
            ids, weights, _ = plain(value[TERM_INFO.size :])
            return ((ids, weights),)
        return self.blocks(parse_posting(value))

    def terms_containing(self, field: str, piece: str, limit: int) -> Iterator[tuple[str, Posting]]:
        """Yield up to `limit` terms of a field that contain a piece, by a plain search of the dictionary's bytes."""
        wanted, prefix = piece.encode("utf-8", "surrogatepass"), self.key(field)
        base, _ = self.storage.range(self.segment.make_filename(W3Codec.TERMS_EXT))
        at, end, found = self.dictionary.startofdata, self.dictionary.endofdata, 0
        while found < limit:
            hit = self.storage._source.find(wanted, base + at, base + end)
            if hit < 0:
                return
            key, start, length = self._record_at(hit - base)
            if hit - base >= start - len(key) and key.startswith(prefix) and wanted in key[2:]:
                found += 1
                yield key[2:].decode("utf-8", "surrogatepass"), parse_posting(self.dictionary.dbfile.get(start, length))
            at = start + length

    def _record_at(self, offset: int) -> tuple[bytes, int, int]:
        """Return the key, the start and the length of the value of the dictionary record that an offset lies in."""
        table = self.dictionary
        low, high = 0, table.indexlen
        while high - low > 1:
            middle = (low + high) // 2
            if table._get_pos(table.indexbase + middle * table.indexsize) <= offset:
                low = middle
            else:
                high = middle
        key, start, length = table.key_and_range_at(table._get_pos(table.indexbase + low * table.indexsize))
        return key, start, length

    def blocks(self, posting: Posting, wanted: Sequence[int] | None = None) -> Iterator[Block]:
        """Yield the postings of a term block by block.

        With `wanted`, increasing passage numbers, blocks that hold none of them are skipped undecoded.
        """
        if posting.inline:
            ids, weights, _ = plain(posting.inline)
            yield ids, weights
            return
        at, last, position = posting.offset + 4, False, 0
        while not last:
            size = unpack_int(self._postings[at : at + 4])[0]
            last, size = size < 0, abs(size)
            stream = BytesIO(self._postings[at + 4 : at + 4 + size])
            at += 4 + size
            _, highest, _, level, _, _ = PlainReader(stream).load()
            if wanted is not None:
                if position >= len(wanted):
                    return
                if wanted[position] > highest:
                    continue
                while position < len(wanted) and wanted[position] <= highest:
                    position += 1
            body = stream.read()
            steps, weights, _ = plain(zlib.decompress(body) if level else body)
            yield list(accumulate(steps)), 1.0 if weights is None else weights


def parse_posting(value: bytes) -> Posting:
    """Read the dictionary's value of a term."""
    inline, _, passages, *_ = TERM_INFO.unpack_from(value)
    rest = value[TERM_INFO.size :]
    if inline:
        return Posting(passages, rest, 0, 0)
    return Posting(passages, b"", unpack_long(rest[:8])[0], unpack_int(rest[8:12])[0])
