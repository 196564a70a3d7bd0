"""Keys and values of JSON, YAML and TOML text with their lines, read leniently: fragments in a fence count too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hermes_git.patterns.lazy import pattern

JSON_PAIR = pattern(
    r"\"([\w.$@/-]{1,80})\"\s{0,40}:\s{0,40}(\"(?:[^\"\\]|\\.){0,8000}\"|true|false|null|-?\d[\d.]{0,20}|\[|\{)"
)
JSON_ITEM = pattern(r"(?<=[\[,])\s{0,200}\"((?:[^\"\\]|\\.){1,8000})\"(?=\s{0,200}[,\]])")
YAML_PAIR = pattern(r"^([ \t]{0,200})(?:- +)*(?:\"|')?([\w.$@/-]{1,80})(?:\"|')?[ \t]*[:=](?:[ \t]+(.*?))?[ \t]*\r?$")
YAML_ITEM = pattern(r"^([ \t]{0,200})- +(.{1,4000}?)\r?$")
BLOCK = pattern(r"^[|>][+-]?\d?\s*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class Pair:
    """A key with its value, as text, and the line of the value; a list item has the key "" ."""

    key: str
    value: str
    line: int


def of_json(text: str) -> Iterator[Pair]:
    """Yield the pairs and the list items of JSON text, in order of pairs, then items."""
    line, position = 1, 0
    for match in JSON_PAIR.finditer(text):
        line, position = line + text.count("\n", position, match.start()), match.start()
        yield Pair(match.group(1), _plain(match.group(2)), line)
    line, position = 1, 0
    for match in JSON_ITEM.finditer(text):
        line, position = line + text.count("\n", position, match.start(1)), match.start(1)
        yield Pair("", _plain(f'"{match.group(1)}"'), line)


def _plain(raw: str) -> str:
    if not raw.startswith('"'):
        return raw
    escapes = {"n": "\n", "t": "\t", "r": "\r"}

    def one(match: re.Match[str]) -> str:
        code = match.group(1)
        return chr(int(code[1:], 16)) if code.startswith("u") and len(code) == 5 else escapes.get(code, code)

    return re.sub(r"\\(u[0-9A-Fa-f]{4}|.)", one, raw[1:-1], flags=re.S)


def of_yaml(text: str) -> Iterator[Pair]:
    """Yield the pairs and list items of YAML or TOML text; a block scalar is one value."""
    rows = text.split("\n")
    number = 0
    while number < len(rows):
        row = rows[number]
        number += 1
        match = YAML_PAIR.match(row)
        if match is None:
            item = YAML_ITEM.match(row)
            if item:
                yield Pair("", item.group(2).strip("\"' "), number)
            continue
        indent, key, value = len(match.group(1)), match.group(2), (match.group(3) or "").strip()
        if BLOCK.match(value):
            start, body = number, []
            while number < len(rows) and (not rows[number].strip() or _indent(rows[number]) > indent):
                body.append(rows[number])
                number += 1
            yield Pair(key, "\n".join(body), start + 1)
        else:
            yield Pair(key, _unquoted(value), number)


def _unquoted(value: str) -> str:
    """Take the quotes off that enclose a value; one at its end alone belongs to it."""
    if value[:1] in ("'", '"'):
        return value.strip("\"'")
    return value if value.count(value[-1:]) > 1 else value.rstrip("\"'")


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" \t"))
