"""The command line: dispatch by name, one place where errors become sentences and exit codes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from hermes_git import errors
from hermes_git.commands.garbage import collect_rarely
from hermes_git.commands.lazy import LazyGroup
from hermes_git.commands.screen import show
from hermes_git.commands.utf8 import use_utf8
from hermes_git.version import RULES_VERSION, __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "batch": ("commands.batch:batch", "Let agents work on prompts; write their trajectories."),
    "check": ("commands.check:check", "Judge knowledge: paths, the index, commits, or all of it."),
    "ci": ("commands.ci:ci", "Run the steps of the workflows in CI."),
    "compress": ("commands.compress:compress", "Bring trajectories within a budget of tokens, offline."),
    "curate": ("commands.curate:curate", "Archive what is disused, merge duplicates, on a branch."),
    "completion": ("commands.completion:completion", "Print the completion script of a shell."),
    "doctor": ("commands.doctor:doctor", "Say what is in order, what is not, and how to mend it."),
    "eval": ("commands.eval:evaluate", "Measure what compression costs, by one exam for both."),
    "explain": ("commands.explain:explain", "Explain a check: why it matters and how to fix it."),
    "export": ("commands.export:export", "Write sessions as training rows, with a manifest."),
    "hook": ("cli:hook_command", "Judge what git is about to commit; the hooks call this."),
    "hooks": ("commands.hooks:hooks", "Install, show and remove the git hooks."),
    "index": ("commands.index:index_group", "Look after the search index."),
    "init": ("commands.init:init", "Make a knowledge repository, or adopt the one here."),
    "learn": ("commands.learn:learn_command", "Build the prompt by which an agent writes a skill."),
    "loss": ("commands.loss:loss", "Say what a range of commits took out of the knowledge."),
    "memory": ("commands.memory:memory", "Read and change memory entries, one judged commit each."),
    "nudge": ("commands.nudge:nudge", "Say what in a session is worth saving, and why."),
    "prefetch": ("commands.prefetch:prefetch", "Show what is recalled for an utterance, fenced."),
    "search": ("commands.search:search", "Find what was said in sessions, memory, skills, commits."),
    "session": ("commands.session:session", "Import what agents wrote; list, show and forget it."),
    "review": ("commands.review:review", "Show what a branch teaches, allows and loses."),
    "skill": ("commands.skill:skill", "Read and change skills, one judged commit each."),
    "status": ("commands.status:status", "Show budgets, drift, proposals, hooks and sessions."),
    "trajectory": ("commands.trajectory:trajectory", "Show, count, validate and compare training rows."),
    "tour": ("commands.tour:tour", "Play the whole loop in a scratch folder."),
    "update-branch": ("commands.update_branch:update_branch", "Merge the base into a proposal, by entry and section."),
    "waive": ("commands.waive:waive", "Accept one finding, with a reason and an owner."),
    "undo": ("commands.undo:undo", "Take back the last commit this tool made."),
    "why": ("commands.why:why", "Show what a session taught, or where knowledge is from."),
}
"""Command name → where its code is and its one-line help; a command's module is imported only when it is called."""

SECTIONS = {
    "Start": "init tour status doctor",
    "Write": "memory skill undo learn",
    "Judge": "check explain waive hooks hook",
    "Review": "review loss update-branch ci",
    "Curate": "curate",
    "Remember": "session search why prefetch nudge index",
    "Train and measure": "export compress trajectory eval batch",
    "Shell": "completion",
}
"""What a person wants to do → the commands for it, in the order of use."""


class PipeClosed(Exception):
    """Nobody reads the output any more."""


class Commands(LazyGroup):
    """All commands; a closed pipe is told from the other ways a command can end."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; click itself would end a closed pipe with 1, which here means findings."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosed from error


@click.group(cls=Commands, table=COMMANDS, sections=SECTIONS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", message=f"hermes-git %(version)s (rules {RULES_VERSION})")
@click.option("-C", "folder", metavar="DIR", default=None, help="Run as if started in DIR.")
@click.pass_context
def main_group(ctx: click.Context, folder: str | None) -> None:
    """Keep what agents know in git: gated memory and skills, curation, recall, training exports.

    \b
    Start:      hermes-git init
    See it all: hermes-git tour
    """
    ctx.obj = {"folder": folder}


@click.command("hook", context_settings={"ignore_unknown_options": True})
@click.argument("name", metavar="NAME")
@click.argument("args", metavar="[ARGS]...", nargs=-1)
@click.pass_context
def hook_command(ctx: click.Context, name: str, args: tuple[str, ...]) -> int:
    """Judge what git is about to commit; the files in hooks/ call this.

    \b
    hermes-git hook pre-commit                      judge the index (exit 0 pass, 1 findings)
    hermes-git hook commit-msg .git/COMMIT_EDITMSG  judge what the message declares
    """
    from hermes_git import hook  # the hook files take a shorter way to it, without this command line

    return hook.run(name, args, Path((ctx.find_root().obj or {}).get("folder") or "."))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        result = main_group.main(
            args=None if argv is None else list(argv), prog_name="hermes-git", standalone_mode=False
        )
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the one place where our own bugs become a report
        return failure(error)
    return result if isinstance(result, int) else errors.OK


def failure(error: BaseException) -> int:
    """Say what went wrong, as a sentence where a person can mend it, and return the exit code."""
    if isinstance(error, errors.UserError):
        _say(f"hermes-git: {error}")
        return errors.USER_ERROR
    if isinstance(error, click.ClickException):
        from hermes_git.commands import mistakes

        is_help = isinstance(error, mistakes.NoCommand)
        _say(error.format_message() if is_help else f"hermes-git: {mistakes.sentence(error)}")
        return errors.USER_ERROR
    if isinstance(error, KeyboardInterrupt | click.Abort):
        _say("hermes-git: interrupted")
        return errors.INTERRUPTED
    if isinstance(error, BrokenPipeError | PipeClosed):
        _drop_output()
        return errors.PIPE_CLOSED
    if isinstance(error, OSError) and error.errno in CIRCUMSTANCES:
        return _report_circumstance(error)
    return _report_bug(error)


CIRCUMSTANCES = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENAMETOOLONG})
"""What a machine can refuse without anybody having made a mistake in a program."""


def _report_circumstance(error: OSError) -> int:
    what = f"{error.filename}: {error.strerror}" if error.filename else f"cannot write: {error.strerror}"
    _say(f"hermes-git: {what}\n  look at the space left and the permissions there, then run the command again")
    if not error.filename:
        _drop_output()
    return errors.USER_ERROR


def _drop_output() -> None:
    """Let what is still buffered go nowhere, so that Python's own last flush does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(text: str) -> None:
    show(text, err=True)


def _report_bug(error: BaseException) -> int:
    import platform
    import traceback

    _say(f"hermes-git: internal error: {type(error).__name__}: {error}")
    _say("This is our bug. Please report the lines below; they hold no file contents.")
    _say(f"hermes-git {__version__}, rules {RULES_VERSION}, Python {platform.python_version()}, {platform.system()}")
    _say("".join(traceback.format_exception(error)))
    return errors.OUR_BUG


def entry() -> None:
    """Start from the console script."""
    use_utf8()
    collect_rarely()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main())
