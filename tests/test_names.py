"""Words that are numbers, and words that only look like it."""

from __future__ import annotations

import pytest

from hermes_git.names import is_device, whole_number


@pytest.mark.parametrize("name", ["con", "CON", "nul.txt", "Com1", "lpt9.a.b", "prn."])
def test_devices_of_windows_are_known(name: str) -> None:
    assert is_device(name)


@pytest.mark.parametrize("name", ["console", "a.con", "com", "com10", "nul-", "", "auxiliary"])
def test_other_names_are_no_devices(name: str) -> None:
    assert not is_device(name)


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("17", 17), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_digits_are_a_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", " 1", "1_000", "\u00b2", "\u0661", "\u2460", "9" * 19, "9" * 5000, "1.0"]
)
def test_anything_else_is_none(text: str) -> None:
    assert whole_number(text) is None
