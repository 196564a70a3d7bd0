"""The doors of whole branches: what a push, or any move of a branch, would add to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from hermes_git.errors import UserError
from hermes_git.finding import Report
from hermes_git.gate.policy import settings_at
from hermes_git.gate.range import judge_range
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import spool
from hermes_git.settings import Settings

BRANCHES = "refs/heads/"


def judge_push(repo: Repository, remote: str, lines: Iterable[Sequence[str]], *, today: date | None) -> Report:
    """Judge a push; lines are `<local ref> <local id> <remote ref> <remote id>`, as git tells pre-push."""
    report = Report()
    settings = settings_at(repo)
    for _, tip, target, there in (tuple(line) for line in lines if len(line) == 4):
        if _is_judged(target, settings) and not _is_null(tip):
            known = None if _is_null(there) else read.ref(repo, there)
            base = known or _new_since(repo, tip, f"--remotes={remote}" if remote else "--remotes")
            report = report.plus(judge_range(repo, base, tip, today=today, door="all"))
    return report


def judge_updates(repo: Repository, lines: Iterable[Sequence[str]], *, today: date | None) -> Report:
    """Judge moves of branches; lines are `<old id> <new id> <ref>`, as git tells reference-transaction.

    The old id may be zero although the branch exists, so the branch is asked. A branch that only goes back, or to a
    commit that another branch holds already, gains nothing that was not judged when it came in.
    """
    report = Report()
    settings = settings_at(repo)
    for _, tip, name in (tuple(line) for line in lines if len(line) == 3):
        if not _is_judged(name, settings) or _is_null(tip):
            continue
        before = read.ref(repo, name)
        if before == tip:
            continue
        base = before or _new_since(repo, tip, "--branches")
        report = report.plus(judge_range(repo, base, tip, today=today, door="all"))
    return report


def _is_judged(name: str, settings: Settings) -> bool:
    """Say whether a reference is a branch of knowledge; the branch of sessions has a gate of its own."""
    return name.startswith(BRANCHES) and name != f"{BRANCHES}{settings.sessions.branch}"


def _is_null(object_id: str) -> bool:
    return not object_id.strip("0")


def _new_since(repo: Repository, tip: str, known: str) -> str | None:
    """Return the commit from which on `tip` is new to the references `known`; None when all of it is."""
    found = repo.git("rev-list", "--first-parent", "--parents", tip, "--not", known).decode().split("\n")
    rows = [row.split() for row in found if row]
    if not rows:
        return tip
    return rows[-1][1] if len(rows[-1]) > 1 else None


def flush_uses(repo: Repository) -> str:
    """Move the uses that wait in the spool into the session store; return a sentence when that did not work.

    A push is no less right because the ledger is locked, so that is told and tried again at the next push.
    """
    try:
        spool.flush(repo, settings_at(repo))
    except UserError as error:
        return f"the recorded uses stay in the spool: {error}"
    return ""
