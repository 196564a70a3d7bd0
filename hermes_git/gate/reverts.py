"""What a revert may take away without a line of its own: exactly what the commits it names had put there."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_git.finding import Report
from hermes_git.gate.intent import REVERTS
from hermes_git.gate.judge import Policy, judge_intent, memory_file
from hermes_git.gate.proposal import Proposal
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.entries import entry_id
from hermes_git.knowledge.layout import place
from hermes_git.settings import Settings

MAX_REVERTS = 100


def put_by_reverted(repo: Repository, messages: Sequence[str], settings: Settings) -> frozenset[str]:
    """Return ids of the entries and SKILL.md files that the commits named by `This reverts commit …` put there.

    A commit that is not in this repository put nothing, so a made-up id excuses nothing.
    """
    names = dict.fromkeys(name for message in messages for name in REVERTS.findall(message))
    found: set[str] = set()
    for name in [*names][:MAX_REVERTS]:
        words = (repo.ask("rev-list", "--parents", "--max-count=1", "--end-of-options", name, "--") or "").split()
        if words:
            found |= _put_by(repo, words[1] if len(words) > 1 else repo.empty_tree, words[0], settings)
    return frozenset(found)


def _put_by(repo: Repository, before: str, after: str, settings: Settings) -> set[str]:
    found: set[str] = set()
    for row in read.compare(repo, before, after):
        if row.path.endswith("/SKILL.md") and row.id_after:
            found.add(row.id_after[:12])
        elif place(row.path, settings).area in ("memory", "archived-memory") and row.id_after:
            was = set(_texts(repo, row.id_before))
            found |= {entry_id(text) for text in _texts(repo, row.id_after) if text not in was}
    return found


def _texts(repo: Repository, object_id: str) -> tuple[str, ...]:
    return memory_file(read.blob(repo, object_id)).texts if object_id else ()


def judge_declared(repo: Repository, proposal: Proposal, policy: Policy, messages: Sequence[str]) -> Report:
    """Judge intent: do the messages declare, or revert, what the proposal takes away?"""
    return judge_intent(proposal, policy, messages, put_by_reverted(repo, messages, policy.settings))
