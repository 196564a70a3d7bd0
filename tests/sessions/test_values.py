"""Values of foreign JSON: wrong types are absent, times are one form."""

from __future__ import annotations

import pytest

from hermes_git.sessions import values

TIMES = [
    ("2026-09-01T08:00:00.000Z", "2026-09-01T08:00:00Z"),
    ("2026-09-01T08:00:00.123456+02:00", "2026-09-01T06:00:00.123Z"),
    ("2026-05-04T22:24:58.146823", "2026-05-04T22:24:58.146Z"),
    ("2026-05-04 22:24:58", "2026-05-04T22:24:58Z"),
    (1788249600.5, "2026-09-01T08:00:00.500Z"),
    (1788249600, "2026-09-01T08:00:00Z"),
    (1788249600000, "2026-09-01T08:00:00Z"),
    ("", ""),
    ("soon", ""),
    (None, ""),
    (True, ""),
    (-1, ""),
    (0, ""),
    (1e300, ""),
    (10**400, ""),
    (-(10**400), ""),
    ("0001-01-01T00:00:00+23:59", ""),
    ("9999-12-31T23:59:59-23:59", ""),
    ("9" * 5000, ""),
    (float("nan"), ""),
    ({}, ""),
]


@pytest.mark.parametrize(("given", "expected"), TIMES)
def test_times_become_utc(given: object, expected: str) -> None:
    assert values.moment(given) == expected


def test_wrong_types_are_absent() -> None:
    assert (values.text(7), values.mapping([]), values.items({}), values.first_text({"a": 1, "b": "x"}, "a", "b")) == (
        "",
        {},
        [],
        "x",
    )
    assert values.counts({"a": 3, "b": "4", "c": True, "d": -1}, {"a": "x", "b": "y", "c": "z", "d": "w"}) == {"x": 3}


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert values.text("a\ud83db") == "a\ufffdb"
    assert values.text("👩‍👩‍👧") == "👩‍👩‍👧"
    assert values.dump({"a": "\ud83d"}) == '{"a": "\\ud83d"}'
    assert values.dump("as it is {") == "as it is {"
