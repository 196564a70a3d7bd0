"""How the sets `fresh_*` are written down: one text per set, read into tuples of name, kind and files.

`%% NAME` opens an attempt, `%skill ABOUT` its SKILL.md, `%prose ABOUT` a SKILL.md whose paragraphs are one line each,
`%memory` a MEMORY.md of one line an entry, and `%file PATH` any other file. Nothing is ever run.
"""

from __future__ import annotations

import re

File = tuple[str, str]
Attempt = tuple[str, str, tuple[File, ...]]

STANDS = re.compile(r"\s*(?:[-*>|#§`<:]|\d+\.|---)")
"""A line that opens a block of its own and is not joined to the line above it."""


def unpack(kind: str, text: str) -> tuple[Attempt, ...]:
    """Return the attempts of one text."""
    found = []
    for part in re.split(r"^%% ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        pieces = re.split(r"^%(skill|prose|memory|file)\b *(.*)\n", rest, flags=re.MULTILINE)[1:]
        files = [_file(name, *pieces[at : at + 3]) for at in range(0, len(pieces), 3)]
        found.append((name, kind, tuple(files)))
    return tuple(found)


def skill(name: str, about: str, body: str) -> File:
    """Return a SKILL.md."""
    return "SKILL.md", f"---\nname: {name}\ndescription: {about}\n---\n\n{body.strip()}\n"


def _file(name: str, form: str, about: str, body: str) -> File:
    body = body.strip("\n") + "\n"
    if form == "file":
        return about, body
    if form == "memory":
        return "MEMORY.md", _flow(body)
    return skill(name, about, _flow(body) if form == "prose" else body)


def _flow(text: str) -> str:
    lines: list[str] = []
    fenced = joined = False
    for line in text.splitlines():
        fence = line.startswith("```")
        fenced = fenced != fence
        if joined and line.strip() and not fenced and not STANDS.match(line):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
        joined = bool(line.strip()) and not fence and not fenced and not line.startswith(("#", "§", "|"))
    return "\n".join(lines) + "\n"
