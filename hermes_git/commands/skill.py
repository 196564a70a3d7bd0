"""`hermes-git skill`: a group whose commands are imported on use."""

from __future__ import annotations

import importlib

import click

from hermes_git.errors import UserError

COMMANDS: dict[str, tuple[str, str]] = {
    "archive": ("skill_archive:archive_skill", "Move a skill to the archive, whole and with its history."),
    "archived": ("skill_archive:archived", "List what is in the archive, by the names to restore it by."),
    "blame": ("skill_history:blame", "Say for each line of a skill who wrote it, in which session."),
    "check": ("skill_check:check", "Check skills on disk by the specification and the house rules; mend what is safe."),
    "delete": ("skill_move:delete", "Remove a skill, saying why; history keeps it."),
    "diff": ("skill_diff:diff", "Say what changed between two versions: sections, header, files, what it can do."),
    "edit": ("skill_edit:edit", "Change a skill's text, or single keys of its header."),
    "install": ("skill_install:install", "Install skills from a folder or repository, through quarantine and scan."),
    "list": ("skill_list:list_skills", "List the skills as an agent's prompt index, per category, with its cost."),
    "log": ("skill_history:log", "List what happened to a skill, across renames, and who did it."),
    "matrix": ("skill_matrix:matrix", "Say what each host makes of a skill: refused, ignored, cut."),
    "new": ("skill_new:new", "Write a new skill and commit it."),
    "outdated": ("skill_verify:outdated", "Ask the sources of installed skills whether they have something newer."),
    "patch": ("skill_edit:patch", "Replace one piece of text that stands there exactly once."),
    "pin": ("skill_pin:pin", "Keep a skill where it is: no archiving, renaming or deleting."),
    "refresh": ("skill_refresh:refresh", "Say which skills are behind the sources they were learnt from."),
    "remove-file": ("skill_support:remove_file", "Remove one file beside SKILL.md."),
    "rename": ("skill_move:rename", "Rename a skill, or move it to another category."),
    "restore": ("skill_archive:restore", "Copy a skill back from the archive; its clock starts anew."),
    "show": ("skill_show:show", "Show what there is to know about one skill: header, sections, files, cost."),
    "unpin": ("skill_pin:unpin", "Let a skill be archived, renamed and deleted again."),
    "update": ("skill_install:update", "Bring an installed skill to what its source has now."),
    "verify": ("skill_verify:verify", "Compare installed skills with the lock file."),
    "view": ("skill_show:view", "Print a skill, or one of its files, and record the use."),
    "write-file": ("skill_support:write_file", "Write one file beside SKILL.md."),
}
"""Command name → module and function, and its one-line help."""


class Lazy(dict[str, click.Command]):
    """Commands by name, imported when they are looked up."""

    def __getitem__(self, name: str) -> click.Command:
        """Import and return a command; an unknown name is a `KeyError`."""
        module, _, attribute = COMMANDS[name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(f"hermes_git.commands.{module}"), attribute)
        return command


class SkillGroup(click.Group):
    """The group: names and one-line helps are known without importing any command."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return all command names, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return a command, or None for an unknown name."""
        return self.commands[cmd_name] if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the first word to a command, or suggest the nearest name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1, cutoff=0.5)
            hint = f"did you mean: hermes-git skill {near[0]}" if near else "see: hermes-git skill --help"
            raise UserError(f"no command called 'skill {args[0]}'", hint=hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their one-line help without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=SkillGroup, commands=Lazy.fromkeys(COMMANDS))
def skill() -> None:
    """Write, read, check and manage skills; each write is judged by the gate and becomes one commit.

    \b
    hermes-git skill list
    hermes-git skill new release-notes --category software-development --description "Write release notes."
    hermes-git skill view release-notes
    """
