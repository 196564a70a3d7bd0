"""The doors into a branch, each a few lines on the one gate: the index, a message, a range, two trees."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from hermes_git.errors import UserError
from hermes_git.finding import Report
from hermes_git.gate import waivers
from hermes_git.gate.judge import Policy, judge_content
from hermes_git.gate.policy import at, policy_files
from hermes_git.gate.proposal import Listing, Proposal, build, compared
from hermes_git.gate.reverts import judge_declared
from hermes_git.gate.second import second_of
from hermes_git.gitrepo import read
from hermes_git.gitrepo.batch import Objects
from hermes_git.gitrepo.read import TreeEntry
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.budget import Count
from hermes_git.provenance.actor import acting_actor, current_actor
from hermes_git.provenance.change import Actor
from hermes_git.settings import DEFAULTS, Settings


def policy_at(
    repo: Repository,
    revision: str | None,
    actor: Actor,
    *,
    today: date | None = None,
    select: tuple[str, ...] = (),
    objects: Objects | None = None,
    door: str = "all",
) -> Policy:
    """Read settings and waivers of a revision; built-in defaults where there is none.

    Where one of them cannot be read the defaults hold too, and everything but mending it is refused. `door` is where
    second opinions are asked: `check` where a person or CI asks to be told, `all` in hooks and writing commands.
    """
    settings, broken = DEFAULTS, ""
    accepted: tuple[waivers.Waiver, ...] = ()
    try:
        settings, data = policy_files(repo, revision, objects)
        accepted = waivers.parse(
            (data or b"").decode("utf-8", "replace"), where=at(settings.paths.waivers, revision or "")
        )
    except UserError as error:
        broken = str(error)
    count = token_counter(settings) if settings.memory.unit == "tokens" else None
    return Policy(settings, actor, accepted, today, select, count, broken=broken, second=second_of(repo, door))


def token_counter(settings: Settings) -> Count:
    """Return the counter of the settings' tokenizer, for budgets in tokens; it is loaded only when it is asked."""

    def count(text: str) -> int:
        from hermes_git.tokens import choose

        return choose.counter(settings.export.tokenizer).count(text)

    return count


def index_listing(repo: Repository) -> Listing:
    """List the index that git is committing, below a folder."""

    def listing(folder: str) -> dict[str, TreeEntry]:
        return read.index(repo, folder)

    return listing


def tree_listing(repo: Repository, tree: str) -> Listing:
    """List a tree, below a folder."""

    def listing(folder: str) -> dict[str, TreeEntry]:
        return read.tree(repo, tree, folder)

    return listing


def staged_proposal(repo: Repository, base: str | None, settings: Settings) -> Proposal:
    """Build the proposal that the index makes against a commit (None: no commit yet)."""
    return build(repo, read.staged(repo, base), index_listing(repo), settings)


def tree_proposal(repo: Repository, before: str, after: str, settings: Settings) -> Proposal:
    """Build the proposal that one tree makes against another."""
    return build(repo, read.compare(repo, before, after), tree_listing(repo, after), settings)


def judge_staged(
    repo: Repository,
    *,
    environment: Mapping[str, str] | None = None,
    today: date | None = None,
    select: tuple[str, ...] = (),
) -> Report:
    """Judge the content of the index that is being committed, by the policy of HEAD."""
    actor = current_actor(environment or {}, read.config(repo))
    base = read.head(repo)
    policy = policy_at(repo, base, actor, today=today, select=select, door="check")
    return judge_content(staged_proposal(repo, base, policy.settings), policy)


def judge_message(
    repo: Repository, message: str, *, environment: Mapping[str, str] | None = None, today: date | None = None
) -> Report:
    """Judge whether the message of the commit being made declares what the index takes away from HEAD."""
    actor = acting_actor(message, environment or {}, read.config(repo))
    base = read.head(repo)
    policy = policy_at(repo, base, actor, today=today)
    return judge_declared(repo, compared(repo, read.staged(repo, base), policy.settings), policy, [message])


def judge_trees(
    repo: Repository,
    before: str,
    after: str,
    *,
    settings: Settings,
    actor: Actor,
    message: str | None = None,
    today: date | None = None,
) -> Report:
    """Judge the step from one tree (or commit) to another; with a message, its intent too."""
    policy = Policy(settings, actor, (), today, second=second_of(repo))
    proposal = tree_proposal(repo, before, after, settings)
    report = judge_content(proposal, policy)
    return report if message is None else report.plus(judge_declared(repo, proposal, policy, [message]))
