"""Splicing frontmatter: the named key changes, every other byte stays, in whatever way the file is written."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.errors import UserError
from hermes_git.knowledge import splice
from hermes_git.knowledge.frontmatter import BadHeader, Value, read
from tests.knowledge.real_skills import skill_files

SOURCE = """\
---
# why this skill is here
name: "skill-x"   # the folder's name
description: >-
  folded text
  rather long: yes

alpha: [a, b]  # a list
created: 2026-01-02
empty:
tags:
  - one
  - two
# about the version
version: "1.10"

metadata:
    author: 'me'
    hermes:
        tags:
          - Git
---

# Body

name: not a header
"""


def changed(before: str, after: str) -> list[str]:
    """Return the lines taken away and put there, with their sign."""
    rows = difflib.ndiff(before.split("\n"), after.split("\n"))
    return [row for row in rows if row[:1] in "+-"]


CASES: list[tuple[tuple[str, ...], Value, list[str]]] = [
    (
        ("name",),
        "other",
        ['- name: "skill-x"   # the folder\'s name', "+ name: other   # the folder's name"],
    ),
    (
        ("description",),
        "Use when: now",
        ["- description: >-", "-   folded text", "-   rather long: yes", '+ description: "Use when: now"'],
    ),
    (("alpha",), ["a", "b", "c d"], ["- alpha: [a, b]  # a list", "+ alpha: [a, b, c d]  # a list"]),
    (("created",), "2026-02-03", ["- created: 2026-01-02", '+ created: "2026-02-03"']),
    (("empty",), "now full", ["- empty:", "+ empty: now full"]),
    (("tags",), ["one"], ["-   - two"]),
    (("version",), "1.11", ['- version: "1.10"', '+ version: "1.11"']),
    (("license",), "MIT", ["+ license: MIT"]),
    (("metadata", "author"), "you", ["-     author: 'me'", "+     author: you"]),
    (("metadata", "version"), "2", ['+     version: "2"']),
    (("metadata", "hermes", "category"), "devops", ["+         category: devops"]),
    (("metadata", "other", "deep"), True, ["+     other:", "+       deep: true"]),
    (("alpha",), "text", ["- alpha: [a, b]  # a list", "+ alpha: text  # a list"]),
]


def without_hints(rows: list[str]) -> list[str]:
    return [row.rstrip("\r") for row in rows]


@pytest.mark.parametrize(
    ("path", "value", "expected"), CASES, ids=lambda item: ".".join(item) if isinstance(item, tuple) else ""
)
@pytest.mark.parametrize("form", ["lf", "crlf", "bom", "wide"])
def test_only_the_key_changes(path: tuple[str, ...], value: Value, expected: list[str], form: str) -> None:
    text = {
        "lf": SOURCE,
        "crlf": SOURCE.replace("\n", "\r\n"),
        "bom": "\ufeff" + SOURCE,
        "wide": SOURCE.replace("# why", "# 为什么 🚀 é"),
    }[form]
    after = splice.set_value(text, path, value)
    assert sorted(without_hints(changed(text, after))) == sorted(expected)
    assert after.count("\r") == after.count("\n") if form == "crlf" else "\r" not in after
    found: object = read(after.removeprefix("\ufeff")).values
    for key in path:
        found = found[key]  # type: ignore[index]
    assert found == value


REFUSED = [
    ("---\nname: x\nmetadata: {a: b}\n---\n", ("metadata", "c"), "d"),
    ("---\nname: x\nmetadata: text\n---\n", ("metadata", "c"), "d"),
    ("---\nname: x\ntags: # these\n  - a\n  # and that\n  - b\n---\n", ("tags",), "d"),
]


@pytest.mark.parametrize(("text", "path", "value"), REFUSED)
def test_refuses_what_would_touch_more(text: str, path: tuple[str, ...], value: str) -> None:
    with pytest.raises(UserError):
        splice.set_value(text, path, value)


@pytest.mark.parametrize(
    ("path", "gone"),
    [
        (("name",), ['- name: "skill-x"   # the folder\'s name']),
        (("description",), ["- description: >-", "-   folded text", "-   rather long: yes"]),
        (("tags",), ["- tags:", "-   - one", "-   - two"]),
        (("metadata", "author"), ["-     author: 'me'"]),
        (("empty",), ["- empty:"]),
        (("metadata", "hermes", "tags"), ["-     hermes:", "-         tags:", "-           - Git"]),
    ],
)
def test_removes_only_the_key(path: tuple[str, ...], gone: list[str]) -> None:
    after = splice.remove_key(SOURCE, path)
    assert changed(SOURCE, after) == gone


def test_removing_what_is_not_there_is_an_error() -> None:
    with pytest.raises(UserError, match="no key nothing"):
        splice.remove_key(SOURCE, ("nothing",))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


@given(TEXT, st.sampled_from(["name", "description", "alpha", "empty", "tags", "version", "new"]), st.booleans())
def test_any_text_can_be_set_and_nothing_else_changes(value: str, key: str, crlf: bool) -> None:
    text = SOURCE.replace("\n", "\r\n") if crlf else SOURCE
    before, after = read(text), read(splice.set_value(text, (key,), value))
    assert after.values == {**before.values, key: value}
    assert after.body == before.body


def test_one_key_of_every_real_skill(data: Path) -> None:
    done = 0
    for path, content in skill_files(data):
        text = content.decode("utf-8", "replace")
        try:
            header = read(text.removeprefix("\ufeff"))
        except BadHeader:
            continue
        for key in [*header.values, "added-key"]:
            after = splice.set_value(text, (key,), "a new value: here")
            rows = changed_span(text, after)
            assert read(after.removeprefix("\ufeff")).values == {**header.values, key: "a new value: here"}, path
            own = header.lines.get(key)
            following = [line for line in header.lines.values() if own and line > own]
            end = min(following, default=text[: header.end].count("\n") + 2)
            assert own is None or own <= rows[0] <= rows[1] < end, (path, key, rows)
            done += 1
    assert done > 5000


def changed_span(before: str, after: str) -> tuple[int, int]:
    """Return the first and the last 1-based line of `before` that differ."""
    old, new = before.split("\n"), after.split("\n")
    first = next(number for number, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1])
    tail = next(number for number, pair in enumerate(zip(old[::-1], new[::-1], strict=False)) if pair[0] != pair[1])
    return first + 1, len(old) - tail
