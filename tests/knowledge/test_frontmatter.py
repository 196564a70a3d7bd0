"""Frontmatter: what is written is read back unchanged by every loader; what cannot be read says where and why."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.knowledge import frontmatter
from hermes_git.knowledge.frontmatter import BadHeader
from hermes_git.knowledge.yaml_text import scalar

OK = "---\nname: {n}\ndescription: Checks links. Use when a page changes.\n---\n# Body\n\n---\n\nmore\n"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
NASTY = [
    "Use when: deploying, or rolling back", "# x", "'", '"', "@x", "- x", "yes", "no", "on", "~", "null", "a\nb", "",
    " lead", "trail ", "a #b", "a: b", "a:", "1.10", "2026-01-02", "12:30", "017", "0o17", "1e3", "0x1f", "1_000",
    "---", "a --- b", "...", "? x", "| x", "> x", "& x", "* x", "! x", "% x", "` x", "[x", "{x", "a, b]", "\t", "a\tb",
    "\u2028", "\x85", "\x07", "\ufeff", "\ufffe", "é 技能 🚀", "=", "<<", "y", "N", ".inf", ".nan", "a" * 1024,
    "a" * 1025,
]  # fmt: skip


@pytest.mark.parametrize("value", NASTY)
def test_nasty_text_is_read_back_unchanged(value: str) -> None:
    source = f"description: {scalar(value)}\n"
    assert yaml.safe_load(source) == {"description": value}
    assert frontmatter.load(source)[0] == {"description": value}


@given(TEXT)
def test_any_text_is_read_back_unchanged(value: str) -> None:
    assert yaml.safe_load(f"description: {scalar(value)}\n") == {"description": value}


PLAIN = st.one_of(TEXT, st.booleans(), st.none(), st.integers(-(10**6), 10**6))
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=8
)


@given(st.dictionaries(TEXT, VALUES, max_size=4))
def test_read_undoes_compose(values: dict[str, object]) -> None:
    text = frontmatter.compose(values, "# Body\n\ntext\n")
    header = frontmatter.read(text)
    assert header.values == values
    assert list(header.values) == list(values)
    assert header.body == "\n# Body\n\ntext\n"
    assert yaml.safe_load(text[header.start : header.end]) == (values or None)


def test_writes_block_style_only() -> None:
    text = frontmatter.compose({"name": "x", "metadata": {"version": "1", "tags": ["a", "b"]}}, "# X\n")
    assert text == '---\nname: x\nmetadata:\n  version: "1"\n  tags:\n    - a\n    - b\n---\n\n# X\n'


GOOD = {
    "plain": OK,
    "crlf": OK.replace("\n", "\r\n"),
    "trailing blanks": OK.replace("---\n", "---  \n", 1),
}


@pytest.mark.parametrize("form", GOOD)
def test_accepted_forms_say_the_same(form: str) -> None:
    header = frontmatter.read(GOOD[form].format(n="x"))
    assert header.values == {"name": "x", "description": "Checks links. Use when a page changes."}
    assert header.body.replace("\r\n", "\n") == "# Body\n\n---\n\nmore\n"
    assert (header.lines["description"], header.body_line) == (3, 5)


BAD = {
    "lone carriage returns": (OK.replace("\n", "\r"), 1, "carriage returns"),
    "comment above": ("<!-- from: x -->\n" + OK, 1, "above the frontmatter"),
    "blank lines above": ("\n\n" + OK, 1, "first line"),
    "not closed": ("---\nname: x\ndescription: y\n# Body\n", 1, "not closed"),
    "closed by dots": (OK.replace("\n---\n# Body", "\n...\n# Body", 1).split("\n---\n", maxsplit=1)[0], 4, "..."),
    "dots above a rule": ("---\nname: x\n...\n# Body\n\n---\n\nmore\n", 3, "..."),
    "colon in the value": (
        "---\nname: x\ndescription: Use when: deploying, or rolling back\n---\n",
        3,
        "must be quoted",
    ),
    "tab": ("---\nname: x\nmetadata:\n\ta: b\n---\n", 4, "tabs"),
    "at sign": ("---\nname: x\ndescription: @x\n---\n", 3, "not valid YAML"),
    "duplicate key": ("---\nname: x\nname: y\n---\n", 3, "given twice"),
    "anchor": ("---\nname: &a x\ndescription: *a\n---\n", 2, "anchors"),
    "tag": ("---\nname: !!python/object:os.system x\n---\n", 2, "tag"),
    "list": ("---\n- a\n---\n", 2, "key: value"),
    "too deep": ("---\na: " + "[" * 30 + "]" * 30 + "\n---\n", 2, "levels"),
    "too large": ("---\na: " + "b" * 70_000 + "\n---\n", 1, "larger"),
}


@pytest.mark.parametrize("form", BAD)
def test_refused_forms_name_line_reason_and_fix(form: str) -> None:
    text, line, words = BAD[form]
    with pytest.raises(BadHeader) as caught:
        frontmatter.read(text.format(n="x") if "{n}" in text else text)
    problem = caught.value.problem
    assert problem.line == line
    assert words in problem.message
    assert problem.hint


FIXES = [
    ("description: Use when: deploying", 3, 'write description: "Use when: deploying"'),
    ("description: foo\n  and so on: bar\n  rains: pours", 4, 'write description: "foo and so on: bar rains: pours"'),
    (" description: y", 3, "remove the blanks before description"),
    ("description: 'it's'", 3, 'write description: "it\'s"'),
    ('description: "a "b" c"', 3, 'write description: "a \\"b\\" c"'),
    ("description: *bold* text", 3, 'write description: "*bold* text"'),
    ("description: [a", 4, "close the bracket, or quote the value"),
    ("foo bar", 4, "write it as key: value, or indent it below the key it belongs to"),
    ("metadata:\n  a: b: c", 4, 'write   a: "b: c"'),
]


@pytest.mark.parametrize(("rows", "line", "hint"), FIXES)
def test_the_fix_is_the_line_to_write(rows: str, line: int, hint: str) -> None:
    with pytest.raises(BadHeader) as caught:
        frontmatter.read(f"---\nname: x\n{rows}\n---\n")
    assert (caught.value.problem.line, caught.value.problem.hint) == (line, hint)


def test_a_colon_gets_the_quoted_form_as_its_fix() -> None:
    with pytest.raises(BadHeader) as caught:
        frontmatter.read("---\nname: x\ndescription: Use when: deploying\n---\n")
    assert caught.value.problem.hint == 'write description: "Use when: deploying"'
    assert caught.value.problem.column > 1
