"""What changed between two versions of a skill, as a reviewer asks for it: header, sections, files. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hermes_git.document import Document
from hermes_git.knowledge.frontmatter import Value
from hermes_git.knowledge.sections import sections
from hermes_git.knowledge.skill import SKILL_FILE, Skill


@dataclass(frozen=True, order=True, slots=True)
class Altered:
    """One thing that was added, removed, changed, moved or renamed: what it is, and how it read before and after."""

    kind: str
    what: str
    how: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that differs between two versions of a skill."""

    header: tuple[Altered, ...] = ()
    sections: tuple[Altered, ...] = ()
    files: tuple[Altered, ...] = ()
    extra: tuple[Altered, ...] = field(default=())

    @property
    def rows(self) -> tuple[Altered, ...]:
        """Return everything, header first."""
        return (*self.header, *self.sections, *self.files, *self.extra)


def compare(before: Skill, after: Skill) -> Comparison:
    """Compare two versions of a skill; paths are compared inside the folder, so that a rename is no change."""
    return Comparison(
        tuple(_header(before.header.values, after.header.values)),
        tuple(_sections(before, after)),
        tuple(_files(before, after)),
    )


def _header(old: dict[str, Value], new: dict[str, Value]) -> Iterable[Altered]:
    left, right = dict(_flat(old)), dict(_flat(new))
    for key in [*left, *(key for key in right if key not in left)]:
        if key not in right:
            yield Altered("header", key, "removed", left[key])
        elif key not in left:
            yield Altered("header", key, "added", "", right[key])
        elif left[key] != right[key]:
            yield Altered("header", key, "changed", left[key], right[key])


def _flat(values: dict[str, Value], above: str = "") -> Iterable[tuple[str, str]]:
    for key, value in values.items():
        name = f"{above}{key}"
        if isinstance(value, dict):
            yield from _flat(value, f"{name}.")
        else:
            yield name, ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _sections(before: Skill, after: Skill) -> Iterable[Altered]:
    """Yield sections by title, their own text without that of sections below; a lone pair of texts is a rename."""
    old, new = _own_texts(before.body), _own_texts(after.body)
    gone = [title for title in old if title not in new]
    came = [title for title in new if title not in old]
    for title in [*gone]:
        other = next((name for name in came if new[name] == old[title] and old[title]), None)
        if other is not None:
            gone.remove(title)
            came.remove(other)
            yield Altered("section", title, "renamed", title, other)
    yield from (Altered("section", title, "removed", old[title]) for title in gone)
    yield from (Altered("section", title, "added", "", new[title]) for title in came)
    for title in old:
        if title in new and old[title] != new[title]:
            yield Altered("section", title, "changed", old[title], new[title])
    kept_old, kept_new = ([title for title in rows if title in old and title in new] for rows in (old, new))
    if kept_old != kept_new:
        yield Altered("section", "order", "moved", " / ".join(kept_old), " / ".join(kept_new))


def _own_texts(body: str) -> dict[str, str]:
    """Return title → text up to the next heading of any level; a title given twice gets a number."""
    rows = sections(body)
    lines = body.split("\n")
    found: dict[str, str] = {}
    edges = [*(row.line for row in rows[1:]), len(lines) + 1]
    if rows and "\n".join(lines[: rows[0].line - 1]).strip():
        found["(opening)"] = "\n".join(lines[: rows[0].line - 1]).strip()
    elif not rows and body.strip():
        found["(opening)"] = body.strip()
    for row, end in zip(rows, edges, strict=True) if rows else ():
        name, number = row.title, 2
        while name in found:
            name, number = f"{row.title} ({number})", number + 1
        found[name] = "\n".join(lines[row.line : end - 1]).strip()
    return found


def _files(before: Skill, after: Skill) -> Iterable[Altered]:
    old, new = _inner(before), _inner(after)
    gone = [path for path in old if path not in new]
    came = [path for path in new if path not in old]
    for path in [*gone]:
        other = next((name for name in came if new[name].identity == old[path].identity), None)
        if other is not None:
            gone.remove(path)
            came.remove(other)
            yield Altered("file", path, "renamed", path, other)
    yield from (Altered("file", path, "removed", _size(old[path])) for path in gone)
    yield from (Altered("file", path, "added", "", _size(new[path])) for path in came)
    for path in old:
        if path in new and path != SKILL_FILE and old[path].identity != new[path].identity:
            yield Altered("file", path, "changed", _size(old[path]), _size(new[path]))
        if path in new and old[path].mode != new[path].mode:
            yield Altered("file", path, "mode", old[path].mode, new[path].mode)


def _inner(skill: Skill) -> dict[str, Document]:
    cut = len(skill.root) + 1 if skill.root else 0
    return {document.path[cut:]: document for document in skill.documents}


def _size(document: Document) -> str:
    return f"{len(document.data):,} bytes"
