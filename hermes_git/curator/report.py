"""The report of a run: Markdown for people, JSON for machines, from one value (docs/formats/curator-report.md)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes_git.curator.entry_life import EntryState
from hermes_git.curator.facts import Snapshot
from hermes_git.curator.lifecycle import Transition, day
from hermes_git.curator.loss import Fate, Loss
from hermes_git.curator.plan import Plan, Step
from hermes_git.curator.umbrella import Family, families
from hermes_git.document import decode
from hermes_git.finding import Finding
from hermes_git.gate.memory import shorten
from hermes_git.screen import amount
from hermes_git.version import __version__

FORMAT = 1
LIST_LIMIT = 50
MAX_BETWEEN = 1024 * 1024
"""Bytes of texts that a report carries, so that its steps can be taken back one by one."""


@dataclass(frozen=True, slots=True)
class Done:
    """One step as it came out: the step, its commit id and loss ledger, and what kept it from being applied.

    `files` are path, blob ids before and after, and modes before and after of every file it changed.
    """

    step: Step
    commit: str
    loss: Loss
    blocked: tuple[Finding, ...] = ()
    files: tuple[tuple[str, str, str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One run: the plan, what became of each step, findings of the guards, and why it ran now."""

    plan: Plan
    snapshot: Snapshot
    steps: tuple[Done, ...]
    findings: tuple[Finding, ...] = ()
    cause: str = ""
    tip: str = ""

    @property
    def applied(self) -> tuple[Done, ...]:
        """Return the steps that were made into commits."""
        return tuple(done for done in self.steps if done.commit)


def as_json(run: Run, *, ledgers: bool = True) -> dict[str, object]:
    """Return the machine-readable report; with `ledgers`, the fate of every unit that did not stay where it was."""
    evidence = run.snapshot.evidence
    return {
        "format": FORMAT,
        "tool": __version__,
        "run": run.plan.run,
        "base": run.plan.base,
        "branch": run.plan.branch,
        "now": day(run.snapshot.now),
        "cause": run.cause,
        "evidence": {
            "uses": evidence.uses,
            "first": day(evidence.first) if evidence.first else "",
            "last": day(evidence.last) if evidence.last else "",
            "ledger": evidence.commit,
            "damaged": list(evidence.damaged),
            "partial": list(evidence.partial),
            "shallow": run.snapshot.is_shallow,
            "not_read": list(run.snapshot.not_read),
        },
        "steps": [_step(done, ledgers) for done in run.steps],
        "deferred": run.plan.deferred,
        "findings": [finding.as_json() for finding in run.findings],
        "skills": [_skill(row) for row in run.plan.transitions],
        "entries": [_entry(row) for row in run.plan.entries],
        "families": [{"word": row.word, "skills": list(row.keys)} for row in families(run.snapshot)],
        "between": between(run),
    }


def between(run: Run) -> dict[str, str]:
    """Return blob id → text of what one step wrote and a later one changed again, sorted.

    After a squash merge no commit holds these texts, and `curate undo` needs them to take back one of the two steps.
    What is not UTF-8, and what would make the report larger than `MAX_BETWEEN`, is left out.
    """
    known = {leaf.id for leaf in run.snapshot.tree.leaves.values()}
    made = {edit.leaf.id: edit.leaf.data or b"" for done in run.applied for edit in done.step.edits if edit.leaf}
    passed = {before for done in run.applied for _, before, *_ in done.files if before and before not in known}
    found: dict[str, str] = {}
    room = MAX_BETWEEN
    for name in sorted(passed & made.keys()):
        room -= len(made[name])
        if room >= 0 and decode(made[name])[1] in ("utf-8", "utf-8-sig"):
            found[name] = made[name].decode("utf-8")
    return found


def _entry(row: EntryState) -> dict[str, object]:
    return {
        "id": row.facts.id,
        "target": row.facts.target,
        "state": row.state,
        "reason": row.reason,
        "by": row.by,
        "exempt": row.exempt,
        "evidence": list(row.evidence),
    }


