"""`hermes-git hook NAME`: what the installed hooks call. Light on purpose: it runs at every commit."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import click

from hermes_git import errors
from hermes_git.errors import UserError
from hermes_git.finding import Report
from hermes_git.gitrepo.repository import Repository, require

Judge = Callable[[Repository, tuple[str, ...], Mapping[str, str], date], Report]


def _content(repo: Repository, _args: tuple[str, ...], environment: Mapping[str, str], today: date) -> Report:
    """Judge the index that is being committed."""
    from hermes_git.gate.doors import judge_staged

    return judge_staged(repo, environment=environment, today=today)


def _intent(repo: Repository, args: tuple[str, ...], environment: Mapping[str, str], today: date) -> Report:
    """Judge the message that is about to be committed; git names its file as the first argument."""
    from hermes_git.gate.doors import judge_message, message_file

    if not args:
        raise UserError("the message file is missing", hint="git passes it: hermes-git hook commit-msg FILE")
    return judge_message(repo, message_file(repo, args[0]), environment=environment, today=today)


HOOKS: dict[str, Judge] = {
    "pre-commit": _content,
    "pre-merge-commit": _content,
    "pre-applypatch": _content,
    "commit-msg": _intent,
    "applypatch-msg": _intent,
}
"""Hook name → what it judges: content where content exists, intent where the message exists."""


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("name", metavar="NAME")
@click.argument("args", metavar="[ARGS]...", nargs=-1)
@click.pass_context
def hook(ctx: click.Context, name: str, args: tuple[str, ...]) -> int:
    """Judge what git is about to commit; the files in hooks/ call this.

    \b
    hermes-git hook pre-commit                      judge the index (exit 0 pass, 1 findings)
    hermes-git hook commit-msg .git/COMMIT_EDITMSG  judge what the message declares
    """
    judge = HOOKS.get(name)
    if judge is None:
        raise UserError(f"no hook called {name!r}", hint=f"known hooks: {', '.join(sorted(HOOKS))}")
    folder = Path((ctx.find_root().obj or {}).get("folder") or ".")
    report = judge(require(folder), args, os.environ, datetime.now(UTC).date())
    show(report, quiet=report.verdict == "pass")
    return errors.FINDINGS if report.verdict == "block" else errors.OK


def show(report: Report, *, quiet: bool = False) -> None:
    """Print a report on standard error, where git shows what a hook says; notes alone print nothing."""
    if quiet:
        return
    from hermes_git.reports import text

    click.echo(text.render(report), err=True)
