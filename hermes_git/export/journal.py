"""What a long run has made so far, so that a run that was killed at any point goes on where it stopped.

Each result is one frame: length, CRC-32, the name of its item, the result. The first frame says what the run is made
of; a journal of another run, and all that follows a torn frame or an item that has changed, is forgotten. Whatever is
written from results then has the same bytes, whether they were made now or before.
"""

from __future__ import annotations

import contextlib
import itertools
import struct
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

import msgspec

from hermes_git import files

Item = TypeVar("Item")
Out = TypeVar("Out")

FRAME = struct.Struct("<II")
MAX_FRAME = 1 << 30
MAGIC = "hermes-git journal 1 "


@dataclass(slots=True)
class Journal(Generic[Out]):
    """The results of one run in a stream; `pack` and `unpack` turn a result into bytes and back.

    `replayed` counts the results that were there already; `is_empty` says that it was begun and nothing was added.
    """

    stream: BinaryIO
    key: str
    pack: Callable[[Out], bytes]
    unpack: Callable[[bytes], Out]
    replayed: int = 0
    is_empty: bool = False

    def __post_init__(self) -> None:
        """Begin anew unless the journal is this run's own."""
        first = self._read()
        if first is None or first[0] != MAGIC + self.key:
            self._forget(0)
            self._write(MAGIC + self.key, b"")
            self.is_empty = True

    def carry_on(
        self, items: Iterable[Item], step: Callable[[Iterable[Item]], Iterator[Out]], name: Callable[[Item], str]
    ) -> Iterator[Out]:
        """Yield the result of each item, in order: those the journal holds, then those of the step, kept as they come.

        The step yields one result for each item, in their order.
        """
        rest = iter(items)
        for item in rest:
            known = self._next(name(item))
            if known is None:
                rest = itertools.chain([item], rest)
                break
            self.replayed += 1
            yield known
        names: deque[str] = deque()
        for out in step(_named(rest, name, names)):
            self._write(names.popleft(), self.pack(out))
            self.is_empty = False
            yield out

    def _next(self, wanted: str) -> Out | None:
        """Return the next result if it is that of the item wanted; else forget it and all that follows."""
        place = self.stream.tell()
        found = self._read()
        try:
            if found is not None and found[0] == wanted:
                return self.unpack(found[1])
        except (msgspec.DecodeError, ValueError):  # written by another version
            pass
        self._forget(place)
        return None

    def _read(self) -> tuple[str, bytes] | None:
        head = self.stream.read(FRAME.size)
        if len(head) < FRAME.size:
            return None
        length, check = FRAME.unpack(head)
        body = self.stream.read(length) if length <= MAX_FRAME else b""
        if len(body) < length or length > MAX_FRAME or zlib.crc32(body) != check:
            return None
        name, _, data = body.partition(b"\n")
        return name.decode("utf-8", "replace"), data

    def _write(self, name: str, data: bytes) -> None:
        body = name.encode("utf-8") + b"\n" + data
        self.stream.write(FRAME.pack(len(body), zlib.crc32(body)) + body)

    def _forget(self, place: int) -> None:
        self.stream.seek(place)
        self.stream.truncate()


@contextlib.contextmanager
def kept(path: Path, key: str, pack: Callable[[Out], bytes], unpack: Callable[[bytes], Out]) -> Iterator[Journal[Out]]:
    """Yield the journal of a file; one that holds nothing at the end leaves no file behind."""
    with files.growing(path) as stream:
        journal = Journal(stream, key, pack, unpack)
        try:
            yield journal
        finally:
            if journal.is_empty:
                files.remove(path)


def _named(items: Iterable[Item], name: Callable[[Item], str], names: deque[str]) -> Iterator[Item]:
    for item in items:
        names.append(name(item))
        yield item
