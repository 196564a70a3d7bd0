"""Texts cut into units: every line that says something is in one, and what is inside a sentence is found too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.curator.units import Unit, blocks, units

CUTS = [
    ("One. Two! Three?\n", [("sentence", "One."), ("sentence", "Two!"), ("sentence", "Three?")]),
    ("wrapped\nover lines.\n\nNext\n", [("sentence", "wrapped over lines."), ("sentence", "Next")]),
    ("先备份。然后部署。\n", [("sentence", "先备份。"), ("sentence", "然后部署。")]),
    ("- one\n  more\n* two\n3. three\n- [x] done\n",
     [("item", "one more"), ("item", "two"), ("item", "three"), ("item", "done")]),
    ("# Title\n## Part ##\n", [("heading", "# Title"), ("heading", "## Part ##")]),
    ("| a | b |\n|---|---|\n", [("row", "| a | b |"), ("row", "|---|---|")]),
    ("```sh\nx  y\n\nz\n```\n", [("code", "```sh\nx  y\n\nz")]),
    ("~~~\na\n```\n~~~\nb\n", [("code", "~~~\na\n```"), ("sentence", "b")]),
    ("```\nnever closed\n", [("code", "```\nnever closed")]),
    ("---\nname: x\n---\nBody\n", [("header", "name: x"), ("sentence", "Body")]),
    ("---\nno end\n", [("rule", "---"), ("sentence", "no end")]),
    ("a\n\n***\n\nb", [("sentence", "a"), ("rule", "***"), ("sentence", "b")]),
    ("\ufeffone\r\ntwo\r\n", [("sentence", "one two")]),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CUTS)
def test_blocks(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(unit.kind, unit.text) for unit in blocks(text)] == expected


INNER = [
    ("Run `make x` now.", [("command", "make x")]),
    ("See `docs/a.md`, https://x.invalid/a?b=1.", [("url", "https://x.invalid/a?b=1"), ("path", "docs/a.md")]),
    ("- [x](https://example.invalid) `~/bin/x`", [("url", "https://example.invalid"), ("path", "~/bin/x")]),
    ("plain", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), INNER)
def test_inner_units(text: str, expected: list[tuple[str, str]]) -> None:
    found = [(unit.kind, unit.text) for unit in units(text) if unit.kind in ("command", "path", "url")]
    assert found == expected


LINES = st.lists(
    st.sampled_from(
        ["", "word word", "- item", "1. item", "# head", "```", "~~~", "| a |", "---", "> quoted", "    indented",
         "a. b. c", "***", "\ttab", "§", "<div>", "name: x"]
    ),
    max_size=14,
)  # fmt: skip


@given(LINES)
def test_every_line_that_is_not_blank_is_in_exactly_one_block(lines: list[str]) -> None:
    covered: list[int] = []
    for unit in dict.fromkeys((unit.line, unit.end) for unit in blocks("\n".join(lines))):
        covered += range(unit[0], unit[1] + 1)
    header = {1} if lines and lines[0] == "---" and "---" in lines[1:] else set()
    if header:
        header.add(lines.index("---", 1) + 1)
    wanted = {number for number, line in enumerate(lines, 1) if line.strip()} - header
    assert wanted <= set(covered)
    assert len(covered) == len(set(covered))


def test_a_sentence_and_an_item_that_say_the_same_are_the_same() -> None:
    assert Unit("item", "x").key == Unit("sentence", "x").key
    assert Unit("heading", "x").key != Unit("sentence", "x").key


@given(st.text(max_size=300))
def test_any_text_is_cut_without_error(text: str) -> None:
    assert all(unit.line >= 1 and unit.end >= unit.line for unit in units(text))
