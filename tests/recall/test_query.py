"""What a query is taken to mean; no text is an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.recall.query import FIELDS, MAX_PIECES, Piece, parse


def shown(text: str) -> list[list[str]]:
    return [[piece.text for piece in clause] for clause in parse(text).clauses]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("one two", [["one"], ["two"]]),
        ('"one two" three', [["one two"], ["three"]]),
        ("docker OR podman OR lxc", [["docker", "podman", "lxc"]]),
        ("a AND b", [["a"], ["b"]]),
        ("a AND", [["a"], ["AND"]]),
        ("NOT", [["NOT"]]),
        ("OR OR OR", [["OR"], ["OR"], ["OR"]]),
        ("a or b not c", [["a"], ["or"], ["b"], ["not"], ["c"]]),
        ('"open', [['"open']]),
        ('""', []),
        ("x:y", [["x:y"]]),
        ("http://host/path?x=1", [["http://host/path?x=1"]]),
        ("role:user hello", [["hello"]]),
        ("role:", [["role:"]]),
        ("kind:nonsense hello", [["kind:nonsense"], ["hello"]]),
        ("before:tomorrow", [["before:tomorrow"]]),
        ('note:"two words"', [["note:"], ["two words"]]),
        ("-flag --other", [["-flag"], ["--other"]]),
        ("  ", []),
    ],
)
def test_clauses(text: str, clauses: list[list[str]]) -> None:
    assert shown(text) == clauses


def test_not_excludes() -> None:
    found = parse("python NOT windows rest")
    assert [piece.text for piece in found.excluded] == ["windows"]
    assert [piece.text for piece in found.pieces] == ["python", "rest"]


@pytest.mark.parametrize(
    ("text", "expected"), [("deploy*", Piece("deploy", is_prefix=True)), ("*", Piece("*")), ("a*", Piece("a*"))]
)
def test_prefix(text: str, expected: Piece) -> None:
    assert parse(text).pieces == (expected,)


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("role:user,Assistant x", "role", ("user", "assistant")),
        ("KIND:memories", "kind", ()),
        ("kind:skills", "kind", ("skill",)),
        ('repo:"my repo"', "repo", ("my repo",)),
        ("tool:bash tool:patch", "tool", ("bash", "patch")),
        ("path:src/a.py", "path", ("src/a.py",)),
    ],
)
def test_filters(text: str, name: str, values: tuple[str, ...]) -> None:
    assert parse(text).filters.of(name) == values


def test_times_narrow() -> None:
    found = parse("after:2026-01-01 after:2026-02-01 before:2026-05-01T12:00:00+02:00 before:2026-06-01").filters
    assert (found.after, found.before) == (1769904000, 1777629600)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("Staging  Cluster", "staging cluster"),
        ("what is it?", "what is it"),
        ("C++", "c++"),
        ("a OR b", ""),
        ("deploy*", ""),
        ("'quoted'", "'quoted'"),
    ],
)
def test_literal(text: str, literal: str) -> None:
    assert parse(text).literal == literal


def test_bounds_are_said() -> None:
    assert len(parse("word " * 100).pieces) == MAX_PIECES
    assert "64 words" in " ".join(parse("word " * 100).notes)
    assert "2,048" in " ".join(parse("x" * 5000).notes)


@given(st.text(max_size=200))
def test_any_text_parses(text: str) -> None:
    found = parse(text)
    assert all(clause for clause in found.clauses)
    assert set(found.filters.values) <= set(FIELDS)
