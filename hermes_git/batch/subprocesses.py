"""Starting a command so that it always ends: own process group, bounded output, a deadline, nothing left behind."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from hermes_git.batch.environment import TIMED_OUT, Executed, Output
from hermes_git.errors import UserError

CHUNK = 65536
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")
"""Variables of this process that commands see; nothing else passes, so no key does."""

_last_words: dict[str, tuple[list[str], dict[str, str]]] = {}
_running: set[int] = set()
"""Process groups that were started and have not ended, for `end_all`."""


def restricted(folder: Path, home: Path | None = None) -> dict[str, str]:
    """Return the environment of a command: a few harmless variables, a home, and a place for temporary files in it."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    own = str(home or folder)
    inside = {"HOME": own, "TMPDIR": own, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
    inside["GIT_CEILING_DIRECTORIES"] = str(folder.parent)  # no repository around the folder is taken for its own
    return {"PATH": os.defpath, **kept, **inside, "PYTHONDONTWRITEBYTECODE": "1"}


def run(arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str], seconds: float) -> Executed:
    """Run a program to its end, or to the end of its time; then end all that it started in its group.

    Errors: `UserError` when the program does not exist.
    """
    try:
        process = subprocess.Popen(
            list(arguments),
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise UserError(f"cannot start {arguments[0]}: {error.strerror}", hint="check that it is installed") from error
    except ValueError as error:
        raise UserError(f"cannot start {arguments[0]}: {error}", hint="no argument can hold a NUL") from error
    _running.add(process.pid)
    output = Output()
    try:
        timed_out = not _drain(process, output, time.monotonic() + seconds)
    finally:
        _end(process)
    if timed_out:
        return Executed(output.text, TIMED_OUT, True)
    code = process.returncode
    return Executed(output.text, code if code >= 0 else 128 - code)


def _drain(process: subprocess.Popen[bytes], output: Output, deadline: float) -> bool:
    """Read until the program ends; False when its time is up. What it leaves running does not keep us."""
    assert process.stdout is not None  # noqa: S101 - asked for above
    pipe = process.stdout.fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        pause = 0.001
        while (left := deadline - time.monotonic()) > 0:
            if selector.select(min(left, pause)):
                if not _take(pipe, output):
                    return _ended(process, deadline)
                pause = 0.001
            elif process.poll() is not None:
                _kill(process.pid)
                while selector.select(0) and _take(pipe, output):
                    pass
                return True
            else:
                pause = min(pause * 2, 0.05)
    return False


def _take(pipe: int, output: Output) -> bool:
    """Read what is there; False at the end of the output."""
    data = os.read(pipe, CHUNK)
    output.add(data)
    return bool(data)


def _ended(process: subprocess.Popen[bytes], deadline: float) -> bool:
    """Wait for a program that has closed its output."""
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group, which may have outlived its leader, and close the pipe."""
    _kill(process.pid)
    process.wait()
    _running.discard(process.pid)
    if process.stdout is not None:
        process.stdout.close()


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def end_all() -> None:
    """Kill everything that this process has started and that still runs, and start what cleans up elsewhere.

    The caller is about to die, so nothing is waited for.
    """
    for group in tuple(_running):
        _kill(group)
    for arguments, environment in tuple(_last_words.values()):
        with contextlib.suppress(OSError):
            subprocess.Popen(
                arguments,
                cwd="/",
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )


def leave_word(name: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Note a command that is to be started should this process have to end early."""
    _last_words[name] = (list(arguments), dict(environment))


def take_back(name: str) -> None:
    """Forget what was noted under a name."""
    _last_words.pop(name, None)
