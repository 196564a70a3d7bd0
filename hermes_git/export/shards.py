"""Rows into files of bounded size, each replaced in one step; what was written is remembered for the manifest."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from hermes_git import files
from hermes_git.export.formats import FORMATS, SUFFIXES, Format, Hashed

SHARD_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Written:
    """One file as written: its name, and what pins its content."""

    name: str
    rows: int
    bytes: int
    sha256: str


@dataclass(slots=True)
class Shards:
    """The files of one group of rows: `<group>.jsonl`, then `<group>-00001.jsonl` and so on, or as the format has it.

    Used as a context: files appear under their names only when whole; an error leaves none of the unfinished ones.
    """

    folder: Path
    group: str
    limit: int = SHARD_BYTES
    format: str = "jsonl"
    written: list[Written] = field(default_factory=list)
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _stream: Hashed | None = None
    _rows_of: Format | None = None
    _rows: int = 0
    _bytes: int = 0

    def __enter__(self) -> Shards:
        self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._close()
        else:
            if self._rows_of is not None:
                self._rows_of.abandon()
            self._stack.__exit__(kind, error, trace)

    def add(self, line: bytes) -> None:
        """Write one row, beginning a new file when the present one holds `limit` bytes of JSON."""
        if self._rows and self._bytes + len(line) > self.limit:
            self._close()
            self._open()
        if self._rows_of is not None:
            self._rows_of.add(line)
        self._rows += 1
        self._bytes += len(line)

    @property
    def _name(self) -> str:
        return f"{self.group}{f'-{len(self.written):05d}' if self.written else ''}{SUFFIXES[self.format]}"

    def _open(self) -> None:
        self._stream = Hashed(self._stack.enter_context(files.writing(self.folder / self._name)))
        self._rows_of = FORMATS[self.format](self._stream)
        self._rows = self._bytes = 0

    def _close(self) -> None:
        if self._rows_of is None or self._stream is None:
            return
        self._rows_of.finish()
        self._stack.close()
        self.written.append(Written(self._name, self._rows, self._stream.size, self._stream.digest.hexdigest()))


def group_of(name: str) -> str:
    """Return the group of rows that a file of an export belongs to, by its name."""
    return re.sub(r"-[0-9]{5}$", "", name.split(".", 1)[0])


def names(folder: Path) -> Iterator[str]:
    """Yield the names of all files below a folder."""
    yield from (name for name, _ in files.walk(folder))