def _step(done: Done, ledgers: bool) -> dict[str, object]:
    row = done.step.as_json() | {"commit": done.commit, "units": done.loss.counts}
    row["files"] = [list(change) for change in done.files]
    row["blocked"] = [finding.as_json() for finding in done.blocked]
    if ledgers and done.step.kind != "archive":
        row["loss"] = [fate.as_json() for fate in done.loss.of("duplicate", "dropped")]
    return row


def _skill(row: Transition) -> dict[str, object]:
    return {
        "key": row.key,
        "state": row.state,
        "change": row.change,
        "reason": row.reason,
        "exempt": row.exempt,
        "evidence": list(row.evidence),
    }


def encode(run: Run) -> bytes:
    """Return the JSON report as it is stored."""
    return json.dumps(as_json(run), ensure_ascii=False, indent=1).encode("utf-8") + b"\n"


def render(run: Run) -> str:
    """Return the Markdown report: what, why, on what evidence, and how to undo it."""
    return "\n".join(_lines(run)).rstrip() + "\n"


def _lines(run: Run) -> Iterator[str]:
    counts = Counter(done.step.kind for done in run.applied)
    total = f"archived {counts['archive']}, merged {counts['consolidate']}, entries retired {counts['retire']}"
    yield f"# Curator run {run.plan.run}"
    yield ""
    if run.applied:
        made = f"Made on commit `{run.plan.base[:12]}` as branch `{run.plan.branch}`, one commit a step"
        yield f"Skills {total}. {made}; nothing is deleted."
    else:
        what = "No step could be made" if run.steps else "There is nothing to do"
        yield f"{what} on commit `{run.plan.base[:12]}`."
    yield ""
    yield from _evidence(run)
    yield "## Steps"
    yield ""
    if not run.steps:
        yield "None."
        yield ""
    for done in run.steps:
        yield from _step_lines(done)
    if run.plan.deferred:
        yield f"{run.plan.deferred} more steps wait for the next run (`curator.max_steps`)."
        yield ""
    yield from _states(run.plan.transitions)
    yield from _entries(run.plan.entries)
    yield from _families(families(run.snapshot) if run.plan.transitions else ())
    if run.applied:
        yield from _undo(run)


def _evidence(run: Run) -> Iterator[str]:
    evidence = run.snapshot.evidence
    yield "## Evidence"
    yield ""
    span = f" from {day(evidence.first)} to {day(evidence.last)}" if evidence.uses else ""
    yield f"- {amount(evidence.uses, 'use')} on record{span}"
    if run.snapshot.is_shallow:
        yield "- the history is shallow: ages are unknown, so nothing is archived"
    for sentence in evidence.partial:
        yield f"- partial: {sentence}"
    for line in evidence.damaged[:LIST_LIMIT]:
        yield f"- damaged: {line}"
    if run.snapshot.not_read:
        yield f"- {len(run.snapshot.not_read)} large files were not searched for references"
    yield ""


def _step_lines(done: Done) -> Iterator[str]:
    step = done.step
    verb = {"archive": "Archive", "consolidate": "Merge", "retire": "Retire entry"}[step.kind]
    yield f"### {step.number}. {verb} {step.target}" + (f" into {step.into}" if step.kind == "consolidate" else "")
    yield ""
    yield f"Why: {step.reason}."
    yield ""
    yield from (f"- {fact}" for fact in (*step.evidence, *step.notes))
    units = done.loss.counts
    yield (
        f"- units: {units['verbatim']} stay, {units['moved']} moved, {units['duplicate']} folded as duplicates, "
        f"{units['dropped']} dropped"
    )
    if step.kind == "archive":
        yield f"- now at `{step.into}`; back with `hermes-git skill restore {step.into.rsplit('/', 1)[-1]}`"
    yield f"- commit `{done.commit[:12]}`" if done.commit else "- **not applied:**"
    yield from (f"  - {finding.check} {finding.path}:{finding.line} {finding.message}" for finding in done.blocked)
    yield ""
    yield from _fates(done.loss)


