"""Sections and references of a body, with line numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_git.knowledge.frontmatter import BadHeader, read
from hermes_git.knowledge.sections import references, sections
from tests.knowledge.real_skills import skill_files

BODY = """\
# Title

See [a](references/a.md#x) and
![i](assets/i%20b.png), `scripts/run.py`, `foo/bar.py --x`, or references/b.md.

| a | b |
|---|---|
| [x](https://example.invalid) | `templates/t.txt` |

```sh
python scripts/run.py
# not a heading
```

> # quoted

## Two

[r] [top](#title)

Under
-----

[r]: references/c.md
"""


def test_sections_have_level_title_line_and_text() -> None:
    found = sections(BODY, first_line=5)
    assert [(row.level, row.title, row.line) for row in found] == [(1, "Title", 5), (2, "Two", 21), (2, "Under", 25)]
    assert found[1].text == "[r] [top](#title)"
    assert "not a heading" in found[0].text


def test_references_have_line_and_kind() -> None:
    found = [(row.line, row.how, row.path) for row in references(BODY) if row.is_local]
    assert found == [
        (3, "link", "references/a.md"),
        (4, "code", "scripts/run.py"),
        (4, "image", "assets/i b.png"),
        (4, "text", "references/b.md"),
        (8, "code", "templates/t.txt"),
        (11, "code", "scripts/run.py"),
        (19, "link", "references/c.md"),
    ]


@pytest.mark.parametrize("target", ["https://example.invalid/a.md", "mailto:a@example.invalid", "#title", "//host/a"])
def test_not_local(target: str) -> None:
    assert not [row for row in references(f"[x]({target})\n") if row.is_local]


HOSTILE = ["[" * 50_000, "![[](" * 10_000, ">" * 20_000 + "a", "<!--" * 20_000, "`" * 50_000, "[a](" * 20_000]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_bodies_are_read(body: str) -> None:
    assert sections(body) == ()
    assert isinstance(references(body), tuple)


def test_every_reference_of_real_skills_stands_on_its_line(data: Path) -> None:
    seen = 0
    for number, (path, content) in enumerate(skill_files(data)):
        if number % 6:
            continue
        text = content.decode("utf-8", "replace").removeprefix("\ufeff")
        try:
            header = read(text)
        except BadHeader:
            continue
        lines = text.split("\n")
        for section in sections(header.body, first_line=header.body_line):
            first = section.title.replace("\n", " ").split(" ")[0]
            assert first in lines[section.line - 1], (path, section.line)
        for reference in references(header.body, first_line=header.body_line):
            around = "\n".join(lines[reference.line - 1 : reference.line + 40])
            seen += reference.how != "link" and reference.target in around
    assert seen > 300
