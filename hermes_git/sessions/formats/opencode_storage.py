"""opencode's folder `storage`: every session, message and part is a JSON file of its own.

```text
session/<project>/<session>.json     message/<session>/<message>.json     part/<message>/<part>.json
```

Older versions keep all parts in `part/`. A row is a file. The folder is one source of many sessions; a session's own
file stands for that session alone. Links are not followed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.sessions import values
from hermes_git.sessions.formats import opencode
from hermes_git.sessions.loss import BOOKKEEPING, UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import SAFE_ID, Head, Source

NAME = "opencode-storage"
SESSION_FILE = re.compile(r"(?:.*/)?session/[^/]+/[^/]+\.json\Z")
PLACES = ("session", "message", "part")


def sniff(head: Head) -> int:
    """Return how sure it is that a file or folder is in this format, 0 to 100."""
    if head.is_folder:
        return 95
    is_one = SESSION_FILE.match(head.path) and {"id", "directory", "time"} <= head.keys
    return 85 if is_one and "messages" not in head.keys else 0


def is_storage(folder: Path) -> bool:
    """Say whether a folder is such a storage."""
    return all(_is_folder(folder / name) for name in ("session", "message"))


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the sessions of a storage, or the one whose file is the source."""
    whole = source.path.is_dir()
    storage = Storage(source.path if whole else source.path.absolute().parents[2], tally)
    found = list(_files(storage.root / "session")) if whole else [source.path]
    for path in found:
        info = storage.record(path)
        if info is not None:
            value = {"info": info, "messages": storage.messages(values.text(info.get("id")))}
            session = opencode.talk(value, source, tally, NAME, parts_are_rows=True)
            if session is not None:
                yield session
    if whole:
        _book_rest(storage)


@dataclass
class Storage:
    """The folder, and which of its files were read."""

    root: Path
    tally: Tally
    seen: set[Path] = field(default_factory=set)

    def record(self, path: Path) -> dict[str, Any] | None:
        """Return the object in a file; None, booked as damage, where there is none."""
        self.seen.add(path)
        try:
            value = msgspec.json.decode(files.read_bytes(path))
        except UserError as error:
            self.tally.damage(0, error.message)
            return None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
        self.tally.damage(0, f"{path.parent.name}/{path.name}: not a JSON object")
        return None

    def records(self, folder: str, name: str) -> list[dict[str, Any]]:
        """Return the objects in the files of a folder, sorted by name; a name that is no plain one has none."""
        place = self.root / folder / name
        if not SAFE_ID.match(name) or not _is_folder(place):
            return []
        return [record for path in _files(place) if (record := self.record(path)) is not None]

    def messages(self, session: str) -> list[dict[str, Any]]:
        """Return the messages of a session in the order of their times, each with its parts."""
        found = sorted(self.records("message", session), key=_moment)
        return [{"info": info, "parts": self.parts(values.text(info.get("id")))} for info in found]

    def parts(self, message: str) -> list[dict[str, Any]]:
        """Return the parts of a message."""
        return [*self.flat.pop(message, ()), *self.records("part", message)]

    @cached_property
    def flat(self) -> dict[str, list[dict[str, Any]]]:
        """Return the parts that lie in `part/` itself, by message."""
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        folder = self.root / "part"
        for path in _files(folder) if _is_folder(folder) else ():
            if path.parent != folder:
                break
            record = self.record(path)
            if record is not None:
                found[values.text(record.get("messageID"))].append(record)
        return found


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, those directly in it first."""
    yield from (path for _, path in files.walk(folder) if not path.is_symlink())


def _moment(info: dict[str, Any]) -> tuple[float, str]:
    created = values.mapping(info.get("time")).get("created")
    known = created if isinstance(created, int | float) else 0
    return known, values.text(info.get("id"))


def _book_rest(storage: Storage) -> None:
    """Book the files that belong to no session: opencode's own bookkeeping, and what a removed session left behind."""
    left = sum(len(parts) for parts in storage.flat.values())
    for relative, path in files.walk(storage.root):
        if path not in storage.seen:
            kind = relative.split("/", 1)[0]
            storage.tally.row()
            why = UNKNOWN if kind in PLACES or path.is_symlink() else BOOKKEEPING
            storage.tally.drop(reason(why, kind, "without-its-session" if kind in PLACES else ""))
    for _ in range(left):
        storage.tally.row()
        storage.tally.drop(reason(UNKNOWN, "part", "without-its-session"))
