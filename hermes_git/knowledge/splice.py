"""Editing frontmatter by splicing: one key changes, every other byte of the file stays.

A key is named by its path: `("name",)` or `("metadata", "version")`. The result is read back before it is returned;
where anything but the named key would change, nothing is returned.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from hermes_git.errors import UserError
from hermes_git.knowledge.frontmatter import BadHeader, Value, load, read
from hermes_git.knowledge.strict_yaml import StrictLoader
from hermes_git.knowledge.yaml_text import block, inline, scalar

Path = tuple[str, ...]
QUOTED_OR_PLAIN = (None, "", '"', "'")


@dataclass(frozen=True, slots=True)
class Split:
    """A document taken apart: byte order mark and opening line, YAML source, the rest; and its line end."""

    head: str
    source: str
    tail: str
    newline: str


def split(text: str) -> Split:
    """Take a document apart; `BadHeader` where its header cannot be read."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    bare = text.removeprefix(mark) if mark else text
    header = read(bare)
    opening = bare[: header.start]
    newline = "\r\n" if opening.endswith("\r\n") else "\n"
    return Split(mark + opening, bare[header.start : header.end], bare[header.end :], newline)


def set_value(text: str, path: Path, value: Value) -> str:
    """Return the document with one key set, added at the end of its table if it is new.

    Errors: `BadHeader` for an unreadable header; `UserError` where the key cannot be set without touching more.
    """
    parts = split(text)
    wanted = copy.deepcopy(load(parts.source)[0])
    _set(wanted, path, value)
    return _joined(parts, _set_source(parts, path, value), wanted, path)


def remove_key(text: str, path: Path) -> str:
    """Return the document without one key, and without the tables that it leaves empty; no such key is an error."""
    parts = split(text)
    wanted = copy.deepcopy(load(parts.source)[0])
    table = _table(wanted, path[:-1])
    if path[-1] not in table:
        raise UserError(f"there is no key {'.'.join(path)}", hint="see the keys with: hermes-git skill show NAME")
    if len(table) == 1 and len(path) > 1:
        return remove_key(text, path[:-1])
    del table[path[-1]]
    lines = parts.source.split("\n")
    first, last = _extent(parts.source, path)
    return _joined(parts, "\n".join([*lines[:first], *lines[last:]]), wanted, path)


def _joined(parts: Split, source: str, wanted: dict[str, Value], path: Path) -> str:
    """Put the document together again, if its header now says exactly what was wanted."""
    text = parts.head + source + parts.tail
    try:
        says_it = read(text.removeprefix("\ufeff")).values == wanted
    except BadHeader:
        says_it = False
    if not says_it:
        hint = "the value is written in a way that only a person can edit; change it by hand"
        raise UserError(f"{'.'.join(path)} cannot be edited without touching more than it", hint=hint)
    return text


def _table(values: dict[str, Value], path: Path) -> dict[str, Value]:
    for key in path:
        inner = values.setdefault(key, {})
        if inner is None:
            inner = values[key] = {}
        if not isinstance(inner, dict):
            raise UserError(f"{key} is not a table", hint=f"write {key}: and its keys below it, indented")
        values = inner
    return values


def _set(values: dict[str, Value], path: Path, value: Value) -> None:
    _table(values, path[:-1])[path[-1]] = value


def _compose(source: str) -> yaml.MappingNode | None:
    loader = StrictLoader(source)
    try:
        node = loader.get_single_node()
    finally:
        loader.dispose()
    return node if isinstance(node, yaml.MappingNode) else None


def _find(source: str, path: Path) -> tuple[yaml.ScalarNode, yaml.Node] | None:
    """Return the key and value nodes of a path, or None where a part of it is missing."""
    node: yaml.Node | None = _compose(source)
    found = None
    for key in path:
        if not isinstance(node, yaml.MappingNode):
            return None
        found = next((pair for pair in node.value if pair[0].value == key), None)
        if found is None:
            return None
        node = found[1]
    return found


