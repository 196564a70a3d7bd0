"""Operations select exactly one entry, or say what could have been meant; a batch is all or nothing."""

from __future__ import annotations

import pytest

from hermes_git.errors import UserError
from hermes_git.gate.operations import Operation, apply, resolve
from hermes_git.knowledge import entries

TEXTS = ["uses zsh", "timezone UTC+2", "uses zsh on the laptop"]
FILE = entries.from_texts(TEXTS)


def done(*operations: Operation) -> list[str]:
    return list(apply(FILE, resolve(FILE, operations)).texts)


def test_whole_entry_wins_over_a_part() -> None:
    assert done(Operation("replace", "uses fish", "uses zsh")) == ["uses fish", TEXTS[1], TEXTS[2]]


def test_an_id_selects_its_entry() -> None:
    assert done(Operation("remove", "", entries.entry_id(TEXTS[1]))) == [TEXTS[0], TEXTS[2]]


def test_adding_what_is_there_is_no_step() -> None:
    assert resolve(FILE, [Operation("add", "uses  zsh.")]) == ()


def test_later_operations_see_earlier_ones() -> None:
    assert done(Operation("add", "new"), Operation("replace", "newer", "new")) == [*TEXTS, "newer"]


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (Operation("replace", "x", "zsh"), "2 entries hold"),
        (Operation("replace", "x", "bash"), "no entry holds"),
        (Operation("remove", "", ""), "old_text is empty"),
        (Operation("add", "  "), "is empty"),
        (Operation("add", "half \ud83d of a pair"), "character 6 of the text is no Unicode"),
        (Operation("replace", "\udcff", "UTC+2"), "character 1 of the text is no Unicode"),
        (Operation("remove", "", "\ud83d"), "no entry holds"),
        (Operation("add", "a\n§\nb"), "line 2 of the text holds only the separator"),
        (Operation("replace", "uses zsh", "UTC+2"), "says this already"),
        (Operation("burn", "x"), "unknown action"),
    ],
)
def test_errors_say_what_and_change_nothing(operation: Operation, said: str) -> None:
    with pytest.raises(UserError, match=said):
        resolve(FILE, [Operation("add", "first"), operation])


def test_several_matches_are_all_named() -> None:
    with pytest.raises(UserError) as caught:
        resolve(FILE, [Operation("remove", "", "zsh")])
    assert "uses zsh on the laptop" in caught.value.hint and entries.entry_id("uses zsh") in caught.value.hint
