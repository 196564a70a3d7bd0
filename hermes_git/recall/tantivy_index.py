"""The engine over tantivy, an extra for very large stores: the same terms, plan and answers as with Whoosh.

Tantivy keeps and merges segments of its own; each shelf has a folder of them and one table of sources. The manifest
names all their files, so damage shows in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import msgspec
import tantivy

from hermes_git import files
from hermes_git.recall import analyze, index, passage
from hermes_git.recall import manifest as catalogue
from hermes_git.recall.engine import NEWEST, OLDEST, Engine, Found, Group, Ranking, Request, Rows, accepts
from hermes_git.recall.manifest import Damaged, FileRecord, Manifest, SegmentRecord
from hermes_git.recall.passage import TOOL, Passage, unpack
from hermes_git.recall.query import Filters
from hermes_git.recall.source import Key, Source

HEAP = 64_000_000
FILLER = "~~"
"""A term that only makes a passage longer, which lowers its weight."""

MOST_TERMS = 2_000_000
SCANNED_TERMS = 20_000


def schema() -> tantivy.Schema:
    """Return tantivy's schema: terms, tags, words in order for phrases, and what a passage is found again by."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="position")
    builder.add_text_field("tag", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("source", stored=True, indexed=True, fast=True)
    builder.add_unsigned_field("time", stored=True, indexed=True, fast=True)
    builder.add_bytes_field("place", stored=True)
    return builder.build()


SCHEMA = schema()


def in_order(words: Sequence[str]) -> list[str]:
    """Return raw words as the terms of the field for phrases: folded pieces of identifiers, pairs of signs."""
    found: list[str] = []
    for word in words:
        if analyze.is_signs(word):
            found += analyze.pairs(word) or (word,)
        else:
            found += [piece for piece in word.casefold().rstrip("+#%").split("_") if piece]
    return [term[: analyze.MAX_WORD] for term in found]


@dataclass
class Shelved:
    """One shelf as it is being written: its folder, its sources, what is gone, and how many passages there are."""

    folder: str
    sources: list[Source] = field(default_factory=list)
    dead: set[int] = field(default_factory=set)
    passages: int = 0
    writer: tantivy.IndexWriter | None = None


class TantivyWriter:
    """Adds and drops sources in tantivy's folders, one for each shelf."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self._generation = max(manifest.generation, index.last_number(folder))
        self._old = {segment.shelf: segment for segment in manifest.segments}
        self._shelves = {
            shelf: Shelved(old.name, list(index.read_table(folder, old)), set(old.dead), old.passages)
            for shelf, old in self._old.items()
        }

    def _open(self, shelf: str) -> tuple[Shelved, tantivy.IndexWriter]:
        if shelf not in self._shelves:
            self._generation += 1
            self._shelves[shelf] = Shelved(f"{self._generation:08d}-{shelf}")
        here = self._shelves[shelf]
        if here.writer is None:
            place = index.new_folder(self.folder / here.folder)
            here.writer = tantivy.Index(SCHEMA, path=str(place), reuse=True).writer(HEAP, 1)
        return here, here.writer

    def sources(self) -> Iterator[Source]:
        """Yield the sources that are alive."""
        for here in self._shelves.values():
            yield from (source for at, source in enumerate(here.sources) if at not in here.dead)

    def keys(self) -> Iterator[Key]:
        """Yield the keys of the sources that are alive."""
        return (source.key for source in self.sources())

    def add(self, source: Source, passages: Iterable[Passage]) -> bool:
        """Add a source with its passages; tantivy writes them out by itself."""
        here, writer = self._open(source.key.shelf)
        documents = [_document(piece, len(here.sources)) for piece in passages]
        for document in documents:
            writer.add_document(document)
        here.sources.append(msgspec.structs.replace(source, count=len(documents)))
        here.passages += len(documents)
        return False

    def drop(self, keys: Collection[Key]) -> None:
        """Delete the passages of sources that are gone."""
        for shelf, here in list(self._shelves.items()):
            for number, source in enumerate(here.sources):
                if source.key in keys and number not in here.dead:
                    here.dead.add(number)
                    self._open(shelf)[1].delete_documents_by_term("source", number)

    def settle(self, *, fully: bool) -> None:
        """Do nothing: tantivy merges by itself."""

    def optimize(self) -> None:
        """Do nothing: tantivy merges by itself."""

    def commit(self, state: str = "") -> Manifest:
        """Commit tantivy's folders, then write the tables and the manifest that names every file."""
        self._generation += 1
        segments = tuple(self._record(shelf, here) for shelf, here in sorted(self._shelves.items()))
        known = {file.name: file for file in self.manifest.extra}
        extra = tuple(_known_or_new(self.folder, name, known) for name in self._names())
        problems = tuple(sorted(source.problem for source in self.sources() if source.problem))
        self.manifest = Manifest(
            self.manifest.schema, self._generation, state, problems, segments, engine=index.TANTIVY, extra=extra
        )
        self._old = {segment.shelf: segment for segment in segments}
        files.write_atomic(self.folder / catalogue.NAME, catalogue.encode(self.manifest))
        self.clean()
        return self.manifest

    def clean(self) -> None:
        """Remove files and folders that the manifest does not name."""
        tables = {segment.table.name for segment in self.manifest.segments}
        index.sweep(self.folder, tables | {segment.name for segment in self.manifest.segments})

    def _record(self, shelf: str, here: Shelved) -> SegmentRecord:
        """Commit one shelf and return its record; an untouched one keeps its record and its table."""
        writer, here.writer = here.writer, None
        if writer is None:
            return self._old[shelf]
        writer.commit()
        writer.wait_merging_threads()
        self._generation += 1
        table = index.write_table(self.folder, f"{self._generation:08d}", here.sources)
        dead = tuple(sorted(here.dead))
        gone = sum(here.sources[at].count for at in dead)
        return SegmentRecord(here.folder, shelf, here.passages, 0, len(here.sources), table, table, dead, gone)

    def _names(self) -> list[str]:
        """List tantivy's files, as `folder/name`."""
        found = []
        for here in self._shelves.values():
            listed = (name for name, _ in files.walk(self.folder / here.folder))
            found += [f"{here.folder}/{name}" for name in listed if not name.endswith(".lock")]
        return found


def _known_or_new(folder: Path, name: str, known: dict[str, FileRecord]) -> FileRecord:
    """Return the record of a file; only the JSON files of tantivy change under a name that is known."""
    if name in known and not name.endswith(".json"):
        return known[name]
    return msgspec.structs.replace(index.record(folder / name), name=name)


def _document(piece: Passage, number: int) -> tantivy.Document:
    words = analyze.words(piece.text)
    terms = [term for term, times in analyze.term_counts(words).items() for _ in range(times)]
    filler = [FILLER] * (len(terms) * (index.TOOL_LENGTH - 1)) if piece.lane == TOOL else []
    document = tantivy.Document()
    document.add_text("text", " ".join([*terms, *filler]))
    document.add_text("words", " ".join(in_order(words)))
    for tag in piece.tags:
        document.add_text("tag", tag)
    document.add_unsigned("source", number)
    document.add_unsigned("time", piece.time)
    document.add_bytes("place", passage.pack(piece.spans))
    return document


Result = TypeVar("Result")
Given = ParamSpec("Given")


def reading(method: Callable[Given, Result]) -> Callable[Given, Result]:
    """Make a method raise `Damaged` for what tantivy says about files that are not what was written."""

    def guarded(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return method(*args, **kwargs)
        except (ValueError, OSError) as error:
            raise Damaged(f"tantivy: {error}") from error

    return guarded


@reading
def open_engines(folder: Path, found: Manifest) -> dict[str, Engine]:
    """Open the engine of each shelf that has sources."""
    return {
        segment.shelf: TantivyEngine(
            tantivy.Index.open(str(folder / segment.name)).searcher(), index.read_table(folder, segment), segment
        )
        for segment in found.segments
    }


class TantivyEngine:
    """Ranks the passages of one shelf."""

    def __init__(self, searcher: tantivy.Searcher, table: Sequence[Source], segment: SegmentRecord) -> None:
        self._searcher, self._table, self._dead = searcher, table, frozenset(segment.dead)

    @property
    def passages(self) -> int:
        """Return how many passages are indexed."""
        return int(self._searcher.num_docs)

    @reading
    def frequency(self, term: str) -> int:
        """Return in how many passages a term occurs."""
        return int(self._searcher.doc_freq("text", term))

    @reading
    def rank(self, request: Request) -> Ranking:
        """Return the best passages, by score or by time."""
        query = self._query(request)
        if request.order == NEWEST:
            found = self._searcher.search(query, request.limit, order_by_field="time")
        elif request.order == OLDEST:
            found = self._searcher.search(query, request.limit, order_by_field="time", order=tantivy.Order.Asc)
        else:
            found = self._searcher.search(query, request.limit)
        total: int = found.count
        return Ranking(Rows(found.hits, self._found), total)

    @reading
    def _found(self, hit: tuple[float, tantivy.DocAddress]) -> Found:
        score, address = float(hit[0]), hit[1]
        row: dict[str, list[Any]] = self._searcher.doc(address).to_dict()
        return Found(score, self._table[row["source"][0]], unpack(bytes(row["place"][0])), row["time"][0])

    def _query(self, request: Request) -> tantivy.Query:
        must, should, never = tantivy.Occur.Must, tantivy.Occur.Should, tantivy.Occur.MustNot
        parts = [(must, _any(group)) for group in request.required]
        parts += [(must, _silent(phrase)) for phrase in map(_phrase, request.phrases) if phrase is not None]
        boosted = [(should, tantivy.Query.boost_query(_term(term), worth)) for term, worth in request.optional]
        if boosted and request.required:
            parts += boosted
        elif boosted:
            parts.append((must, tantivy.Query.boolean_query(boosted)))
        parts += [(must, _silent(query)) for query in self._filters(request.filters)]
        parts += [(never, _all(group)) for group in request.excluded]
        return tantivy.Query.boolean_query(parts)

    def _filters(self, filters: Filters) -> Iterator[tantivy.Query]:
        for name in ("role", "tool"):
            if filters.of(name):
                tags = [tantivy.Query.term_query(SCHEMA, "tag", f"{name}:{value}") for value in filters.of(name)]
                yield tantivy.Query.boolean_query([(tantivy.Occur.Should, tag) for tag in tags])
        if filters.after or filters.before:
            last = (filters.before or 2**32) - 1
            yield tantivy.Query.range_query(
                SCHEMA, "time", tantivy.FieldType.Unsigned, max(filters.after, 1), last, True, True
            )
        if set(filters.values) - {"role", "tool"}:
            alive = [at for at, source in enumerate(self._table) if at not in self._dead and accepts(filters, source)]
            yield tantivy.Query.term_set_query(SCHEMA, "source", alive) if alive else tantivy.Query.empty_query()

    @reading
    def starting(self, prefix: str, limit: int) -> list[str]:
        """Return up to `limit` terms that start with a prefix, the most frequent first."""
        return _most(self._searcher.terms_with_prefix("text", prefix, limit=SCANNED_TERMS), limit)

    @reading
    def containing(self, piece: str, limit: int) -> list[str]:
        """Return up to `limit` terms that contain a piece, the most frequent first."""
        listed = self._searcher.terms_with_prefix("text", "", limit=MOST_TERMS)
        return _most([row for row in listed if piece in row[0]], limit)

    def sources(self) -> Iterator[Source]:
        """Yield every source that is alive."""
        yield from (source for at, source in enumerate(self._table) if at not in self._dead)

    def close(self) -> None:
        """Let go of nothing: tantivy closes its files with the last reference."""

    def release(self) -> None:
        """Give back nothing: tantivy keeps no more than its maps."""


def _most(rows: Iterable[tuple[str, int]], limit: int) -> list[str]:
    kept = [row for row in rows if row[0] != FILLER]
    return [term for term, _ in sorted(kept, key=lambda row: (-row[1], row[0]))[:limit]]


def _term(term: str) -> tantivy.Query:
    return tantivy.Query.term_query(SCHEMA, "text", term, "freq")


def _any(group: Group) -> tantivy.Query:
    if len(group) == 1:
        return _term(group[0])
    return tantivy.Query.disjunction_max_query([_term(term) for term in group])


def _all(group: Group) -> tantivy.Query:
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, _term(term)) for term in group])


def _phrase(words: Sequence[str]) -> tantivy.Query | None:
    terms = in_order(words)
    if len(terms) < 2:
        return None
    return tantivy.Query.phrase_query(SCHEMA, "words", list(terms))


def _silent(query: tantivy.Query) -> tantivy.Query:
    """Let a query decide but not score."""
    return tantivy.Query.const_score_query(query, 0.0)
