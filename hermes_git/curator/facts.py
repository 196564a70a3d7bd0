"""What the curator knows when it decides: skills with their past and uses, entries, evidence, and the whole tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes_git.curator.tree import Tree
from hermes_git.knowledge.entries import Entry
from hermes_git.knowledge.skill import Skill
from hermes_git.provenance.anchors import Anchor
from hermes_git.provenance.ledger import Use
from hermes_git.provenance.references import Reference

DAY = 86_400
BUILTIN = "builtin"
"""The origin of skills that come with an agent."""


@dataclass(frozen=True, slots=True)
class SkillFacts:
    """One skill and all that bears on its future; times are seconds since 1970, 0 for never or unknown.

    `author` is the kind of who created it (person, agent, curator, unknown). `origin` is the source it was installed
    from, `builtin` for one that came with an agent, "" for one of this repository's own. `uses` are the uses that
    count; `notes` say what was seen through: reformatting, bulk commits, renames, dates in the future.
    """

    skill: Skill
    key: str
    tree_id: str
    created: int = 0
    changed: int = 0
    restored: int = 0
    author: str = "unknown"
    uses: tuple[Use, ...] = ()
    references: tuple[Reference, ...] = ()
    origin: str = ""
    notes: tuple[str, ...] = ()

    @property
    def root(self) -> str:
        """Return the folder of the skill."""
        return self.skill.root

    @property
    def last_used(self) -> int:
        """Return the time of the newest use that counts, or 0."""
        return max((use.time for use in self.uses), default=0)

    @property
    def anchor(self) -> int:
        """Return the time that ageing counts from: the newest of use, change, creation and restoring."""
        return max(self.last_used, self.changed, self.created, self.restored)


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """One memory entry: its file and target, when it was last rewritten and by whom, its uses and its anchors.

    `anchors` pairs each thing it names with alive, gone or unknown in the repositories that the settings name.
    """

    entry: Entry
    path: str
    target: str
    changed: int = 0
    author: str = "unknown"
    uses: tuple[Use, ...] = ()
    anchors: tuple[tuple[Anchor, str], ...] = ()

    @property
    def id(self) -> str:
        """Return the id of the entry."""
        return self.entry.id

    @property
    def text(self) -> str:
        """Return the text of the entry."""
        return self.entry.text

    @property
    def last_used(self) -> int:
        """Return the time of the newest use, or 0."""
        return max((use.time for use in self.uses), default=0)


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much the ledger can be trusted with: when it starts, and everything that makes it partial, as sentences."""

    uses: int = 0
    first: int = 0
    last: int = 0
    commit: str = ""
    damaged: tuple[str, ...] = ()
    damaged_months: frozenset[str] = frozenset()
    partial: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a run decides on; `now` is seconds since 1970, `states` the skills' states in the last report."""

    base: str
    now: int
    tree: Tree
    skills: tuple[SkillFacts, ...] = ()
    entries: tuple[EntryFacts, ...] = ()
    evidence: Evidence = Evidence()
    is_shallow: bool = False
    states: Mapping[str, str] = field(default_factory=dict)
    not_read: tuple[str, ...] = ()

    def skill(self, root: str) -> SkillFacts:
        """Return the facts of the skill in a folder."""
        return next(facts for facts in self.skills if facts.root == root)


def days(snapshot: Snapshot, moment: int) -> int:
    """Return the whole days between a moment and the snapshot's now."""
    return max(0, (snapshot.now - moment) // DAY)
