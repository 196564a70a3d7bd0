"""A source of sessions: one file, opened once, read as JSON rows or as one JSON document."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from hermes_git import files
from hermes_git.names import is_device
from hermes_git.sessions import rows
from hermes_git.sessions.loss import Tally
from hermes_git.sqlite import MAGIC

HEAD_BYTES = 256 * 1024
MOST_HEAD_LINES = 60
SHOWN_PARTS = 3
SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}\Z")
RECORD_START = re.compile(rb'[\0 \t\r\n]*\{[ \t]*"[^\n]*[\n}]')
"""How a file of JSON lines begins; an object spread over lines has its brace alone on the first."""
PART = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?|[{}\[\]]')


@dataclass(frozen=True)
class Head:
    """The beginning of a file, as far as recognising its format needs it; of a folder that is one source, nothing."""

    path: str
    data: bytes
    is_folder: bool = False

    @property
    def name(self) -> str:
        """Return the file's name."""
        return _unpacked_name(PurePosixPath(self.path.replace("\\", "/")).name)

    @cached_property
    def text(self) -> str:
        """Return the beginning as text; a character cut at its end does not matter."""
        return self.data.decode("utf-8-sig", "replace")

    @cached_property
    def records(self) -> tuple[dict[str, Any], ...]:
        """Return the first JSON objects that stand on lines of their own, if the file begins with one."""
        if not RECORD_START.match(self.data.removeprefix(rows.BOM)):
            return ()
        lines = self.data.removeprefix(rows.BOM).split(b"\n")
        if len(self.data) >= HEAD_BYTES:
            lines.pop()
        found = rows.records((line + b"\n" for line in lines[:MOST_HEAD_LINES]), Tally(self.path))
        return tuple(row.value for row in found)

    @cached_property
    def is_array(self) -> bool:
        """Say whether the file is one JSON array."""
        return self.text.lstrip().startswith("[")

    @cached_property
    def keys(self) -> frozenset[str]:
        """Return the keys of the outermost object (of an array's first one), even if the beginning ends inside it.

        A database has none, whatever JSON stands in its values.
        """
        if self.data.startswith(MAGIC):
            return frozenset()
        wanted = 2 if self.is_array else 1
        depth, found = 0, set()
        for match in PART.finditer(self.text):
            part = match.group()
            if part in "{[":
                depth += 1
            elif part in "}]":
                depth -= 1
                if depth < wanted:
                    break
            elif match.group(1) and depth == wanted:
                found.add(part[1:].rsplit('"', 1)[0])
        return frozenset(found)


@dataclass(frozen=True)
class Source:
    """One file of sessions, or a folder that an agent keeps as one store of them."""

    path: Path

    @property
    def shown(self) -> str:
        """Return the path as it was given, for messages to people."""
        return self.path.as_posix()

    @property
    def stem(self) -> str:
        """Return the file's name without its suffix, and without that of its packing."""
        return Path(_unpacked_name(self.path.name)).stem

    @property
    def stored(self) -> str:
        """Return the last parts of the path: enough to find it, the same from wherever it was imported."""
        return "/".join(self.path.absolute().parts[-SHOWN_PARTS:])

    @cached_property
    def head(self) -> Head:
        """Return the beginning of the file."""
        if self.path.is_dir():
            return Head(self.shown, b"", is_folder=True)
        return Head(self.shown, files.read_head(self.path, HEAD_BYTES))

    @property
    def is_lines(self) -> bool:
        """Say whether the file is read line by line: it has records on lines, or a first line longer than the head."""
        head = self.head
        return not head.is_array and (bool(head.records) or b"\n" not in head.data.strip())

    def rows(self, tally: Tally) -> Iterator[rows.Row]:
        """Yield the file's JSON rows; bytes that are none are booked in the tally."""
        return rows.records(files.raw_lines(self.path), tally)

    def content(self) -> bytes:
        """Return the whole file, a byte order mark removed."""
        return files.read_unpacked(self.path).removeprefix(rows.BOM)

    def document(self, tally: Tally) -> object:
        """Return the file's one JSON value; None, booked as damage, if it is not valid."""
        data = self.content()
        try:
            value: object = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return self._slowly(data, tally)
        return value

    def _slowly(self, data: bytes, tally: Tally) -> object:
        """Read what only the lenient parser takes (lone surrogates, NaN), and name the line of what nobody takes."""
        try:
            value: object = json.loads(data.decode("utf-8", "replace"))
        except json.JSONDecodeError as error:
            tally.damage(error.lineno, f"not valid JSON: {error.msg}")
            return None
        except (RecursionError, ValueError) as error:
            tally.damage(1, "nested too deeply" if isinstance(error, RecursionError) else str(error))
            return None
        return value


def _unpacked_name(name: str) -> str:
    return name.removesuffix(next((suffix for suffix in files.PACKED if name.endswith(suffix)), ""))


def safe_id(name: str, *fallback: str) -> str:
    """Return a source's id where it is a plain file name, else a digest of it and of what else tells it apart."""
    if SAFE_ID.match(name) and not name.endswith(".") and not is_device(name):
        return name
    return "s-" + short_digest(name, *fallback)


def derived_id(source: Source, first: str) -> str:
    """Return the id of a session whose source names none: the file's name and a digest of how it begins."""
    return safe_id(f"{source.stem[:100]}-{short_digest(first)[:8]}", source.shown)


def short_digest(*parts: str) -> str:
    """Return 16 hex digits that stand for several strings."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:16]


class RowDigest:
    """The running SHA-256 of a session's rows, each ended by a newline; the first row is kept."""

    def __init__(self, *rows_: bytes) -> None:
        self.first = b""
        self._total = hashlib.sha256()
        for row in rows_:
            self.append(row)

    def append(self, row: bytes) -> None:
        """Add a row."""
        self.first = self.first or row
        self._total.update(row + b"\n")

    @property
    def hex(self) -> str:
        """Return the digest so far."""
        return self._total.hexdigest()
