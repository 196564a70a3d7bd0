"""What every command gets: the folder it acts in, how to print, and what time it is."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from hermes_git.commands.screen import show, show_progress
from hermes_git.errors import UserError
from hermes_git.gate.policy import settings_at
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository, find, require
from hermes_git.provenance.actor import current_actor, current_session
from hermes_git.provenance.change import Actor
from hermes_git.settings import Settings

Item = TypeVar("Item")


@dataclass(frozen=True)
class Call:
    """One invocation of a command: options that all commands share, and the world seen through them."""

    folder: Path
    json: bool = False
    quiet: bool = False
    now: datetime | None = None

    @functools.cached_property
    def repo(self) -> Repository:
        """Return the repository the command acts on, or say how to start one."""
        return require(self.folder)

    def find_repo(self) -> Repository | None:
        """Return the repository the command acts on, or None where a bare folder will do."""
        return find(self.folder)

    @functools.cached_property
    def settings(self) -> Settings:
        """Return the settings at HEAD."""
        return settings_at(self.repo, read.head(self.repo))

    @functools.cached_property
    def configuration(self) -> dict[str, str]:
        """Return the user's `hermes-git.*` configuration."""
        return read.config(self.repo)

    @property
    def actor(self) -> Actor:
        """Return who is acting."""
        return current_actor(os.environ, self.configuration)

    @property
    def session(self) -> str:
        """Return the id of the acting session, or ""."""
        return current_session(os.environ)

    def clock(self) -> datetime:
        """Return `--now`, or the time, in UTC."""
        return self.now or datetime.now(UTC)

    def emit(self, value: object) -> None:
        """Print a value as JSON on standard output."""
        show(json.dumps(value, ensure_ascii=False, indent=2))

    def say(self, text: str = "") -> None:
        """Print a line for people on standard output, unless quiet or printing JSON."""
        if not (self.quiet or self.json):
            show(text)

    def note(self, text: str) -> None:
        """Print a line for people on standard error, unless quiet."""
        if not self.quiet:
            show(text, err=True)

    def watch(self, items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
        """Yield the items; on a terminal, show how many were done, now and then, and nothing at the end."""
        if self.quiet or not is_terminal():
            yield from items
            return
        of, shown = f" of {total:,}" if total is not None else "", 0.0
        with self.progress() as tell:
            for number, item in enumerate(items, 1):
                yield item
                if time.monotonic() - shown > BETWEEN:
                    tell(f"{what}: {number:,}{of}")
                    shown = time.monotonic()

    @contextlib.contextmanager
    def progress(self) -> Iterator[Callable[[str], None]]:
        """Yield what says, in one line on a terminal, where long work is; the line is taken away at the end."""
        if self.quiet or not is_terminal():
            yield lambda _: None
            return
        try:
            yield show_progress
        finally:
            show_progress("")


BETWEEN = 0.1
"""Seconds between two looks at the progress."""


def colour_allowed() -> bool:
    """Say whether to colour: on a terminal, and unless NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def is_terminal() -> bool:
    """Say whether a person is watching standard error, where progress bars go."""
    return sys.stderr.isatty()


def parse_now(text: str | None) -> datetime | None:
    """Parse `--now`: an ISO-8601 date or time, UTC when it names no zone."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        found = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise UserError(
            f"--now {text!r} is not an ISO 8601 time", hint="for example --now 2026-11-29T12:00:00Z"
        ) from error
    if not EARLIEST <= found.year <= LATEST:
        raise UserError(f"--now {text!r} is too far away", hint=f"give a year from {EARLIEST} to {LATEST}")
    return found


EARLIEST, LATEST = 1970, 9000
"""Years that git can date a commit in, with room on either side for what settings count in days."""


@contextlib.contextmanager
def dated(now: datetime | None) -> Iterator[None]:
    """Let git date commits with `--now`, so that the same command gives the same ids; the caller's dates win."""
    dates = (
        {}
        if now is None
        else dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"@{int(now.timestamp())} +0000")
    )
    ours = {name: date for name, date in dates.items() if name not in os.environ}
    os.environ.update(ours)
    try:
        yield
    finally:
        for name in ours:
            del os.environ[name]


def common(*, json_output: bool = False, now: bool = False) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add the shared options to a click command and hand it a `Call` as its first argument."""

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(function)
        def wrapped(**values: Any) -> int:
            call = _call(values)
            with dated(call.now):
                return function(call, **values)

        decorated: Callable[..., int] = wrapped
        for option in reversed(_options(json_output, now)):
            decorated = option(decorated)
        return decorated

    return decorate


Decorator = Callable[[Callable[..., int]], Callable[..., int]]


def _options(json_output: bool, now: bool) -> list[Decorator]:
    options: list[Decorator] = [
        click.option("-C", "folder", metavar="DIR", default=None, help="Run as if started in DIR.")
    ]
    if json_output:
        options.append(click.option("--json", "as_json", is_flag=True, help="Print JSON."))
    if now:
        options.append(click.option("--now", "now", metavar="TIME", default=None, help="ISO 8601 time to use as now."))
    options.append(click.option("-q", "--quiet", is_flag=True, help="Print errors only."))
    return options


def _call(values: dict[str, Any]) -> Call:
    """Take the shared options out of a command's values and build the `Call`, also from `hermes-git -C DIR`."""
    context = click.get_current_context(silent=True)
    root = (context.find_root().obj if context else None) or {}
    base = Path(root.get("folder") or ".")
    folder = base / (values.pop("folder", None) or ".")
    if not folder.is_dir():
        raise UserError(f"no such folder: {folder}", hint="check the path after -C")
    return Call(
        folder.resolve(), values.pop("as_json", False), values.pop("quiet", False), parse_now(values.pop("now", None))
    )
