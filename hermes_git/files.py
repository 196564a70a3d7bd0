"""The file system, and nothing else: bounded reads, atomic writes, and locks that say who holds them."""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import stat
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from hermes_git.errors import UserError

MAX_BYTES = 64 * 1024 * 1024
"""Largest file that is read whole; session sources are streamed instead."""

MAX_LINE_BYTES = 256 * 1024 * 1024
"""Longest line of a data file that is read; a longer one is an error, since it would be held in memory whole."""

LOCK_WAIT_SECONDS = 10.0


def read_bytes(path: Path, *, limit: int = MAX_BYTES) -> bytes:
    """Read a regular file whole; refuse one that is missing, unreadable, not a file, or larger than `limit` bytes."""
    try:
        _refuse_irregular(path)
        if path.stat().st_size > limit:
            raise UserError(f"{path} is larger than {limit:,} bytes", hint="split it, or leave it out")
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", hint="check its permissions") from error


def _refuse_irregular(path: Path) -> None:
    """Stop at what is not there or is no regular file: reading a pipe or a device would never end."""
    if path.is_file():
        return
    if os.path.lexists(path):
        raise UserError(f"not a regular file: {path}", hint="folders, pipes, devices and broken links are not read")
    raise UserError(f"no such file: {path}", hint="check the path")


def read_optional(path: Path, *, limit: int = MAX_BYTES) -> bytes | None:
    """Read a file whole, or return None if there is none; an unreadable file is an error, never an empty one."""
    return read_bytes(path, limit=limit) if os.path.lexists(path) else None


def read_lines(path: Path, *, limit: int = MAX_LINE_BYTES) -> Iterator[tuple[int, bytes]]:
    r"""Yield `(number, line)` of a file that may be larger than memory, split on `\n` only, unpacked if packed."""
    try:
        with _opened(path) as stream:
            number = 0
            while line := stream.readline(limit + 1):
                number += 1
                if len(line) > limit:
                    raise UserError(f"longer than {limit:,} bytes", where=f"{path}:{number}", hint="split the file")
                yield number, line.rstrip(b"\r\n")
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"cannot read {path}: {error}", hint="check the path, its suffix and permissions") from error


PACKED = (".gz", ".zst")
"""Suffixes of files whose content is unpacked on the way."""


def _opened(path: Path) -> BinaryIO:
    """Open a file for reading bytes; packed ones are unpacked."""
    if path.suffix == ".zst":
        from hermes_git import zst

        return zst.reader(path.open("rb"), where=str(path))
    if path.suffix != ".gz":
        return path.open("rb")
    import gzip

    return cast("BinaryIO", gzip.open(path))


def _temporary(target: Path, folder: Path | None = None) -> tuple[int, str]:
    """Open a new file beside a target, or in a folder; `tempfile` does it too, and costs a hook a tenth."""
    stem = os.fsdecode(os.fsencode(target.name)[:100])
    for number in itertools.count():
        name = str((folder or target.parent) / f".{stem}.{os.getpid()}-{number}.tmp")
        try:
            return os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600), name
        except FileExistsError:
            continue  # another thread's, or left by a killed process that had this number
    raise AssertionError("counting does not end")


@contextlib.contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream whose content replaces a file in one step when the block ends, and is discarded if it fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = _temporary(path)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield cast("BinaryIO", stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode_of(path))
        os.replace(temporary, path)
        _sync_folder(path.parent)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def keep(path: Path, data: bytes, *, alike: str = "", most: int = 8) -> None:
    """Write a cache; nothing fails where that is impossible. Of files named like `alike` the newest `most` stay."""
    try:
        write_atomic(path, data, durable=False)
        if alike:
            for old in sorted(path.parent.glob(alike), key=lambda file: file.stat().st_mtime, reverse=True)[most:]:
                old.unlink()
    except OSError:
        return


def write_atomic(
    path: Path, data: bytes, *, mode: int | None = None, durable: bool = True, scratch: Path | None = None
) -> None:
    """Replace a file's content in one step: a reader or a crash sees the old bytes or the new, never a mix.

    A symbolic link stays a link: its target is replaced. The old file's permissions are kept unless `mode` is given.
    What may be lost when the machine fails need not be `durable`, and waits for no disk. `scratch` is a folder for the
    temporary file where a killed process should leave none beside the target; it counts only on the same file system.
    """
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    if scratch is not None:
        scratch.mkdir(parents=True, exist_ok=True)
        scratch = scratch if scratch.stat().st_dev == target.parent.stat().st_dev else None
    handle, temporary = _temporary(target, scratch)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        os.chmod(temporary, mode if mode is not None else _mode_of(target))
        os.replace(temporary, target)
        if durable:
            _sync_folder(target.parent)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def read_link(path: Path) -> bytes | None:
    """Return where a symbolic link points to, as bytes, or None where there is no link."""
    # Path.readlink would tidy the text up, and then it would no longer be what git stores
    return os.fsencode(os.readlink(path)) if path.is_symlink() else None  # noqa: PTH115


def write_link(path: Path, target: bytes) -> None:
    """Make a symbolic link, or let an existing one point elsewhere, in one step; the target is not looked at."""
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".link-", dir=path.parent) as scratch:
        made = Path(scratch) / "link"
        made.symlink_to(os.fsdecode(target))
        os.replace(made, path)


