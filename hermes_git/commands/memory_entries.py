"""`hermes-git memory add|replace|remove|list|show|render`: each change judged by the gate and committed by itself."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import complete, memory_write
from hermes_git.commands.call import Call, common, parse_now
from hermes_git.commands.screen import show_data
from hermes_git.errors import UserError
from hermes_git.gate import drift as drifts
from hermes_git.gate.doors import token_counter
from hermes_git.gate.drift import decoded
from hermes_git.gate.operations import Operation, select
from hermes_git.gitrepo import read
from hermes_git.knowledge import budget, entries
from hermes_git.knowledge.layout import TARGETS, memory_path
from hermes_git.screen import amount

TARGET = click.option(
    "--target", type=click.Choice(list(TARGETS)), default="memory", show_default=True, help="MEMORY.md or USER.md."
)
DRY_RUN = click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")


@click.command("add")
@click.argument("text")
@TARGET
@click.option("--evidence", metavar="SESSION#MESSAGE", default="", help="The message that this was learnt from.")
@click.option("--quote", metavar="TEXT", default="", help="Words of that message; checked to be really there.")
@DRY_RUN
@common(json_output=True, now=True)
def add(call: Call, text: str, target: str, evidence: str, quote: str, dry_run: bool) -> int:
    """Add one entry; what is there already is a reported no-op.

    \b
    hermes-git memory add "Deploys go through make release." --evidence 20261101_080000_ab12cd#4 --quote "make release"
    hermes-git memory add - < fact.txt                     from standard input
    """
    extra = memory_write.evidence(call, evidence, quote)
    return memory_write.write(call, target, (Operation("add", _given(call, text)),), dry_run=dry_run, extra=extra)


def _given(call: Call, text: str) -> str:
    """Return the text, or what standard input holds where it is `-`."""
    if text != "-":
        return text
    from hermes_git.commands.skill_new import read_text

    return read_text(call, "-").removesuffix("\n")


@click.command("replace")
@click.option(
    "--old-text",
    required=True,
    metavar="TEXT",
    help="The entry, its id, or a part that only it holds.",
    shell_complete=complete.entries,
)
@click.option("--new-text", required=True, metavar="TEXT", help="The whole new text, - for stdin.")
@TARGET
@DRY_RUN
@common(json_output=True, now=True)
def replace(call: Call, old_text: str, new_text: str, target: str, dry_run: bool) -> int:
    """Replace one entry; zero or several matches change nothing and list the candidates.

    \b
    hermes-git memory replace --old-text "UTC+2" --new-text "The user's time zone is UTC+1."
    """
    return memory_write.write(call, target, (Operation("replace", _given(call, new_text), old_text),), dry_run=dry_run)


@click.command("remove")
@click.option(
    "--old-text",
    required=True,
    metavar="TEXT",
    help="The entry, its id, or a part that only it holds.",
    shell_complete=complete.entries,
)
@TARGET
@DRY_RUN
@common(json_output=True, now=True)
def remove(call: Call, old_text: str, target: str, dry_run: bool) -> int:
    """Remove one entry; history keeps it.

    \b
    hermes-git memory remove --old-text "old staging host"
    """
    return memory_write.write(call, target, (Operation("remove", "", old_text),), dry_run=dry_run)


@click.command("list")
@TARGET
@click.option("--rev", default="HEAD", show_default=True, help="The revision to read.")
@click.option("--as-of", metavar="DATE|REV", default="", help="Read the memory as it was then.")
@common(json_output=True)
def list_entries(call: Call, target: str, rev: str, as_of: str) -> int:
    """List the entries with their ids and the budget used.

    \b
    hermes-git memory list --target user
    hermes-git memory list --as-of 2026-05-01 --json
    """
    rev = revision_as_of(call, as_of) if as_of else rev
    file = memory_at(call, target, rev)
    limit = budget.limit_of(target, call.settings.memory)
    used = budget.used(file.texts, call.settings.memory, token_counter(call.settings))
    if call.json:
        rows = [{"id": entry.id, "text": entry.text} for entry in file.entries]
        call.emit({"target": target, "entries": rows, "used": used, "limit": limit, "unit": call.settings.memory.unit})
        return errors.OK
    for entry in file.entries:
        call.say(f"{entry.id}  {entry.text.replace(chr(10), chr(10) + ' ' * 14)}")
    call.say(f"{amount(len(file.entries), 'entry')}, {used:,} of {limit:,} {call.settings.memory.unit}")
    if rev == "HEAD" and call.repo.top is not None:
        _note_drift(call, target)
    return errors.OK


def _note_drift(call: Call, target: str) -> None:
    """Say that the file on disk holds something else, which a list of what is committed would hide."""
    for row in drifts.drift(call.repo, call.settings, [target]):
        call.note(f"{row.path} on disk says something else; see it with: hermes-git memory drift")


@click.command("show")
@click.argument("entry", shell_complete=complete.entries)
@TARGET
@click.option("--rev", default="HEAD", show_default=True, help="The revision to read.")
@click.option("--as-of", metavar="DATE|REV", default="", help="Read the memory as it was then.")
@common(json_output=True)
def show(call: Call, entry: str, target: str, rev: str, as_of: str) -> int:
    """Show one entry whole, by its id or by a part of its text.

    \b
    hermes-git memory show 3f2a9c1b7d10
    hermes-git memory show "staging host" --as-of 2026-05-01
    """
    rev = revision_as_of(call, as_of) if as_of else rev
    text = select(memory_at(call, target, rev).texts, entry)
    if call.json:
        call.emit({"target": target, "id": entries.entry_id(text), "text": text})
    call.say(text)
    return errors.OK


@click.command("render")
@click.option("--target", type=click.Choice(["memory", "user", "all"]), default="all", show_default=True)
@click.option("--rev", default="HEAD", show_default=True, help="The revision to freeze.")
@common(json_output=True)
def render(call: Call, target: str, rev: str) -> int:
    """Render the block for the system prompt: frozen at a revision, every entry scanned.

    \b
    hermes-git memory render --rev HEAD~3
    """
    from hermes_git.providers import snapshot

    targets = list(TARGETS) if target == "all" else [target]
    files = {name: memory_at(call, name, rev) for name in targets}
    blocks = [snapshot.block(name, file, call.settings) for name, file in files.items()]
    if call.json:
        call.emit({"revision": read.resolve(call.repo, rev), "blocks": [block.as_json() for block in blocks]})
        return errors.OK
    shown = "\n\n".join(block.text for block in blocks if block.text)
    show_data(f"{shown}\n" if shown else "")
    for line in (line for block in blocks for line in block.quarantined):
        call.note(line)
    return errors.OK


def revision_as_of(call: Call, moment: str) -> str:
    """Return the commit of HEAD's history that was the newest at a date, or the revision of that name."""
    found = call.repo.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{moment}^{{commit}}")
    if found:
        return found
    try:
        when = parse_now(moment) or call.clock()
    except UserError as error:
        hint = "give a date such as 2026-05-01, or what git log shows"
        raise UserError(f"--as-of {moment!r} is neither a date nor a revision", hint=hint) from error
    commit = call.repo.ask("rev-list", "--max-count=1", f"--before={int(when.timestamp())}", "HEAD")
    if not commit:
        raise UserError(f"no commit is as old as {moment}", hint="the first one: git log --reverse")
    return commit


def memory_at(call: Call, target: str, rev: str) -> entries.MemoryFile:
    """Read the memory file of a target at a revision; no commit yet and no file yet are both empty."""
    if rev == "HEAD" and read.head(call.repo) is None:
        return entries.parse("")
    data = read.file_at(call.repo, read.resolve(call.repo, rev), memory_path(call.settings, target))
    return decoded(data or b"", memory_path(call.settings, target))
