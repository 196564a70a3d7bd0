"""A group whose commands are imported on use, so that no command pays for what another one needs."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from typing import Any

import click

from hermes_git.errors import UserError


class LazyGroup(click.Group):
    """A click group that knows its commands by `{name: (module:attribute, one-line help)}`."""

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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the first word to a command, or suggest the nearest name."""
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], known, n=1, cutoff=0.5)
            path = ctx.command_path
            hint = f"did you mean: {path} {near[0]}" if near else f"see: {path} --help"
            raise UserError(f"no command called {args[0]!r}", hint=hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their one-line help without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.table[name][1]) for name in self.list_commands(ctx) if name in self.table])