def _set_source(parts: Split, path: Path, value: Value) -> str:
    source = parts.source
    found = _find(source, path)
    if found is None:
        return _added(parts, path, value)
    key, node = found
    start, end = node.start_mark.index, node.end_mark.index
    is_text = isinstance(node, yaml.ScalarNode) and node.style in QUOTED_OR_PLAIN and end > start
    is_flow = isinstance(node, yaml.CollectionNode) and node.flow_style
    if (is_text or is_flow) and not _needs_block(value, is_flow):
        return source[:start] + inline(value) + source[end:]
    return _replaced_lines(parts, path, key, value)


def _needs_block(value: Value, is_flow: bool) -> bool:
    return isinstance(value, dict | list) and bool(value) and not is_flow


def _replaced_lines(parts: Split, path: Path, key: yaml.ScalarNode, value: Value) -> str:
    """Replace a value that takes whole lines: a block scalar, a block list or table, or nothing at all."""
    lines = parts.source.split("\n")
    first, last = _extent(parts.source, path)
    head, rest = _after_colon(lines[first], key.end_mark.column)
    if _comment(rest) and (last - first > 1 or _needs_block(value, False)):
        raise UserError(
            f"a comment stands beside {path[-1]}", hint="change it by hand, so that the comment stays right"
        )
    new = head + block(value, key.start_mark.column).rstrip("\n")
    comment = _comment(rest)
    rows = _ended((new + (f" {comment}" if comment else "")).split("\n"), parts.newline)
    return "\n".join([*lines[:first], *rows, *lines[last:]])


def _after_colon(line: str, column: int) -> tuple[str, str]:
    at = line.index(":", column) + 1
    return line[:at], line[at:].rstrip("\r")


def _comment(rest: str) -> str:
    match = re.search(r"(?:^|[ \t])(#.*)$", rest)
    return match.group(1) if match and '"' not in rest and "'" not in rest else ""


def _ended(rows: Sequence[str], newline: str) -> list[str]:
    """Return rows as `split("\\n")` would: with a carriage return at each end where the file has them."""
    return [row + "\r" for row in rows] if newline == "\r\n" else list(rows)


def _extent(source: str, path: Path) -> tuple[int, int]:
    """Return the half-open range of 0-based lines that a key and its value take; comments below belong to what follows.

    A key that shares its line with another one, inside brackets, cannot be told apart by lines.
    """
    found = _find(source, path)
    if found is None:
        raise UserError(f"there is no key {'.'.join(path)}")
    key, node = found
    lines = source.split("\n")
    first, indent = key.start_mark.line, key.start_mark.column
    if lines[first][:indent].strip():
        raise UserError(f"{'.'.join(path)} stands inside brackets", hint="change it by hand")
    last = max(first + 1, min(_last_line(node) + 1, len(lines)))
    while last > first + 1 and _is_spare(lines[last - 1], indent):
        last -= 1
    return first, last


