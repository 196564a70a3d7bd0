"""`hermes-git tour`: the whole loop in a scratch folder, with the commands that a person would type."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from hermes_git import errors
from hermes_git.commands import tour_steps
from hermes_git.commands.call import Call, common
from hermes_git.commands.tour_stage import Stage
from hermes_git.errors import UserError
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import find


@click.command()
@click.option("--keep", metavar="DIR", default=None, help="Play in DIR, which must be new or empty.")
@common()
def tour(call: Call, keep: str | None) -> int:
    """Play the whole loop with data that ships in the package, and leave the repository there to look at.

    It needs no network and no model, and touches nothing outside its folder.

    \b
    hermes-git tour
    hermes-git tour --keep ~/hermes-git-tour
    """
    folder = _folder(call, keep)
    if find(folder, clean=True):  # the reader's own repository, which the tour leaves alone
        create.create(folder / "repo")
    stage = Stage(folder, quiet=call.quiet)
    for number, (title, step) in enumerate(tour_steps.STEPS, start=1):
        stage.title(f"{number}. {title}")
        step(stage)
    stage.say("")
    stage.say(f"The repository is in {folder / 'repo'}; the exported rows are in {folder / 'rows'}.")
    return errors.OK


def _folder(call: Call, keep: str | None) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="hermes-git-tour-"))
    folder = (call.folder / keep).resolve()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} is not empty", hint="name a new folder: hermes-git tour --keep DIR")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
