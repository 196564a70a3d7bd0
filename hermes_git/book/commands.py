"""The page of commands, from the commands' own help."""

from __future__ import annotations

import inspect

import click

from hermes_git.cli import COMMANDS, main_group

EXIT_CODES = (
    ("0", "ok: pass, warnings, a search without a match"),
    ("1", "findings: something blocks, is damaged or unknown (`--strict`: warnings too)"),
    ("2", "user error: what, where, and what to do next"),
    ("3", "our bug, with a report to paste"),
    ("130", "interrupted"),
    ("141", "whoever read the output stopped reading, as in a pipe to `head`: what came after is not known"),
)


def page() -> str:
    """Return docs/commands.md."""
    lines = ["# Commands", "", "Every command takes `-C DIR` like git, and `--help`.", ""]
    lines += ["| exit code | meaning |", "|---|---|"]
    lines += [f"| {code} | {meaning} |" for code, meaning in EXIT_CODES]
    with click.Context(main_group, info_name="hermes-git") as context:
        lines += ["", "## Contents", "", *_contents(context)]
        for name in sorted(COMMANDS):
            command = main_group.get_command(context, name)
            if command is not None and not command.hidden:
                lines += ["", *_section(f"hermes-git {name}", command)]
    return "\n".join(lines) + "\n"


def _contents(context: click.Context) -> list[str]:
    """Return the commands by what a person wants to do, each linked to its section."""
    lines = ["| to | commands |", "|---|---|"]
    for title, names in main_group.divided(context):
        links = " · ".join(f"[{name}](#hermes-git-{name})" for name in names)
        lines.append(f"| {title.lower()} | {links} |")
    return lines


def subcommands(command: click.Command) -> list[tuple[str, click.Command]]:
    """Return the commands of a group by name, sorted; none for a plain command."""
    if not isinstance(command, click.Group):
        return []
    with click.Context(command) as context:
        found = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return [(name, inner) for name, inner in found if inner is not None]


def _section(name: str, command: click.Command) -> list[str]:
    level = "##" if name.count(" ") == 1 else "###"
    usage = " ".join(piece for piece in _usage(command) if piece)
    lines = [f"{level} {name}", "", f"`{name} {usage}`".replace(" `", "`"), "", *_help(command)]
    options = [_option(parameter) for parameter in command.params if isinstance(parameter, click.Option)]
    shown = [row for row in options if row]
    if shown:
        lines += ["", "| option | meaning |", "|---|---|", *shown]
    for sub, inner in subcommands(command):
        if not inner.hidden:
            lines += ["", *_section(f"{name} {sub}", inner)]
    return lines


def _usage(command: click.Command) -> list[str]:
    with click.Context(command) as context:
        return command.collect_usage_pieces(context)


def _help(command: click.Command) -> list[str]:
    """Render a docstring: prose as it is, example blocks (marked by a backspace) as code."""
    text = inspect.cleandoc(command.help or "")
    lines: list[str] = []
    for part in text.split("\n\n"):
        rows = part.split("\n")
        if rows[0].strip() == "\b":
            lines += ["```sh", *rows[1:], "```", ""]
        else:
            lines += [*rows, ""]
    return lines[:-1]


def _option(option: click.Option) -> str:
    if option.hidden:
        return ""
    with click.Context(click.Command("x")) as context:
        record = option.get_help_record(context)
    if record is None:
        return ""
    names, meaning = record
    cells = (f"`{names}`", " ".join(meaning.split()))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
