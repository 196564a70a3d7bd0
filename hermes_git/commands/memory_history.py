"""`hermes-git memory log|blame|revert|why|bisect`: the history of entries, not of lines."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import click

from hermes_git import errors, files
from hermes_git.commands import complete, memory_write
from hermes_git.commands.call import Call, common
from hermes_git.errors import UserError
from hermes_git.gate import drift
from hermes_git.gate.memory import shorten
from hermes_git.gate.operations import Operation
from hermes_git.gitrepo import read
from hermes_git.knowledge.entries import entry_id
from hermes_git.knowledge.layout import TARGETS, memory_path
from hermes_git.provenance import entry_history as history
from hermes_git.provenance.change import Change
from hermes_git.provenance.entry_history import Origin, Store

REV = click.option("--rev", default="HEAD", show_default=True, help="The revision to start from.")


def load(call: Call, rev: str) -> Store:
    """Read the history of the memory store up to a revision."""
    return history.load(call.repo, read.resolve(call.repo, rev))


def find(store: Store, wanted: str) -> str:
    """Return the text an id, a beginning of one, a whole text, or a part of one text at any commit selects."""
    now = list(store.texts())
    exact = [text for text in now if wanted in (text, entry_id(text))] or [text for text in now if wanted in text]
    if len(exact) == 1:
        return exact[0]
    old = history.find_text(store, wanted) if not exact else ""
    if old:
        return old
    listed = "\n".join(f"  {entry_id(text)}  {shorten(text)}" for text in (exact or now)[:8])
    what = f"{len(exact)} entries hold" if exact else "no entry, now or earlier, has the id or text"
    raise UserError(f"{what} {shorten(wanted)!r}", hint=f"give an id:\n{listed}" if listed else "there are no entries")


def as_json(origin: Origin) -> dict[str, object]:
    """Return the published JSON form of one link of a history."""
    declared = origin.declared
    return {
        "id": entry_id(origin.text),
        "text": origin.text,
        "action": origin.action,
        "before": [entry_id(text) for text in origin.before],
        "commit": origin.step.id,
        "subject": origin.step.message.split("\n", 1)[0],
        "actor": str(origin.actor),
        "session": declared.session if declared else "",
        "evidence": declared.extra.get("evidence", "") if declared else "",
        "quote": declared.extra.get("quote", "") if declared else "",
        "date": when(origin.step.time),
        "certainty": origin.certainty,
    }


def when(seconds: int) -> str:
    """Return a moment as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def line(origin: Origin) -> str:
    """Return one link on one line: commit, date, who, what."""
    doubt = "" if origin.certainty == "sure" else f" ({origin.certainty})"
    return f"{origin.step.id[:12]}  {when(origin.step.time)[:10]}  {origin.actor}  {origin.action}{doubt}"


@click.command("log")
@click.argument("entry", shell_complete=complete.entries)
@REV
@common(json_output=True)
def log(call: Call, entry: str, rev: str) -> int:
    """Follow one entry back through edits, moves and renames; old ids work too.

    \b
    hermes-git memory log 3f2a9c1b7d10
    hermes-git memory log "staging host"
    """
    store = load(call, rev)
    text = find(store, entry)
    links = history.chain(store, text) if text in store.texts() else _gone(store, text)
    if call.json:
        call.emit([as_json(link) for link in links])
    for link in links:
        call.say(line(link))
        call.say(f"    {shorten(link.text, 100)}")
    return errors.OK


def _gone(store: Store, text: str) -> list[Origin]:
    """Return the history of an entry that is no longer there, from the newest commit that had it."""
    holder = next(step for step in store.steps.values() if text in step.texts)
    return history.chain(Store(store.steps, holder.id), text)


@click.command("blame")
@click.option("--target", type=click.Choice([*TARGETS, "all"]), default="all", show_default=True)
@REV
@common(json_output=True)
def blame(call: Call, target: str, rev: str) -> int:
    """Say of every entry which commit taught it, who, when, and in which session.

    \b
    hermes-git memory blame
    hermes-git memory blame --target user --json
    """
    store = load(call, rev)
    origins = history.blame(store)
    names = TARGETS.values() if target == "all" else [TARGETS[target]]
    rows = [origins[text] for text, path in store.texts().items() if Path(path).name in names]
    if call.json:
        call.emit([as_json(row) for row in rows])
    for row in rows:
        call.say(f"{entry_id(row.text)}  {line(row)}  {shorten(row.text, 60)}")
    return errors.OK


@click.command("why")
@click.argument("entry", shell_complete=complete.entries)
@REV
@common(json_output=True)
def why(call: Call, entry: str, rev: str) -> int:
    """Show what an entry was learnt from: the session message and the words quoted from it.

    \b
    hermes-git memory why "staging host"
    """
    store = load(call, rev)
    links = history.chain(store, find(store, entry)) or _gone(store, find(store, entry))
    known = [link for link in links if link.declared and (link.declared.session or "evidence" in link.declared.extra)]
    if call.json:
        call.emit([as_json(link) for link in known])
        return errors.OK if known else errors.FINDINGS
    for link in known:
        declared = link.declared or Change("", "")
        call.say(line(link))
        reference = declared.extra.get("evidence", "")
        call.say(f"    session {declared.session or reference.partition('#')[0]}")
        if reference:
            session, _, message = reference.rpartition("#")
            call.say(f"    message {message}: {declared.extra.get('quote', '')!r}")
            call.say(f"    hermes-git search --session {session} --around {message}")
    if not known:
        call.say("no commit of this entry names a session or evidence")
    return errors.OK if known else errors.FINDINGS


