"""The plan: a list of steps, each one commit, built on the tree as the steps before leave it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from hermes_git.curator import archive, entry_life
from hermes_git.curator.consolidate import Cluster, candidates
from hermes_git.curator.entry_life import EntryState
from hermes_git.curator.facts import SkillFacts, Snapshot
from hermes_git.curator.lifecycle import ARCHIVE, Transition, transitions
from hermes_git.curator.links import Moves
from hermes_git.curator.merge import merge
from hermes_git.curator.tree import Edit, Tree
from hermes_git.curator.units import Unit, units
from hermes_git.gate.memory import shorten
from hermes_git.knowledge.entries import MemoryFile, parse
from hermes_git.knowledge.layout import TARGETS, archived_memory_path, is_below, memory_path
from hermes_git.knowledge.skill import Skill, group, read_skill
from hermes_git.provenance.change import Actor, Change
from hermes_git.screen import amount
from hermes_git.settings import Settings

CURATOR = Actor("curator", "hermes-git")
SHORT = 12
ADVISED_LINES = 500
"""The length that the agentskills.io guide advises for a SKILL.md; a merge adds one line to it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, one commit: kind (archive, consolidate, retire), what, into what, why, on what evidence, how.

    `roots` are the skills it concerns, the target of a merge first; `entry` is the id of the entry it retires.
    `folded` are the units that the step declares as proved duplicates; `moves` say where files went.
    """

    number: int
    kind: str
    target: str
    into: str
    reason: str
    evidence: tuple[str, ...]
    edits: tuple[Edit, ...]
    changes: tuple[Change, ...]
    roots: tuple[str, ...]
    moves: Moves = field(default_factory=Moves)
    folded: tuple[Unit, ...] = ()
    notes: tuple[str, ...] = ()
    entry: str = ""

    @property
    def subject(self) -> str:
        """Return the first line of the step's commit message."""
        verb = {"archive": "archive", "consolidate": "merge", "retire": "retire entry"}[self.kind]
        into = f" into {self.into}" if self.kind == "consolidate" else ""
        return f"curator: {verb} {self.target}{into}"

    def as_json(self) -> dict[str, object]:
        """Return the published form of a step."""
        return {
            "number": self.number,
            "kind": self.kind,
            "target": self.target,
            "into": self.into,
            "reason": self.reason,
            "evidence": list(self.evidence),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would do: where every skill stands, the steps, and how many were left for the next run."""

    base: str
    branch: str
    run: str
    transitions: tuple[Transition, ...]
    steps: tuple[Step, ...] = ()
    deferred: int = 0
    entries: tuple[EntryState, ...] = ()


Item = Transition | Cluster | EntryState


def build(snapshot: Snapshot, settings: Settings) -> Plan:
    """Plan a run: archive what is disused, merge what says the same, retire entries that have had their day."""
    found = transitions(snapshot, settings.curator)
    entries = entry_life.states(snapshot, settings.curator)
    leaving = frozenset(row.root for row in found if row.state == ARCHIVE)
    wanted: list[Item] = [row for row in found if row.state == ARCHIVE]
    wanted += candidates(snapshot, settings.curator, leaving)
    wanted += [row for row in entries if row.state == entry_life.RETIRE]
    chosen = wanted[: settings.curator.max_steps]
    run = f"{datetime.fromtimestamp(snapshot.now, UTC):%Y-%m-%d}-{snapshot.base[:7]}"
    steps = tuple(_steps(chosen, snapshot, settings))
    return Plan(snapshot.base, f"curator/{run}", run, found, steps, len(wanted) - len(chosen), entries)


def _steps(chosen: list[Item], snapshot: Snapshot, settings: Settings) -> Iterator[Step]:
    tree = snapshot.tree
    for number, item in enumerate(chosen, 1):
        if isinstance(item, Transition):
            step = archive_step(number, item, tree, snapshot, settings)
        elif isinstance(item, Cluster):
            step = merge_step(number, item, tree, snapshot, settings)
        else:
            step = retire_step(number, item, tree, settings)
        tree = tree.edited(step.edits)
        yield step


def retire_step(number: int, row: EntryState, tree: Tree, settings: Settings) -> Step:
    """Plan to move one memory entry into the archive of its file."""
    facts = row.facts
    place = archived_memory_path(settings, facts.target)
    edits, folded = retire(tree, facts.path, place, facts.text)
    change = Change("archive", facts.target, facts.id, "", CURATOR, extra={"to": place})
    target = f"{facts.target}:{facts.id}"
    return Step(
        number, "retire", target, place, row.reason, row.evidence, edits, (change,), (),
        folded=folded, notes=(f"entry: {shorten(facts.text)}",), entry=facts.id,
    )  # fmt: skip


def retire(tree: Tree, path: str, place: str, text: str) -> tuple[tuple[Edit, ...], tuple[Unit, ...]]:
    """Return the edits that move the last entry of that text from one file to another, and the units folded.

    An archive that holds the very text already does not get it twice.
    """
    source, leaf = memory_file(tree, path), tree.leaves[path]
    position = max(at for at, entry in enumerate(source.entries) if entry.text == text)
    taken = Edit(path, tree.leaf(source.remove(position).encode(), leaf.mode))
    kept = memory_file(tree, place)
    if text in kept.texts:
        return (taken,), units(text)
    return (taken, Edit(place, tree.leaf(kept.add(text).encode()))), ()


def memory_file(tree: Tree, path: str) -> MemoryFile:
    """Read a memory file of a tree; an absent one is empty."""
    document = tree.document(path)
    bom = "\ufeff" if document is not None and document.encoding == "utf-8-sig" else ""
    return parse(bom + document.text) if document else parse("")


def archive_step(number: int, row: Transition, tree: Tree, snapshot: Snapshot, settings: Settings) -> Step:
    """Plan to move one disused skill, whole, into the archive."""
    before = tree.folder_id(row.root)
    place = archive.archive_root(row.root, before, snapshot.now, tree, settings)
    change = Change("archive", row.key, before[:SHORT], before[:SHORT], CURATOR, extra={"to": place})
    edits = archive.move(tree, row.root, place)
    inside = [edit.path for edit in edits if edit.leaf is None]
    inside += sorted({row.root, *(folder for folder in tree.folders if is_below(folder, row.root))})
    moves = Moves({path: place + path[len(row.root) :] for path in inside})
    return Step(number, "archive", row.key, place, row.reason, row.evidence, edits, (change,), (row.root,), moves)


def merge_step(number: int, cluster: Cluster, tree: Tree, snapshot: Snapshot, settings: Settings) -> Step:
    """Plan to move the siblings of a cluster into its target."""
    target = snapshot.skill(cluster.target)
    siblings = [snapshot.skill(root) for root in cluster.siblings]
    edits: list[Edit] = []
    folded: list[Unit] = []
    notes: list[str] = []
    paths: dict[str, str] = {}
    names: dict[str, str] = {}
    for facts in siblings:
        found = merge(tree, skill_in(tree, cluster.target), skill_in(tree, facts.root), settings)
        tree = tree.edited(found.edits)
        edits += found.edits
        folded += found.folded
        notes += [f"{facts.key}: {note}" for note in found.notes]
        paths |= found.moves.paths
        names |= found.moves.names
    lines = (tree.leaves[target.skill.path].data or b"").count(b"\n")
    if lines > ADVISED_LINES:
        notes.append(f"{target.key}: SKILL.md has {lines} lines; the advice is {ADVISED_LINES}")
    after = tree.leaves[target.skill.path].id[:SHORT]
    before = {facts.root: snapshot.tree.leaves[facts.skill.path].id[:SHORT] for facts in siblings}
    changes = tuple(
        Change("consolidate", facts.key, before[facts.root], after, CURATOR, extra={"into": target.key})
        for facts in siblings
    )
    notes += [note for facts in siblings for note in _still_named(facts, tree, cluster)]
    changes += tuple(_entry_changes(snapshot.tree, tree, edits, settings))
    keys = ", ".join(facts.key for facts in siblings)
    reason = f"says what {target.key} says: {'; '.join(_likeness(cluster, snapshot))}"
    evidence = tuple(f"{facts.key}: {_standing(facts)}" for facts in (target, *siblings))
    roots = (cluster.target, *cluster.siblings)
    return Step(
        number, "consolidate", keys, target.key, reason, evidence, _last(edits), changes, roots, Moves(paths, names),
        tuple(folded), tuple(notes),
    )  # fmt: skip


def _still_named(facts: SkillFacts, tree: Tree, cluster: Cluster) -> Iterator[str]:
    """Yield the places outside the merged skills that call a sibling by its name, which only a person can reword."""
    inside = (cluster.target, *cluster.siblings)
    for row in facts.references:
        document = tree.document(row.path)
        if document is None or row.kind == "prose" or any(is_below(row.path, root) for root in inside):
            continue
        line = document.lines[row.line - 1] if row.line <= len(document.lines) else ""
        if facts.skill.name in line or facts.skill.folder in line:
            yield f"{row.path}:{row.line} still calls it {facts.skill.name}"


def _entry_changes(before: Tree, after: Tree, edits: list[Edit], settings: Settings) -> Iterator[Change]:
    """Yield a change line for each memory entry in which a path was rewritten."""
    for target in TARGETS:
        path = memory_path(settings, target)
        if any(edit.path == path for edit in edits):
            pairs = zip(memory_file(before, path).entries, memory_file(after, path).entries, strict=True)
            yield from (Change("replace", target, old.id, new.id, CURATOR) for old, new in pairs if old.id != new.id)


def _last(edits: list[Edit]) -> tuple[Edit, ...]:
    """Keep the last edit of each path."""
    return tuple({edit.path: edit for edit in edits}.values())


def _likeness(cluster: Cluster, snapshot: Snapshot) -> Iterator[str]:
    for pair, root in zip(cluster.pairs, cluster.siblings, strict=True):
        signs = f" ({', '.join(pair.signs)})" if pair.signs else ""
        yield f"{snapshot.skill(root).key} is {pair.similarity:.2f} alike{signs}"


def _standing(facts: SkillFacts) -> str:
    uses, named = amount(len(facts.uses), "use"), amount(len(facts.references), "place")
    return f"{uses}, named in {named}, {len(facts.skill.body):,} characters"


def skill_in(tree: Tree, root: str) -> Skill:
    """Read a skill as it stands in a tree."""
    documents = tree.documents(root)
    return read_skill(root, group(documents, [root])[root])
