"""Jobs that misbehave, importable by worker processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hermes_git.batch import subprocesses
from hermes_git.errors import UserError


@dataclass(frozen=True)
class Misbehave:
    """Items are words: `die`, `kill`, `raise`, `hang`, `once:<name>`; everything else comes back in capitals."""

    folder: Path

    def build(self) -> Callable[[str], str]:
        return self.step

    def step(self, item: str) -> str:
        word, _, rest = item.partition(":")
        with (self.folder / "log").open("a", encoding="utf-8") as stream:
            stream.write(f"{os.getpid()} {item}\n")
        if word == "die":
            os._exit(7)
        if word == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "raise":
            raise ValueError("no")
        if word == "hang":
            environment = subprocesses.restricted(self.folder)
            command = ["sh", "-c", "sleep 600 & echo $! > child; wait"]
            subprocesses.run(command, folder=self.folder, environment=environment, seconds=600)
        if word == "once" and not (self.folder / rest).exists():
            (self.folder / rest).touch()
            os._exit(7)
        time.sleep(0.001)
        return item.upper()


@dataclass(frozen=True)
class Unbuildable:
    """A job that no worker can build: an error that can be mended, a bug, or a death."""

    how: str

    def build(self) -> Callable[[str], str]:
        if self.how == "user":
            raise UserError("the key is empty", hint="export it")
        if self.how == "bug":
            raise KeyError("x")
        os._exit(3)
