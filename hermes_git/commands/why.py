"""`hermes-git why`: from a session or message to the knowledge that cites it, and from knowledge to its sessions."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import complete, memory_history
from hermes_git.commands.call import Call, common
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.knowledge.entries import entry_id
from hermes_git.names import whole_number
from hermes_git.provenance import citations, entry_history, log
from hermes_git.provenance.citations import Citation
from hermes_git.sessions.store import open_store


@click.command()
@click.argument("what", metavar="SESSION[#MESSAGE]|ENTRY|SKILL", shell_complete=complete.knowledge)
@common(json_output=True)
def why(call: Call, what: str) -> int:
    """Show which entries and skills cite a session, or which sessions an entry or skill was learnt from.

    \b
    hermes-git why 20261101_080000_ab12cd#4     what this message taught
    hermes-git why "staging host"               where an entry comes from
    hermes-git why web/link-check               where a skill comes from
    """
    head = read.resolve(call.repo, "HEAD")
    known = citations.citations(log.commits(call.repo, head))
    found = _of_session(call, known, what) or _of_knowledge(call, known, what, head)
    if call.json:
        call.emit([_as_json(row) for row in found])
    for row in found:
        change = row.change
        call.say(
            f"{row.commit[:12]}  {memory_history.when(row.time)[:10]}  {change.actor}  {change.action} {change.target}"
        )
        place = f" --around {row.message}" if row.message else ""
        call.say(f"    {change.after or change.before}  {change.extra.get('quote', '')}".rstrip())
        call.say(f"    hermes-git search --session {row.session}{place}")
    if not found:
        call.say(f"nothing cites {what}, and no commit says where it comes from")
    return errors.OK if found else errors.FINDINGS


def _of_session(call: Call, known: tuple[Citation, ...], what: str) -> tuple[Citation, ...]:
    """Return what cites a session that is stored, or that a commit names; () when the word is no session."""
    name, _, number = what.partition("#")
    stored = [row.id for row in open_store(call.repo, call.settings).sessions() if row.id.startswith(name)]
    full = stored[0] if len(stored) == 1 else name
    return citations.of_session(known, full, whole_number(number) or 0)


def _of_knowledge(call: Call, known: tuple[Citation, ...], what: str, head: str) -> tuple[Citation, ...]:
    by_key = citations.of_target(known, what)
    if by_key:
        return by_key
    store = entry_history.load(call.repo, head)
    try:
        text = memory_history.find(store, what)
    except UserError:
        return ()
    links = entry_history.chain(store, text) if text in store.texts() else []
    return citations.of_target(known, "", [entry_id(text), *(entry_id(link.text) for link in links)])


def _as_json(row: Citation) -> dict[str, object]:
    change = row.change
    return {
        "session_id": row.session,
        "message_id": row.message or None,
        "commit": row.commit,
        "date": memory_history.when(row.time),
        "actor": str(change.actor),
        "action": change.action,
        "target": change.target,
        "before": change.before,
        "after": change.after,
        "quote": change.extra.get("quote", ""),
    }
