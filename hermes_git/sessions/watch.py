"""Watching files and folders for sessions that are new or grew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hermes_git import files
from hermes_git.sessions.intake import Given, expand

Mark = tuple[tuple[int, int], ...]


def changes(paths: Sequence[Given], *, pause: Callable[[], None]) -> Iterator[list[Path]]:
    """Yield the files that changed since the last look, each time some did; `pause` waits between looks.

    A file counts as changed when its size or its time does; one that vanished is left alone. It goes on until `pause`
    raises, as it does when the person interrupts it.
    """
    seen = _look(paths)
    while True:
        pause()
        now = _look(paths)
        changed = [path for path, mark in now.items() if mark and seen.get(path) != mark]
        seen = now
        if changed:
            yield changed


def _look(paths: Sequence[Given]) -> dict[Path, Mark]:
    present = [path for path in paths if path.exists()]
    return {path: _mark(path) for path in expand(present)}


def _mark(path: Path) -> Mark:
    """Return what changes when a source does: of a store all its files, of a database its log too."""
    inside = [real for _, real in files.walk(path)] if path.is_dir() else [path, path.with_name(path.name + "-wal")]
    return tuple(mark for real in inside if (mark := files.mark(real)))
