"""`hermes-git index`: state and care of the search index, which may be thrown away at any time."""

from __future__ import annotations

from typing import Any

import click

from hermes_git import errors
from hermes_git.commands.call import Call, common
from hermes_git.commands.lazy import Group
from hermes_git.commands.search import progress
from hermes_git.recall import care
from hermes_git.recall.update import Update, bring_up_to_date, optimize, rebuild

WAIT = 600.0


@click.group("index", cls=Group)
def index_group() -> None:
    """Look after the search index. It is a projection: delete it and the next search builds it again.

    \b
    hermes-git index status
    hermes-git index update
    hermes-git index verify
    """


@index_group.command()
@common(json_output=True)
def status(call: Call) -> int:
    """Compare what is indexed with what there is.

    \b
    hermes-git index status --json
    """
    return _show(call, care.status(call.repo, call.settings))


@index_group.command()
@common(json_output=True)
def update(call: Call) -> int:
    """Add what is new and drop what is gone; exit 1 if something could not be read.

    \b
    hermes-git index update
    """
    done = bring_up_to_date(call.repo, call.settings, wait=WAIT, progress=progress(call), fully=True)
    return _report(call, done)


@index_group.command("rebuild")
@common(json_output=True)
def rebuild_command(call: Call) -> int:
    """Build the index from nothing; until it is done the old one answers.

    \b
    hermes-git index rebuild
    """
    return _report(call, rebuild(call.repo, call.settings, wait=WAIT, progress=progress(call)))


def _report(call: Call, done: Update) -> int:
    changed = {"added": done.added, "removed": done.removed, "note": done.note}
    return _show(call, {**changed, **care.status(call.repo, call.settings)})


@index_group.command()
@common(json_output=True)
def verify(call: Call) -> int:
    """Read every file of the index and compare it with its digest, and the counts with the sources.

    \b
    hermes-git index verify
    """
    return _show(call, care.verify(call.repo, call.settings))


@index_group.command("optimize")
@common(json_output=True)
def optimize_command(call: Call) -> int:
    """Merge the index into as few files as it can have.

    \b
    hermes-git index optimize
    """
    bring_up_to_date(call.repo, call.settings, wait=WAIT, progress=progress(call))
    optimize(call.repo, wait=WAIT)
    return _show(call, care.status(call.repo, call.settings))


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count:,}" for name, count in value.items())
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _show(call: Call, report: dict[str, Any]) -> int:
    """Print a report and return the exit code: 1 unless everything there is can be found."""
    if call.json:
        call.emit(report)
    else:
        for name, value in report.items():
            if value not in ("", [], None):
                call.say(f"{name.replace('_', ' ')}: {_plain(value)}")
    if report["damage"]:
        call.note("hermes-git: the index is damaged; mend it with: hermes-git index rebuild")
    elif report["missing"] or report["surplus"]:
        call.note("hermes-git: the index is behind; bring it up to date with: hermes-git index update")
    if report["unreadable"]:
        call.note("hermes-git: restore the unreadable sources from their history, or import them again")
    troubled = report["damage"] or report["missing"] or report["surplus"] or report["unreadable"]
    return errors.FINDINGS if troubled else errors.OK
