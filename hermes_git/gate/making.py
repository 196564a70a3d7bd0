"""The commit that git is making, as its hooks judge it: content once, intent where the message is final.

Several hooks see the same commit. The one that judged its content leaves a receipt, so that the next one need not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_git import files
from hermes_git.files import read_bytes
from hermes_git.finding import Report, digest
from hermes_git.gate import declare, step
from hermes_git.gate.doors import index_listing, policy_at
from hermes_git.gate.judge import Policy, judge_content, judge_scanned
from hermes_git.gate.proposal import build, compared
from hermes_git.gate.reverts import judge_declared
from hermes_git.gate.step import Moment, Step
from hermes_git.gitrepo import read
from hermes_git.gitrepo.batch import Objects
from hermes_git.gitrepo.read import Difference
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.actor import acting_actor, current_actor, current_session
from hermes_git.provenance.change import Actor
from hermes_git.version import RULES_VERSION, __version__

TOOL = f"{__version__} {RULES_VERSION}"


@dataclass(frozen=True, slots=True)
class Making:
    """A commit under way: its step, what differs from the base, and the policy that holds."""

    step: Step
    differences: tuple[Difference, ...]
    policy: Policy

    @property
    def key(self) -> str:
        """Return the name of its content for the receipt."""
        return step.content_key(self.step.base, self.differences, self.policy.trust, TOOL)


def making(repo: Repository, objects: Objects, actor: Actor, now: Moment, *, amends: bool = False) -> Making:
    """Look at the commit that git is making; everything is read through one process."""
    found = step.next_step(repo, objects, amends=amends)
    policy = policy_at(repo, found.base, actor, today=now.today, objects=objects)
    return Making(found, tuple(read.staged(repo, found.base or repo.empty_tree)), policy)


def judge_index(repo: Repository, now: Moment) -> Report:
    """Judge content where nothing else is known yet: pre-commit, pre-merge-commit."""
    with Objects(repo) as objects:
        found = making(repo, objects, current_actor(now.environment, read.config(repo)), now)
        report = _content(repo, objects, found)
    judged = "" if report.verdict == "block" else found.key
    step.leave(repo, step.Receipt(now.process, judged))
    return report


def _content(repo: Repository, objects: Objects, found: Making) -> Report:
    settings = found.policy.settings
    return judge_content(build(repo, found.differences, index_listing(repo), settings, objects), found.policy)


def judge_named(repo: Repository, names: Sequence[str], now: Moment) -> Report:
    """Judge files of the index by name, changed or not; what the settings leave alone is left alone here too."""
    actor = current_actor(now.environment, read.config(repo))
    policy = policy_at(repo, read.head(repo), actor, today=now.today)
    wanted = read.index(repo, *names)
    rows = [Difference(path, "A", "000000", "", entry.mode, entry.id) for path, entry in sorted(wanted.items())]
    return judge_scanned(build(repo, rows, index_listing(repo), policy.settings), policy)


def judge_prepared(repo: Repository, path: Path, source: str, name: str, now: Moment) -> Report:
    """Judge what is about to get its message: prepare-commit-msg, the one hook that `--no-verify` does not skip.

    When the same git process has just run pre-commit, commit-msg will follow and nothing is left to do here.
    """
    amends = step.amends(now, source, name)
    judged = step.was_judged(repo, now) and not amends
    text = read_message(path)
    template = digest(declare.body_of(text).strip()) if source == "template" else ""
    if judged and not template:
        return Report()
    left = step.receipt(repo) if judged else step.Receipt()
    left = replace(left, amended=(read.head(repo) or "") if amends else "", template=template)
    step.leave(repo, left)
    if judged:
        return Report()
    # one process may make many commits (a rebase): only pre-commit says that commit-msg will follow, so none is named
    return _judge(repo, path, text, now, left, is_final=now.is_final, composed=source not in ("", "template"))


def judge_written(repo: Repository, path: Path, now: Moment) -> Report:
    """Judge the message that is about to be committed, and fill in the change lines that it lacks: commit-msg."""
    return _judge(repo, path, read_message(path), now, step.receipt(repo), is_final=True)


def _judge(
    repo: Repository, path: Path, text: str, now: Moment, left: step.Receipt, *, is_final: bool, composed: bool = True
) -> Report:
    """Judge content unless it has been, fill in what a composed message lacks, and judge intent if it is final."""
    amends = bool(left.amended) and left.amended == read.head(repo)
    said = declare.body_of(text) if composed else ""
    actor = acting_actor(said, now.environment, read.config(repo))
    with Objects(repo) as objects:
        found = making(repo, objects, actor, now, amends=amends)
        report = Report() if left.judged == found.key else _content(repo, objects, found)
    if report.verdict != "block":
        step.leave(repo, replace(left, judged=found.key))
    if not composed or digest(said.strip()) == left.template:
        return report
    settings, others = found.policy.settings, found.step.others
    proposal = compared(repo, found.differences, settings)
    filled = declare.filled(text, proposal, settings, actor, session=current_session(now.environment), others=others)
    write_message(path, text, filled)
    if not is_final:
        return report
    return report.plus(judge_declared(repo, proposal, found.policy, [declare.body_of(filled), *others]))


def adopt(repo: Repository, path: Path, now: Moment) -> Report:
    """Say in the message of a patch who takes it in; its content is judged once it is applied: applypatch-msg."""
    text = read_message(path)
    actor = acting_actor(declare.body_of(text), now.environment, read.config(repo))
    write_message(path, text, declare.adopted(text, actor, current_session(now.environment)))
    return Report()


def judge_applied(repo: Repository, now: Moment) -> Report:
    """Judge content and intent of a patch that `git am` has applied: pre-applypatch, which gets no argument."""
    message = files.read_optional(repo.git_dir / "rebase-apply" / "final-commit") or b""
    text = message.decode("utf-8", "surrogateescape")
    with Objects(repo) as objects:
        found = making(repo, objects, acting_actor(text, now.environment, read.config(repo)), now)
        proposal = build(repo, found.differences, index_listing(repo), found.policy.settings, objects)
    return judge_content(proposal, found.policy).plus(judge_declared(repo, proposal, found.policy, [text]))


def read_message(path: Path) -> str:
    """Read a message file; bytes that are not UTF-8 come back as they were when it is written."""
    return read_bytes(path).decode("utf-8", "surrogateescape")


def write_message(path: Path, before: str, after: str) -> None:
    """Write a message file, if there is anything to write."""
    if after != before:
        files.write_atomic(path, after.encode("utf-8", "surrogateescape"))
