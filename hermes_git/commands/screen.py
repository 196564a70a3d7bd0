"""The one way from a command to the standard streams."""

from __future__ import annotations

import sys

import click

from hermes_git.screen import coloured, printable


def show(text: str, *, err: bool = False, end: str = "\n", colour: bool = False) -> None:
    """Print text, with what would steer a terminal as escapes; `colour` keeps colours, which are then our own.

    In JSON an escape means the character itself, so JSON may go this way too.
    """
    click.echo((coloured(text) if colour else printable(text)) + end, nl=False, err=err, color=colour or None)


def show_data(data: str | bytes) -> None:
    """Print a file or a prompt: byte for byte into a pipe or a file, as `show` does on a terminal."""
    if sys.stdout.isatty():
        show(data if isinstance(data, str) else data.decode("utf-8", "backslashreplace"), end="")
    else:
        click.echo(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data, nl=False)


def show_progress(text: str, *, done: bool = False) -> None:
    """Write a line on standard error over the one before it; a terminal is expected there."""
    click.echo(f"\r\x1b[K{printable(text)}", nl=done, err=True)
