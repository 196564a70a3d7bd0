"""The door of CI: every commit of a range and its end state, judged by the policy of the base.

It sees what local hooks cannot: cherry-picks, rebases, reverts, fast-forwards, `--no-verify`, and content that one
commit adds and a later one removes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from hermes_git.finding import Finding, Report
from hermes_git.gate.doors import policy_at, tree_listing
from hermes_git.gate.judge import Policy, judge_content
from hermes_git.gate.proposal import Listing, Proposal, build
from hermes_git.gate.replay import Commit, Listings, commits
from hermes_git.gate.reverts import judge_declared
from hermes_git.gitrepo import read
from hermes_git.gitrepo.batch import Objects
from hermes_git.gitrepo.read import Difference, TreeEntry
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.layout import is_below
from hermes_git.provenance.actor import actor_of_message
from hermes_git.provenance.change import Actor

MAX_MEMORY = 20_000

Judging = tuple[Commit, Policy]
Watch = Callable[[Sequence[Judging]], Iterable[Judging]]
"""Passes the commits on one by one, and may show how far it is."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What the scan of one document said, kept for the commits that follow; it only ever saves time."""

    kept: dict[str, bytes] = field(default_factory=dict)

    def get(self, key: str) -> bytes | None:
        """Return what was put under a key."""
        return self.kept.get(key)

    def put(self, key: str, value: bytes) -> None:
        """Keep a value under a key; a full memory starts anew."""
        if len(self.kept) >= MAX_MEMORY:
            self.kept.clear()
        self.kept[key] = value


def judge_range(
    repo: Repository,
    base: str | None,
    tip: str,
    *,
    today: date | None = None,
    select: tuple[str, ...] = (),
    default: Actor | None = None,
    watch: Watch = iter,
    door: str = "check",
) -> Report:
    """Judge `base..tip`; without a base everything that `tip` can reach.

    `default` is who acts where a message does not say (unknown, which counts as an agent); `door` see `policy_at`.
    """
    end = read.resolve(repo, tip)
    start = read.merge_base(repo, read.resolve(repo, base), end) if base else None
    held = policy_at(repo, start, default or Actor(), today=today, select=select, door=door)
    policy = replace(held, cache=Memory())
    rows = commits(repo, start, end)
    with Objects(repo) as objects:
        return _Span(repo, objects, policy, rows).judge(start or repo.empty_tree, end, watch)


@dataclass(frozen=True, slots=True)
class _Span:
    """A range under judgement: an open reader of objects, the policy of the base, and the commits."""

    repo: Repository
    objects: Objects
    policy: Policy
    rows: Sequence[Commit]

    def judge(self, start: str, end: str, watch: Watch) -> Report:
        """Judge the end state, then each commit; what the end state shows already is not said again."""
        policies = [self.policy_of(row) for row in self.rows]
        strictest = next((policy for policy in policies if policy.actor.is_agent), (*policies, self.policy)[0])
        strictest = replace(strictest, broken=self.policy.broken)  # mended or not is a matter of the end state
        whole = self.propose(read.compare(self.repo, start, end), tree_listing(self.repo, end))
        report = judge_content(whole, strictest)
        standing = {found.fingerprint for found in report.findings}
        paths = self.policy.settings.paths
        listings = Listings(self.repo, self.rows, (paths.skills, paths.archive))
        found, skipped, waived = list(report.findings), set(report.not_scanned), set(report.waived)
        for row, policy in watch(list(zip(self.rows, policies, strict=True))):
            step = self.judge_commit(row, policy, listings.of(row))
            own = [_named(each, row) for each in step.findings if each.fingerprint not in standing]
            standing |= {each.fingerprint for each in own}
            found += own
            skipped.update(step.not_scanned)
            waived.update(step.waived)
        return Report(tuple(sorted(found)), tuple(sorted(skipped)), tuple(sorted(waived)))

    def policy_of(self, row: Commit) -> Policy:
        """Return the policy as it holds for the author of a commit."""
        return replace(self.policy, actor=actor_of_message(row.message) or self.policy.actor, broken="")

    def propose(self, differences: Sequence[Difference], listing: Listing) -> Proposal:
        """Build a proposal with the reader that is open."""
        return build(self.repo, differences, listing, self.policy.settings, self.objects)

    def judge_commit(self, row: Commit, policy: Policy, files: dict[str, TreeEntry]) -> Report:
        """Judge one commit against its first parent; of a merge only what no parent has is new content."""

        def listing(folder: str) -> dict[str, TreeEntry]:
            return {path: entry for path, entry in files.items() if is_below(path, folder)}

        whole = self.propose(row.differences, listing)
        messages = [row.message]
        fresh = whole
        if row.is_merge:
            messages += [other.message for other in self.rows]
            fresh = self.propose(self.fresh(row), listing)
        return judge_content(fresh, policy).plus(judge_declared(self.repo, whole, policy, messages))

    def fresh(self, row: Commit) -> list[Difference]:
        """Return the differences of a merge that none of its parents has."""
        sides = [
            {(side.path, side.id_after) for side in read.compare(self.repo, parent, row.id)}
            for parent in row.parents[1:]
        ]
        return [change for change in row.differences if all((change.path, change.id_after) in side for side in sides)]


def _named(found: Finding, row: Commit) -> Finding:
    return replace(found, message=f"{found.message} (in commit {row.id[:12]}, {_subject(row)})")


def _subject(row: Commit) -> str:
    line = row.message.split("\n", 1)[0]
    return repr(line if len(line) <= 50 else line[:49] + "…")