def _mode_of(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make a rename durable where the system allows a folder to be synced."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def append_line(path: Path, line: bytes) -> None:
    """Append one line in a single write, first ending a torn last line, so that rows never run into each other."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        size = os.fstat(handle).st_size
        torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n" if hasattr(os, "pread") else False
        data = (b"\n" if torn else b"") + line.rstrip(b"\n") + b"\n"
        if os.write(handle, data) < len(data):  # a disk that fills up takes the beginning, and says nothing
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    finally:
        os.close(handle)


@contextlib.contextmanager
def growing(path: Path) -> Iterator[BinaryIO]:
    """Yield an unbuffered stream to read a file and to let it grow; made if it is not there, never through a link."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "r+b", buffering=0) as stream:
        yield cast("BinaryIO", stream)


def _refuse_unreadable(error: OSError) -> None:
    """Let a folder that is not there be empty, and one that cannot be read be an error."""
    if not isinstance(error, FileNotFoundError):
        raise error


def walk(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield `(relative posix path, path)` of all files and links below a folder, sorted, links never followed."""
    for folder, names, files in os.walk(root, onerror=_refuse_unreadable, followlinks=False):
        names.sort()
        here = Path(folder)
        linked = [name for name in names if (here / name).is_symlink()]
        for name in sorted([*files, *linked]):
            path = here / name
            yield path.relative_to(root).as_posix(), path


@contextlib.contextmanager
def lock(path: Path, *, wait: float = LOCK_WAIT_SECONDS, purpose: str = "") -> Iterator[None]:
    """Hold an exclusive lock on a file; wait at most `wait` seconds, then fail naming the holder.

    The lock belongs to the process and vanishes with it, so a killed holder never blocks the next one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = _open_lock(path)
    try:
        _acquire(handle, path, wait)
        os.ftruncate(handle, 0)
        with contextlib.suppress(OSError):  # a full disk: the lock holds all the same, it only does not say whose it is
            os.write(handle, json.dumps({"pid": os.getpid(), "purpose": purpose}).encode("utf-8"))
        yield
    finally:
        os.close(handle)


def _open_lock(path: Path) -> int:
    """Open a lock file, which is emptied and written: never through a link, which a repository could hold."""
    try:
        handle = os.open(
            path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666
        )
    except OSError as error:
        if not os.path.lexists(path) or (path.is_file() and not path.is_symlink()):
            raise
        raise UserError(f"{path} is no lock file", hint="it is a link or a folder; remove it") from error
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise UserError(f"{path} is no lock file", hint="it is a pipe or a device; remove it")


def _acquire(handle: int, path: Path, wait: float) -> None:
    deadline = time.monotonic() + wait
    pause = 0.002
    while not _try_lock(handle):
        if time.monotonic() >= deadline:
            raise UserError(
                f"another process holds {path}{_holder(path)}",
                hint=f"it was given {wait:g} seconds; run the command again when that process is done",
            )
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)


def _try_lock(handle: int) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _holder(path: Path) -> str:
    try:
        record = json.loads(path.read_bytes() or b"{}")
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(record, dict):
        return ""
    pid, purpose = record.get("pid"), record.get("purpose")
    return f" (process {pid}{', ' + purpose if purpose else ''})" if pid else ""


def remove(path: Path, *, up_to: Path | None = None) -> None:
    """Remove a file, and the folders it leaves empty below `up_to`; a file that is already gone is no error."""
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    for parent in path.parents:
        if up_to is None or parent == up_to or up_to not in parent.parents:
            return
        try:
            parent.rmdir()
        except OSError:
            return


LONGEST_LINE = 64 * 1024 * 1024
"""Longest line of a streamed file that is handed on whole."""


def read_head(path: Path, size: int) -> bytes:
    """Return the first `size` bytes of a regular file, unpacked if it is packed."""
    try:
        with _unpacking(path) as stream:
            return stream.read(size)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"cannot read {path}: {error}", hint="check the file and its permissions") from error


def read_unpacked(path: Path, *, limit: int = MAX_BYTES) -> bytes:
    """Read a file whole, unpacked if it is packed; refuse one that is larger than `limit` bytes when unpacked."""
    data = read_head(path, limit + 1)
    if len(data) > limit:
        raise UserError(f"{path} is larger than {limit:,} bytes", hint="split it, or leave it out")
    return data


def _unpacking(path: Path) -> BinaryIO:
    _refuse_irregular(path)
    return _opened(path)


def raw_lines(path: Path, *, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    r"""Yield the lines of a file with their `\n`, one at a time; of a longer line than `longest` only the beginning.

    A line that was cut ends without `\n` although more lines follow; only the last line of a file may do so too. A
    packed file is unpacked on the way.
    """
    try:
        with _unpacking(path) as stream:
            while line := stream.readline(longest):
                yield line
                if len(line) == longest and not line.endswith(b"\n"):
                    _skip_line(stream, longest)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"cannot read {path}: {error}", hint="check the file and its permissions") from error


def _skip_line(stream: BinaryIO, step: int) -> None:
    while (rest := stream.readline(step)) and not rest.endswith(b"\n"):
        pass


def file_size(path: Path) -> int:
    """Return the size of a file in bytes."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", hint="check the path and its permissions") from error


def mark(path: Path) -> tuple[int, int] | None:
    """Return size and time of a file in nanoseconds, which change when it is written, or None if it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
