"""Cuts: between words and lines, never where a secret may go on, and the same from both directions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from hermes_git.patterns import secrets
from hermes_git.providers.scrubber_cuts import CANDIDATE, first_cut, is_cut, last_cut
from tests.providers.scrubber_texts import TEXTS


def cuts(text: str) -> list[str]:
    """Return the parts that all cuts of a text make."""
    places = [match.end() for match in CANDIDATE.finditer(text) if is_cut(text, match.end())]
    return [text[low:high] for low, high in zip([0, *places], [*places, len(text)], strict=True)]


ID = "AK" + "IA" + "Q3EGWZ2ABCDEFGH4"
TABLE = [
    ("two words", ["two ", "words"]),
    ("a line\nand one", ["a ", "line\n", "and ", "one"]),
    ("one\r\ntwo", ["one\r\n", "two"]),
    ("это слова", ["это ", "слова"]),
    ("第一句。第二句，完", ["第一句。", "第二句，", "完"]),
    ("now, then. Or so", ["now, ", "then. ", "Or ", "so"]),
    ("call 555 1234 now", ["call 555 1234 now"]),
    ("IBAN GB82 WEST 1234", ["IBAN GB82 WEST 1234"]),
    ("password is hunter2x", ["password is hunter2x"]),
    (
        "a bearer of good news comes to you soon and again",
        ["a ", "bearer of good news comes to you soon and ", "again"],
    ),
    ("密码 是什么。我 不 知 道", ["密码 是什么。我 不 知 道"]),
    ("run --foo token x", ["run --foo token x"]),
    ("[REDACTED:password:1], and so on", ["[REDACTED:password:1], ", "and ", "so ", "on"]),
    (f"{ID}\nand then the other", [f"{ID}\nand then the other"]),
    ("见https://a.cn/b。然后", ["见https://a.cn/b。然后"]),
    ("password:\nx", ["password:\n", "x"]),
    ("{'a': 1, 'b': 2}", ["{'a': 1, 'b': 2}"]),
]


@pytest.mark.parametrize(("text", "parts"), TABLE)
def test_cuts(text: str, parts: list[str]) -> None:
    assert cuts(text) == parts


@settings(deadline=None)
@given(TEXTS)
def test_first_and_last_cut_see_the_same_cuts(text: str) -> None:
    places = [match.end() for match in CANDIDATE.finditer(text) if is_cut(text, match.end())]
    forward, place = [], 0
    while (place := first_cut(text, place, len(text))) > 0:
        forward.append(place)
    backward, place = [], len(text)
    while (place := last_cut(text, 0, place)) > 0:
        backward.append(place)
        place -= 1
    assert forward == places == backward[::-1]


@settings(deadline=None)
@given(TEXTS)
def test_no_cut_depends_on_what_comes_behind_the_next_character(text: str) -> None:
    for match in CANDIDATE.finditer(text):
        seen = text[: match.end() + 1]
        assert is_cut(seen, match.end()) == is_cut(text, match.end())
        assert match.end() in [again.end() for again in CANDIDATE.finditer(seen)]


@settings(deadline=None)
@given(TEXTS)
def test_no_secret_of_one_line_is_cut_in_two(text: str) -> None:
    """Keys span lines and have their own rule; values that hold a Chinese stop are cut at it, which loses nothing."""
    text = text.replace("-----BEGIN", "").replace("。", "").replace("，", "").replace("--", "")
    found = secrets.find(text)
    for match in CANDIDATE.finditer(text):
        if is_cut(text, match.end()):
            assert not [one for one in found if one.start < match.end() < one.end]
