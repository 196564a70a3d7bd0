"""Other people's scanners: started by name, on a copy that cannot be run, with bounds on time and output."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

MOST_OUTPUT = 16 * 1024 * 1024
"""Bytes of a report that are read; a longer one is none."""
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
"""Variables that a scanner gets; keys and tokens of the environment are none of them."""
OUT = "{out}"
"""Stands in a command for an empty folder, for scanners that print nothing and write their report to a file."""
REPORTS = (".sarif", ".json")
GIT_FOLDER = ".git"


class NoAnswer(Exception):
    """A scanner that could not be asked, or did not answer; the text says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a scanner printed or wrote, its exit status, and the folder it was given ("" for a text)."""

    reports: tuple[bytes, ...]
    status: int
    folder: str = ""


def ask_folder(command: Sequence[str], name: str, files: Mapping[str, bytes], seconds: int) -> Answer:
    """Ask about files, which lie in a folder called `name` that is the last argument, and are removed again."""
    with _room() as room:
        folder = room / "asked" / name
        try:
            for path, data in files.items():
                _write(folder, path, data)
        except (OSError, ValueError) as error:
            raise NoAnswer(f"its files cannot be laid out ({getattr(error, 'strerror', '') or error})") from error
        _lock(room / "asked")
        return _run(command, str(folder), room, seconds, folder=str(folder))


def ask_text(command: Sequence[str], text: str, seconds: int) -> Answer:
    """Ask about a text, which is the last argument."""
    with _room() as room:
        return _run(command, text, room, seconds)


def stamp(command: Sequence[str]) -> tuple[str, ...]:
    """Return what changes when a scanner is replaced: place, size and date of the files that its command names."""
    found = [shutil.which(command[0]) or "", *(word for word in command[1:] if Path(word).is_absolute())]
    return tuple(part for path in found if path for part in _stamp(path))


def _stamp(path: str) -> tuple[str, ...]:
    try:
        state = Path(path).stat()
    except (OSError, ValueError):
        return (path,)
    return path, str(state.st_size), str(state.st_mtime_ns)


@contextlib.contextmanager
def _room() -> Iterator[Path]:
    """Make a private folder: what is asked about, where the scanner starts (empty), and where it may write."""
    with tempfile.TemporaryDirectory(prefix="hermes-git-opinion-") as name:
        room = Path(name).resolve()
        for inner in ("asked", "start", "out"):
            (room / inner).mkdir()
        try:
            yield room
        finally:
            _unlock(room)


def _write(folder: Path, path: str, data: bytes) -> None:
    """Write one file below the folder, never executable, never a link; what git would obey is left out."""
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts or any(part.lower() == GIT_FOLDER for part in parts):
        return
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    target.chmod(0o400)


def _lock(top: Path) -> None:
    for folder, _, _ in os.walk(top, topdown=False):
        Path(folder).chmod(0o500)


def _unlock(top: Path) -> None:
    for folder, _, _ in os.walk(top):
        Path(folder).chmod(0o700)


def _run(command: Sequence[str], last: str, room: Path, seconds: int, *, folder: str = "") -> Answer:
    """Start a scanner in an empty folder, since many a program imports what lies where it starts."""
    out = room / "out"
    words = [word.replace(OUT, str(out)) for word in command]
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    with tempfile.TemporaryFile() as printed:
        try:
            started = subprocess.Popen(
                [*words, last], cwd=room / "start", env=environment, stdin=subprocess.DEVNULL, stdout=printed,
                stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise NoAnswer(f"it cannot be started ({getattr(error, 'strerror', '') or error})") from error
        try:
            status = started.wait(seconds)
        except subprocess.TimeoutExpired:
            _end(started)
            raise NoAnswer(f"it took more than {seconds} s") from None
        except BaseException:
            _end(started)  # the person or the time limit ends us, so it must not go on without us
            raise
        if status < 0:
            raise NoAnswer(f"it was ended by signal {-status}")
        if any(OUT in word for word in command):
            return Answer(tuple(_written(out)), status, folder)
        printed.seek(0)
        return Answer((_bounded(printed.read(MOST_OUTPUT + 1)),), status, folder)


def _written(out: Path) -> Iterator[bytes]:
    """Yield the reports that a scanner wrote, sorted by name; links are no reports."""
    found = sorted(path for path in out.iterdir() if path.suffix in REPORTS and path.is_file())
    for path in found:
        if not path.is_symlink():
            with path.open("rb") as stream:
                yield _bounded(stream.read(MOST_OUTPUT + 1))


def _bounded(data: bytes) -> bytes:
    if len(data) > MOST_OUTPUT:
        raise NoAnswer(f"it printed more than {MOST_OUTPUT:,} bytes")
    return data


def _end(started: subprocess.Popen[bytes]) -> None:
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()
