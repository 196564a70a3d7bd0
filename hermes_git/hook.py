"""`hermes-git hook NAME`: what the installed hooks call. Light on purpose: it runs at every commit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_git import errors
from hermes_git.errors import UserError
from hermes_git.finding import Report
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.screen import coloured, printable

if TYPE_CHECKING:
    from hermes_git.gate.step import Moment


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a hook: where, with which arguments, when and by whom."""

    repo: Repository
    args: tuple[str, ...]
    now: Moment

    @property
    def message(self) -> Path:
        """Return the message file, which git names as the first argument, relative to the top of the work tree."""
        if not self.args:
            raise UserError("the message file is missing", hint="git passes it: hermes-git hook commit-msg FILE")
        return self.repo.cwd / self.args[0]

    def lines(self) -> list[list[str]]:
        """Read what git says on standard input, one list of words a line."""
        if sys.stdin is None or sys.stdin.isatty():
            return []
        return [line.split() for line in sys.stdin.read().split("\n") if line.strip()]


def _index(ran: Ran) -> Report:
    """Judge the index that is being committed; the pre-commit framework may name files that are to be judged too."""
    from hermes_git.gate.making import judge_index, judge_named

    report = judge_index(ran.repo, ran.now)
    return report.plus(judge_named(ran.repo, ran.args, ran.now)) if ran.args else report


def _prepared(ran: Ran) -> Report:
    """Judge again what skips the other hooks: `--no-verify`, cherry-pick, revert, rebase."""
    from hermes_git.gate import step

    source, name = (*ran.args[1:3], *(ran.now.environment.get(f"PRE_COMMIT_{key}", "") for key in PREPARED))[:2]
    now = replace(ran.now, command=command_of(ran.now.process))
    if source != "template" and not step.amends(now, source, name) and step.was_judged(ran.repo, now):
        return Report()  # said here too, before the gate is imported: this is the usual way
    from hermes_git.gate.making import judge_prepared

    return judge_prepared(ran.repo, ran.message, source, name, now)


def command_of(process: str) -> tuple[str, ...]:
    """Return the words of a running process, () where the system does not tell: git does not say that it amends."""
    if not process.isdigit():
        return ()
    listing = Path("/proc") / process / "cmdline"
    if listing.exists():
        return tuple(os.fsdecode(word) for word in listing.read_bytes().split(b"\0") if word)
    import shutil
    import subprocess

    if shutil.which("ps") is None:
        return ()
    done = subprocess.run(["ps", "-o", "args=", "-p", process], capture_output=True, check=False)
    return tuple(done.stdout.decode("utf-8", "replace").split())


def _written(ran: Ran) -> Report:
    """Judge the message that is about to be committed."""
    from hermes_git.gate.making import judge_written

    return judge_written(ran.repo, ran.message, ran.now)


def _adopted(ran: Ran) -> Report:
    """Say in the message of a patch who takes it in."""
    from hermes_git.gate.making import adopt

    return adopt(ran.repo, ran.message, ran.now)


def _applied(ran: Ran) -> Report:
    """Judge a patch that was applied, with its message."""
    from hermes_git.gate.making import judge_applied

    return judge_applied(ran.repo, ran.now)


def _pushed(ran: Ran) -> Report:
    """Judge every commit that a push would add to a branch over there, and record the uses that wait here."""
    from hermes_git.gate.updates import flush_uses, judge_push

    told = [ran.now.environment.get(f"PRE_COMMIT_{key}", "") for key in PUSHED]
    remote = ran.args[0] if ran.args else ran.now.environment.get("PRE_COMMIT_REMOTE_NAME", "")
    report = judge_push(ran.repo, remote, [told] if all(told) else ran.lines(), today=ran.now.today)
    flushed = flush_uses(ran.repo)
    if flushed:
        say(f"hermes-git: {flushed}")
    return report


def _updated(ran: Ran) -> Report:
    """Judge what a branch would gain, whatever moves it: reference-transaction."""
    from hermes_git.gate.updates import judge_updates

    if ran.args[:1] != ("prepared",):
        return Report()
    return judge_updates(ran.repo, ran.lines(), today=ran.now.today)


