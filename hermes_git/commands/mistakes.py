"""Mistakes in a command line, in the words of this tool: what is wrong, what was meant, where to read on."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

import click

from hermes_git.errors import UserError

OTHER_WORDS = {
    "add": ("new",),
    "cat": ("show", "view"),
    "create": ("new",),
    "delete": ("remove", "forget"),
    "diff": ("drift",),
    "find": ("search",),
    "grep": ("search",),
    "history": ("log",),
    "lint": ("check",),
    "ls": ("list",),
    "move": ("rename",),
    "mv": ("rename",),
    "print": ("show", "view"),
    "read": ("show", "view"),
    "remove": ("delete", "uninstall", "forget"),
    "rm": ("remove", "delete", "uninstall", "forget"),
    "scan": ("check",),
    "set": ("edit",),
    "validate": ("check",),
}
"""What other tools call a command → what it may be called here."""

ALIKE = 0.65
"""From this likeness on a name is worth suggesting; below, a suggestion reads like a joke."""

UNKNOWN_COMMAND = re.compile(r"No such command '([^']*)'")


class NoCommand(click.UsageError):
    """A group was called without a command: its help is the answer."""

    def __init__(self, ctx: click.Context) -> None:
        super().__init__(ctx.get_help(), ctx)


def unknown_command(ctx: click.Context, word: str) -> UserError:
    """Return what to say about a word that is no command of a group."""
    path, group = ctx.command_path, ctx.command
    names = group.list_commands(ctx) if isinstance(group, click.Group) else []
    meant = _elsewhere(ctx, word) or [f"{path} {name}" for name in near(word, names)]
    inner = " ".join([*path.split()[1:], word])
    hint = f"did you mean: {' or '.join(meant)}" if meant else f"see: {path} --help"
    return UserError(f"no command called {inner!r}", hint=hint)


def near(word: str, names: Sequence[str]) -> list[str]:
    """Return the command a word most likely means: another tool's word for it, else the name most alike."""
    known = [name for name in OTHER_WORDS.get(word, ()) if name in names]
    return known[:1] or difflib.get_close_matches(word, names, n=1, cutoff=ALIKE)


def _elsewhere(ctx: click.Context, word: str) -> list[str]:
    """Find a word of the top level among the commands of the groups: `add` is `memory add`."""
    if ctx.parent is not None or not isinstance(ctx.command, click.Group):
        return []
    groups = ((name, ctx.command.get_command(ctx, name)) for name in ("memory", "skill", "session"))
    return [
        f"{ctx.command_path} {name} {word}"
        for name, group in groups
        if isinstance(group, click.Group) and word in group.list_commands(ctx)
    ]


def sentence(error: click.ClickException) -> UserError:
    """Turn what click says about a command line into one sentence and the next thing to do."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if ctx is None:
        return UserError(_plain(error.format_message()))
    found = UNKNOWN_COMMAND.match(error.format_message())
    if found and isinstance(ctx.command, click.Group):
        return unknown_command(ctx, found.group(1))
    return UserError(_what(error), hint="\n  ".join([*_advice(error, ctx), f"see: {ctx.command_path} --help"]))


def _what(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption):
        return f"no option called {error.option_name}"
    return _plain(error.format_message())


def _advice(error: click.ClickException, ctx: click.Context) -> list[str]:
    if isinstance(error, click.NoSuchOption):
        meant = [f"did you mean: {', '.join(error.possibilities)}"] if error.possibilities else []
        words = any(isinstance(param, click.Argument) for param in ctx.command.params)
        return meant or (["words that begin with - go after --"] if words else [])
    if "unexpected extra argument" in error.format_message():
        return ["put quotation marks around words that belong together"]
    return []


def _plain(message: str) -> str:
    """Return a message of click without its capital letter and full stop."""
    text = message.strip().removesuffix(".")
    return text[:1].lower() + text[1:]
