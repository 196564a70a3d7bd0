"""The stage of the tour: it shows a command as a person would type it, runs it, and stops when it does not do so."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from hermes_git import files
from hermes_git.commands import packaged
from hermes_git.commands.call import colour_allowed
from hermes_git.commands.screen import show

IDENTITY = {
    "GIT_AUTHOR_NAME": "Tour Guide",
    "GIT_AUTHOR_EMAIL": "guide@example.invalid",
    "GIT_COMMITTER_NAME": "Tour Guide",
    "GIT_COMMITTER_EMAIL": "guide@example.invalid",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "HERMES_GIT_ACTOR": "person:guide",
    "NO_COLOR": "1",
    "PYTHONUTF8": "1",
}


class Stage:
    """A scratch folder with a repository in it, and a voice."""

    def __init__(self, folder: Path, *, quiet: bool = False) -> None:
        self.folder = folder
        self.repo = folder / "repo"
        self.quiet = quiet
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | IDENTITY

    def say(self, text: str, *, bold: bool = False) -> None:
        """Say something to the reader."""
        if not self.quiet:
            show(click.style(text, bold=True) if bold else text, colour=bold)

    def title(self, text: str) -> None:
        """Announce a step."""
        self.say("")
        self.say(text, bold=colour_allowed())

    def run(
        self,
        command: str,
        *,
        expect: int = 0,
        env: dict[str, str] | None = None,
        show: int = 40,
        cwd: Path | None = None,
    ) -> str:
        """Run one command line of git or hermes-git, show what it prints (at most `show` lines), and return that.

        Errors: `RuntimeError` when the exit code is not the expected one, which is our bug.
        """
        prefix = "".join(f"{key}={shlex.quote(value)} " for key, value in (env or {}).items())
        self.say(f"\n$ {prefix}{command}")
        words = shlex.split(command)
        if words[0] == "hermes-git":
            words[:1] = [sys.executable, "-P", "-m", "hermes_git"]
        done = subprocess.run(
            words,
            cwd=cwd or (self.repo if self.repo.exists() else self.folder),
            env=self.env | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        text = done.stdout.decode("utf-8", "replace").rstrip("\n")
        self._show((text or ("(nothing found)" if expect else "")).split("\n"), show)
        if done.returncode != expect:
            raise RuntimeError(f"{command!r} ended with {done.returncode}, not {expect}:\n{text}")
        return text

    def _show(self, lines: Sequence[str], limit: int) -> None:
        for line in lines[:limit] if any(lines) else ():
            self.say(f"  {line}".rstrip())
        more = len(lines) - limit
        if more > 0:
            self.say(f"  … {more} more line{'s' if more > 1 else ''}")

    def copy(self, source: str, target: str) -> None:
        """Copy a packaged folder into the repository."""
        packaged.copy(packaged.folder("tour") / source, self.repo / target)

    def write(self, path: Path, data: bytes) -> None:
        """Write a file of the scratch folder."""
        files.write_atomic(path, data)
