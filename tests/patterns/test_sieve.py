"""The sieve: it lets nothing pass that `find` would find, and is silent on plain text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hermes_git.patterns import secrets, sieve
from tests.patterns.test_secrets import FIRES, QUIET, fake

PLAIN = [
    "The quick brown fox jumps over the lazy dog. It was 3 o'clock in 2026, and 12 people (or 13) saw it.",
    "max_tokens, tokens, monkeys, keyboards, compass, passing, keys and a class StreamingReader_of_long_names_12345",
    "| name | value |\n|----------------------|----------------------|\n",
    "这是一个普通的段落，没有任何秘密。",
    "İstanbul, straße, 😀 and Ωmega",
    "commit 4e0dcdf1b9e88b68faa669e6df14e658bb167d65",
    "def f(x: int) -> int:\n    return x + 1  # @decorated, a@ b, @c",
]
PIECES = [
    *(row[1] for row in FIRES),
    *QUIET,
    *'token password = : \n " \\ @ - _ . 4111 DE89 é İ + ( 212 --'.split(" "),
    " ",
    "sk" + "-",
    "ПАРОЛЬ",
    fake(25),
    "KEY",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_passes(text: str) -> None:
    assert sieve.places(text) == []


@pytest.mark.parametrize(("kind", "text", "found"), FIRES, ids=[f"{n}-{row[0]}" for n, row in enumerate(FIRES)])
def test_every_secret_is_seen_near_its_place(kind: str, text: str, found: str) -> None:
    padding = "Plain words go before it.\n"
    assert [place for place in sieve.places(padding + text + "\n" + padding) if place >= len(padding)]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
@example("İ" + "密码：" + "abc12345")
@example("ПАРОЛЬ: " + "abc12345")
def test_a_text_without_a_place_holds_nothing(text: str) -> None:
    assert sieve.places(text) or not secrets.find(text)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), st.data())
def test_a_part_without_places_in_the_whole_has_none(text: str, data: st.DataObject) -> None:
    low = data.draw(st.integers(0, len(text)))
    high = data.draw(st.integers(low, len(text)))
    assert sieve.places(text) or not sieve.places(text[low:high])


def test_real_memories_and_skills_hold_nothing_where_the_sieve_sees_nothing(data: Path) -> None:
    lines = [
        line
        for path in sorted([*(data / "memory").rglob("*.md"), *(data / "knowledge").rglob("*.md")])
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n")
    ]
    silent = [line for line in lines if not sieve.places(line)]
    assert len(silent) > len(lines) / 2 > 500
    assert [line for line in silent if secrets.find(line)] == []
