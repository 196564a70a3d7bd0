"""A signature never denies a phrase that is there, and rarely grants one that is not."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.recall.analyze import words
from hermes_git.recall.pairs import may_hold, neighbours, signature

TEXT = (
    "see src/heron/otter_pool.py: class CrimsonOtterError(BaseThing) 昨晚修改youer服务端的部署脚本 wrong-book C++ code"
)


@pytest.mark.parametrize(
    "phrase",
    [
        "src/heron", "pool.py", "otter_pool.py", "crimsonottererror(basething)", "CrimsonOtterError(BaseThing)",
        "部署脚本", "端的部署", "改youer服", "脚本 wrong", "本 wrong-book", "book C++ code", "class CrimsonOtterError",
    ],
)  # fmt: skip
def test_phrases_that_are_there(phrase: str) -> None:
    assert may_hold(signature(words(TEXT)), neighbours(words(phrase)))


@pytest.mark.parametrize(
    "phrase", ["heron src", "py pool", "署部脚", "book wrong", "code C++", "otter heron", "昨晚youer"]
)
def test_phrases_that_are_not(phrase: str) -> None:
    assert not may_hold(signature(words(TEXT)), neighbours(words(phrase)))


def test_wrongly_granted_pairs_are_about_one_in_a_hundred() -> None:
    names = [f"w{number}x" for number in range(400)]
    chance = random.Random(1)
    bits = signature([chance.choice(names) for _ in range(600)])
    strange = [neighbours([f"s{number}a", f"s{number}b"]) for number in range(2000)]
    assert sum(may_hold(bits, pair) for pair in strange) < 60


@given(
    st.lists(
        st.text(st.characters(categories=["L", "N"], include_characters="_"), min_size=1, max_size=8), max_size=30
    ),
    st.data(),
)
def test_every_stretch_of_a_text_is_granted(pieces: list[str], data: st.DataObject) -> None:
    raw = words(" ".join(pieces))
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, len(raw)))
    assert may_hold(signature(raw), neighbours(raw[start:end])) or end - start < 2


def test_a_signature_of_nothing_grants_nothing() -> None:
    assert signature([]) == b"" and signature(["one"]) == b""
    assert not may_hold(b"", neighbours(["one", "two"]))
    assert may_hold(b"", ())
