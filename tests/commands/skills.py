"""Driving the command line on skills in tests: run it in a repository, see exit code and output."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from typing import Any

from hermes_git.cli import main
from hermes_git.gitrepo.repository import Repository

SKILLS = "knowledge/skills"


@dataclass(frozen=True)
class Ran:
    """What a run of the command line did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Return standard output parsed as JSON."""
        return json.loads(self.out)


def run(repo: Repository, *args: str, stdin: bytes = b"") -> Ran:
    """Run `hermes-git ARGS` in a repository."""
    return run_in(str(repo.work_tree()), *args, stdin=stdin)


def run_in(folder: str, *args: str, stdin: bytes = b"") -> Ran:
    """Run `hermes-git ARGS` in a folder."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    typed = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]), redirect_stdin(typed):
        code = main(["-C", folder, *args])
    out, err = (stream.buffer.getvalue().decode("utf-8") for stream in streams)  # type: ignore[attr-defined]
    return Ran(code, out, err)


@contextlib.contextmanager
def redirect_stdin(stream: io.TextIOWrapper) -> Any:
    """Replace standard input for a while."""
    import sys

    before, sys.stdin = sys.stdin, stream
    try:
        yield
    finally:
        sys.stdin = before


def page(name: str, description: str = "Checks links. Use when a page changes.", body: str = "# X\n\nText.\n") -> str:
    """Return the text of a SKILL.md."""
    return f"---\nname: {name}\ndescription: {description}\n---\n\n{body}"


def log(repo: Repository, count: int = 1) -> str:
    """Return the messages of the last commits."""
    return repo.git("log", f"-{count}", "--format=%B").decode("utf-8")


def status(repo: Repository) -> str:
    """Return what git says is not committed."""
    return repo.git("status", "--porcelain").decode("utf-8")
