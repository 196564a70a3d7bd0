"""A judged write: one commit that is HEAD plus exactly what was asked for, made beside the user's own work.

The commit is built in a private index, judged once, run past the user's hooks, and HEAD is moved only if it still is
where it was. What the user has staged or edited stays; a journal lets the next run finish what a killed one began.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.finding import Report
from hermes_git.gate import journal, sync
from hermes_git.gate.doors import policy_at, tree_proposal
from hermes_git.gate.intent import holds_for
from hermes_git.gate.judge import Policy, judge_content
from hermes_git.gate.proposal import Proposal
from hermes_git.gate.reverts import judge_declared
from hermes_git.gitrepo import read, write
from hermes_git.gitrepo.read import Difference, TreeEntry
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import change
from hermes_git.provenance.change import Actor, Change

ATTEMPTS = 8
HOOK_MARK = b"# hermes-git hook"
KEPT_SUFFIX = ".before-hermes-git"
"""A hook that was there before ours is kept under this suffix and runs first."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a commit would hold: new bytes per path (None removes), a subject, and the changes it declares.

    `on_disk` are the bytes each path should have in the work tree afterwards where that is not simply the new bytes,
    because the user has edits of their own there. `modes` are six-digit modes; a plain file where none is given.
    """

    content: Mapping[str, bytes | None]
    subject: str
    changes: tuple[Change, ...] = ()
    body: str = ""
    on_disk: Mapping[str, bytes] | None = None
    in_index: Mapping[str, bytes] | None = None
    modes: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a write: the commit made ("" when refused or when there was nothing to do), and the report.

    `proposal` is the branch that holds the commit where policy wants a person to approve it first; HEAD stays then.
    """

    commit: str
    report: Report
    tree: str = ""
    proposal: str = ""


Drafter = Callable[[str | None], Draft | None]
"""Given the commit to build on (None: no commit yet), say what to write, or None when it is there already."""


def commit(
    repo: Repository,
    drafter: Drafter,
    *,
    actor: Actor,
    today: date | None = None,
    dry_run: bool = False,
    proposing: bool = False,
) -> Outcome:
    """Judge and commit a draft; somebody else's commit in between means a new draft on top of it.

    `proposing` puts the commit on a proposal branch whatever the policy says about the actor; HEAD stays then.
    Errors: `UserError` when a user's hook refuses, the lock is held too long, or HEAD keeps moving.
    """
    with files.lock(repo.state / "locks" / "write", purpose="writing knowledge"):
        journal.recover(repo)
        for attempt in range(ATTEMPTS):
            base = read.head(repo)
            draft = drafter(base)
            if draft is None:
                return Outcome("", Report())
            sync.refuse_through_links(repo, draft.content)
            try:
                policy = policy_at(repo, base, actor, today=today)
                return _commit_once(repo, base, draft, policy, dry_run, proposing=proposing)
            except write.Moved:
                if attempt == ATTEMPTS - 1:
                    raise
    raise AssertionError("the last attempt returns or raises")


def _commit_once(
    repo: Repository, base: str | None, draft: Draft, policy: Policy, dry_run: bool, *, proposing: bool
) -> Outcome:
    edits = _edits(repo, draft)
    with write.private_index(repo, base, edits) as index:
        tree = write.index_tree(repo, index)
        message = change.message(draft.subject, draft.changes, draft.body)
        proposal = tree_proposal(repo, base or repo.empty_tree, tree, policy.settings)
        _refuse_in_the_way(proposal, draft.content)
        report = _judge(repo, proposal, policy, message)
        if report.verdict == "block" or dry_run:
            return Outcome("", report, tree)
        options = read.options(repo)
        judged, hooks = (tree, message), write.hooks_folder(repo, options)
        tree, message = _run_hooks(repo, hooks, index, judged)
        if (tree, message) != judged:
            proposal = tree_proposal(repo, base or repo.empty_tree, tree, policy.settings)
            report = _judge(repo, proposal, policy, message)
        if report.verdict == "block":
            return Outcome("", report, tree)
    sign = write.wants_signature(repo, options)
    made = write.commit_tree(repo, tree, [base] if base else [], message, sign=sign)
    if base and (proposing or holds_for(policy.settings.gate.approval, policy.actor)):
        return Outcome(made, report, tree, propose(repo, made))
    written = _written(repo, draft, tree == judged[0], made)
    plan = sync.plan(
        repo, base, made, written, modes=draft.modes or {}, copies=draft, known=_before(proposal.differences)
    )
    with journal.keep(repo, plan):
        write.move_ref(repo, "HEAD", made, base, f"hermes-git: {draft.subject}")
        sync.carry_out(repo, plan)
    _run_user_hook(repo, hooks, "post-commit", index=None)
    return Outcome(made, report, tree)


