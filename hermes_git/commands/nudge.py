"""`hermes-git nudge`: tell an agent or a hook what in a session is worth saving."""

from __future__ import annotations

from pathlib import Path

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.curator.nudge import MEMORY_INTERVAL, SKILL_INTERVAL, Signal, signals
from hermes_git.errors import UserError
from hermes_git.sessions.detect import detect
from hermes_git.sessions.loss import Tally
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Source
from hermes_git.sessions.store import open_store


@click.command()
@click.argument("transcript", required=False, type=click.Path(path_type=Path))
@click.option(
    "--session",
    "session_id",
    metavar="ID",
    default="",
    help="A stored session instead of a file.",
    shell_complete=complete.sessions,
)
@click.option(
    "--memory-interval", type=int, default=MEMORY_INTERVAL, show_default=True, help="User turns without a memory write."
)
@click.option(
    "--skill-interval", type=int, default=SKILL_INTERVAL, show_default=True, help="Rounds without a skill write."
)
@common(json_output=True)
def nudge(call: Call, transcript: Path | None, session_id: str, memory_interval: int, skill_interval: int) -> int:
    """Say what in a session is worth saving: corrections, wishes, recoveries, long loops, skills that proved wrong.

    Looking consumes nothing; a signal goes away when memory or a skill was written after it. Without a file or an id
    the newest stored session is read. An interval of 0 switches that counter off.

    \b
    hermes-git nudge ~/.claude/projects/-srv-shop/4ec443d0.jsonl
    hermes-git nudge --session 20261101_080000_ab12cd --json
    """
    if transcript is not None and session_id:
        raise UserError("a file and --session contradict each other", hint="give one of them")
    found = _from_file(call.folder / transcript) if transcript else [_stored(call, session_id)]
    rows = [
        (session, signal)
        for session in found
        for signal in signals(session, memory_interval=memory_interval, skill_interval=skill_interval)
    ]
    if call.json:
        call.emit({"sessions": [session.id for session in found], "signals": [_row(*pair) for pair in rows]})
    for session, signal in rows:
        call.say(f"{session.id}#{signal.message}  {signal.kind}: {signal.seen}")
        call.say(f"    {signal.advice}")
    if rows:
        session, signal = rows[0]
        call.say(f'save with evidence: hermes-git memory add "…" --evidence {session.id}#{signal.message}')
    return errors.OK


def _row(session: Session, signal: Signal) -> dict[str, object]:
    place = {"session": session.id, "message": signal.message}
    return place | {"kind": signal.kind, "seen": signal.seen, "advice": signal.advice}


def _from_file(path: Path) -> list[Session]:
    source = Source(path)
    module = detect(source.head)
    if module is None:
        raise UserError(f"{path} is in no format known here", hint="see: hermes-git session import --help")
    return list(module.read(source, Tally(source.shown)))


def _stored(call: Call, session_id: str) -> Session:
    store = open_store(call.repo, call.settings)
    if session_id:
        return store.session(session_id)
    known = [item for item in store.sessions() if "/unknown/" not in item.path]
    if not known:
        raise UserError("no session is stored", hint="name a transcript, or: hermes-git session import PATH")
    month = max(item.path.rsplit("/", 1)[0] for item in known)
    newest = [store.session(item.id) for item in known if item.path.startswith(f"{month}/")]
    return max(newest, key=lambda session: (session.ended_at or session.started_at, session.id))
