"""Pins in the settings: the list changes, every other byte stays."""

from __future__ import annotations

import pytest

from hermes_git.errors import UserError
from hermes_git.knowledge.pins import with_pins

CASES = [
    ("", ["a"], '[curator]\npinned = ["a"]\n'),
    ("format = 1", ["a"], 'format = 1\n\n[curator]\npinned = ["a"]\n'),
    ("format = 1\r\n", ["a"], 'format = 1\r\n\r\n[curator]\r\npinned = ["a"]\r\n'),
    ("[curator] # ours\nenabled = true\n", ["a"], '[curator] # ours\npinned = ["a"]\nenabled = true\n'),
    ('[curator]\npinned = ["a"] # why\n[gate]\n', ["a", "b"], '[curator]\npinned = ["a", "b"] # why\n[gate]\n'),
    ('[curator]\npinned = [\n  "a",\n  "b",\n]\n', ["b"], '[curator]\npinned = ["b"]\n'),
    ('[gate]\nscope = "all"\n[curator]\n', ["技能"], '[gate]\nscope = "all"\n[curator]\npinned = ["技能"]\n'),
]


@pytest.mark.parametrize(("before", "names", "after"), CASES)
def test_only_the_list_changes(before: str, names: list[str], after: str) -> None:
    assert with_pins(before, names) == after


@pytest.mark.parametrize(
    "text", ['curator.pinned = ["a"]\n', "curator = { enabled = true }\n", '[curator]\npinned = ["a]"]\n']
)
def test_what_cannot_be_edited_safely_is_left_to_a_person(text: str) -> None:
    with pytest.raises(UserError, match="cannot be edited"):
        with_pins(text, ["b"])
