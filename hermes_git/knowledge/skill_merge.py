"""Three-way merge of SKILL.md files: the frontmatter by key, the body by section. Pure.

Two people who edit different sections, or different keys, never conflict; what both edited differently is shown whole,
between git's own markers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hermes_git.knowledge.frontmatter import BadHeader, read
from hermes_git.knowledge.sections import sections

Part = tuple[str, str]
"""Where a part stands (`key` or `section`, with its name and number), as one word for comparison."""


@dataclass(frozen=True, slots=True)
class MergedSkill:
    """The merged text, and the names of the keys and sections that both sides edited differently."""

    text: str
    conflicts: tuple[str, ...] = ()


def three_way(base: str, ours: str, theirs: str) -> MergedSkill:
    """Merge three texts of a SKILL.md; texts whose header cannot be read are merged as one part."""
    if theirs in (ours, base):
        return MergedSkill(ours)
    if ours == base:
        return MergedSkill(theirs)
    old, mine, yours = (dict(_parts(text)) for text in (base, ours, theirs))
    pieces: list[str] = []
    conflicts: list[str] = []
    for name in _order(mine, yours):
        left, right, before = mine.get(name, ""), yours.get(name, ""), old.get(name, "")
        if right in (left, before):
            pieces.append(left)
        elif left == before:
            pieces.append(right)
        else:
            conflicts.append(name)
            pieces.append(_marked(left, right))
    return MergedSkill("".join(pieces), tuple(conflicts))


def _order(mine: Mapping[str, str], yours: Mapping[str, str]) -> list[str]:
    """Return the parts of both sides: ours in its order, each that only theirs has after its neighbour there."""
    names = list(mine)
    previous = ""
    for name in yours:
        if name not in mine:
            place = names.index(previous) + 1 if previous in names else 0
            names.insert(place, name)
        previous = name
    return names


def _parts(text: str) -> Iterator[Part]:
    """Divide a document into named parts that make up its text exactly."""
    try:
        header = read(text.removeprefix("\ufeff"))
    except BadHeader:
        yield "text", text
        return
    bom = len(text) - len(text.removeprefix("\ufeff"))
    start, end = header.start + bom, header.end + bom
    yield "opening", text[:start]
    yield from _keys(text[start:end], list(header.lines))
    closing = len(text) - len(header.body)
    yield "closing", text[end:closing]
    yield from _sections(header.body)


def _keys(source: str, keys: list[str]) -> Iterator[Part]:
    lines = source.splitlines(keepends=True)
    starts = [
        next(n for n, line in enumerate(lines) if re.match(rf"[\"']?{re.escape(key)}[\"']?\s*:", line)) for key in keys
    ]
    yield "key", "".join(lines[: starts[0]]) if starts else source
    for number, key in enumerate(keys):
        last = starts[number + 1] if number + 1 < len(keys) else len(lines)
        yield f"key {key}", "".join(lines[starts[number] : last])


def _sections(body: str) -> Iterator[Part]:
    lines = body.splitlines(keepends=True)
    heads = sections(body)
    starts = [_above(lines, head.line - 1) for head in heads]
    yield "section", "".join(lines[: starts[0]]) if starts else body
    counts: dict[str, int] = {}
    for number, head in enumerate(heads):
        counts[head.title] = counts.get(head.title, 0) + 1
        last = starts[number + 1] if number + 1 < len(heads) else len(lines)
        yield f"section {head.title} {counts[head.title]}", "".join(lines[starts[number] : last])


def _above(lines: list[str], start: int) -> int:
    """Return the first of the blank lines above a heading: they come and go with it."""
    while start > 0 and not lines[start - 1].strip():
        start -= 1
    return start


def _marked(ours: str, theirs: str) -> str:
    def closed(text: str) -> str:
        return text if not text or text.endswith("\n") else text + "\n"

    return f"<<<<<<< ours\n{closed(ours)}=======\n{closed(theirs)}>>>>>>> theirs\n"
