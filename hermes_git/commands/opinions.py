"""Other scanners asked for a second opinion: started by name, on a copy, with a bound on time and output."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from hermes_git.checks.opinions import PREFIX, Opinion, configured, failed, read
from hermes_git.document import Document
from hermes_git.finding import Finding
from hermes_git.gitrepo import run

MOST_OUTPUT = 16 * 1024 * 1024
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
"""Variables that a scanner gets; keys and tokens of the environment are none of them."""


def chosen(folder: Path) -> tuple[Opinion, ...]:
    """Return the scanners that the user's own configuration names; what a repository configures does not count."""
    pattern = "^" + PREFIX.replace(".", r"\.")
    status, out, _err = run.attempt(["config", "-z", "--global", "--get-regexp", pattern], cwd=folder)
    rows = [row.partition("\n") for row in run.fields(out)] if status == 0 else []
    return configured({key: value for key, _, value in rows})


def ask(opinions: Sequence[Opinion], documents: Sequence[Document]) -> tuple[Finding, ...]:
    """Return what the scanners say about documents, which are written to a folder that is removed again."""
    if not opinions:
        return ()
    with tempfile.TemporaryDirectory(prefix="hermes-git-opinion-") as name:
        folder = Path(name).resolve()
        for document in documents:
            _write(folder, document)
        return tuple(finding for opinion in opinions for finding in _asked(opinion, folder))


def _write(folder: Path, document: Document) -> None:
    """Write one document below the folder, never executable, never a link."""
    path = PurePosixPath(document.path)
    if path.is_absolute() or ".." in path.parts:
        return
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(document.data)


def _asked(opinion: Opinion, folder: Path) -> tuple[Finding, ...]:
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    with tempfile.TemporaryFile() as out:
        try:
            started = subprocess.Popen(
                [*opinion.command, str(folder)], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            return (failed(opinion, f"it cannot be started ({error.strerror})"),)
        try:
            started.wait(opinion.seconds)
        except subprocess.TimeoutExpired:
            _end(started)
            return (failed(opinion, f"it took more than {opinion.seconds} s"),)
        except BaseException:
            _end(started)  # the person or the time limit ends us, so it must not go on without us
            raise
        out.seek(0)
        output = out.read(MOST_OUTPUT + 1)
    if len(output) > MOST_OUTPUT:
        return (failed(opinion, f"it printed more than {MOST_OUTPUT:,} bytes"),)
    try:
        return read(opinion, output, str(folder))
    except ValueError:
        return (failed(opinion, "it printed neither SARIF nor a list of findings as JSON"),)


def _end(started: subprocess.Popen[bytes]) -> None:
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()