def _last_line(node: yaml.Node) -> int:
    """Return the 0-based line of the last character of a node, deepest child last."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        child = node.value[-1]
        return _last_line(child[1] if isinstance(child, tuple) else child)
    mark = node.end_mark
    ends_before = mark.column == 0 and mark.index > node.start_mark.index
    return int(mark.line - 1 if ends_before else mark.line)


def _is_spare(line: str, indent: int) -> bool:
    """Say whether a line at the end of a value is no part of it: blank, or a comment at the level of the key."""
    bare = line.strip()
    return not bare or (bare.startswith("#") and len(line) - len(line.lstrip()) <= indent)


def _added(parts: Split, path: Path, value: Value) -> str:
    """Add a key at the end of its table, making the tables above it where they are missing."""
    depth = next(
        size for size in range(len(path) - 1, -1, -1) if size == 0 or _is_block_table(parts.source, path[:size])
    )
    for key in reversed(path[depth + 1 :]):
        value = {key: value}
    at, indent = _end_of_table(parts.source, path[:depth])
    row = " " * indent + scalar(path[depth]) + ":" + block(value, indent)
    rows = _ended(row.rstrip("\n").split("\n"), parts.newline)
    lines = parts.source.split("\n")
    return "\n".join([*lines[:at], *rows, *lines[at:]])


def _is_block_table(source: str, path: Path) -> bool:
    found = _find(source, path)
    return found is not None and isinstance(found[1], yaml.MappingNode) and not found[1].flow_style


def _end_of_table(source: str, path: Path) -> tuple[int, int]:
    """Return the 0-based line at which a table's next key would stand, and the table's indentation."""
    if not path:
        return source.count("\n"), 0
    found = _find(source, path)
    last_key = found[1].value[-1][0] if found else None
    if last_key is None:
        raise UserError(f"there is no table {'.'.join(path)}")
    return _extent(source, (*path, last_key.value))[1], int(last_key.start_mark.column)


def in_lines(text: str, path: Path) -> str:
    """Return the document with a list or table in brackets written in lines, each value in its own words.

    Errors: `UserError` where a value in it takes several lines, is empty, or has a comment beside it.
    """
    parts = split(text)
    found = _find(parts.source, path)
    if found is None or not isinstance(found[1], yaml.CollectionNode) or not found[1].flow_style:
        raise UserError(f"{'.'.join(path)} is no list or table in brackets")
    key, node = found[0], found[1]
    lines = parts.source.split("\n")
    first, last = key.start_mark.line, node.end_mark.line + 1
    head, _ = _after_colon(lines[first], key.end_mark.column)
    if lines[last - 1][node.end_mark.column :].strip() or lines[first][: key.start_mark.column].strip():
        raise UserError(f"something stands beside {path[-1]}", hint="change it by hand")
    rows = [head, *_in_lines(parts.source, node, key.start_mark.column + 2)]
    source = "\n".join([*lines[:first], *_ended(rows, parts.newline), *lines[last:]])
    return _joined(parts, source, load(parts.source)[0], path)


def _in_lines(source: str, node: yaml.Node, indent: int) -> list[str]:
    if not node.value:
        raise UserError("an empty list or table has no other form", hint="remove the key")
    pairs = node.value if isinstance(node, yaml.MappingNode) else [(None, child) for child in node.value]
    rows = []
    for key, child in pairs:
        head = " " * indent + (f"{_words(source, key)}:" if key else "-")
        if isinstance(child, yaml.CollectionNode):
            rows += [head, *_in_lines(source, child, indent + 2)]
        else:
            rows.append(f"{head} {_words(source, child)}".rstrip())
    return rows


def _words(source: str, node: yaml.Node) -> str:
    """Return a scalar as its author wrote it, so that every loader goes on reading the same type."""
    found = source[node.start_mark.index : node.end_mark.index]
    if "\n" in found:
        raise UserError("a value in brackets takes several lines", hint="change it by hand")
    return found


def move_key(text: str, path: Path, target: Path) -> str:
    """Return the document with a top-level key moved below another table, its lines as they were but for indentation.

    Errors: `UserError` where the target exists, or its table is written in brackets.
    """
    parts = split(text)
    values = load(parts.source)[0]
    if _find(parts.source, target) is not None:
        raise UserError(f"{'.'.join(target)} exists already", hint="keep one of the two by hand")
    wanted = copy.deepcopy(values)
    _set(wanted, target, wanted.pop(path[0]))
    first, last = _extent(parts.source, path)
    lines = parts.source.split("\n")
    taken = lines[first:last]
    rest = "\n".join([*lines[:first], *lines[last:]])
    depth = next(size for size in range(len(target) - 1, -1, -1) if size == 0 or _is_block_table(rest, target[:size]))
    at, indent = _end_of_table(rest, target[:depth])
    above = [" " * (indent + 2 * step) + f"{scalar(key)}:" for step, key in enumerate(target[depth:-1])]
    pad = " " * (indent + 2 * len(above))
    renamed = [taken[0].replace(path[0], target[-1], 1), *taken[1:]]
    rows = [*_ended(above, parts.newline), *(pad + row if row.strip() else row for row in renamed)]
    kept = rest.split("\n")
    return _joined(parts, "\n".join([*kept[:at], *rows, *kept[at:]]), wanted, target)
