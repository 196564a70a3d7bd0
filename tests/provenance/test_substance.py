"""Edits that count and edits that do not."""

from __future__ import annotations

import pytest

from hermes_git.provenance.change import Actor
from hermes_git.provenance.history import Event
from hermes_git.provenance.substance import freshness, is_reformat

REFORMATS = [
    (b"a  b\nc\n", b"a b\r\nc"),
    (b"* one\n* two\n", b"- one\n- two\n"),
    (b"\xef\xbb\xbfname: 'x'\n", b'name: "x"\n'),
    (b"a\n\n\nb\n", b"a\n\nb\n"),
    (b"|a|b|\n|-|-|\n|1|2|\n", b"| a | b |\n| --- | :-- |\n| 1 | 2 |\n"),
    (b"__bold__ and *slanted*\n", b"**bold** and _slanted_\n"),
    (b"long line\nwrapped here\n", b"long line wrapped here\n"),
]
EDITS = [
    (b"port 80\n", b"port 81\n"),
    (b"never push\n", b"push\n"),
    (b"a\n", b"a\nb\n"),
    (b"x", "é".encode()),
    (b"run it with -f\n", b"run it with f\n"),
]


@pytest.mark.parametrize(("before", "after"), REFORMATS)
def test_a_formatter_changes_nothing(before: bytes, after: bytes) -> None:
    assert is_reformat([("1", "2")], {"1": before, "2": after})


@pytest.mark.parametrize(("before", "after"), EDITS)
def test_an_edit_changes_something(before: bytes, after: bytes) -> None:
    assert not is_reformat([("1", "2")], {"1": before, "2": after})


def test_an_added_file_is_no_reformatting() -> None:
    assert not is_reformat([("0" * 40, "2")], {"2": b""})
    assert not is_reformat([], {})


def test_a_sweep_counts_only_where_it_says_something_of_its_own() -> None:
    blobs = {f"a{n}": b"text %d\n" % n for n in range(3)}
    blobs |= {"b0": b"text 0\nLicense: MIT\n", "b1": b"text 1\nLicense: MIT\n"}
    blobs["b2"] = b"text 2\nLicense: MIT\nfirst new line\nsecond new line\nthird new line\n"
    who = Actor("person", "x")
    events = {f"r{n}": (Event("edit", "c", 1, who, True, ((f"a{n}", f"b{n}"),)),) for n in range(3)}
    found = freshness(events, frozenset(), lambda ids: {id: blobs[id] for id in ids if id in blobs})
    assert found["r0"].passed == found["r1"].passed == ("swept over many skills at once",)
    assert found["r2"].edit is not None


def test_listed_commits_and_the_curator_do_not_count() -> None:
    blobs = {"a": b"1", "b": b"2"}
    person, pair = Actor("person", "x"), (("a", "b"),)
    events = {
        "r": (
            Event("create", "first", 0, person),
            Event("edit", "old", 1, person, False, pair),
            Event("edit", "real", 2, Actor("agent", "x"), False, pair),
            Event("edit", "made", 3, Actor("curator", "hermes-git"), False, pair),
            Event("edit", "listed", 4, person, False, pair),
        ),
        "never": (Event("create", "first", 0, person), Event("edit", "listed", 4, person, False, pair)),
    }
    found = freshness(events, frozenset({"listed"}), lambda ids: {id: blobs[id] for id in ids})
    assert found["r"].edit == events["r"][2]
    assert found["r"].passed == ("listed in .git-blame-ignore-revs", "made by the curator")
    assert found["never"].edit is None
