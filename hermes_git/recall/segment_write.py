"""Writing a segment in Whoosh's own W3 format, with postings grouped by term in memory instead of sorted one by one.

The files are what Whoosh 2.7.4 writes and reads; only the way there is shorter. Measured advice behind the numbers:
docs/formats/index.md.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from operator import sub
from pickle import dumps
from typing import Any, NamedTuple

from whoosh import columns, fields, formats
from whoosh.codec.whoosh3 import LENGTHS_COLUMN, WHOOSH3_HEADER_MAGIC, W3Codec, W3FieldWriter, W3Segment, W3TermInfo
from whoosh.filedb.filetables import HashWriter, OrderedHashWriter, _lengths, _pointer
from whoosh.system import pack_int, pack_long, pack_ushort
from whoosh.util.numeric import length_to_byte

INDEX_NAME = "recall"
TEXT, TAG = "text", "tag"
BYTES_COLUMN = columns.VarBytesColumn()
NUMBER_COLUMN = columns.NumericColumn("I")
COLUMNS = {"place": BYTES_COLUMN, "pairs": BYTES_COLUMN, "source": NUMBER_COLUMN, "time": NUMBER_COLUMN}
"""Per passage: its packed spans, the signature of its pairs of words, the ordinal of its source, when it was said."""

BLOCK = 512
"""Postings of one block; larger blocks compress better, smaller ones can be skipped."""

INLINE = 3
"""Up to how many postings are kept in the dictionary itself."""

COMPRESS_ABOVE = 48
CRC32 = 1
TERM_INFO = W3TermInfo._struct


class Row(NamedTuple):
    """What a segment keeps of one passage besides its terms."""

    length: int
    place: bytes
    source: int
    time: int
    pairs: bytes = b""


def schema() -> Any:
    """Return the Whoosh schema: one scored field of words, one of filter tags, three columns."""
    text = fields.TEXT(phrase=False)
    text.format = formats.Existence()  # how often a word occurs is its weight, so a posting carries no value
    tags = fields.KEYWORD()
    tags.format = formats.Existence()
    return fields.Schema(**{TEXT: text, TAG: tags, **{name: fields.COLUMN(kind) for name, kind in COLUMNS.items()}})


class TermWriter(OrderedHashWriter):  # type: ignore[misc]
    """The dictionary file, written with one call per term and with its hash table kept in arrays, not in tuples."""

    def __init__(self, dbfile: Any) -> None:
        HashWriter.__init__(self, dbfile, hashtype=CRC32)
        self.index = _Positions("I")
        self.lastkey = b""
        self._at = dbfile.tell()
        self._hashes = array("I")

    def add(self, key: bytes, value: bytes) -> None:
        """Append a term; keys must increase."""
        if key <= self.lastkey:
            raise ValueError(f"keys must increase: {self.lastkey!r}, {key!r}")
        self.index.append(self._at)
        self._hashes.append(zlib.crc32(key))
        record = _lengths.pack(len(key), len(value)) + key + value
        self.dbfile.write(record)
        self._at += len(record)
        self.lastkey = key

    def _write_hashes(self) -> None:
        buckets = [array("I") for _ in range(256)]
        for number, value in enumerate(self._hashes):
            buckets[value & 255].append(number)
        for members in buckets:
            slots = 2 * len(members)
            self.directory.append((self.dbfile.tell(), slots))
            self.dbfile.write(self._table(members, slots))

    def _table(self, members: Sequence[int], slots: int) -> bytes:
        taken = bytearray(slots)
        table = bytearray(slots * _pointer.size)
        for number in members:
            value = self._hashes[number]
            slot = (value >> 8) % slots
            while taken[slot]:
                slot = (slot + 1) % slots
            taken[slot] = 1
            _pointer.pack_into(table, slot * _pointer.size, value, self.index[number])
        return bytes(table)


class _Positions(array):  # type: ignore[type-arg]
    """An array that writes itself in network byte order, as the reader of the dictionary expects."""

    def to_file(self, dbfile: Any) -> None:
        dbfile.write_array(array(self.typecode, self))


class PostingWriter(W3FieldWriter):  # type: ignore[misc]
    """Writes whole posting lists at once; fields and terms must come in increasing order."""

    def __init__(self, storage: Any, segment: Any) -> None:
        self._postfile = segment.create_file(storage, W3Codec.POSTS_EXT)
        self._tindex = TermWriter(segment.create_file(storage, W3Codec.TERMS_EXT))
        self._fieldmap: dict[str, int] = {}
        self._tindex.extras["fieldmap"] = self._fieldmap
        self._at = self._postfile.tell()
        self.is_closed = False

    def add_list(self, field: str, term: bytes, ids: Sequence[int], weights: Sequence[int], norms: bytes) -> None:
        """Write one term of a field: increasing passage numbers, their weights, the length byte of every passage."""
        key = pack_ushort(self._fieldmap.setdefault(field, len(self._fieldmap))) + term
        lengths = [norms[number] for number in ids] if norms else [0]
        low, high, heaviest = min(lengths), max(lengths), max(weights)
        total, number, first, last = sum(weights), len(ids), ids[0], ids[-1]
        head = TERM_INFO.pack(number <= INLINE, total, number, low, high, heaviest, first, last)
        if number <= INLINE:
            self._tindex.add(key, head + dumps((tuple(ids), tuple(weights), ()), 2))
            return
        blocks = [WHOOSH3_HEADER_MAGIC]
        for start in range(0, number, BLOCK):
            end = min(start + BLOCK, number)
            blocks.append(_block(ids[start:end], weights[start:end], lengths[start:end], last=end == number))
        data = b"".join(blocks)
        self._postfile.write(data)
        self._tindex.add(key, head + pack_long(self._at) + pack_int(len(data)))
        self._at += len(data)

    def add_lone(self, field: str, term: bytes, value: bytes, moved: Sequence[int]) -> bool:
        """Write a term of one passage from the dictionary's value in another segment; False if it has several.

        `moved` leads from that passage's number to its new one; weight and length stay as they are.
        """
        _, total, number, low, high, heaviest, first, _ = TERM_INFO.unpack_from(value)
        if number != 1:
            return False
        key = pack_ushort(self._fieldmap.setdefault(field, len(self._fieldmap))) + term
        head = TERM_INFO.pack(True, total, 1, low, high, heaviest, moved[first], moved[first])
        self._tindex.add(key, head + dumps(((moved[first],), (int(total),), ()), 2))
        return True


def _block(ids: Sequence[int], weights: Sequence[int], lengths: Sequence[int], *, last: bool) -> bytes:
    steps = (ids[0], *map(sub, ids[1:], ids))
    same = weights.count(weights[0]) == len(weights)
    light = (None if weights[0] == 1 else float(weights[0])) if same else tuple(weights)
    data = dumps((steps, light, None), 2)
    level = 0
    if len(data) > COMPRESS_ABOVE:
        packed = zlib.compress(data, 1)
        if len(packed) < len(data):
            data, level = packed, 1
    lowest, highest = (min(lengths), max(lengths)) if lengths else (0, 0)
    info = dumps((len(ids), ids[-1], max(weights), level, lowest, highest), 2)
    size = len(info) + len(data)
    return bytes(pack_int(-size if last else size)) + info + data


class SegmentBuilder:
    """Gathers passages in memory and writes them as one segment."""

    def __init__(self, storage: Any, name: str) -> None:
        self.storage = storage
        self.segment = W3Segment(W3Codec(), INDEX_NAME, segid=name)
        self.rows: list[Row] = []
        self.postings = 0
        self._lists: dict[str, dict[str, list[int]]] = {TEXT: {}, TAG: {}}

    def add(self, counts: Mapping[str, int], tags: Iterable[str], row: Row) -> None:
        """Add one passage: how often each term occurs in it, its tags, and its row."""
        number = len(self.rows)
        text = self._lists[TEXT]
        for term, times in counts.items():
            if term in text:
                text[term] += (number, times)
            else:
                text[term] = [number, times]
        for tag in tags:
            self._lists[TAG].setdefault(tag, []).extend((number, 1))
        self.postings += len(counts)
        self.rows.append(row)

    def finish(self) -> Any:
        """Write the segment's files, assemble them into one, and return Whoosh's segment object."""
        norms = bytes(length_to_byte(row.length) for row in self.rows)
        writer = PostingWriter(self.storage, self.segment)
        for field in sorted(self._lists):
            lists = self._lists[field]
            encoded = {term.encode("utf-8", "surrogatepass"): term for term in lists}
            for term in sorted(encoded):
                flat = lists.pop(encoded[term])
                writer.add_list(field, term, flat[0::2], flat[1::2], norms if field == TEXT else b"")
        writer.close()
        write_columns(self.storage, self.segment, self.rows, norms)
        return assemble(self.storage, self.segment, len(self.rows), sum(row.length for row in self.rows))


def write_columns(storage: Any, segment: Any, rows: Sequence[Row], norms: bytes) -> None:
    """Write the per-passage columns of a segment: length bytes, places, pairs, sources, times."""
    values: dict[str, Iterable[Any]] = {
        "place": (row.place for row in rows),
        "pairs": (row.pairs for row in rows),
        "source": (row.source for row in rows),
        "time": (row.time for row in rows),
    }
    kinds = {f"_{TEXT}_len": LENGTHS_COLUMN, **COLUMNS}
    for name, kind in kinds.items():
        file = storage.create_file(W3Codec.column_filename(segment, name))
        writer = kind.writer(file)
        for number, value in enumerate(values.get(name, norms)):
            writer.add(number, value)
        writer.finish(len(rows))
        file.close()


def assemble(storage: Any, segment: Any, passages: int, words: int) -> Any:
    """Put the files of a finished segment into one compound file and fill in its totals."""
    segment.set_doc_count(passages)
    segment._fieldlengths = {TEXT: words}
    segment.create_compound_file(storage)
    return segment
