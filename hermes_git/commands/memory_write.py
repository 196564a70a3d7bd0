"""Writing memory entries from the command line: resolve, judge, commit, and tell what happened."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from hermes_git import errors, files
from hermes_git.commands.call import Call
from hermes_git.errors import UserError
from hermes_git.finding import Report
from hermes_git.gate import commit as judged
from hermes_git.gate import operations, sync
from hermes_git.gate.drift import decoded, head_file
from hermes_git.gate.memory import shorten
from hermes_git.gate.operations import NotOneEntry, Operation, Step
from hermes_git.gitrepo import read
from hermes_git.knowledge import entries
from hermes_git.knowledge.changes import nearest
from hermes_git.knowledge.entries import entry_id
from hermes_git.knowledge.layout import TARGETS, memory_path
from hermes_git.names import whole_number
from hermes_git.provenance.change import Change


def write(
    call: Call, target: str, wanted: Sequence[Operation], *, dry_run: bool = False, extra: dict[str, str] | None = None
) -> int:
    """Carry out operations on one memory file as one judged commit; print what happened; return the exit code."""
    path = memory_path(call.settings, target)
    done: list[Step] = []

    def draft(base: str | None) -> judged.Draft | None:
        data = read.contents(call.repo, [f"{base}:{path}"])[0] if base else None
        data = data or b""
        file = decoded(data, path)
        steps = _resolved(call, target, file, wanted)
        done[:] = steps
        if not steps:
            return None
        after, archived, evictions = _make_room(call, target, base, operations.apply(file, steps), steps)
        steps += tuple(Step("remove", text, "") for text in file.texts if evictions and text not in after.texts)
        carried = tuple(dict.fromkeys(steps))
        return judged.Draft(
            {path: after.encode(), **archived},
            _subject(target, steps),
            (*(_change(call, target, step, extra or {}) for step in done), *evictions),
            on_disk=_edited_copy(call, path, data, carried, "work tree"),
            in_index=_staged_copy(call, path, data, carried),
        )

    with _hermes_lock(call, path):
        outcome = judged.commit(call.repo, draft, actor=call.actor, today=call.clock().date(), dry_run=dry_run)
    return _tell(call, target, wanted, done, outcome, dry_run)


def _resolved(call: Call, target: str, file: entries.MemoryFile, wanted: Sequence[Operation]) -> tuple[Step, ...]:
    """Resolve the operations; an error about the entry meant also says what room there is: one more try mends both."""
    try:
        return operations.resolve(file, wanted)
    except NotOneEntry as error:
        from hermes_git.commands import memory_budget

        room = memory_budget.room(call, target, file, [operation.content for operation in wanted])
        raise UserError(error.message, hint=f"{error.hint}\n{room}", where=error.where) from error


def _make_room(
    call: Call, target: str, base: str | None, file: entries.MemoryFile, steps: Sequence[Step]
) -> tuple[entries.MemoryFile, dict[str, bytes | None], tuple[Change, ...]]:
    """Evict entries where policy says so; the history that this needs is read only then."""
    if call.settings.memory.over_budget != "evict":
        return file, {}, ()
    from hermes_git.commands import memory_budget

    return memory_budget.evicted(call, target, base, file, [step.after for step in steps if step.after])


@contextlib.contextmanager
def _hermes_lock(call: Call, path: str) -> Iterator[None]:
    """Hold the lock that Hermes itself takes on the file, where the repository is a Hermes home."""
    if call.settings.layout != "hermes":
        yield
        return
    with files.lock(call.repo.work_tree() / f"{path}.lock", purpose="writing memory"):
        yield


def _edited_copy(call: Call, path: str, data: bytes, steps: Sequence[Step], what: str) -> dict[str, bytes]:
    """Carry the steps over to a copy on disk that the user has edited, so that the edit survives."""
    disk = sync.copy_on_disk(call.repo, path, data)
    if disk is None or disk == data or sync.same_content(call.repo, call.repo.work_tree() / path, path, data):
        return {}
    return {path: _carried(decoded(disk, path), steps, path, what).encode()}


def _staged_copy(call: Call, path: str, data: bytes, steps: Sequence[Step]) -> dict[str, bytes]:
    entry = read.index(call.repo, path).get(path)
    if entry is None or entry.id == read.blob_id(call.repo, data):
        return {}
    staged = read.blob(call.repo, entry.id)
    return {path: _carried(decoded(staged, path), steps, path, "index").encode()}


def _carried(edited: entries.MemoryFile, steps: Sequence[Step], path: str, what: str) -> entries.MemoryFile:
    try:
        return operations.apply(edited, steps)
    except UserError as error:
        gone = next(step.before for step in steps if step.before and step.before not in edited.texts)
        near = nearest(gone, edited.texts, count=1)
        theirs = f"\n  {what} says: {near[0]}" if near else f"\n  the {what} does not hold it"
        raise UserError(
            f"the same entry has an edit in the {what} that is not committed; nothing was written",
            where=path,
            hint=f"HEAD says: {gone}{theirs}\n  commit or discard that edit first: git diff -- {path}",
        ) from error


def _subject(target: str, steps: Sequence[Step]) -> str:
    first = steps[0]
    verb = {"add": "add", "replace": "replace", "remove": "remove"}[first.action]
    more = f" and {len(steps) - 1} more" if len(steps) > 1 else ""
    return f"{TARGETS[target]}: {verb} {shorten(first.after or first.before, 50)}{more}"


def _change(call: Call, target: str, step: Step, extra: dict[str, str]) -> Change:
    before = entry_id(step.before) if step.before else ""
    after = entry_id(step.after) if step.after else ""
    return Change(step.action, target, before, after, call.actor, call.session, extra)


def evidence(call: Call, reference: str, quote: str) -> dict[str, str]:
    """Check that a message really holds the words quoted from it; return what the change line says about it."""
    if not reference:
        if quote:
            raise UserError("--quote needs --evidence SESSION#MESSAGE", hint="name the message the words are from")
        return {}
    session_id, _, number = reference.rpartition("#")
    wanted = whole_number(number)
    if not session_id or wanted is None:
        raise UserError(f"--evidence {reference!r} is not SESSION#MESSAGE", hint="for example 20261101_080000_ab12cd#4")
    from hermes_git.sessions.store import open_store

    session = open_store(call.repo, call.settings).session(session_id)
    message = next((row for row in session.messages if row.id == wanted), None)
    if message is None:
        raise UserError(f"session {session_id} has no message {number}", hint=f"hermes-git session show {session_id}")
    if quote and " ".join(quote.split()) not in " ".join(message.content.split()):
        raise UserError(f"message {reference} does not hold the words quoted", hint="quote it word for word")
    return {"evidence": reference, **({"quote": shorten(quote, 200)} if quote else {})}


def _tell(
    call: Call, target: str, wanted: Sequence[Operation], steps: Sequence[Step], outcome: judged.Outcome, dry_run: bool
) -> int:
    report = outcome.report
    if call.json:
        call.emit(_as_json(target, wanted, steps, outcome))
    elif report.findings:
        from hermes_git.reports import text

        call.note(text.render(report))
    if report.verdict == "block":
        _advise(call, target, report)
        return errors.FINDINGS
    for step in steps:
        would = "would " if dry_run else ""
        text_now = step.after or step.before
        call.say(f"{would}{step.action} {target} {entry_id(text_now)}: {shorten(text_now)}")
    if not steps:
        call.say("nothing to do: an entry says this already")
    tell_commit(call, outcome)
    return errors.OK


def tell_commit(call: Call, outcome: judged.Outcome) -> None:
    """Say what became of a write: a commit, or a proposal that waits for a person."""
    if outcome.proposal:
        call.say(f"proposed on {outcome.proposal}")
        call.say(f"a person approves it with: hermes-git memory approve {outcome.commit[:10]}")
    elif outcome.commit:
        call.say(f"commit {outcome.commit[:12]}; take it back with: hermes-git undo")


def _advise(call: Call, target: str, report: Report) -> None:
    """Name entries to give up where the budget is what blocks."""
    if any(found.check == "HG701" for found in report.findings) and not call.json:
        from hermes_git.commands import memory_budget

        file = head_file(call.repo, memory_path(call.settings, target))
        for line in memory_budget.advice(call, file.texts):
            call.note(line)


def _as_json(
    target: str, wanted: Sequence[Operation], steps: Sequence[Step], outcome: judged.Outcome
) -> dict[str, object]:
    from hermes_git.reports.json import as_json

    return {
        "success": outcome.report.verdict != "block",
        "target": target,
        "commit": outcome.commit,
        "proposal": outcome.proposal,
        "steps": [
            {
                "action": step.action,
                "before": entry_id(step.before) if step.before else "",
                "after": entry_id(step.after) if step.after else "",
            }
            for step in steps
        ],
        "already_there": not steps and bool(wanted),
        **as_json(outcome.report),
    }