def _refreshed(ran: Ran) -> Report:
    """Bring the search index up to date after a merge or a checkout of a branch; failing that is told, no more.

    Git takes the exit status of post-checkout for its own, and a checkout is no less done because an index is busy.
    """
    from hermes_git.gate.policy import settings_at
    from hermes_git.recall.update import bring_up_to_date

    if len(ran.args) == 3 and ran.args[2] == "0":  # single files were checked out, no branch
        return Report()
    try:
        bring_up_to_date(ran.repo, settings_at(ran.repo))
    except UserError as error:
        say(f"hermes-git: the search index was not refreshed: {error}")
    return Report()


PREPARED = ("COMMIT_MSG_SOURCE", "COMMIT_OBJECT_NAME")
PUSHED = ("LOCAL_BRANCH", "TO_REF", "REMOTE_BRANCH", "FROM_REF")
"""What git gives a hook as arguments or on standard input, the pre-commit framework gives in variables."""

HOOKS: dict[str, Callable[[Ran], Report]] = {
    "pre-commit": _index,
    "pre-merge-commit": _index,
    "prepare-commit-msg": _prepared,
    "commit-msg": _written,
    "applypatch-msg": _adopted,
    "pre-applypatch": _applied,
    "pre-push": _pushed,
    "reference-transaction": _updated,
    "post-merge": _refreshed,
    "post-checkout": _refreshed,
}
"""Hook name → what it does: content is judged where content exists, intent where the message is final."""

WAY_OUT = {
    "pre-merge-commit": "the merge is prepared but not made; give it up with: git merge --abort",
    "pre-applypatch": "the patch is applied but not committed; give it up with: git am --abort",
    "reference-transaction": "the branch stays where it was; if the index has moved already (fast-forward), "
    "go back with: git reset --merge HEAD",
    "pre-push": "nothing was pushed; amend or revert what is named above, then push again",
}
"""What to do after a hook has stopped something that git leaves half done."""


def run(name: str, args: Sequence[str], folder: Path) -> int:
    """Run one hook for the repository of a folder, print what it finds, and return the exit code."""
    judge = HOOKS.get(name)
    if judge is None:
        raise UserError(f"no hook called {name!r}", hint=f"known hooks: {', '.join(sorted(HOOKS))}")
    from hermes_git.gate.step import Moment

    report = judge(Ran(require(folder), tuple(args), Moment(os.environ, datetime.now(UTC).date())))
    show(report, name)
    return errors.FINDINGS if report.verdict == "block" else errors.OK


def start(words: Sequence[str]) -> int:
    """Run a hook as the hook files ask for it, `NAME [ARGS]…`, without the machinery of the command line."""
    return run(words[0], words[1:], Path())


def show(report: Report, name: str) -> None:
    """Print a report on standard error, where git shows what a hook says; notes alone print nothing."""
    if report.verdict == "pass":
        return
    from hermes_git.reports import text

    colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    say(text.render(report, colour=colour).rstrip("\n"), colour=colour)
    if report.verdict == "block":
        say(f"hermes-git {name}: {WAY_OUT.get(name, way_out(os.environ, name))}")


def say(text: str, *, colour: bool = False) -> None:
    """Print a line on standard error, with what would steer a terminal as escapes; `colour` keeps our own colours."""
    print(coloured(text) if colour else printable(text), file=sys.stderr)


def way_out(environment: Mapping[str, str], name: str) -> str:
    """Say what git has left behind, going by what it was doing; a plain commit leaves nothing to give up."""
    doing = environment.get("GIT_REFLOG_ACTION", "")
    if doing.startswith("rebase"):
        return "the rebase has stopped; mend it and go on with: git rebase --continue, or give up: git rebase --abort"
    if doing.startswith("merge"):
        return "the merge is prepared but not made; give it up with: git merge --abort"
    if name in ("pre-commit", "commit-msg"):
        return "nothing was committed, and what is staged stays staged; mend it and commit again"
    return "nothing was committed; after cherry-pick or revert, give up with: git reset --merge HEAD"
