"""Terms of words in every script, and the two forms in which texts are compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.recall.analyze import expand, fold, is_opaque, squeeze, term_counts, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wrong-book", ["wrong", "book"]),
        ("src/main.py", ["src", "main", "py"]),
        ("alice@example.com", ["alice", "example", "com"]),
        ("max_heron_retries", ["max_heron_retries"]),
        ("C++ and F# at 50%", ["C++", "and", "F#", "at", "50%"]),
        ("#123 --dry-run v1.2", ["123", "dry", "run", "v1", "2"]),
        ("修改youer服务端", ["修改", "youer", "服务端"]),
        ("今日はtest끝말잇기", ["今日は", "test", "끝말잇기"]),
        ("__init__", ["init"]),
        ("ＡＢＣ", ["ABC"]),
        ("a\u2028b", ["a", "b"]),
        ("", []),
        ("*** -> :=", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("getUserById", ("getuserbyid", "get", "user", "by", "id")),
        ("HTTPServer", ("httpserver", "http", "server")),
        ("max_heron_retries", ("max_heron_retries", "max", "heron", "retries")),
        ("MixedError", ("mixederror", "mixed", "error")),
        ("plain", ("plain",)),
        ("Straße", ("strasse",)),
        ("C++", ("c++", "c")),
        ("foo#", ("foo",)),
        ("50%", ("50%", "50")),
        ("部署脚本", ("部署", "署脚", "脚本", "本")),
        ("晚", ("晚",)),
        ("0123456789abcdef0123456789abcdef01234567", ("~0123",)),
        ("1234567", ("~1234",)),
        ("123456", ("123456",)),
        ("x" * 41, ("~xxxx",)),
        ("deadbeefs", ("deadbeefs",)),
    ],
)
def test_expand(word: str, expected: tuple[str, ...]) -> None:
    assert expand(word) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cafe\u0301", "café"),
        ("ＴＯＤＯ：fix", "todo:fix"),
        ("Don’t", "don't"),
        ("STRASSE", "straße"),
        ("ﬁle", "file"),
    ],
)
def test_fold_makes_equal(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("café", "cafe"), ("x²", "y2"), ("a-b", "a_b")])
def test_fold_keeps_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_squeeze_joins_lines() -> None:
    assert squeeze("One\r\n\t two\u3000three") == "one two three"


def test_counts() -> None:
    counts = term_counts(words("retry retry max_retry 重试"))
    assert counts == {"retry": 3, "max_retry": 1, "max": 1, "重试": 1, "试": 1}


@given(st.text(max_size=300))
def test_any_text_has_bounded_terms(text: str) -> None:
    counts = term_counts(words(text))
    assert all(term and len(term) <= 44 and number > 0 for term, number in counts.items())
    assert not any(is_opaque(term) for term in counts if not term.startswith("~"))


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_text_is_found_by_its_own_words_after_normalisation(one: str, other: str) -> None:
    whole = set(term_counts(words(f"{one} {other}")))
    assert set(term_counts(words(one))) <= whole
