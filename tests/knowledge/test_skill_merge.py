"""Merging SKILL.md: keys and sections that only one side touched never conflict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.knowledge.skill_merge import _parts, three_way

BASE = (
    "---\n# why\nname: a\ndescription: One.\nmetadata:\n  version: '1'\n---\n\n# Title\n\nIntro.\n\n"
    "## When to Use\n\n- x\n\n```md\n## not a heading\n```\n\n## Steps\n\n1. one\n"
)


def edit(old: str, new: str, text: str = BASE) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [BASE, "\ufeff" + BASE, "no header\n## x\n", "---\nname: a\n---\n", ""])
def test_parts_make_up_the_text(text: str, newline: str) -> None:
    text = text.replace("\n", newline)
    assert "".join(part for _, part in _parts(text)) == text


def test_different_keys_and_sections_merge() -> None:
    ours = edit("description: One.", "description: Two.", edit("1. one", "1. one\n2. two"))
    theirs = edit("version: '1'", "version: '2'", edit("- x", "- x\n- y")) + "\n## Pitfalls\n\n- z\n"
    merged = three_way(BASE, ours, theirs)
    assert not merged.conflicts
    for piece in ("Two.", "'2'", "2. two", "- y", "## Pitfalls"):
        assert piece in merged.text
    assert three_way(BASE, theirs, ours).text == merged.text


def test_the_same_section_edited_twice_is_a_conflict_shown_whole() -> None:
    merged = three_way(BASE, edit("- x", "- ours"), edit("- x", "- theirs"))
    assert merged.conflicts == ("section When to Use 1",)
    assert "<<<<<<< ours" in merged.text and "- ours" in merged.text and "- theirs" in merged.text


def test_removal_of_an_untouched_section_is_kept() -> None:
    start = BASE.index("## Steps")
    assert three_way(BASE, BASE[:start], edit("Intro.", "Intro!")).text == edit("Intro.", "Intro!")[:start]


PIECES = st.lists(st.sampled_from(["## a\n", "## b\n", "text\n", "- item\n", "\n"]), max_size=8).map("".join)


@given(PIECES, PIECES)
def test_one_sided_edits_are_taken_whole(one: str, other: str) -> None:
    head = "---\nname: a\ndescription: d\n---\n"
    assert three_way(head + one, head + one, head + other).text == head + other
    assert three_way(head + one, head + other, head + one).text == head + other
    assert three_way(head + one, head + other, head + other).text == head + other
