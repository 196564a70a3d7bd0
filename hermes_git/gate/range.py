"""The door of CI: every commit of a range and its end state, judged by the policy of the base.

It sees what local hooks cannot: cherry-picks, rebases, reverts, fast-forwards, `--no-verify`, and content that one
commit adds and a later one removes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from hermes_git.finding import Finding, Report
from hermes_git.gate.doors import policy_at, tree_listing, tree_proposal
from hermes_git.gate.judge import Policy, judge_content
from hermes_git.gate.proposal import build, compared
from hermes_git.gate.reverts import judge_declared
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.actor import actor_of_message
from hermes_git.provenance.change import Actor


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of the range: id, parents, message."""

    id: str
    parents: tuple[str, ...]
    message: str


def judge_range(
    repo: Repository,
    base: str | None,
    tip: str,
    *,
    today: date | None = None,
    select: tuple[str, ...] = (),
    default: Actor | None = None,
) -> Report:
    """Judge `base..tip`; without a base everything that `tip` can reach.

    `default` is who acts where a message does not say (unknown, which counts as an agent).
    """
    end = read.resolve(repo, tip)
    start = read.merge_base(repo, read.resolve(repo, base), end) if base else None
    policy = policy_at(repo, start, default or Actor(), today=today, select=select)
    rows = commits(repo, start, end)
    strictest = _strictest([_policy_of(row, policy) for row in rows], policy)
    report = judge_content(tree_proposal(repo, start or repo.empty_tree, end, policy.settings), strictest)
    standing = {found.fingerprint for found in report.findings}
    for row in rows:
        step = _judge_commit(repo, row, _policy_of(row, policy), rows)
        own = [_named(found, row) for found in step.findings if found.fingerprint not in standing]
        standing |= {found.fingerprint for found in own}
        report = report.plus(replace(step, findings=tuple(own)))
    return report


def commits(repo: Repository, base: str | None, tip: str) -> list[Commit]:
    """List the commits of a range with parents and message, oldest first, in one pass."""
    span = f"{base}..{tip}" if base else tip
    records = read.log(repo, "--reverse", "--topo-order", "--format=%H %P%n%B", "--end-of-options", span, "--")
    found = []
    for record in records:
        head, _, message = record.partition("\n")
        words = head.split()
        found.append(Commit(words[0], tuple(words[1:]), message))
    return found


def _policy_of(row: Commit, policy: Policy) -> Policy:
    return replace(policy, actor=actor_of_message(row.message) or policy.actor)


def _strictest(policies: Sequence[Policy], fallback: Policy) -> Policy:
    """Return the policy of the least trusted actor of the range."""
    return next((policy for policy in policies if policy.actor.is_agent), policies[0] if policies else fallback)


def _judge_commit(repo: Repository, row: Commit, policy: Policy, rows: Sequence[Commit]) -> Report:
    """Judge one commit against its first parent; of a merge only what no parent has is new content."""
    before = row.parents[0] if row.parents else repo.empty_tree
    differences = read.compare(repo, before, row.id)
    messages = [row.message]
    if len(row.parents) > 1:
        messages += [other.message for other in rows]
        sides = [{(d.path, d.id_after) for d in read.compare(repo, parent, row.id)} for parent in row.parents[1:]]
        fresh = [d for d in differences if all((d.path, d.id_after) in side for side in sides)]
    else:
        fresh = differences
    listing = tree_listing(repo, row.id)
    content = judge_content(build(repo, fresh, listing, policy.settings), policy)
    return content.plus(judge_declared(repo, compared(repo, differences, policy.settings), policy, messages))


def _named(found: Finding, row: Commit) -> Finding:
    return replace(found, message=f"{found.message} (in commit {row.id[:12]}, {_subject(row)})")


def _subject(row: Commit) -> str:
    line = row.message.split("\n", 1)[0]
    return repr(line if len(line) <= 50 else line[:49] + "…")
