"""Where an agent's commands run: a folder, a way to run a command in it, and an end. Values and protocol."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

MAX_OUTPUT = 200_000
"""Bytes of a command's output that are kept: its beginning and its end."""

TIMED_OUT = 124
"""Exit code of a command that ran out of time, as timeout(1) has it."""

INTERPRETER = ("/bin/sh", "-c")


@dataclass(frozen=True, slots=True)
class Executed:
    """What a command did: output and error output as one text, its exit code, and whether it ran out of time."""

    output: str
    exit_code: int
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one command may use: seconds, seconds of CPU, bytes of memory and of a written file, open files."""

    seconds: float = 60.0
    cpu_seconds: int = 120
    memory: int = 4 * 1024**3
    file_size: int = 1024**3
    open_files: int = 1024
    processes: int = 4096


USUAL = Bounds()


class Environment(Protocol):
    """A place to run commands in.

    `folder` is the scratch folder on this machine. Where `is_elsewhere`, commands see a copy of it, and `fetch` brings
    their changes back.
    """

    @property
    def folder(self) -> Path:
        """Return the scratch folder."""

    @property
    def is_elsewhere(self) -> bool:
        """Say whether commands run on a copy of the folder."""

    def run(self, command: str, seconds: float | None = None) -> Executed:
        """Run a shell command in the folder."""

    def fetch(self) -> None:
        """Bring the folder up to date with what commands did elsewhere."""

    def close(self) -> None:
        """End everything that still runs there."""


class Output:
    """Collects output within a bound: what comes first, and what came last."""

    def __init__(self, limit: int = MAX_OUTPUT) -> None:
        self.limit, self.size = limit, 0
        self.head, self.tail = bytearray(), bytearray()

    def add(self, data: bytes) -> None:
        """Take in more output."""
        self.size += len(data)
        room = self.limit * 2 // 3 - len(self.head)
        self.head += data[: max(0, room)]
        self.tail += data[max(0, room) :]
        spare = len(self.tail) - self.limit // 3
        if spare > self.limit:
            del self.tail[:spare]

    @property
    def text(self) -> str:
        """Return the output as text, what was left out counted."""
        tail = bytes(self.tail[-(self.limit // 3) :])
        left_out = self.size - len(self.head) - len(tail)
        middle = f"\n[… {left_out:,} bytes left out …]\n".encode() if left_out else b""
        return (bytes(self.head) + middle + tail).decode("utf-8", "replace")
