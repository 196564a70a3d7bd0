"""What a reviewer is told about a range of commits: plain values, made by the gate and rendered by the reports."""

from __future__ import annotations

from dataclasses import dataclass

from hermes_git.finding import Finding, Report
from hermes_git.knowledge.compare import Altered
from hermes_git.provenance.change import Actor


@dataclass(frozen=True, order=True, slots=True)
class Ability:
    """One thing a skill is able to do: an axis such as `host`, `runs`, `writes`, `env`, `tool`, and its value."""

    axis: str
    value: str


@dataclass(frozen=True, slots=True)
class Hand:
    """Who did it: actor, commit, session and evidence (`<session>#<message>`), as the commit's message says."""

    actor: Actor
    commit: str
    subject: str
    session: str = ""
    evidence: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """How often something was used, when last (`yyyy-mm-dd`, "" for never), and how often it failed its user."""

    count: int = 0
    last: str = ""
    failed: int = 0


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One change of one memory entry: the action, texts before and after, who did it, its use, and what clashes.

    `clashes` are phrases: what it repeats or contradicts.
    """

    action: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    hand: Hand | None = None
    usage: Usage = Usage()
    clashes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """One memory file: its changes, and its length before and after against its limit."""

    target: str
    path: str
    rows: tuple[EntryRow, ...]
    used_before: int
    used_after: int
    limit: int
    unit: str
    entries_after: int


@dataclass(frozen=True, slots=True)
class SkillRow:
    """One skill: what happened to it, what differs by section, what it can do now that it could not, who and how used.

    `how` is added, changed, removed, moved or archived; `taught` says who made it and when, "" for a new one.
    """

    key: str
    root: str
    how: str
    description: str
    altered: tuple[Altered, ...]
    gained: tuple[Ability, ...]
    gave_up: tuple[Ability, ...]
    hands: tuple[Hand, ...] = ()
    usage: Usage = Usage()
    taught: str = ""


@dataclass(frozen=True, slots=True)
class LostUnit:
    """One piece of text that is not where it was: its kind, text and place, where it is now, and whether declared."""

    status: str
    kind: str
    text: str
    path: str
    line: int
    now: str
    declared: bool


@dataclass(frozen=True, slots=True)
class Approval:
    """Whether somebody else must approve, why, and who did: `unverified` are claims that count for nothing."""

    reasons: tuple[str, ...] = ()
    approvers: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()

    @property
    def is_needed(self) -> bool:
        """Say whether the range needs an approver who is not its author."""
        return bool(self.reasons)

    @property
    def is_given(self) -> bool:
        """Say whether nothing is missing."""
        return not self.reasons or bool(self.approvers)


@dataclass(frozen=True, slots=True)
class Review:
    """Everything a reviewer is told about one range."""

    base: str
    tip: str
    commits: tuple[Hand, ...]
    memory: tuple[MemoryFile, ...]
    skills: tuple[SkillRow, ...]
    report: Report
    fixed: tuple[Finding, ...]
    loss_counts: tuple[tuple[str, int], ...]
    losses: tuple[LostUnit, ...]
    others: tuple[str, ...]
    approval: Approval = Approval()
