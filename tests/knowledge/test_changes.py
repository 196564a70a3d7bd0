"""What a proposal does to entries: a table of before, after, and the changes told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.knowledge.changes import EntryChange, classify, nearest


def told(before: list[str], after: list[str]) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return [(change.action, change.before, change.after) for change in classify(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ([], [], []),
        (["a"], ["a"], []),
        ([], ["a"], [("add", (), ("a",))]),
        (["a"], [], [("remove", ("a",), ())]),
        (["uses zsh daily"], ["uses fish daily"], [("replace", ("uses zsh daily",), ("uses fish daily",))]),
        (["x", "old", "y"], ["x", "brand new words", "y"], [("replace", ("old",), ("brand new words",))]),
        (["a", "b", "c"], ["c", "a", "b"], [("move", ("c",), ("c",))]),
        (
            ["one two three four"],
            ["one two", "three four"],
            [("split", ("one two three four",), ("one two", "three four"))],
        ),
        (
            ["one two", "three four"],
            ["one two three four"],
            [("merge", ("one two", "three four"), ("one two three four",))],
        ),
        (
            ["a", "b"],
            ["a b", "a b"],
            [("merge", ("a", "b"), ("a b",)), ("add", (), ("a b",))],
        ),
        (
            ["a b", "a b"],
            ["a", "b"],
            [("split", ("a b",), ("a", "b")), ("remove", ("a b",), ())],
        ),
        (["a", "a"], ["a"], [("remove", ("a",), ())]),
        (["a"], ["a", "a"], [("add", (), ("a",))]),
    ],
)
def test_table(before: list[str], after: list[str], changes: list[object]) -> None:
    assert told(before, after) == changes


TEXTS = st.lists(st.sampled_from(["a", "b", "a b", "b a", "c d e", "a b c d e", "x"]), max_size=6)


@given(TEXTS, TEXTS)
def test_changes_account_for_every_entry(before: list[str], after: list[str]) -> None:
    changes = [change for change in classify(before, after) if change.action != "move"]
    gone = [text for change in changes for text in change.before]
    new = [text for change in changes for text in change.after]
    rebuilt = list(before)
    for text in gone:
        rebuilt.remove(text)
    assert sorted([*rebuilt, *new]) == sorted(after)


def test_a_move_loses_nothing() -> None:
    assert EntryChange("move", ("a",), ("a",)).lost == ()


def test_nearest_puts_the_most_alike_first() -> None:
    candidates = ["the deploy host is alpha", "the user likes tea", "deploy on Fridays"]
    assert nearest("deploy host is beta", candidates)[0] == "the deploy host is alpha"
