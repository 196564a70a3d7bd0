"""`hermes-git hooks`: install, show and remove the git hooks."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import hook_files
from hermes_git.commands.call import Call, common
from hermes_git.commands.lazy import Group


@click.group(cls=Group)
def hooks() -> None:
    """Install, show and remove the hooks that judge commits.

    \b
    hermes-git hooks install
    hermes-git hooks status --json
    """


@hooks.command()
@click.option("--strict", is_flag=True, help="Also stop every move of a branch that brings in what does not pass.")
@click.option("--refresh", is_flag=True, help="Also refresh the search index after merges and checkouts.")
@common(json_output=True)
def install(call: Call, strict: bool, refresh: bool) -> int:
    """Install the hooks; a hook that is there is kept and runs first.

    \b
    hermes-git hooks install
    hermes-git hooks install --strict     stops fast-forwards, resets and pushes into this repository too
    hermes-git hooks install --refresh
    """
    folder = hook_files.hook_folder(call.repo)
    if folder.foreign and not call.json:
        call.note(hook_files.explanation(folder))
        return errors.FINDINGS
    return _show(call, hook_files.install(call.repo, strict=strict, refresh=refresh))


@hooks.command()
@common(json_output=True)
def status(call: Call) -> int:
    """Say of each hook whether it judges commits; exit 1 if one does not.

    \b
    hermes-git hooks status
    """
    return _show(call, hook_files.status(call.repo))


@hooks.command()
@common(json_output=True)
def uninstall(call: Call) -> int:
    """Remove our hooks and put back what was there before.

    \b
    hermes-git hooks uninstall
    """
    done = hook_files.uninstall(call.repo)
    _show(call, done)
    return errors.OK


def _show(call: Call, states: list[hook_files.HookState]) -> int:
    if call.json:
        call.emit([{"hook": row.name, "state": row.state, "detail": row.detail} for row in states])
    for row in states:
        call.say(f"{row.name}: {row.state}{'; ' + row.detail if row.detail else ''}")
    return errors.OK if all(row.is_good for row in states) else errors.FINDINGS
