"""Proposals: writes that wait on a branch of their own until a person merges or drops them.

Approving makes a merge commit, so that who proposed and who approved both stay in the history. Memory files are merged
by entry over the base the proposal was made on; any other file must still be as it was then. A rejected proposal is
kept under `refs/hermes-git/rejected/`, because what was refused is worth as much as what was accepted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.finding import Report
from hermes_git.gate import copies, journal, sync
from hermes_git.gate.commit import PROPOSALS, Outcome
from hermes_git.gate.doors import policy_at, tree_proposal
from hermes_git.gate.judge import Policy, judge_content
from hermes_git.gate.merge_trees import MergedTrees, merge_trees
from hermes_git.gate.policy import settings_at
from hermes_git.gate.reverts import judge_declared
from hermes_git.gitrepo import read, write
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import change
from hermes_git.provenance.actor import actor_of_message
from hermes_git.provenance.change import Actor, Change
from hermes_git.settings import Settings

REJECTED = "refs/hermes-git/rejected/"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposal: its id, its commit, the commit it builds on, and what its message says."""

    id: str
    commit: str
    base: str
    message: str

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return the changes it declares."""
        return change.parse(self.message)

    @property
    def subject(self) -> str:
        """Return the first line of its message."""
        return self.message.split("\n", 1)[0]


def pending(repo: Repository) -> list[Proposal]:
    """List the proposals that wait, oldest first."""
    names = read.ref_names(repo, "--sort=creatordate", PROPOSALS)
    return [_read(repo, name.removeprefix(PROPOSALS)) for name in names]


def find(repo: Repository, id: str) -> Proposal:
    """Find one proposal by its id or by the beginning of only one."""
    found = [row for row in pending(repo) if row.id.startswith(id.removeprefix("proposal/"))] if id else []
    if len(found) != 1:
        known = ", ".join(row.id for row in pending(repo)[:8]) or "none"
        raise UserError(f"{len(found) or 'no'} proposals match {id!r}", hint=f"waiting: {known}")
    return found[0]


def _read(repo: Repository, id: str) -> Proposal:
    record = read.log(repo, "--max-count=1", "--format=%H %P%n%B", f"{PROPOSALS}{id}", "--")[0]
    head, _, message = record.partition("\n")
    words = head.split()
    return Proposal(id, words[0], words[1] if len(words) > 1 else "", message)


def approve(repo: Repository, id: str, *, actor: Actor, today: date | None = None) -> Outcome:
    """Merge a proposal into HEAD; only a person can, and only where its base still fits.

    Errors: `UserError` for an agent, without a branch, and for what changed since the proposal was made.
    """
    if actor.kind != "person":
        raise UserError(
            f"{actor} cannot approve", hint="approval takes a person: git config hermes-git.actor person:<name>"
        )
    with files.lock(repo.state / "locks" / "write", purpose="approving a proposal"):
        journal.recover(repo)
        found = find(repo, id)
        head = read.resolve(repo, "HEAD")
        if read.branch(repo) is None:
            raise UserError("HEAD is on no branch, so the merge would be on none", hint="first: git switch <branch>")
        if read.merge_base(repo, found.commit, head) == found.commit:  # a killed process left the branch
            write.delete_ref(repo, PROPOSALS + found.id, found.commit)
            raise UserError(f"proposal {found.id} is merged already", hint="see: git log --merges")
        policy = policy_at(repo, head, actor, today=today)
        result = merged(repo, found, head, policy.settings)
        sync.refuse_through_links(repo, result.content)
        tree = write.write_tree(repo, head, edits(repo, result))
        report = _judge(repo, found, head, tree, policy)
        if report.verdict == "block":
            return Outcome("", report, tree)
        made = _merge_commit(repo, found, head, tree, actor)
        written = {edit.path: edit.id for edit in edits(repo, result)}
        mine = copies.carried(repo, policy.settings, head, result.content)
        _land(repo, found, sync.plan(repo, head, made, written, modes=result.modes, copies=mine), head)
        return Outcome(made, report, tree)


def _judge(repo: Repository, found: Proposal, head: str, tree: str, policy: Policy) -> Report:
    """Judge the content for the person who lets it in, and what it takes away for the one who proposed it.

    A branch that nobody proposed through this tool names no actor, and counts as an agent's.
    """
    proposal = tree_proposal(repo, head, tree, policy.settings)
    author = actor_of_message(found.message) or Actor()
    return judge_content(proposal, policy).plus(
        judge_declared(repo, proposal, replace(policy, actor=author), [found.message])
    )


def _merge_commit(repo: Repository, found: Proposal, head: str, tree: str, actor: Actor) -> str:
    rows = [replace(row, extra={**row.extra, "approved": str(actor)}) for row in found.changes]
    message = change.message(f"Approve proposal {found.id}: {found.subject}", rows)
    return write.commit_tree(repo, tree, [head, found.commit], message, sign=write.wants_signature(repo))


def _land(repo: Repository, found: Proposal, plan: sync.Plan, head: str) -> None:
    with journal.keep(repo, plan):
        write.move_ref(repo, "HEAD", plan.commit, head, f"hermes-git: approve {found.id}")
        sync.carry_out(repo, plan)
    write.delete_ref(repo, PROPOSALS + found.id, found.commit)


def merged(repo: Repository, found: Proposal, head: str, settings: Settings) -> MergedTrees:
    """Merge a proposal into a commit; refuse where what it changes is no longer as it was."""
    base = read.merge_base(repo, found.base, head) if found.base else None
    if base is None:
        raise UserError(f"proposal {found.id} does not come from this history", hint="reject it")
    result = merge_trees(repo, base, head, found.commit, settings)
    for clash in result.clashes:
        raise UserError(f"changed since proposal {found.id} was made", where=clash.path, hint=clash.detail)
    return result


def update(repo: Repository, branch: str, base: str, *, actor: Actor, session: str = "") -> str:
    """Merge `base` into a branch that is not checked out, with the drivers of this tool; return the merge commit.

    Nothing is forced: the branch moves forward, and only from where it was. Clashes are an error that shows them.
    """
    name = branch if branch.startswith("refs/") else f"refs/heads/{branch}"
    if read.ref(repo, name) is None:
        raise UserError(f"no branch called {branch!r}", hint="list what waits with: hermes-git memory pending")
    tip, other = read.resolve(repo, name), read.resolve(repo, base)
    if name in read.checked_out(repo):
        raise UserError(f"{branch} is checked out", hint=f"merge with git, in that work tree: git merge {base}")
    start = read.merge_base(repo, tip, other)
    if start == other:
        return ""
    result = merge_trees(repo, start or repo.empty_tree, tip, other, settings_at(repo, other))
    for clash in result.clashes:
        raise UserError("both sides changed it", where=clash.path, hint=clash.detail)
    tree = write.write_tree(repo, tip, edits(repo, result))
    row = Change("write", branch, actor=actor, session=session, extra={"merges": other[:12]})
    message = change.message(f"Merge {base} into {branch}", (row,))
    made = write.commit_tree(repo, tree, [tip, other], message, sign=write.wants_signature(repo))
    write.move_ref(repo, name, made, tip, f"hermes-git: merge {base}")
    return made


def edits(repo: Repository, result: MergedTrees) -> list[write.Edit]:
    """Store what a merge gives and return it as edits of a tree."""
    blobs = {path: "" if data is None else write.write_blob(repo, data) for path, data in result.content.items()}
    return [write.Edit(path, blob, result.modes.get(path, "100644")) for path, blob in blobs.items()]


def reject(repo: Repository, id: str) -> Proposal:
    """Take a proposal off the list; its commit is kept under `refs/hermes-git/rejected/`."""
    found = find(repo, id)
    if read.ref(repo, REJECTED + found.id) != found.commit:
        write.move_ref(repo, REJECTED + found.id, found.commit, None, "hermes-git: reject")
    write.delete_ref(repo, PROPOSALS + found.id, found.commit)
    return found
