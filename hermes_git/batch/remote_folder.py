"""The files of an environment that is elsewhere, reached by its own commands; its own wall says what they reach."""

from __future__ import annotations

import base64
import binascii
import shlex
from dataclasses import dataclass

from hermes_git.batch.environment import Environment
from hermes_git.batch.kit import ToolFailed

MAX_FILE = 96 * 1024
"""Largest file that is read or written: it travels in one command or one output."""

MAX_LISTED = 500


@dataclass(frozen=True, slots=True)
class RemoteFolder:
    """The working folder of an environment, file by file."""

    environment: Environment

    def read(self, path: str) -> bytes:
        """Read a file."""
        quoted = shlex.quote(path)
        text = self._need(path, f"head -c {MAX_FILE + 1} -- {quoted} | base64 | tr -d '\\n'")
        try:
            data = base64.b64decode(text, validate=True)
        except binascii.Error as error:
            raise ToolFailed(f"{path}: cannot be read: {text[:200]}") from error
        if len(data) > MAX_FILE:
            raise ToolFailed(f"{path}: larger than {MAX_FILE:,} bytes; read a part of it with the terminal")
        return data

    def write(self, path: str, data: bytes) -> None:
        """Replace a file, folders made on the way."""
        text = base64.b64encode(data).decode("ascii")
        if len(data) > MAX_FILE:
            raise ToolFailed(f"{path}: larger than {MAX_FILE:,} bytes; write it in parts with the terminal")
        quoted = shlex.quote(path)
        self._need(path, f'mkdir -p -- "$(dirname -- {quoted})" && printf %s {text} | base64 -d > {quoted}')

    def names(self, path: str) -> list[str]:
        """List the files below a folder."""
        quoted = shlex.quote(path)
        found = self._need(
            path, f"cd -- {quoted} && find . -name .git -prune -o ! -type d -print | head -n {MAX_LISTED + 1}"
        )
        return sorted(line.removeprefix("./") for line in found.split("\n") if line)

    def _need(self, path: str, command: str) -> str:
        if not path or "\0" in path:
            raise ToolFailed(f"{path or 'the empty path'}: not a file")
        done = self.environment.run(f"set -o pipefail 2>/dev/null; {command}")
        if done.exit_code != 0:
            raise ToolFailed(f"{path}: {done.output.strip()[-200:] or 'not possible'}")
        return done.output
