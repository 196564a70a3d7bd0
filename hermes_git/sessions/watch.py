"""Watching files and folders for sessions that are new or grew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hermes_git import files
from hermes_git.sessions.intake import Given, expand

Mark = tuple[int, int]


def changes(paths: Sequence[Given], *, pause: Callable[[], None]) -> Iterator[list[Path]]:
    """Yield the files that changed since the last look, each time some did; `pause` waits between looks.

    A file counts as changed when its size or its time does; one that vanished is left alone. It goes on until `pause`
    raises, as it does when the person interrupts it.
    """
    seen = _look(paths)
    while True:
        pause()
        now = _look(paths)
        changed = [path for path, mark in now.items() if seen.get(path) != mark]
        seen = now
        if changed:
            yield changed


def _look(paths: Sequence[Given]) -> dict[Path, Mark]:
    present = [path for path in paths if path.exists()]
    return {path: mark for path in expand(present) if (mark := files.mark(path))}
