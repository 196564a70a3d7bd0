"""Replacing text: exactly one match, or the places that could have been meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.errors import UserError
from hermes_git.knowledge.patching import candidates, replace

TEXT = "one two\nthree four\nfive six\nthree  four\n"


@pytest.mark.parametrize(
    ("old", "new", "after"),
    [
        ("one", "1", "1 two\nthree four\nfive six\nthree  four\n"),
        ("two\nthree four\nfive", "2", "one 2 six\nthree  four\n"),
        ("three four", "3", "one two\n3\nfive six\nthree  four\n"),
    ],
)
def test_one_match_is_replaced(old: str, new: str, after: str) -> None:
    assert replace(TEXT, old, new) == after
    assert replace(TEXT.replace("\n", "\r\n"), old, new) == after.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("three", "3", "stands 2 times, on lines 2, 4"),
        ("thre four", "3", "not in the file"),
        ("", "x", "empty"),
        ("one", "one", "the same"),
    ],
)
def test_anything_else_changes_nothing(old: str, new: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        replace(TEXT, old, new)


def test_what_is_alike_is_shown_best_first() -> None:
    found = candidates(TEXT, "three four!")
    assert [row.line for row in found] == [2, 4]
    assert found[0].text == "three four"
    assert candidates(TEXT, "nothing like it at all") == []


def test_a_huge_file_is_looked_through_in_bounds() -> None:
    assert candidates("word word word\n" * 200_000, "word word wird")[0].line == 1


@given(st.text(max_size=40), st.text(min_size=1, max_size=5), st.text(max_size=5))
def test_replacing_is_either_the_only_match_or_an_error(text: str, old: str, new: str) -> None:
    try:
        after = replace(text, old, new)
    except UserError:
        assert text.count(old) != 1 or old == new or "\r\n" in text
        return
    assert after == text.replace(old, new) or "\r\n" in text
