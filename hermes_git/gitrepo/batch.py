"""One long-lived `git cat-file --batch`: objects one at a time, in any order, without a process for each."""

from __future__ import annotations

import subprocess
from types import TracebackType
from typing import IO

from hermes_git.errors import UserError
from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.repository import Repository

PIECE = 1 << 20


def _skip(stream: IO[bytes], count: int) -> None:
    while count > 0:
        piece = stream.read(min(count, PIECE))
        if not piece:
            return
        count -= len(piece)


class Objects:
    """Reads objects by id; the process starts with the first one and ends with `close` or the `with` block."""

    def __init__(self, repo: Repository) -> None:
        self.repo = repo
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Objects:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        """End the process."""
        self.close()

    def read(self, object_id: str) -> bytes:
        """Return the bytes of one object; a missing one, or git going away, is an error that names it."""
        process = self._process or self._start()
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both pipes were asked for")
        try:
            process.stdin.write(object_id.encode("ascii") + b"\n")
            process.stdin.flush()
            words = process.stdout.readline().split(b" ")
            size = int(words[2]) if len(words) == 3 else -1
            data = process.stdout.read(size + 1)[:size] if size >= 0 else b""
        except BrokenPipeError:
            size, data = -1, b""
        if size < 0 or len(data) != size:
            raise UserError(f"object {object_id} is missing", hint="check the repository with: git fsck")
        return data

    def fetch(self, object_id: str, *, limit: int) -> tuple[int, bytes | None]:
        """Return the size and the bytes of an object, None for the bytes of one larger than `limit`.

        A large one is passed over piece by piece. Small ones are kept, so that nothing is asked twice.
        """
        known = read.remembered(object_id)
        if known is not None:
            return len(known), known
        process = self._process or self._start()
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both pipes were asked for")
        process.stdin.write(object_id.encode("ascii") + b"\n")
        process.stdin.flush()
        words = process.stdout.readline().split(b" ")
        if len(words) != 3:
            raise UserError(f"object {object_id} is missing", hint="check the repository with: git fsck")
        size = int(words[2])
        if size > limit:
            _skip(process.stdout, size + 1)
            return size, None
        data = process.stdout.read(size + 1)[:size]
        if len(data) != size:
            raise UserError(f"object {object_id} is cut off", hint="check the repository with: git fsck")
        read.remember(object_id, data)
        return size, data

    def named(self, name: str) -> tuple[str, bytes] | None:
        """Return id and bytes of what a name such as `HEAD^{commit}` or `HEAD:path` stands for, None for nothing."""
        if "\n" in name:
            return None  # git takes one name a line, so such a path cannot be asked for
        process = self._process or self._start()
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both pipes were asked for")
        process.stdin.write(run.encode_path(name) + b"\n")
        process.stdin.flush()
        words = process.stdout.readline().rsplit(b" ", 2)
        if len(words) != 3 or not words[2].strip().isdigit():
            return None
        size = int(words[2])
        data = process.stdout.read(size + 1)[:size]
        object_id = words[0].decode("ascii")
        if words[1] == b"blob":
            read.remember(object_id, data)
        return object_id, data

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(
            ["git", "cat-file", "--batch"],
            cwd=self.repo.cwd,
            env=run.environment(clean=self.repo.clean),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=1 << 16,
        )
        return self._process

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        process.wait()
