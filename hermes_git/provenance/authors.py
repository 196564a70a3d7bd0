"""Who wrote a change: the change line for that target, else an AI co-author or agent account, else a person."""

from __future__ import annotations

import re

from hermes_git.provenance.actor import CO_AUTHOR, actor_of_message, agent_mark
from hermes_git.provenance.change import Actor, parse
from hermes_git.provenance.log import Commit

BOT = re.compile(r"\[bot\]\Z", re.IGNORECASE)


def author_of(commit: Commit, targets: tuple[str, ...] = ()) -> Actor:
    """Return who a commit says changed one of `targets` (keys or paths); without a word on it, who made the commit.

    A squash merge carries many change lines, so the line that names the target is asked first. A person's name alone
    never makes an agent: that takes an AI co-author line, or an account that no person has.
    """
    for change in parse(commit.message):
        if change.target in targets:
            return change.actor
    said = actor_of_message(commit.message)
    if said is not None:
        return said
    return _account(commit)


def _account(commit: Commit) -> Actor:
    mark = agent_mark(commit.name, commit.email)
    if mark:
        return Actor("agent", mark)
    if BOT.search(commit.name) and not CO_AUTHOR.search(commit.message):
        return Actor("unknown", _word(commit.name))
    return Actor("person", _word(commit.name))


def _word(name: str) -> str:
    return "-".join(name.split()) or "unknown"
