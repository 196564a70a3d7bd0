"""`hermes-git skill`: a group whose commands are imported on use."""

from __future__ import annotations

import click

from hermes_git.commands.lazy import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "archive": ("commands.skill_archive:archive_skill", "Move a skill to the archive, whole and with its history."),
    "archived": ("commands.skill_archive:archived", "List what is in the archive, by the names to restore it by."),
    "blame": ("commands.skill_history:blame", "Say for each line of a skill who wrote it, in which session."),
    "check": ("commands.skill_check:check", "Check skills on disk by the rules; mend what is safe."),
    "delete": ("commands.skill_move:delete", "Remove a skill, saying why; history keeps it."),
    "diff": ("commands.skill_diff:diff", "Say what changed between two versions, and what it can do."),
    "edit": ("commands.skill_edit:edit", "Change a skill's text, or single keys of its header."),
    "install": ("commands.skill_install:install", "Install skills from a folder or repository, through a scan."),
    "list": ("commands.skill_list:list_skills", "List the skills by category, with what their index costs."),
    "log": ("commands.skill_history:log", "List what happened to a skill, across renames, and who did it."),
    "matrix": ("commands.skill_matrix:matrix", "Say what each host makes of a skill: refused, ignored, cut."),
    "new": ("commands.skill_new:new", "Write a new skill and commit it."),
    "outdated": ("commands.skill_verify:outdated", "Ask the sources of installed skills for something newer."),
    "patch": ("commands.skill_edit:patch", "Replace one piece of text that stands there exactly once."),
    "pin": ("commands.skill_pin:pin", "Keep a skill where it is: no archiving, renaming or deleting."),
    "refresh": ("commands.skill_refresh:refresh", "Say which skills are behind what they were learnt from."),
    "remove-file": ("commands.skill_support:remove_file", "Remove one file beside SKILL.md."),
    "rename": ("commands.skill_move:rename", "Rename a skill, or move it to another category."),
    "restore": ("commands.skill_archive:restore", "Copy a skill back from the archive; its clock starts anew."),
    "show": ("commands.skill_show:show", "Show one skill: header, sections, files, cost."),
    "unpin": ("commands.skill_pin:unpin", "Let a skill be archived, renamed and deleted again."),
    "update": ("commands.skill_install:update", "Bring an installed skill to what its source has now."),
    "verify": ("commands.skill_verify:verify", "Compare installed skills with the lock file."),
    "view": ("commands.skill_show:view", "Print a skill, or one of its files, and record the use."),
    "write-file": ("commands.skill_support:write_file", "Write one file beside SKILL.md."),
}
"""Command name → module and function, and its one-line help."""

SECTIONS = {
    "Read": "list show view log blame diff",
    "Write": "new edit patch write-file remove-file rename delete",
    "Keep or retire": "pin unpin archive archived restore",
    "Judge": "check matrix refresh",
    "From elsewhere": "install update outdated verify",
}


@click.group(cls=LazyGroup, table=COMMANDS, sections=SECTIONS)
def skill() -> None:
    """Write, read, check and manage skills; each write is judged by the gate and becomes one commit.

    \b
    hermes-git skill list
    hermes-git skill new release-notes --category software-development --description "Write release notes."
    hermes-git skill view release-notes
    """
