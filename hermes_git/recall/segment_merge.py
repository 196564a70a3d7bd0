"""Merging segments term by term: memory holds one posting list at a time, and what is dead is left behind."""

from __future__ import annotations

import heapq
import itertools
from array import array
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
from whoosh.codec.whoosh3 import W3Codec, W3Segment
from whoosh.util.numeric import byte_to_length

from hermes_git.recall.engine_whoosh import Opened
from hermes_git.recall.segment_read import Block, SegmentReader
from hermes_git.recall.segment_write import INDEX_NAME, TEXT, PostingWriter, Row, assemble, write_columns
from hermes_git.recall.source import Source

GONE = -1


def merge(storage: Any, name: str, opened: Sequence[Opened]) -> tuple[Any, list[Source]]:
    """Write one segment with all living passages of several, in their order; `(None, [])` if nothing lives."""
    table: list[Source] = []
    maps: list[array[int]] = []
    rows: list[Row] = []
    norms = bytearray()
    for segment in opened:
        maps.append(_move(segment, table, rows, norms))
    if not table:
        return None, table
    if not rows:
        rows.append(Row(0, b"", 0, 0))
        norms.append(0)
    made = W3Segment(W3Codec(), INDEX_NAME, segid=name)
    writer = PostingWriter(storage, made)
    for field in sorted({field for segment in opened for field in segment.reader.fields}):
        kept = bytes(norms) if field == TEXT else b""
        for term, lists in _terms(field, [segment.reader for segment in opened], maps):
            _write(writer, field, term, lists, kept)
    writer.close()
    write_columns(storage, made, rows, bytes(norms))
    return assemble(storage, made, len(rows), sum(map(_living_words, opened))), table


def _living_words(segment: Opened) -> int:
    """Return how many words the living passages have; exact while nothing is dead, else by their share."""
    if not segment.dead:
        return segment.reader.words
    alive = sum(source.count for at, source in enumerate(segment.sources) if at not in segment.dead)
    return round(segment.reader.words * alive / max(1, segment.reader.passages))


def _move(segment: Opened, table: list[Source], rows: list[Row], norms: bytearray) -> array[int]:
    """Append the living sources and passages of a segment; return old passage number → new one."""
    reader = segment.reader
    moved = array("i", [GONE]) * reader.passages
    for ordinal, source in enumerate(segment.sources):
        if ordinal in segment.dead:
            continue
        first = len(rows)
        for old in range(source.first, source.first + source.count):
            moved[old] = len(rows)
            norms.append(reader.norms[old])
            length = byte_to_length(reader.norms[old])
            rows.append(Row(length, reader.places[old], len(table), reader.times[old], reader.pairs[old]))
        table.append(msgspec.structs.replace(source, first=first))
    return moved


class _List(NamedTuple):
    """The postings of one term in one segment: the dictionary's value, and what leads from it to new numbers."""

    value: bytes
    reader: SegmentReader
    moved: array[int]
    is_whole: bool


def _terms(
    field: str, readers: Sequence[SegmentReader], maps: Sequence[array[int]]
) -> Iterator[tuple[bytes, list[_List]]]:
    """Yield each term of a field with its lists, terms in order of their bytes, lists in order of segments."""
    whole = [GONE not in moved for moved in maps]
    streams = [_entries(field, reader, number) for number, reader in enumerate(readers) if field in reader.fields]
    for term, group in itertools.groupby(heapq.merge(*streams), itemgetter(0)):
        yield term, [_List(value, readers[number], maps[number], whole[number]) for _, number, value in group]


def _entries(field: str, reader: SegmentReader, number: int) -> Iterator[tuple[bytes, int, bytes]]:
    for term, value in reader.entries(field):
        yield term, number, value


def _write(writer: PostingWriter, field: str, term: bytes, lists: Sequence[_List], norms: bytes) -> None:
    """Write the living postings of one term."""
    if len(lists) == 1 and lists[0].is_whole and writer.add_lone(field, term, lists[0].value, lists[0].moved):
        return
    ids: list[int] = []
    weights: list[int] = []
    for found in lists:
        append = _append if found.is_whole else _append_living
        append(found.reader.blocks_of(found.value), found.moved, ids, weights)
    if ids:
        writer.add_list(field, term, ids, weights, norms)


def _append(blocks: Iterable[Block], moved: array[int], ids: list[int], weights: list[int]) -> None:
    for old, found in blocks:
        ids.extend(map(moved.__getitem__, old))
        weights.extend([int(found)] * len(old) if isinstance(found, float) else map(int, found))


def _append_living(blocks: Iterable[Block], moved: array[int], ids: list[int], weights: list[int]) -> None:
    for old, found in blocks:
        flat = [int(found)] * len(old) if isinstance(found, float) else found
        for at, weight in zip(old, flat, strict=True):
            if moved[at] != GONE:
                ids.append(moved[at])
                weights.append(int(weight))