def _before(rows: Iterable[Difference]) -> dict[str, TreeEntry | None]:
    return {row.path: TreeEntry(row.mode_before, row.id_before) if row.id_before else None for row in rows}


def _written(repo: Repository, draft: Draft, as_drafted: bool, made: str) -> dict[str, str]:
    """Return path → blob id of what was committed; a hook of the user's may have changed what was drafted."""
    if as_drafted:
        return {path: "" if data is None else read.blob_id(repo, data) for path, data in draft.content.items()}
    found = read.tree(repo, made, *draft.content)
    return {path: found[path].id if path in found else "" for path in draft.content}


PROPOSALS = "refs/heads/proposal/"


def propose(repo: Repository, commit: str) -> str:
    """Put a commit on a proposal branch of its own and return the branch's name."""
    name = f"{PROPOSALS}{commit[:10]}"
    write.move_ref(repo, name, commit, None, "hermes-git: propose")
    return name.removeprefix("refs/heads/")


def _edits(repo: Repository, draft: Draft) -> list[write.Edit]:
    modes = draft.modes or {}
    return [
        write.Edit(path, "" if data is None else write.write_blob(repo, data), modes.get(path, "100644"))
        for path, data in draft.content.items()
    ]


def _judge(repo: Repository, proposal: Proposal, policy: Policy, message: str) -> Report:
    return judge_content(proposal, policy).plus(judge_declared(repo, proposal, policy, [message]))


def _refuse_in_the_way(proposal: Proposal, paths: Collection[str]) -> None:
    """Stop where git would give up a file or link to make room for a folder, or a folder for a file."""
    gone = next((row.path for row in proposal.differences if row.path not in paths), "") if paths else ""
    if gone:
        hint = f"move it first, or set other paths in hermes-git.toml; nothing was written to {min(paths)}"
        raise UserError("this file or link is in the way of what was to be written", where=gone, hint=hint)


def _run_hooks(repo: Repository, hooks: Path, index: Path, judged: tuple[str, str]) -> tuple[str, str]:
    """Run the user's own hooks in git's order; return the tree and the message as they left them."""
    names = ("pre-commit", "prepare-commit-msg", "commit-msg")
    if not any(_user_hook(hooks, name) for name in names):
        return judged
    _run_user_hook(repo, hooks, "pre-commit", index=index)
    note = index.with_name("COMMIT_EDITMSG")
    files.write_atomic(note, judged[1].encode("utf-8"))
    _run_user_hook(repo, hooks, "prepare-commit-msg", str(note), "message", index=index)
    _run_user_hook(repo, hooks, "commit-msg", str(note), index=index)
    after = files.read_bytes(note)
    return write.index_tree(repo, index), after.decode("utf-8", "replace")


def _user_hook(hooks: Path, name: str) -> Path | None:
    """Find a hook of the user's; where it is ours, what it was chained to, since ours has judged already."""
    hook = write.find_hook(hooks, name)
    if hook is not None and HOOK_MARK in files.read_bytes(hook)[:2048]:
        return write.find_hook(hooks, name + KEPT_SUFFIX)
    return hook


def _run_user_hook(repo: Repository, hooks: Path, name: str, *args: str, index: Path | None) -> None:
    hook = _user_hook(hooks, name)
    if hook is None:
        return
    status, output = write.run_hook(repo, hook, *args, index=index)
    if status != 0 and name != "post-commit":
        raise UserError(f"your {name} hook refused the commit (exit status {status})", hint=output.strip())
