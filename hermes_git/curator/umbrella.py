"""Merges that somebody asks for: named skills into one of them, or into a new umbrella skill that lists them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from hermes_git.curator.consolidate import Cluster, Pair
from hermes_git.curator.facts import SkillFacts, Snapshot
from hermes_git.curator.plan import CURATOR, SHORT, Plan, merge_step
from hermes_git.curator.prose import Prose
from hermes_git.curator.tree import Edit, Tree
from hermes_git.errors import UserError
from hermes_git.knowledge.frontmatter import compose
from hermes_git.knowledge.skill import NAME, SKILL_FILE, read_skill
from hermes_git.provenance.change import Change
from hermes_git.settings import Settings

FEWEST = 3
"""Skills that share the first word of their names before they count as a family."""


@dataclass(frozen=True, slots=True)
class Family:
    """Skills that may want one roof: the word they share, and their keys."""

    word: str
    keys: tuple[str, ...]


def families(snapshot: Snapshot) -> tuple[Family, ...]:
    """Return the groups of skills whose names start alike, the largest first; a hint for people, never a step."""
    groups: dict[str, list[str]] = {}
    for facts in snapshot.skills:
        groups.setdefault(facts.skill.name.split("-")[0], []).append(facts.key)
    found = [Family(word, tuple(sorted(keys))) for word, keys in groups.items() if len(keys) >= FEWEST]
    return tuple(sorted(found, key=lambda family: (-len(family.keys), family.word)))


def find(name: str, snapshot: Snapshot) -> SkillFacts:
    """Return the skill that a key or a bare name means."""
    found = [facts for facts in snapshot.skills if name in (facts.key, facts.root)]
    found = found or [facts for facts in snapshot.skills if name in (facts.skill.name, facts.skill.folder)]
    if len(found) == 1:
        return found[0]
    keys = ", ".join(facts.key for facts in found)
    hint = f"name one of them: {keys}" if found else "list them with: hermes-git skill list"
    raise UserError(f"{len(found) or 'no'} skills are called {name!r}", hint=hint)


def plan_into(snapshot: Snapshot, names: Sequence[str], into: str, settings: Settings) -> Plan:
    """Plan to merge named skills into one that exists."""
    target = find(into, snapshot)
    siblings = _siblings(snapshot, names, target.root)
    return _plan(snapshot, snapshot.tree, target, siblings, settings)


def plan_umbrella(snapshot: Snapshot, names: Sequence[str], key: str, prose: Prose, settings: Settings) -> Plan:
    """Plan to put named skills under a new skill, which says when to load each of them."""
    name = key.rsplit("/", 1)[-1]
    root = f"{settings.paths.skills}/{key}"
    if not NAME.match(name) or snapshot.tree.has_folder(root):
        raise UserError(f"{key!r} is no new skill name", hint="lower-case words joined by hyphens, not in use")
    if not prose.description.strip():
        raise UserError("a new skill needs a description", hint="--description 'Use when …', or --write with a model")
    title = name.replace("-", " ").capitalize()
    paragraphs = (f"# {title}", prose.introduction or prose.description.strip(), "Load the one reference that fits.\n")
    text = compose({"name": name, "description": prose.description.strip()}, "\n\n".join(paragraphs))
    leaf = snapshot.tree.leaf(text.encode("utf-8"))
    tree = snapshot.tree.edited([Edit(f"{root}/{SKILL_FILE}", leaf)])
    facts = SkillFacts(read_skill(root, tree.documents(root)), key, tree.folder_id(root), author="curator")
    made = _plan(snapshot, tree, facts, _siblings(snapshot, names, root), settings)
    (step,) = made.steps
    edits = {edit.path: edit for edit in (Edit(f"{root}/{SKILL_FILE}", leaf), *step.edits)}
    change = Change("create", key, "", edits[f"{root}/{SKILL_FILE}"].leaf.id[:SHORT], CURATOR)  # type: ignore[union-attr]
    step = replace(step, edits=tuple(edits.values()), changes=(change, *step.changes))
    return replace(made, steps=(step,))


def _siblings(snapshot: Snapshot, names: Iterable[str], target: str) -> tuple[SkillFacts, ...]:
    found = {facts.root: facts for facts in (find(name, snapshot) for name in names) if facts.root != target}
    if not found:
        raise UserError("nothing to merge", hint="name at least one skill besides the target")
    return tuple(found.values())


def _plan(
    snapshot: Snapshot, tree: Tree, target: SkillFacts, siblings: tuple[SkillFacts, ...], settings: Settings
) -> Plan:
    roots = tuple(facts.root for facts in siblings)
    skills = (*(facts for facts in snapshot.skills if facts.root != target.root), target)
    cluster = Cluster(target.root, roots, tuple(Pair(target.root, root, 1.0) for root in roots))
    step = merge_step(1, cluster, tree, replace(snapshot, skills=skills, tree=tree), settings)
    step = replace(step, reason=f"asked for by hand: {step.target} into {target.key}")
    day = f"{datetime.fromtimestamp(snapshot.now, UTC):%Y-%m-%d}"
    run = f"{day}-{snapshot.base[:7]}-{target.skill.folder}"
    return Plan(snapshot.base, f"curator/{run}", run, (), (step,))
