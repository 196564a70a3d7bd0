"""Turn a plan into commits by plumbing: nothing is checked out, and one reference moves at the very end.

The same commit, ledger and time give the same commit ids: author and committer are fixed, dates are the run's time plus
the number of the step, trees are built from blobs without filters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes_git.curator.pages import guard
from hermes_git.curator.plan import CURATOR, Plan, Step
from hermes_git.curator.tree import Edit, Tree
from hermes_git.errors import UserError
from hermes_git.finding import ERROR, Finding, Report
from hermes_git.gate.doors import judge_trees
from hermes_git.gate.judge import Policy
from hermes_git.gate.waivers import divide
from hermes_git.gitrepo import read, write
from hermes_git.gitrepo.repository import Repository
from hermes_git.gitrepo.write import Person
from hermes_git.provenance.change import message
from hermes_git.screen import amount

NAME, EMAIL = "hermes-git curator", "curator@hermes-git.invalid"


@dataclass(frozen=True, slots=True)
class Commit:
    """One step as a commit: ids of the commit and its tree, and what the gate says of it."""

    step: int
    id: str
    tree: str
    report: Report


def person(now: int, step: int) -> Person:
    """Return the fixed author and committer of a step."""
    return Person(NAME, EMAIL, f"{now + step} +0000")


def write_tree(repo: Repository, base: str, before: Tree, edits: Sequence[Edit]) -> str:
    """Store the new blobs of some edits and return the id of the tree they make of `base`, whose value is `before`."""
    known = {leaf.id for leaf in before.leaves.values()}
    leaves = [edit.leaf for edit in edits if edit.leaf is not None and edit.leaf.id not in known]
    write.write_blobs(repo, [leaf.data for leaf in leaves if leaf.data is not None])
    rows = [write.Edit(edit.path, edit.leaf.id if edit.leaf else "", edit.leaf.mode if edit.leaf else "100644")
            for edit in _removals_first(edits)]  # fmt: skip
    return write.write_tree(repo, base, rows)


def _removals_first(edits: Sequence[Edit]) -> list[Edit]:
    """Remove before adding, so that a file may take the place of a folder."""
    return sorted(edits, key=lambda edit: (edit.leaf is not None, edit.path))


def step_message(step: Step) -> str:
    """Return the commit message of a step: what, why, on what evidence, and its change lines."""
    lines = [step.reason, "", *(f"- {fact}" for fact in step.evidence), *(f"- {note}" for note in step.notes)]
    return message(step.subject, step.changes, "\n".join(lines))


def judge(repo: Repository, before: str, after: str, text: str, policy: Policy) -> Report:
    """Let the gate judge one step, with the waivers that hold at the base of the plan."""
    report = judge_trees(repo, before, after, settings=policy.settings, actor=CURATOR, message=text, today=policy.today)
    standing, waived = divide(report.findings, policy.waivers, policy.today)
    return replace(report, findings=standing, waived=waived)


def blocking(report: Report, before: Tree, edits: Sequence[Edit]) -> tuple[Finding, ...]:
    """Return the errors that a step brings in; those on a file that only moved stood there before it."""
    known = {leaf.id for leaf in before.leaves.values()}
    carried = {edit.path for edit in edits if edit.leaf is not None and edit.leaf.id in known}
    folders = {path.rsplit("/", 1)[0] for path in carried}
    return tuple(
        finding
        for finding in report.findings
        if finding.severity == ERROR and finding.path not in carried and finding.path not in folders
    )


def commit_step(repo: Repository, tree: str, parent: str, text: str, *, now: int, number: int) -> str:
    """Create the commit of a step; no reference moves."""
    who = person(now, number)
    sign = write.wants_signature(repo)
    return write.commit_tree(repo, tree, [parent], text, author=who, committer=who, sign=sign)


def publish(repo: Repository, plan: Plan, tip: str) -> str:
    """Point the plan's branch at the last commit; say `created`, `replaced` or `unchanged`.

    Errors: `UserError` when HEAD moved (HG807), or when the branch holds commits that the curator did not make.
    """
    if read.head(repo) != plan.base:
        found = guard("HG807", "", "HEAD moved while the plan was made")
        raise UserError(f"{found.check} {found.message}", hint="run the command again")
    ref = f"refs/heads/{plan.branch}"
    old = read.ref(repo, ref)
    if old == tip:
        return "unchanged"
    if old is not None and foreign(repo, plan.base, old):
        raise UserError(
            f"branch {plan.branch} holds commits that are not the curator's",
            hint=f"merge or rename it first: git branch -m {plan.branch} my/{plan.run}",
        )
    if read.branch(repo) == ref:
        raise UserError(f"{plan.branch} is checked out", hint="switch to your own branch first: git switch -")
    write.move_ref(repo, ref, tip, old, f"curate: {amount(len(plan.steps), 'step')}")
    return "created" if old is None else "replaced"


def foreign(repo: Repository, base: str, tip: str) -> list[str]:
    """Return the commits between base and tip that somebody else made."""
    rows = read.log(repo, "--format=%H %ce", "--end-of-options", f"{base}..{tip}")
    return [row.split(" ")[0] for row in rows if not row.endswith(f" {EMAIL}")]
