"""Groups of commands: whole lines of help in sections, and commands that are imported on use."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from hermes_git.commands import mistakes

OTHERS = "Commands"
"""The title of the commands that no section names."""


class Group(click.Group):
    """A click group whose help shows each command's whole line, below the title of its section.

    `sections` maps a title to names with blanks between them. Called without a command it says what it can do.
    """

    def __init__(self, *args: Any, sections: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sections = sections or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; no words at all ask for help, which is no mistake of spelling and so gets no further advice."""
        if not args and not self.invoke_without_command and not ctx.resilient_parsing:
            raise mistakes.NoCommand(ctx)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the first word to a command, or suggest the nearest name."""
        is_known = not args or args[0] in self.list_commands(ctx) or args[0].startswith("-")
        if not is_known and not ctx.resilient_parsing:  # a shell that completes a line wants no advice about it
            raise mistakes.unknown_command(ctx, args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their one-line help, section by section, in columns that agree."""
        width = max(map(len, self.list_commands(ctx)), default=0)
        for title, names in self.divided(ctx):
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), self.line(name)) for name in names])

    def divided(self, ctx: click.Context) -> list[tuple[str, list[str]]]:
        """Return the titles with their commands; what no section names comes last."""
        left = self.list_commands(ctx)
        found = []
        for title, words in self.sections.items():
            names = [name for name in words.split() if name in left]
            left = [name for name in left if name not in names]
            found.append((title, names))
        return [(title, names) for title, names in [*found, (OTHERS, left)] if names]

    def line(self, name: str) -> str:
        """Return the one-line help of a command."""
        return self.commands[name].get_short_help_str(limit=200)


class LazyGroup(Group):
    """A group that knows its commands by `{name: (module:attribute, one-line help)}`."""

    def __init__(self, *args: Any, table: Mapping[str, tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all command names, sorted."""
        return sorted([*self.table, *super().list_commands(ctx)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or None for an unknown name."""
        if cmd_name not in self.table:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.table[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(f"hermes_git.{module}"), name)
        return command

    def line(self, name: str) -> str:
        """Return the one-line help of a command, importing none of the table."""
        return self.table[name][1] if name in self.table else super().line(name)
