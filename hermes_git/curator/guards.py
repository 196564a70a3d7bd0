"""The guards: judge a plan by rules that do not trust the planner. Every finding is an error."""

from __future__ import annotations

from collections.abc import Iterator

from hermes_git.curator import entry_life
from hermes_git.curator.facts import DAY, SkillFacts, Snapshot
from hermes_git.curator.lifecycle import missing_evidence, named_by, ownership
from hermes_git.curator.pages import guard
from hermes_git.curator.plan import Plan, Step
from hermes_git.curator.proof import prove, undeclared, vanished
from hermes_git.curator.tree import Tree
from hermes_git.finding import Finding
from hermes_git.knowledge.layout import skill_key
from hermes_git.knowledge.skill import SKILL_FILE
from hermes_git.settings import Settings

MAX_NAMED = 20
"""Units named for one step; more are counted."""


def check(plan: Plan, snapshot: Snapshot, settings: Settings) -> tuple[Finding, ...]:
    """Return everything that is wrong with a plan, sorted."""
    found: set[Finding] = set(whole(plan, settings))
    tree = snapshot.tree
    for step in plan.steps:
        found |= set(check_step(step, plan, snapshot, tree, settings))
        tree = tree.edited(step.edits)
    return tuple(sorted(found))


def whole(plan: Plan, settings: Settings) -> Iterator[Finding]:
    """Yield what is wrong with a plan as a whole: too many steps, a skill in two of them."""
    limit = settings.curator.max_steps
    if len(plan.steps) > limit:
        yield guard("HG808", "", f"{len(plan.steps)} steps, at most {limit} are allowed")
    seen: dict[str, int] = {}
    for step in plan.steps:
        for root in step.roots:
            if root in seen:
                yield guard("HG806", root, f"steps {seen[root]} and {step.number} both concern it")
            seen[root] = step.number


def check_step(step: Step, plan: Plan, snapshot: Snapshot, before: Tree, settings: Settings) -> Iterator[Finding]:
    """Yield what is wrong with one step that starts from tree `before`."""
    for root in step.roots:
        facts = next((facts for facts in snapshot.skills if facts.root == root), None)
        if facts is None and not _is_made(root, step, before):
            yield guard("HG803", root, f"step {step.number} concerns a skill that does not exist")
        elif facts is None:
            continue
        else:
            yield from _rights(step, facts, plan, (snapshot, settings))
    if step.kind == "retire":
        yield from _entry(step, snapshot, settings)
    if step.kind == "consolidate":
        yield from _target(step, plan, before, settings)
    for path in vanished(before, step.edits):
        yield guard("HG802", path, f"step {step.number} would remove the last copy of this file")
    yield from _loss(step, before, settings)


def _rights(step: Step, facts: SkillFacts, plan: Plan, context: tuple[Snapshot, Settings]) -> Iterator[Finding]:
    snapshot, settings = context
    for reason in ownership(facts, settings.curator):
        yield guard("HG801", facts.root, f"step {step.number} would {step.kind} it, but it is {reason}")
    if step.kind != "archive":
        return
    for reason in missing_evidence(facts, snapshot, settings.curator):
        yield guard("HG809", facts.root, f"step {step.number} would archive it on {reason}")
    if facts.restored and snapshot.now - facts.restored < settings.curator.restore_grace_days * DAY:
        yield guard("HG810", facts.root, f"step {step.number} would archive what was restored a short time ago")
    leaving = frozenset(root for other in plan.steps if other.kind == "archive" for root in other.roots)
    for reference in named_by(facts, leaving):
        yield guard("HG811", facts.root, f"step {step.number}: {reference.path}:{reference.line} names it")


def _is_made(root: str, step: Step, before: Tree) -> bool:
    """Say whether a step makes the skill that it merges others into."""
    path = f"{root}/{SKILL_FILE}"
    return root == step.roots[0] and path not in before.leaves and path in before.edited(step.edits).leaves


def _entry(step: Step, snapshot: Snapshot, settings: Settings) -> Iterator[Finding]:
    facts = next((facts for facts in snapshot.entries if facts.id == step.entry), None)
    if facts is None:
        yield guard("HG803", "", f"step {step.number} retires an entry that does not exist")
        return
    for reason in entry_life.exemptions(facts, snapshot, settings.curator):
        check = "HG809" if reason.startswith("no evidence") else "HG801"
        yield guard(check, facts.path, f"step {step.number} would retire it, but it is {reason}", line=facts.entry.line)


def _target(step: Step, plan: Plan, before: Tree, settings: Settings) -> Iterator[Finding]:
    after = before.edited(step.edits)
    root, siblings = step.roots[0], step.roots[1:]
    if skill_key(root, settings) != step.into or f"{root}/{SKILL_FILE}" not in after.leaves:
        yield guard("HG803", root, f"step {step.number} merges into {step.into}, which is not there after it")
        return
    moved = {other for later in plan.steps if later.kind == "archive" for other in later.roots}
    moved |= {other for later in plan.steps if later.kind == "consolidate" for other in later.roots[1:]}
    if root in moved:
        yield guard("HG803", root, f"step {step.number} merges into {step.into}, which the same plan moves away")
    if root in siblings:
        yield guard("HG806", root, f"step {step.number} merges {step.into} into itself")
    old, new = (_size(tree, f"{root}/{SKILL_FILE}") for tree in (before, after))
    if new < old:
        yield guard("HG805", f"{root}/{SKILL_FILE}", f"{old - new} bytes shorter after step {step.number}")


def _size(tree: Tree, path: str) -> int:
    leaf = tree.leaves.get(path)
    return len(leaf.data or b"") if leaf else 0


def _loss(step: Step, before: Tree, settings: Settings) -> Iterator[Finding]:
    lost = list(undeclared(prove(step, before, settings.paths.skills), step.folded))
    for fate in lost[:MAX_NAMED]:
        said = fate.unit.text if len(fate.unit.text) <= 120 else fate.unit.text[:117] + "..."
        message = f"step {step.number} loses this {fate.unit.kind}: {said}"
        yield guard("HG804", fate.path, message, line=fate.unit.line)
    if len(lost) > MAX_NAMED:
        yield guard("HG804", "", f"step {step.number} loses {len(lost) - MAX_NAMED} more units")
