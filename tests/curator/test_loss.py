"""The loss ledger: where every unit went, and what is missing."""

from __future__ import annotations

import pytest

from hermes_git.curator.loss import compare
from hermes_git.document import Document


def md(path: str, text: str) -> Document:
    return Document(path, text.encode())


A = md("a.md", "# A\n\nFirst. Second.\n")
FATES = [
    ([A], [A], {"verbatim": 3}),
    ([A], [md("b.md", "# A\n\nFirst. Second.\n")], {"moved": 3}),
    ([A], [md("a.md", "# A\n\n- Second.\n- First.\n")], {"verbatim": 3}),
    ([A], [md("a.md", "# A\n\nFirst.\n")], {"verbatim": 2, "dropped": 1}),
    ([A], [], {"dropped": 3}),
    ([A, md("b.md", "First.")], [A], {"verbatim": 3, "duplicate": 1}),
    ([md("a.md", "x\n\nx\n")], [md("a.md", "x\n")], {"verbatim": 1, "duplicate": 1}),
    ([md("a.md", "x\n\nx\n")], [md("b.md", "x\n"), md("c.md", "x\n")], {"moved": 2}),
    ([Document("r.sh", b"one\n\ntwo\n")], [Document("r.sh", b"one\n")], {"verbatim": 1, "dropped": 1}),
    ([Document("i.png", b"\x89PNG1")], [Document("j.png", b"\x89PNG1")], {"moved": 1}),
    ([Document("i.png", b"\x89PNG1")], [Document("i.png", b"\x89PNG2")], {"dropped": 1}),
]


@pytest.mark.parametrize(("before", "after", "counts"), FATES)
def test_fates(before: list[Document], after: list[Document], counts: dict[str, int]) -> None:
    found = compare(before, after).counts
    assert {status: count for status, count in found.items() if count} == counts


def test_a_dropped_unit_is_named_with_its_line() -> None:
    (fate,) = compare([md("a.md", "one\n\ntwo `rm -rf x` three\n")], [md("a.md", "one\n\n`rm -rf x`\n")]).of("dropped")
    assert (fate.path, fate.unit.line, fate.unit.text) == ("a.md", 3, "two `rm -rf x` three")


def test_what_stands_in_an_untouched_file_is_a_duplicate_of_it() -> None:
    (fate,) = compare([md("a.md", "one\n")], [], elsewhere=[md("z.md", "one\n")]).fates
    assert (fate.status, fate.now) == ("duplicate", "z.md")
