"""Merging segments term by term: memory holds one posting list at a time, and what is dead is left behind."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from whoosh.codec.whoosh3 import W3Codec, W3Segment
from whoosh.util.numeric import byte_to_length

from hermes_git.recall.engine_whoosh import Opened
from hermes_git.recall.segment_read import SegmentReader, parse_posting
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
        for term, ids, weights in _terms(field, [segment.reader for segment in opened], maps):
            writer.add_list(field, term, ids, weights, kept)
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


def _terms(
    field: str, readers: Sequence[SegmentReader], maps: Sequence[array[int]]
) -> Iterator[tuple[bytes, list[int], list[int]]]:
    """Yield each term of a field with its merged postings, terms in order of their bytes."""
    streams = [_entries(field, reader, number) for number, reader in enumerate(readers) if field in reader.fields]
    term: bytes | None = None
    ids: list[int] = []
    weights: list[int] = []
    for found, number, value in heapq.merge(*streams):
        if found != term:
            if term is not None and ids:
                yield term, ids, weights
            term, ids, weights = found, [], []
        _append(readers[number], maps[number], value, ids, weights)
    if term is not None and ids:
        yield term, ids, weights


def _entries(field: str, reader: SegmentReader, number: int) -> Iterator[tuple[bytes, int, bytes]]:
    prefix = reader.key(field)
    for key, value in reader.dictionary.items_from(prefix):
        if key[:2] != prefix:
            return
        yield key[2:], number, value


def _append(reader: SegmentReader, moved: array[int], value: bytes, ids: list[int], weights: list[int]) -> None:
    for old, found in reader.blocks(parse_posting(value)):
        flat = [int(found)] * len(old) if isinstance(found, float) else found
        for at, weight in zip(old, flat, strict=True):
            new = moved[at]
            if new != GONE:
                ids.append(new)
                weights.append(int(weight))
