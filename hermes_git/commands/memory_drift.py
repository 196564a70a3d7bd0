"""`hermes-git memory drift|adopt|discard|apply`: edits that no commit explains, and several operations at once."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import click

from hermes_git import errors, files
from hermes_git.commands import memory_write
from hermes_git.commands.call import Call, common
from hermes_git.commands.given import given_json
from hermes_git.errors import UserError
from hermes_git.gate import commit as judged
from hermes_git.gate import drift as drifts
from hermes_git.gate.memory import shorten
from hermes_git.gate.operations import Operation
from hermes_git.gitrepo import read
from hermes_git.knowledge import entries, plain
from hermes_git.knowledge.changes import EntryChange, classify
from hermes_git.knowledge.layout import TARGETS, memory_path
from hermes_git.provenance.change import Change
from hermes_git.screen import amount

TARGET = click.option("--target", type=click.Choice([*TARGETS, "all"]), default="all", show_default=True)


def chosen(target: str) -> list[str]:
    """Return the targets that an option names."""
    return list(TARGETS) if target == "all" else [target]


@click.command("drift")
@TARGET
@common(json_output=True)
def drift(call: Call, target: str) -> int:
    """Show, entry by entry, what the files on disk say that no commit explains; exit 1 when there is something.

    \b
    hermes-git memory drift
    """
    found, unread = drifts_of(call, chosen(target))
    if call.json:
        call.emit([
            {"target": row.target, "path": row.path, "missing": row.missing, "changes": [
                {"action": change.action, "before": list(change.before), "after": list(change.after)}
                for change in row.changes]}
            for row in found
        ])  # fmt: skip
    for row in found:
        call.say(f"{row.path}{': the file is gone' if row.missing else ''}")
        for change in row.changes:
            for sign, texts in (("-", change.before), ("+", change.after)):
                for text in texts:
                    call.say(f"  {change.action:<8} {sign} {entries.entry_id(text)} {shorten(text)}")
    for error in unread[1:]:
        call.note(str(error))
    if unread:
        raise unread[0]
    if found:
        call.say("keep it: hermes-git memory adopt    give it up: hermes-git memory discard")
    else:
        call.say("no drift: the files on disk say what HEAD says")
    return errors.FINDINGS if found else errors.OK


def drifts_of(call: Call, targets: Iterable[str]) -> tuple[list[drifts.FileDrift], list[UserError]]:
    """Return the drift of the files that can be read, and for each other file why it cannot."""
    found, unread = [], []
    for target in targets:
        try:
            row = drifts.drift_of(call.repo, call.settings, target)
        except UserError as error:
            unread.append(error)
        else:
            found += [row] if row else []
    return found, unread


@click.command("adopt")
@TARGET
@click.option("--as-is", is_flag=True, help="Do not turn plain Markdown into entries.")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def adopt(call: Call, target: str, as_is: bool, dry_run: bool) -> int:
    """Commit the edits on disk through the gate; a page of plain Markdown becomes entries.

    \b
    hermes-git memory adopt
    hermes-git memory adopt --target user --dry-run
    """
    done = [_adopt_one(call, name, as_is, dry_run) for name in chosen(target)]
    if call.json:
        call.emit([{"target": row.target, "commit": row.commit, "changes": row.changes} for row in done])
    return errors.FINDINGS if any(row.is_blocked for row in done) else errors.OK


@dataclass(frozen=True, slots=True)
class Adopted:
    """What became of one file: the commit made ("" for none), its number of changes, whether the gate blocked it."""

    target: str
    commit: str = ""
    changes: int = 0
    is_blocked: bool = False


def _adopt_one(call: Call, target: str, as_is: bool, dry_run: bool) -> Adopted:
    path = memory_path(call.settings, target)
    disk = drifts.disk_file(call.repo, path)
    if disk is None:
        return Adopted(target)
    wanted = disk
    if plain.is_plain_markdown(disk) and not as_is:
        wanted = entries.from_texts(plain.to_entries(disk.raw()))
    changes: list[EntryChange] = []

    def draft(base: str | None) -> judged.Draft | None:
        head = read.file_at(call.repo, base, path) if base else None
        before = drifts.decoded(head or b"", path)
        changes[:] = classify(before.texts, wanted.texts)
        if (head or b"") == wanted.encode() or (not changes and wanted is disk):
            return None
        rows = tuple(row for change in changes for row in _rows(call, target, change))
        data = wanted.encode()
        subject = f"{TARGETS[target]}: adopt {amount(len(changes), 'change')} made by hand"
        return judged.Draft({path: data}, subject, rows, on_disk={path: data}, in_index={path: data})

    outcome = judged.commit(call.repo, draft, actor=call.actor, today=call.clock().date(), dry_run=dry_run)
    return _told(call, target, outcome, changes)


def _told(call: Call, target: str, outcome: judged.Outcome, changes: list[EntryChange]) -> Adopted:
    if outcome.report.findings:
        from hermes_git.reports import text

        call.note(text.render(outcome.report))
    if outcome.report.verdict == "block":
        return Adopted(target, "", len(changes), is_blocked=True)
    for change in changes:
        call.say(f"{target}: {change.action} {shorten((change.after or change.before)[0])}")
    if not changes:
        call.say(f"{target}: nothing to adopt")
    if outcome.proposal:
        memory_write.tell_commit(call, outcome)
    return Adopted(target, outcome.commit, len(changes))


def _rows(call: Call, target: str, change: EntryChange) -> list[Change]:
    """Return one declared line for each entry a change takes away, or for what it adds."""
    after = entries.entry_id(change.after[0]) if change.after else ""
    if not change.before:
        return [Change(change.action, target, "", after, call.actor, call.session)]
    return [
        Change(change.action, target, entries.entry_id(text), after, call.actor, call.session) for text in change.before
    ]


@click.command("discard")
@TARGET
@common()
def discard(call: Call, target: str) -> int:
    """Give up the edits on disk: the files are put back as HEAD has them. What is given up is printed first.

    \b
    hermes-git memory discard --target memory
    """
    found = drifts.drift(call.repo, call.settings, chosen(target))
    head = read.head(call.repo)
    for row in found:
        for change in row.changes:
            for text in change.after or change.before:
                call.say(f"{row.path}: gave up {change.action} {text}")
        data = read.file_at(call.repo, head, row.path) if head else None
        if data is None:
            files.remove(call.repo.work_tree() / row.path)
        else:
            blob = read.tree(call.repo, head or "", row.path)[row.path].id
            files.write_atomic(
                call.repo.work_tree() / row.path,
                read.smudged(call.repo, blob, row.path),
                scratch=call.repo.state / "tmp",
            )
    if not found:
        call.say("nothing to discard")
    return errors.OK


@click.command("apply")
@click.argument("source", metavar="FILE|-")
@click.option("--target", type=click.Choice(list(TARGETS)), default="memory", show_default=True)
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def apply(call: Call, source: str, target: str, dry_run: bool) -> int:
    """Carry out a list of operations as one commit, judged on its end state; any that fails stops them all.

    The file holds a JSON list of {"action": "add|replace|remove", "content": …, "old_text": …}.

    \b
    echo '[{"action":"remove","old_text":"alpha"},{"action":"add","content":"The host is beta."}]' |
      hermes-git memory apply -
    """
    data = sys.stdin.buffer.read() if source == "-" else files.read_bytes(Path(source))
    return memory_write.write(call, target, _operations(data, source), dry_run=dry_run)


def _operations(data: bytes, where: str) -> tuple[Operation, ...]:
    rows = given_json(data, where, "give a list of operations")
    if not isinstance(rows, list) or not rows:
        raise UserError(
            "must be a list with at least one operation", where=where, hint="see: hermes-git memory apply --help"
        )
    found = []
    for number, row in enumerate(rows, start=1):
        known = {"action", "content", "old_text"}
        if not isinstance(row, dict) or set(row) - known or not all(isinstance(value, str) for value in row.values()):
            hint = f"each has {', '.join(sorted(known))}, all text"
            raise UserError(f"operation {number} is not one", where=where, hint=hint)
        found.append(Operation(row.get("action", ""), row.get("content", ""), row.get("old_text", "")))
    return tuple(found)
