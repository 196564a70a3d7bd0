"""One run from snapshot to branch: plan, guards, gate, commits, report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from hermes_git.curator import apply, guards, plan, report
from hermes_git.curator.facts import Snapshot
from hermes_git.curator.proof import prove
from hermes_git.curator.report import Done, Run
from hermes_git.curator.snapshot import take
from hermes_git.curator.tree import Edit, Tree
from hermes_git.finding import Finding
from hermes_git.gate.doors import policy_at
from hermes_git.gate.judge import Policy
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.change import Change, message
from hermes_git.settings import Settings

READING = "reading skills, memory, history and uses"
Tell = Callable[[str], None]
"""Is told in a few words what is being done."""


def _nobody(_: str) -> None:
    """Tell nobody."""


def prepare(repo: Repository, base: str, settings: Settings, *, now: int, cause: str = "", tell: Tell = _nobody) -> Run:
    """Make the whole run as commit objects that no reference points to: a dry run and the first half of a real one."""
    tell(READING)
    snapshot = take(repo, base, settings, now=now)
    tell(f"planning for {len(snapshot.skills):,} skills and {len(snapshot.entries):,} entries")
    planned = plan.build(snapshot, settings)
    return commit_all(repo, snapshot, planned, settings, cause=cause, tell=tell)


def commit_all(
    repo: Repository, snapshot: Snapshot, planned: plan.Plan, settings: Settings, *, cause: str, tell: Tell = _nobody
) -> Run:
    """Judge and commit the steps of a plan one after the other; a step that is refused is left out and shown."""
    whole = tuple(guards.whole(planned, settings))
    tree, parent = snapshot.tree, planned.base
    today = datetime.fromtimestamp(snapshot.now, UTC).date()
    policy = policy_at(repo, planned.base, plan.CURATOR, today=today)
    done: list[Done] = []
    if not whole:
        tree, parent = _begun(repo, planned, tree, now=snapshot.now)
    for step in planned.steps if not whole else ():
        tell(f"steps: {step.number:,} of {len(planned.steps):,}")
        outcome, after = _commit(repo, step, (snapshot, planned, replace(policy, settings=settings)), tree, parent)
        done.append(outcome)
        if outcome.commit:
            tree, parent = after, outcome.commit
    findings = (*whole, *(finding for outcome in done for finding in outcome.blocked))
    run = Run(planned, snapshot, tuple(done), tuple(sorted(set(findings))), cause, parent)
    return _with_report(repo, run, tree, settings) if run.applied else run


def _begun(repo: Repository, planned: plan.Plan, tree: Tree, *, now: int) -> tuple[Tree, str]:
    """Begin each new archive of memory that several steps add to, empty; return the tree and commit to go on from.

    Git cannot take back the step that made a file once a later step has added to it; a file that was there it can.
    """
    retiring = [step for step in planned.steps if step.kind == "retire"]
    written = Counter(edit.path for step in retiring for edit in step.edits if edit.leaf is not None)
    shared = sorted(path for path, count in written.items() if count > 1 and path not in tree.leaves)
    edits = tuple(Edit(path, tree.leaf(b"")) for path in shared)
    if not edits:
        return tree, planned.base
    made = apply.write_tree(repo, planned.base, tree, edits)
    changes = [Change("create", path, "", tree.leaf(b"").id[:12], plan.CURATOR) for path in shared]
    text = message(
        f"curator: begin {', '.join(shared)}", changes, "Empty, so that each step that adds to it can be reverted."
    )
    return tree.edited(edits), apply.commit_step(repo, made, planned.base, text, now=now, number=0)


def _commit(
    repo: Repository, step: plan.Step, context: tuple[Snapshot, plan.Plan, Policy], before: Tree, parent: str
) -> tuple[Done, Tree]:
    snapshot, planned, policy = context
    settings = policy.settings
    loss = prove(step, before, settings.paths.skills)
    wrong: tuple[Finding, ...] = tuple(guards.check_step(step, planned, snapshot, before, settings))
    if wrong:
        return Done(step, "", loss, wrong), before
    after = before.edited(step.edits)
    tree = apply.write_tree(repo, parent, before, step.edits)
    text = apply.step_message(step)
    judged = apply.judge(repo, parent, tree, text, policy)
    wrong = apply.blocking(judged, before, step.edits)
    if wrong:
        return Done(step, "", loss, wrong), before
    commit = apply.commit_step(repo, tree, parent, text, now=snapshot.now, number=step.number)
    return Done(step, commit, loss, (), tuple(changed_files(before, after, step.edits))), after


def changed_files(before: Tree, after: Tree, edits: Iterable[Edit]) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield path, blob ids and modes before and after of every path that edits really change, sorted."""
    for path in sorted({edit.path for edit in edits}):
        old, new = before.leaves.get(path), after.leaves.get(path)
        row = (path, old.id if old else "", new.id if new else "", old.mode if old else "", new.mode if new else "")
        if row[1:2] + row[3:4] != row[2:3] + row[4:5]:
            yield row


def _with_report(repo: Repository, run: Run, tree: Tree, settings: Settings) -> Run:
    """Add the last commit, which holds the report in both forms."""
    stem = f"{settings.paths.curator}/{run.plan.run}"
    leaves = {".md": tree.leaf(report.render(run).encode("utf-8")), ".json": tree.leaf(report.encode(run))}
    edits = tuple(Edit(stem + suffix, leaf) for suffix, leaf in leaves.items())
    made = apply.write_tree(repo, run.tip, tree, edits)
    change = Change("report", f"{stem}.md", "", leaves[".md"].id[:12], plan.CURATOR)
    text = message(f"curator: report of run {run.plan.run}", (change,))
    number = len(run.plan.steps) + 1
    tip = apply.commit_step(repo, made, run.tip, text, now=run.snapshot.now, number=number)
    return replace(run, tip=tip)
