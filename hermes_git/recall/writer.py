"""Writing the index with Whoosh: sources in, segments and a manifest out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from whoosh.filedb.filestore import FileStorage
from whoosh.index import TOC

from hermes_git import files
from hermes_git.recall import analyze, index, merging, pairs, passage, segment_write
from hermes_git.recall import manifest as catalogue
from hermes_git.recall.manifest import Manifest, SegmentRecord
from hermes_git.recall.passage import TOOL, Passage
from hermes_git.recall.segment_merge import merge
from hermes_git.recall.source import Key, Source

MAX_POSTINGS = 1_500_000
"""Postings held in memory before a segment is written; this bounds the memory of indexing."""


class WhooshWriter:
    """Gathers passages in memory, writes them as segments, merges segments."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self.storage = FileStorage(str(folder))
        self._segments = list(manifest.segments)
        self._generation = max(manifest.generation, index.last_number(folder))
        self._builders: dict[str, segment_write.SegmentBuilder] = {}
        self._tables: dict[str, list[Source]] = {}
        self._read: dict[str, catalogue.SourceTable] = {}

    def _listed(self, segment: SegmentRecord) -> catalogue.SourceTable:
        if segment.name not in self._read:
            self._read[segment.name] = index.read_table(self.folder, segment)
        return self._read[segment.name]

    def _name(self) -> str:
        self._generation += 1
        return f"{self._generation:08d}"

    def keys(self) -> Iterator[Key]:
        """Yield the keys of the sources that are alive in the segments on disk."""
        for segment in self._segments:
            yield from self._listed(segment).keys(frozenset(segment.dead))

    def add(self, source: Source, passages: Iterable[Passage]) -> bool:
        """Add a source with its passages; return whether that filled a segment, which was written out."""
        shelf = source.key.shelf
        if shelf not in self._builders:
            self._builders[shelf] = segment_write.SegmentBuilder(self.storage, self._name())
        builder, table = self._builders[shelf], self._tables.setdefault(shelf, [])
        first = len(builder.rows)
        for piece in passages:
            words = analyze.words(piece.text)
            length = len(words) * index.TOOL_LENGTH if piece.lane == TOOL else len(words)
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

    def _register(self, segment: Any, shelf: str, table: list[Source]) -> None:
        data = index.record(self.folder / segment.make_filename(segment.COMPOUND_EXT))
        words, passages = segment._fieldlengths[segment_write.TEXT], segment.doc_count_all()
        listed = index.write_table(self.folder, segment.segid, table)
        self._segments.append(SegmentRecord(segment.segid, shelf, passages, words, len(table), data, listed))

    def drop(self, keys: Collection[Key]) -> None:
        """Mark sources as gone; their passages no longer answer and are left out of the next merge."""
        for at, segment in enumerate(self._segments if keys else ()):
            table = self._listed(segment)
            gone = {number for number, source in enumerate(table) if source.key in keys} - set(segment.dead)
            if gone:
                dead = tuple(sorted({*segment.dead, *gone}))
                passages = sum(table[number].count for number in dead)
                self._segments[at] = msgspec.structs.replace(segment, dead=dead, dead_passages=passages)
        self._segments = [segment for segment in self._segments if len(segment.dead) < segment.sources]

    def merge(self, names: Collection[str]) -> None:
        """Replace segments of one shelf by one that holds what is alive in them, term by term."""
        chosen = [segment for segment in self._segments if segment.name in names]
        opened = [index.open_segment(self.folder, segment) for segment in chosen]
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
        problems = [problem for segment in segments for problem in self._listed(segment).problems(segment.dead)]
        self.manifest = Manifest(self.manifest.schema, self._generation, state, tuple(sorted(problems)), segments)
        made = [index.whoosh_segment(segment) for segment in segments]
        for segment, kept in zip(made, segments, strict=True):
            segment._deleted = set(_dead_passages(self._listed(kept), kept.dead)) if kept.dead else None
        TOC(segment_write.schema(), made, self._generation).write(self.storage, segment_write.INDEX_NAME)
        files.write_atomic(self.folder / catalogue.NAME, catalogue.encode(self.manifest))
        self.clean()
        return self.manifest

    def settle(self, *, fully: bool) -> None:
        """Merge segments as they pile up: in passing a few small ones once, however many merges are due."""
        while names := merging.choose(self._segments, fully=fully):
            self.merge(names)
            if not fully:
                return

    def optimize(self) -> None:
        """Merge each shelf into one segment."""
        for shelf in index.SHELVES:
            mine = [segment for segment in self._segments if segment.shelf == shelf]
            if len(mine) > 1 or any(segment.dead for segment in mine):
                self.merge([segment.name for segment in mine])

    def clean(self) -> None:
        """Remove files that the manifest does not name; one that another process holds open may stay a while."""
        toc = f"_{segment_write.INDEX_NAME}_{self.manifest.generation}.toc"
        index.sweep(self.folder, {toc, *(file.name for file in self.manifest.files)})


def _dead_passages(table: catalogue.SourceTable, dead: Collection[int]) -> Iterator[int]:
    for number in dead:
        yield from range(table[number].first, table[number].first + table[number].count)
