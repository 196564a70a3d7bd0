"""Our segments are Whoosh's: Whoosh itself reads them and gives the same scores."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterable
from pathlib import Path

import pytest

from hermes_git.recall.engine import Request
from hermes_git.recall.engine_whoosh import Opened, WhooshEngine
from hermes_git.recall.segment_merge import merge
from hermes_git.recall.segment_read import SegmentReader
from hermes_git.recall.segment_write import INDEX_NAME, TERM_INFO, TEXT, Row, SegmentBuilder, schema
from hermes_git.recall.source import Source

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from whoosh import query
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC, open_dir

WORDS = [f"word{number}" for number in range(60)]
PASSAGES = 1500


def build(storage: FileStorage, name: str, seed: int) -> object:
    chance = random.Random(seed)
    builder = SegmentBuilder(storage, name)
    for number in range(PASSAGES):
        chosen = [WORDS[min(59, int(chance.expovariate(0.1)))] for _ in range(chance.randint(1, 60))]
        counts = {word: chosen.count(word) for word in chosen}
        builder.add(counts, ("role:user",) if number % 3 else (), Row(len(chosen), b"\x02\x00\x02", number % 7, number))
    return builder.finish()


def opened(folder: Path, segment: object) -> Opened:
    file = (folder / segment.make_filename(".seg")).open("rb")  # type: ignore[attr-defined]
    return Opened(SegmentReader(file, segment), [Source("session", "", id=str(at)) for at in range(7)])


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, WhooshEngine]:
    folder = tmp_path_factory.mktemp("index")
    storage = FileStorage(str(folder))
    segments = [build(storage, f"{number:08}", number) for number in range(3)]
    TOC(schema(), segments, 0).write(storage, INDEX_NAME)
    return folder, WhooshEngine([opened(folder, segment) for segment in segments])


@pytest.mark.parametrize("word", ["word0", "word5", "word30", "word59", "absent"])
def test_one_term(index: tuple[Path, WhooshEngine], word: str) -> None:
    folder, engine = index
    with open_dir(str(folder), INDEX_NAME).searcher() as searcher:
        theirs = searcher.search(query.Term(TEXT, word), limit=10)
        ours = engine.rank(Request(((word,),), limit=10))
        assert ours.total == len(theirs)
        assert [row.score for row in ours.found] == pytest.approx(
            [theirs.score(at) for at in range(theirs.scored_length())]
        )


@pytest.mark.parametrize("words", [["word1", "word9"], ["word0", "word2", "word20"], ["word40", "word50"]])
def test_all_terms_and_any_terms(index: tuple[Path, WhooshEngine], words: list[str]) -> None:
    folder, engine = index
    terms = [query.Term(TEXT, word) for word in words]
    with open_dir(str(folder), INDEX_NAME).searcher() as searcher:
        for theirs, ours in (
            (
                searcher.search(query.And(terms), limit=10),
                engine.rank(Request(tuple((word,) for word in words), limit=10)),
            ),
            (
                searcher.search(query.Or(terms), limit=10),
                engine.rank(Request(optional=tuple((word, 1.0) for word in words), limit=10)),
            ),
        ):
            assert ours.total == len(theirs)
            assert [row.score for row in ours.found] == pytest.approx(
                [theirs.score(at) for at in range(theirs.scored_length())]
            )


def test_merging_changes_no_score(index: tuple[Path, WhooshEngine], tmp_path: Path) -> None:
    _, engine = index
    segments = [segment._replace(sources=_grouped(segment)) for segment in engine.segments]
    made, table = merge(FileStorage(str(tmp_path)), "00000009", segments)
    whole = WhooshEngine([opened(tmp_path, made)._replace(sources=table)])
    assert whole.passages == 3 * PASSAGES and len(table) == 3
    for request in (
        Request((("word3",),)),
        Request((("word0",), ("word30",))),
        Request(optional=(("word7", 1.0), ("word8", 0.5))),
    ):
        before, after = engine.rank(request), whole.rank(request)
        assert before.total == after.total
        assert [row.score for row in before.found] == pytest.approx([row.score for row in after.found])


def _grouped(segment: Opened) -> list[Source]:
    return [Source("session", "", id="all", first=0, count=segment.reader.passages)]


def test_the_dead_are_not_merged(index: tuple[Path, WhooshEngine], tmp_path: Path) -> None:
    _, engine = index
    segment = engine.segments[0]
    halves = [Source("session", "a", first=0, count=700), Source("session", "b", first=700, count=800)]
    made, table = merge(FileStorage(str(tmp_path)), "00000009", [segment._replace(sources=halves, dead=frozenset({0}))])
    assert made.doc_count_all() == 800 and [source.blob for source in table] == ["b"] and table[0].first == 0
    assert merge(
        FileStorage(str(tmp_path)), "00000010", [segment._replace(sources=halves, dead=frozenset({0, 1}))]
    ) == (None, [])


def _rare(storage: FileStorage, name: str, numbers: Iterable[int]) -> object:
    """Build a segment of passages with words of their own, words of few and words of all."""
    builder = SegmentBuilder(storage, name)
    for number in numbers:
        few = {f"only{number}": number % 5 + 1, f"pair{number // 2}": 2, f"few{number % 100}": number % 3 + 1}
        builder.add({**few, "all": 1}, (f"tool:t{number % 50}",), Row(number % 90 + 1, b"\x02\x00\x02", 0, number))
    return builder.finish()


@pytest.mark.parametrize("dead", [range(0), range(150, 300)], ids=["all alive", "half of the second dead"])
def test_merging_gives_what_building_at_once_gives(tmp_path: Path, dead: range) -> None:
    storage = FileStorage(str(tmp_path))
    parts = [_rare(storage, f"{at:08}", range(start, start + 150)) for at, start in enumerate((0, 150, 300))]
    sources = [Source("session", "", first=0, count=150)]
    segments = [opened(tmp_path, part)._replace(sources=sources) for part in parts]
    segments[1] = segments[1]._replace(dead=frozenset({0} if dead else ()))
    made, _ = merge(storage, "00000009", segments)
    merged = opened(tmp_path, made).reader
    alive = [number for number in range(450) if number not in dead]
    whole = opened(tmp_path, _rare(storage, "00000010", alive)).reader
    for field in whole.fields:
        ours, theirs = dict(merged.entries(field)), dict(whole.entries(field))
        assert ours.keys() == theirs.keys()
        for term, value in theirs.items():
            assert list(merged.blocks_of(ours[term])) == list(whole.blocks_of(value))
            assert ours[term][: TERM_INFO.size] == value[: TERM_INFO.size]
    assert bytes(merged.norms) == bytes(whole.norms) and list(merged.times) == list(whole.times)


def test_the_dictionary_is_searched_by_beginning_and_by_piece(index: tuple[Path, WhooshEngine]) -> None:
    _, engine = index
    assert set(engine.starting("word5", 99)) == {"word5", *(f"word5{digit}" for digit in range(10))} & set(WORDS)
    assert set(engine.containing("ord3", 99)) == {"word3", *(f"word3{digit}" for digit in range(10))} & set(WORDS)
    assert engine.starting("zzz", 5) == [] and engine.containing("zzz", 5) == []
    assert len(engine.starting("word", 5)) == 5