@click.command("revert")
@click.argument("what", metavar="COMMIT|ENTRY", shell_complete=complete.entries)
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def revert(call: Call, what: str, dry_run: bool) -> int:
    """Take back what a commit did to entries, or bring back what an entry said before; neighbours stay as they are.

    \b
    hermes-git memory revert 1f3b9ac
    hermes-git memory revert "staging host"
    """
    commit = call.repo.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{what}^{{commit}}")
    steps = _commit_inverse(call, commit) if commit else _entry_inverse(call, what)
    reverted = commit[:12] if commit else what[:40]  # a name such as HEAD~1 means another commit tomorrow
    if not steps:
        raise UserError(f"nothing of {what!r} is left to take back", hint="see: hermes-git memory log ENTRY")
    code = errors.OK
    for target in dict.fromkeys(target for target, _ in steps):
        wanted = tuple(operation for where, operation in steps if where == target)
        code = max(code, memory_write.write(call, target, wanted, dry_run=dry_run, extra={"reverts": reverted}))
    return code


def _commit_inverse(call: Call, commit: str) -> list[tuple[str, Operation]]:
    """Return the operations that take back a commit's changes, where the entries still are as it left them."""
    store = load(call, "HEAD")
    step = store.steps.get(commit)
    if step is None:
        raise UserError(f"commit {commit[:12]} changed no memory file", hint="take it back with: git revert")
    found: list[tuple[str, Operation]] = []
    for target in TARGETS:
        path = memory_path(call.settings, target)
        now = drift.head_file(call.repo, path).texts
        before = _at(store, step.parents[0] if step.parents else "", path)
        found += [(target, row) for row in _inverse(before, _at(store, commit, path), now)]
    return found


def _at(store: Store, commit: str, path: str) -> list[str]:
    step = store.steps.get(commit)
    return [text for text, where in step.texts.items() if where == path] if step else []


def _inverse(before: list[str], after: list[str], now: tuple[str, ...]) -> list[Operation]:
    from hermes_git.knowledge.changes import classify

    wanted = []
    for change in classify(before, after):
        if change.action == "replace" and change.after[0] in now:
            wanted.append(Operation("replace", change.before[0], change.after[0]))
        elif change.action == "add" and change.after[0] in now:
            wanted.append(Operation("remove", "", change.after[0]))
        elif change.action in ("remove", "split", "merge"):
            wanted += [Operation("add", text) for text in change.before if text not in now]
            wanted += [Operation("remove", "", text) for text in change.after if text in now]
    return wanted


def _entry_inverse(call: Call, what: str) -> list[tuple[str, Operation]]:
    """Return the operation that brings back what an entry said before, or the entry itself where it is gone."""
    store = load(call, "HEAD")
    text = find(store, what)
    path = store.texts().get(text) or next(step.texts[text] for step in store.steps.values() if text in step.texts)
    target = next((name for name in TARGETS if memory_path(call.settings, name) == path), "memory")
    if text not in store.texts():
        return [(target, Operation("add", text))]
    last = history.chain(store, text)[0]
    if not last.before:
        return [(target, Operation("remove", "", text))]
    return [(target, Operation("replace", last.before[0], text))]


@click.command("bisect")
@click.option(
    "--run", "command", required=True, metavar="PROGRAM", help="Program that exits with 0 while memory is good."
)
@click.option("--good", default="", metavar="REV", help="A revision that is good; the first one by default.")
@REV
@common(json_output=True)
def bisect(call: Call, command: str, good: str, rev: str) -> int:
    """Find the commit whose entry made a probe fail. The program gets a folder with MEMORY.md and USER.md.

    \b
    hermes-git memory bisect --run ./probe.sh
    """
    store = load(call, rev)
    steps = list(reversed(store.steps.values()))
    first = next((place for place, step in enumerate(steps) if good and step.id.startswith(good)), 0)
    steps = steps[first:]
    if not steps or probe(call, command, steps[-1]) == 0:
        raise UserError("the probe does not fail at the end of the range", hint="check the program, or --rev")
    low, high = -1, len(steps) - 1
    if probe(call, command, steps[0]) == 0:
        low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if probe(call, command, steps[middle]) == 0 else (low, middle)
    bad = steps[high]
    origins = [history.origin(store, bad, text) for text in bad.texts if low < 0 or text not in steps[low].texts]
    if call.json:
        call.emit({"commit": bad.id, "entries": [as_json(origin) for origin in origins]})
    call.say(f"{bad.id[:12]} is the first bad commit: {bad.message.split(chr(10), 1)[0]}")
    for origin in origins:
        call.say(f"    {origin.action} {entry_id(origin.text)}: {shorten(origin.text, 100)}")
    return errors.OK


def probe(call: Call, command: str, step: history.Step) -> int:
    """Run the user's program on the memory of one commit; it comes from the command line, never from the repository."""
    import tempfile

    from hermes_git.knowledge.entries import render

    with tempfile.TemporaryDirectory(prefix="hermes-git-") as scratch:
        for name in TARGETS.values():
            texts = [text for text, path in step.texts.items() if Path(path).name == name]
            files.write_atomic(Path(scratch) / name, render(texts).encode("utf-8"))
        program = str(Path(command).absolute()) if Path(command).exists() else command
        try:
            done = subprocess.run([program, scratch], cwd=call.folder, check=False)
        except OSError as error:
            hint = "give an executable file, with a first line such as #!/bin/sh"
            raise UserError(f"{command} cannot be run: {error.strerror}", hint=hint) from error
    return done.returncode
