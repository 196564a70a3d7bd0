"""The verdict of agentskills.io's reference validator (skills-ref 0.1.1), reached without it.

It splits at the first three hyphens wherever they stand, reads a strict subset of YAML in which every scalar is text,
and allows six keys. Each rule here was compared with the validator itself on generated and real files
(`tests/knowledge/test_agentskills.py`). Where this module and the specification's prose differ, the validator wins:
whether a name is good in prose is check HG204's matter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from hermes_git.knowledge.skill import ALLOWED_KEYS, MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_NAME

Text = str | list["Text"] | dict[str, "Text"]
MAX_DEPTH = 100
MAX_SOURCE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason for which the validator refuses a skill: the key it is about ("" for the file), line, and reason."""

    key: str
    line: int
    message: str


NO_BREAKS = {0x2028: "\ue028", 0x2029: "\ue029"}
BREAKS = {0xE028: "\u2028", 0xE029: "\u2029"}
"""The validator's YAML 1.2 takes these two for ordinary characters, ours for line ends: they are swapped meanwhile."""

NOT_TEXT = ("<<", "=")
"""Plain words that its YAML turns into something that is not text."""


class _Refused(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.refusal = Refusal("", line, message)


def judge(folder: str, data: bytes | None) -> tuple[Refusal, ...]:
    """Return why the validator refuses a folder of this name whose SKILL.md holds these bytes; () when it is valid."""
    try:
        values, lines = _read(data)
    except _Refused as refused:
        return (refused.refusal,)
    return tuple(
        Refusal(key, lines.get(key, 1), message) for key, message in (*_keys(values), *_required(values, folder))
    )


def _read(data: bytes | None) -> tuple[dict[str, Text], dict[str, int]]:
    if data is None:
        raise _Refused(0, "SKILL.md is missing")
    try:
        text = data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise _Refused(data.count(b"\n", 0, error.start) + 1, "the file is not UTF-8") from error
    if not text.startswith("---"):
        raise _Refused(1, "the file does not start with ---")
    parts = text.split("---", 2)
    if len(parts) < 3:
        raise _Refused(1, "the header is not closed with ---")
    return _load(parts[1])


def _load(source: str) -> tuple[dict[str, Text], dict[str, int]]:
    if len(source) > MAX_SOURCE:
        raise _Refused(1, f"the header has more than {MAX_SOURCE:,} characters and was not read")
    try:
        reader = _Reader(yaml.parse(source.translate(NO_BREAKS), Loader=yaml.SafeLoader))
        value = reader.document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise _Refused(mark.line + 1 if mark else 1, f"not valid YAML: {_said(error)}") from error
    except RecursionError as error:
        raise _Refused(1, "the header is nested too deep") from error
    if not isinstance(value, dict):
        raise _Refused(1, "the header is not a table of keys")
    return value, reader.lines


def _said(error: yaml.YAMLError) -> str:
    return str(getattr(error, "problem", None) or error).split("\n", 1)[0]


class _Reader:
    """Builds plain text values from the events of a YAML parser, refusing what strict YAML refuses."""

    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self.events = events
        self.lines: dict[str, int] = {}

    def document(self) -> Text | None:
        """Return the value of the one document of the stream, or None for an empty stream."""
        next(self.events)
        if isinstance(next(self.events), yaml.StreamEndEvent):
            return None
        value = self._value(next(self.events), 0)
        next(self.events)
        if not isinstance(next(self.events), yaml.StreamEndEvent):
            raise _Refused(1, "not valid YAML: more than one document")
        return value

    def _value(self, event: yaml.Event, depth: int) -> Text:
        line = _line(event)
        if depth > MAX_DEPTH:
            raise _Refused(line, "the header is nested too deep")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Refused(line, "anchors and aliases are not allowed")
        if getattr(event, "tag", None):
            raise _Refused(line, "tags are not allowed")
        if isinstance(event, yaml.ScalarEvent):
            return [] if _is_plain(event, NOT_TEXT) else str(event.value).translate(BREAKS)
        if getattr(event, "flow_style", False):
            raise _Refused(line, "lists and tables in brackets are not allowed")
        return self._table(depth) if isinstance(event, yaml.MappingStartEvent) else self._list(depth)

    def _list(self, depth: int) -> Text:
        found: list[Text] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            found.append(self._value(event, depth + 1))
        return found

    def _table(self, depth: int) -> Text:
        found: dict[str, Text] = {}
        indents: set[int] = set()
        seen: set[str] = set()
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            line = _line(event)
            if _is_plain(event, ("<<",)):
                self._merge(depth, is_second="<<" in seen)
                seen.add("<<")
                continue
            key = self._value(event, depth + 1)
            if not isinstance(key, str):
                raise _Refused(line, "a key is not plain text")
            value = next(self.events)
            if isinstance(value, yaml.MappingStartEvent):
                indents.add(value.start_mark.column if value.start_mark else 0)
            if key in found:
                raise _Refused(line, f"the key {key!r} is given twice")
            found[key] = self._value(value, depth + 1)
            if depth == 0:
                self.lines[key] = line
        if len(indents) > 1:
            raise _Refused(line, "tables are indented by different amounts")
        return found

    def _merge(self, depth: int, *, is_second: bool) -> None:
        """Read the value of a merge key: a table, or a list of them, whose keys the validator does not look at."""
        event = next(self.events)
        line = _line(event)
        value = self._value(event, depth + 1)
        tables = value if isinstance(value, list) else [value]
        if is_second or isinstance(event, yaml.ScalarEvent) or not all(isinstance(table, dict) for table in tables):
            raise _Refused(line, "a merge key << must hold one table, once")


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _is_plain(event: yaml.Event, words: tuple[str, ...]) -> bool:
    return isinstance(event, yaml.ScalarEvent) and event.style in (None, "") and event.value in words


def _keys(values: dict[str, Text]) -> Iterator[tuple[str, str]]:
    for key in sorted(set(values) - set(ALLOWED_KEYS)):
        yield key, f"the key {key!r} is not one of the six that are allowed"


def _required(values: dict[str, Text], folder: str) -> Iterator[tuple[str, str]]:
    for key in ("name", "description"):
        value = values.get(key)
        if value is None:
            yield key, f"{key} is missing"
        elif not isinstance(value, str) or not value.strip():
            yield key, f"{key} is empty or not text"
        elif key == "name":
            yield from (("name", message) for message in _name(value, folder))
        elif len(value) > MAX_DESCRIPTION:
            yield key, f"the description has {len(value):,} characters, {MAX_DESCRIPTION:,} are allowed"
    compatibility = values.get("compatibility", "")
    if not isinstance(compatibility, str):
        yield "compatibility", "compatibility is not text"
    elif len(compatibility) > MAX_COMPATIBILITY:
        yield "compatibility", f"compatibility has {len(compatibility)} characters, {MAX_COMPATIBILITY} are allowed"


def _name(value: str, folder: str) -> Iterator[str]:
    name = unicodedata.normalize("NFKC", value.strip())
    if len(name) > MAX_NAME:
        yield f"the name has {len(name)} characters, {MAX_NAME} are allowed"
    if name != name.lower():
        yield f"the name {name!r} has upper-case letters"
    if name.startswith("-") or name.endswith("-"):
        yield "the name starts or ends with a hyphen"
    if "--" in name:
        yield "the name has two hyphens in a row"
    if not all(char.isalnum() or char == "-" for char in name):
        yield f"the name {name!r} has characters that are not letters, digits or hyphens"
    if unicodedata.normalize("NFKC", folder) != name:
        yield f"the folder is called {folder!r}, not {name!r}"
