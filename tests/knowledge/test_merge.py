"""Merging memory by entry: nothing that anybody added is lost, and the order of the sides does not matter."""

from __future__ import annotations

import random

import pytest

from hermes_git.knowledge import entries, merge
from hermes_git.knowledge.merge import Conflict


def merged(base: list[str], ours: list[str], theirs: list[str]) -> list[str | Conflict]:
    return merge.merge_texts(base, ours, theirs)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        ([], ["a"], ["b"], ["a", "b"]),
        (["x"], ["x", "b"], ["x", "a"], ["x", "a", "b"]),
        (["x", "y"], ["x"], ["x", "y", "z"], ["x", "z"]),
        (["x", "y"], ["x", "y2"], ["x", "y"], ["x", "y2"]),
        (["x", "y"], ["x2", "y"], ["x", "y2"], ["x2", "y2"]),
        (["x"], ["x2"], ["x2"], ["x2"]),
        (["x"], [], [], []),
        (["x"], ["x2"], ["x3"], [Conflict("x", "x2", "x3")]),
        (["x", "y"], ["y"], ["x2", "y"], [Conflict("x", "", "x2"), "y"]),
    ],
)
def test_table(base: list[str], ours: list[str], theirs: list[str], result: list[str | Conflict]) -> None:
    assert merged(base, ours, theirs) == result


def random_side(rng: random.Random, base: list[str], side: str) -> list[str]:
    texts = [text for text in base if rng.random() > 0.15]
    texts = [f"{text} ({side} {rng.randrange(3)})" if rng.random() < 0.15 else text for text in texts]
    for _ in range(rng.randrange(4)):
        texts.insert(rng.randrange(len(texts) + 1), f"new {side} {rng.randrange(100)}")
    return list(dict.fromkeys(texts))


@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_random_merges_lose_nothing(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        base = [f"entry {number}" for number in range(rng.randrange(8))]
        ours, theirs = random_side(rng, base, "ours"), random_side(rng, base, "theirs")
        result = merge.three_way(*(entries.render(texts) for texts in (base, ours, theirs)))
        kept = set(result.file.texts)
        assert (set(ours) - set(base)) | (set(theirs) - set(base)) <= kept, "an addition was lost"
        assert set(base) & set(ours) & set(theirs) <= kept, "an untouched entry was lost"
        swapped = merge.three_way(*(entries.render(texts) for texts in (base, theirs, ours)))
        assert swapped.file.texts == result.file.texts, "the order of the sides mattered"
        again = merge.three_way(entries.render(base), result.file.raw(), result.file.raw())
        assert again.file.texts == result.file.texts and not again.conflicts, "merging with itself changed something"


def test_style_of_ours_is_kept_and_duplicates_are_folded() -> None:
    result = merge.three_way("a", "a\r\n§\r\nb\r\n§\r\nb\r\n", "a\n§\nc")
    assert result.file.raw() == "a\r\n§\r\nb\r\n§\r\nc\r\n"
    assert result.folded == 1


def test_conflicts_are_marked_as_entries() -> None:
    result = merge.three_way("x", "x2", "x3")
    assert result.marked.texts == ("<<<<<<< ours\nx2\n=======\nx3\n>>>>>>> theirs",)
