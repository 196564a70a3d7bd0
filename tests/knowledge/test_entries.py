"""Memory entries: every text round-trips, an edit touches nothing else, Hermes' own files stay byte-identical."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.knowledge import entries

ALPHABET = st.sampled_from([*"ab §\n\r\t`é好\u200c👩\ufeff\x1c\u3000", "\r\n", "\n§\n", "\r\n§\r\n", "```\n"])
TEXTS = st.lists(ALPHABET, max_size=30).map("".join)
ENTRY_TEXTS = TEXTS.map(entries.normal_text).filter(lambda text: text and not entries.lone_separator_line(text))


@given(TEXTS)
def test_every_text_round_trips(text: str) -> None:
    assert entries.parse(text).raw() == text.removeprefix("\ufeff")


@given(TEXTS)
def test_the_fast_reading_is_the_same(text: str) -> None:
    assert entries.texts_of(text) == entries.parse(text).texts


@given(st.lists(ENTRY_TEXTS, max_size=6))
def test_parse_undoes_render(texts: list[str]) -> None:
    assert list(entries.parse(entries.render(texts)).texts) == texts


@given(st.lists(ENTRY_TEXTS, min_size=1, max_size=5), ENTRY_TEXTS, st.data())
def test_an_edit_touches_one_entry(texts: list[str], new: str, data: st.DataObject) -> None:
    file = entries.from_texts(texts)
    position = data.draw(st.integers(0, len(texts) - 1))
    assert list(file.add(new).texts) == [*texts, new]
    assert list(file.replace(position, new).texts) == [*texts[:position], new, *texts[position + 1 :]]
    assert list(file.remove(position).texts) == [*texts[:position], *texts[position + 1 :]]
    assert file.add(new).raw() == entries.render([*texts, new])


@pytest.mark.parametrize(
    ("raw", "texts"),
    [
        ("", []),
        ("§", ["§"]),
        ("\n§\n", []),
        ("a\n§\nb", ["a", "b"]),
        ("a\r\n§\r\nb", ["a", "b"]),
        ("\ufeffa\n§\nb\n", ["a", "b"]),
        ("a\n\n§\n\nb", ["a", "b"]),
        ("\ufeff\ufeffa\n§\n\ufeffb\ufeff", ["a", "b"]),
        ("\ufeff\n§\na", ["a"]),
        ("a\n§ \nb", ["a\n§ \nb"]),
        ("law § 12 applies", ["law § 12 applies"]),
        ("a\n§\n\n§\nb", ["a", "b"]),
    ],
)
def test_parse(raw: str, texts: list[str]) -> None:
    assert list(entries.parse(raw).texts) == texts


def test_crlf_file_keeps_its_line_ends() -> None:
    raw = "\r\n§\r\n".join(["uses zsh", "timezone UTC+2", "never force-push"])
    edited = entries.parse(raw).replace(1, "timezone UTC+1")
    assert edited.raw() == raw.replace("UTC+2", "UTC+1")
    assert entries.parse(raw).add("x").raw() == raw + "\r\n§\r\nx"


def test_final_newline_stays_final() -> None:
    assert entries.parse("a\n§\nb\n").add("c").raw() == "a\n§\nb\n§\nc\n"
    assert entries.parse("a\n§\nb\n").remove(1).raw() == "a\n"
    assert entries.parse("a\n").remove(0).raw() == ""


def test_entry_lines() -> None:
    assert [entry.line for entry in entries.parse("a\nb\n§\n\nc\n§\nd").entries] == [1, 5, 7]


@pytest.mark.parametrize("text", ["x\n§\ny", "§\nleading", "trailing\n§", "a\r\n§\r\nb", "a\n § \nb", "```\n§\n```"])
def test_lone_separator_is_seen(text: str) -> None:
    assert entries.lone_separator_line(text) > 0


def test_length_counts_code_points() -> None:
    assert entries.length(["é", "e\u0301", "👩‍👩‍👧", "好"]) == 1 + 2 + 5 + 1 + 9


def test_real_memories_are_kept_byte_for_byte(data: Path) -> None:
    files = sorted((data / "memory").rglob("*.md"))
    assert len(files) > 30
    for path in files:
        raw = path.read_bytes()
        assert entries.parse(raw.decode("utf-8")).encode() == raw, path