def _fates(loss: Loss) -> Iterator[str]:
    rows = [fate for fate in loss.of("duplicate", "dropped") if fate.unit.kind not in ("command", "path", "url")]
    if not rows:
        return
    lines = list(_fate_lines(rows))
    yield "<details><summary>Folded</summary>"
    yield ""
    yield from lines[:LIST_LIMIT]
    if len(lines) > LIST_LIMIT:
        yield f"- and {len(lines) - LIST_LIMIT} more, all in the JSON report"
    yield ""
    yield "</details>"
    yield ""


def _fate_lines(rows: Iterable[Fate]) -> Iterator[str]:
    """Yield one line a unit, and one for all the lines of a file that is not prose."""
    files: Counter[tuple[str, str, str]] = Counter()
    for fate in rows:
        if fate.unit.kind == "line":
            files[fate.status, fate.path, fate.now] += 1
            continue
        text = fate.unit.text.replace("\n", " ")[:160].replace("`", "'")
        yield f"- {fate.status}: `{text}` ({fate.path}:{fate.unit.line}" + (f" = {fate.now})" if fate.now else ")")
    for (status, path, now), count in files.items():
        yield f"- {status}: {count} lines of {path}" + (f" = {now}" if now else "")


def summary(run: Run) -> Iterator[str]:
    """Yield the few lines that a person at a terminal needs: each step with its reason, and what was refused."""
    for done in run.steps:
        mark = done.commit[:12] if done.commit else "refused     "
        yield f"{mark}  {done.step.subject.removeprefix('curator: ')}"
        yield f"              {done.step.reason}"
        yield from (f"              {finding.check} {finding.path} {finding.message}" for finding in done.blocked[:3])
    if run.plan.deferred:
        yield f"{run.plan.deferred} more steps wait for the next run (curator.max_steps)"
    yield from (f"evidence is partial: {sentence}" for sentence in run.snapshot.evidence.partial)


def _states(rows: Iterable[Transition]) -> Iterator[str]:
    every = list(rows)
    if not every:
        return
    yield "## Skills"
    yield ""
    yield "| skill | state | why | stays because | evidence |"
    yield "|---|---|---|---|---|"
    for row in every:
        change = f" ({row.change.replace('_', ' ')})" if row.change else ""
        cells = (row.key, row.state + change, row.reason, row.exempt, "; ".join(row.evidence))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    yield ""


def _entries(rows: Iterable[EntryState]) -> Iterator[str]:
    spoken = [row for row in rows if row.reason]
    if not spoken:
        return
    yield "## Entries"
    yield ""
    yield "| entry | why it could go | stays because | evidence |"
    yield "|---|---|---|---|"
    for row in spoken:
        text = shorten(row.facts.text, 60).replace("\n", " ")
        cells = (f"{row.facts.target}:{row.facts.id} {text}", row.reason, row.exempt, "; ".join(row.evidence))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    yield ""


def _families(found: Iterable[Family]) -> Iterator[str]:
    rows = list(found)[:LIST_LIMIT]
    if rows:
        yield "## Families"
        yield ""
        yield "Skills whose names start alike; nothing is proposed, `hermes-git curate merge` brings them together."
        yield ""
        yield from (f"- {family.word}: {', '.join(family.keys)}" for family in rows)
        yield ""


def _undo(run: Run) -> Iterator[str]:
    yield "## Undo"
    yield ""
    yield f"- one step: `git revert <commit>`, or `hermes-git curate undo {run.plan.run}:<step>` after a squash merge"
    yield f"- everything: do not merge `{run.plan.branch}`, or `hermes-git curate undo {run.plan.run}`"
