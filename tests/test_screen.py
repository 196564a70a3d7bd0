"""What repositories hold is shown on a terminal, never obeyed by it; there is one way to print."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.screen import amount, coloured, printable
from tests.test_layers import MODULES, PACKAGE

PRINTERS = {"commands/screen.py", "hook.py", "book/__main__.py", "commands/eval_peer.py"}
"""Modules that may print: the way of the commands, that of the hooks, the page writer, and a program for another."""


@pytest.mark.parametrize(
    ("count", "word", "said"),
    [(1, "row", "1 row"), (0, "row", "0 rows"), (2, "entry", "2 entries"), (1, "entry", "1 entry"),
     (1234, "day", "1,234 days")],
)  # fmt: skip
def test_nouns_agree_with_numbers(count: int, word: str, said: str) -> None:
    assert amount(count, word) == said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\u001b[2J"),
        ("a\x07\x9b31m\x7f", "a\\u0007\\u009b31m\\u007f"),
        ("over\rwritten", "over\\u000dwritten"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("pass\u200bword\ufeff\u2060", "pass\\u200bword\\ufeff\\u2060"),
        ("\U000e0041", "\\udb40\\udc41"),
        ("\ud83d \udcff", "\\ud83d \\udcff"),
    ],
)
def test_what_steers_or_hides_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize("text", ["a\tb\n", "a\r\nb\r\n", "👩‍👩‍👧 é 好 میخواهم", "§ → …"])
def test_ordinary_writing_stays(text: str) -> None:
    assert printable(text) == text == coloured(text)


def test_only_colours_pass_as_colours() -> None:
    assert (
        coloured("\x1b[31merror\x1b[0m \x1b[2J\x1b]0;title\x07")
        == "\x1b[31merror\x1b[0m \\u001b[2J\\u001b]0;title\\u0007"
    )
    assert printable("\x1b[31m") == "\\u001b[31m"


@given(st.text(alphabet=st.characters(exclude_categories=[])))
def test_json_means_the_same_when_escaped(text: str) -> None:
    assert json.loads(printable(json.dumps(text, ensure_ascii=False))) == text


def prints(path: str, tree: ast.AST) -> list[str]:
    found = []
    for node in ast.walk(tree):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if called in (
            "print",
            "click.echo",
            "click.secho",
            "sys.stdout.write",
            "sys.stderr.write",
            "sys.stdout.buffer.write",
        ):
            found.append(f"{path}:{node.lineno}: {called}")  # type: ignore[attr-defined]
    return found


def test_there_is_one_way_to_print() -> None:
    names = {path.relative_to(PACKAGE).as_posix(): path for path in MODULES}
    found = [
        line
        for name, path in names.items()
        if name not in PRINTERS
        for line in prints(name, ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, f"print through commands/screen.py: {found}"
