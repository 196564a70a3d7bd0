"""The one place where git is started: arguments in, bytes out, every failure a sentence."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from hermes_git.errors import UserError

READ_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",  # a read never rewrites the index
    "GIT_LITERAL_PATHSPECS": "1",  # a file may be called `:(top)*`
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone never goes to the network behind our back
    "LC_ALL": "C",
}

NO_MONITOR = ("-c", "core.fsmonitor=false")
"""Git hands its own standard input to a file monitor that is configured, which may eat what we say there."""

MOST_LINES = 6
"""How much of what git says is repeated: its advice on a missing name and address fits."""

MINIMUM_GIT = (2, 31)
"""`--end-of-options` everywhere, `rev-parse --path-format`, trailers: what the tests run on and what we need."""


class GitError(UserError):
    """Git refused; carries its exit status and what it printed."""

    def __init__(self, args: Sequence[str], status: int, stderr: str) -> None:
        said = next((line for line in stderr.splitlines() if line.strip()), f"exit status {status}")
        super().__init__(f"git {_verb(args)}: {said.removeprefix('fatal: ')}", hint=_hint(stderr))
        self.status = status
        self.stderr = stderr


def _verb(args: Sequence[str]) -> str:
    """Return the command of a git call, the settings before it left out."""
    rest = list(args)
    while len(rest) > 2 and rest[0] == "-c":
        rest = rest[2:]
    return rest[0] if rest else ""


DAMAGE = {
    "index file": "git cannot read its index; move that file away and make a new one with: git reset",
    "bad config line": "correct that line in an editor",
    "alternate object": "the repository this one borrows objects from is gone; put it back, or clone anew",
    "No space left": "make room on that disk, then run the command again; what was there before is unchanged",
    "Out of diskspace": "make room on that disk, then run the command again; what was there before is unchanged",
    "Read-only file system": "nothing can be written there; work in a clone elsewhere",
    "Permission denied": "look at the permissions there, then run the command again",
    "unable to unpack": "an object is damaged; see how much is with: git fsck --full",
    "unable to read tree": "an object is missing; see how much is with: git fsck --full",
}
"""What git says of a repository or disk in a bad state → what to do about it."""


def _hint(stderr: str) -> str:
    if "dubious ownership" in stderr:
        return "the repository belongs to another user; git's message above names the safe.directory line to run"
    if "not a git repository" in stderr:
        return "start one here with: hermes-git init"
    mend = next((advice for said, advice in DAMAGE.items() if said in stderr), "")
    if mend:
        return mend
    return "\n  ".join([line for line in stderr.splitlines()[1:] if line.strip()][:MOST_LINES])


def environment(extra: Mapping[str, str] | None = None, *, clean: bool = False) -> dict[str, str]:
    """Return the environment for git; `clean` drops every inherited GIT_* so that another repository is safe."""
    inherited = {key: value for key, value in os.environ.items() if not (clean and key.startswith("GIT_"))}
    return {**inherited, **READ_ENVIRONMENT, **(extra or {})}


def run(
    args: Sequence[str],
    *,
    cwd: Path,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    clean: bool = False,
    accept: Sequence[int] = (0,),
) -> bytes:
    """Run `git ARGS` in a folder and return what it printed; raise `GitError` on any exit status not accepted."""
    status, out, err = attempt(args, cwd=cwd, stdin=stdin, env=env, clean=clean)
    if status not in accept:
        raise GitError(args, status, err.decode("utf-8", "replace"))
    return out


def attempt(
    args: Sequence[str],
    *,
    cwd: Path,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    clean: bool = False,
) -> tuple[int, bytes, bytes]:
    """Run `git ARGS` and return its exit status, output and error output, whatever they are."""
    try:
        done = subprocess.run(
            ["git", *NO_MONITOR, *args],
            cwd=cwd,
            input=stdin,
            env=environment(env, clean=clean),
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        if not cwd.is_dir():
            raise UserError(f"no such folder: {cwd}", hint="check the path after -C") from error
        raise UserError("git is not installed or not on PATH", hint="install git 2.31 or newer") from error
    return done.returncode, done.stdout, done.stderr


def text(output: bytes) -> str:
    """Decode what git printed, keeping undecodable path bytes, and drop the final newline."""
    return output.decode("utf-8", "surrogateescape").removesuffix("\n")


def fields(output: bytes) -> list[str]:
    """Split NUL-separated output into strings, the empty tail left off."""
    parts = output.decode("utf-8", "surrogateescape").split("\0")
    return parts[:-1] if parts and not parts[-1] else parts


def encode_path(path: str) -> bytes:
    """Encode a path for git's standard input, keeping undecodable bytes as they were."""
    return path.encode("utf-8", "surrogateescape")


def version(cwd: Path) -> tuple[int, ...]:
    """Return git's version as numbers, such as `(2, 39, 5)`."""
    words = text(run(["version"], cwd=cwd)).split()
    return tuple(int(part) for part in words[2].split(".") if part.isdigit()) if len(words) > 2 else (0,)
