"""Commands on this machine: in a scratch folder, without its environment, within limits.

There is no wall to the machine's files or to the network: only used after the user has allowed it. For a wall take
`--env docker`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hermes_git.batch import subprocesses
from hermes_git.batch.environment import INTERPRETER, USUAL, Bounds, Executed
from hermes_git.errors import UserError

LIMITED = (
    'ulimit -c 0; ulimit -t "$1"; ulimit -v "$2" 2>/dev/null; ulimit -f "$3"; ulimit -n "$4"; '
    'ulimit -u "$5" 2>/dev/null || ulimit -p "$5" 2>/dev/null; shift 5; exec "$@"'
)
"""The fixed program that sets limits and becomes the command, which it gets as arguments, never as text of its own.

Some systems have no limit on memory or processes; the others hold there too."""

BLOCK, KIBIBYTE = 512, 1024


@dataclass(frozen=True, slots=True)
class Local:
    """Runs commands in a folder of this machine, if that is allowed; without a `home` the folder is their home."""

    folder: Path
    bounds: Bounds = USUAL
    home: Path | None = None
    allowed: bool = False
    is_elsewhere: bool = False

    def run(self, command: str, seconds: float | None = None) -> Executed:
        """Run a command; everything it started is ended with it."""
        if not self.allowed:
            raise UserError("commands are not allowed on this machine", hint="give --allow-local-exec, or --env docker")
        bounds = self.bounds
        numbers = (
            bounds.cpu_seconds,
            bounds.memory // KIBIBYTE,
            bounds.file_size // BLOCK,
            bounds.open_files,
            bounds.processes,
        )
        arguments = [*INTERPRETER, LIMITED, "sh", *map(str, numbers), *INTERPRETER, command]
        return subprocesses.run(
            arguments,
            folder=self.folder,
            environment=subprocesses.restricted(self.folder, self.home),
            seconds=min(seconds or bounds.seconds, bounds.seconds),
        )

    def fetch(self) -> None:
        """Do nothing: commands ran in the folder itself."""

    def close(self) -> None:
        """Do nothing: each command ended with all that it started."""
