"""`hermes-git session list` and `session show`."""

from __future__ import annotations

import click
import msgspec

from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.errors import OK, UserError
from hermes_git.gate.memory import shorten
from hermes_git.screen import printable
from hermes_git.sessions import canonical
from hermes_git.sessions.model import Message, Session
from hermes_git.sessions.store import absent, open_store
from hermes_git.sessions.typed import typed


@click.command("list")
@click.option("--agent", default="", metavar="NAME", help="Only sessions of this agent.")
@click.option("--limit", default=50, show_default=True, metavar="N", help="At most this many, newest first; 0 for all.")
@common(json_output=True)
def list_(call: Call, agent: str, limit: int) -> int:
    """List stored sessions, newest first.

    \b
    hermes-git session list --agent codex --limit 5
    """
    store = open_store(call.repo, call.settings)
    if folder := absent(store):
        raise UserError(
            f"the folder of sessions is not there: {folder}",
            hint="hermes-git session import makes it; or mount its disk",
        )
    stored = store.sessions()
    found = [
        (canonical.decode_header(data, where=path), data) for path, data in store.read(item.path for item in stored)
    ]
    chosen = [pair for pair in found if agent in ("", pair[0].agent)]
    chosen.sort(key=lambda pair: (pair[0].started_at, pair[0].id), reverse=True)
    shown = chosen[:limit] if limit > 0 else chosen
    if call.json:
        call.emit({"total": len(chosen), "sessions": [_row_json(header, data) for header, data in shown]})
        return OK
    if found and not chosen:
        call.say(f"no sessions of {agent!r}; there are some of: {', '.join(sorted({one.agent for one, _ in found}))}")
    elif not chosen:
        call.say("no sessions here yet; bring some in with: hermes-git session import PATH")
    for header, data in shown:
        when = header.started_at[:16].replace("T", " ") or "no time"
        title = printable(header.title or _preview(data))
        call.say(f"{header.id}  {when:16}  {header.agent:12}  {_count(data):5,}  {shorten(title, 60)}".rstrip())
    if len(shown) < len(chosen):
        call.say(f"… and {len(chosen) - len(shown):,} more (--limit 0 shows all)")
    return OK


def _preview(data: bytes) -> str:
    """Return the beginning of the first thing that the person said, for a session without a title."""
    for line in data.split(b"\n", LOOKED_AT)[1:-1]:
        message = msgspec.json.decode(line, type=Message)
        if message.role == "user" and message.state == "active":
            return " ".join(typed(message.content)[:200].split())
    return ""


LOOKED_AT = 40
"""How many lines of a session are looked at for a preview."""


def _count(data: bytes) -> int:
    return max(0, data.count(b"\n") - 1)


def _row_json(header: Session, data: bytes) -> dict[str, object]:
    names = (
        "id",
        "agent",
        "title",
        "started_at",
        "ended_at",
        "model",
        "channel",
        "cwd",
        "branch",
        "parent",
        "parent_kind",
    )
    return {**{name: getattr(header, name) for name in names}, "messages": _count(data)}


@click.command("show")
@click.argument("name", metavar="ID", shell_complete=complete.sessions)
@click.option("--full", is_flag=True, help="Do not shorten long messages.")
@common(json_output=True)
def show(call: Call, name: str, full: bool) -> int:
    """Show one session; the beginning of its id is enough.

    \b
    hermes-git session show 20260901_08 --full
    """
    found = open_store(call.repo, call.settings).session(name)
    if call.json:
        call.emit(msgspec.to_builtins(found))
        return OK
    call.say(f"{found.id}  {found.agent}  {found.started_at}  {found.title}".rstrip())
    for field in ("model", "cwd", "repository", "branch", "commit", "parent", "parent_kind"):
        if getattr(found, field):
            call.say(f"  {field}: {getattr(found, field)}")
    for row in found.messages:
        call.say()
        call.say(_message_text(row, full))
    return OK


def _message_text(row: Message, full: bool) -> str:
    marks = [row.role, row.tool_name, "" if row.state == "active" else row.state, "failed" if row.is_error else ""]
    lines = [f"#{row.id} " + " ".join(mark for mark in (*marks, row.timestamp) if mark)]
    lines += [f"  (thinks) {_shortened(row.reasoning, full)}"] if row.reasoning else []
    lines += [_shortened(row.content, full)] if row.content else []
    lines += [f"  → {call.name} {_shortened(call.arguments, full)}" for call in row.tool_calls]
    return "\n".join(lines)


def _shortened(text: str, full: bool) -> str:
    shown = printable(text)
    if full or len(shown) <= SHOWN_CHARACTERS:
        return shown
    return f"{shown[:SHOWN_CHARACTERS]} … ({len(shown) - SHOWN_CHARACTERS:,} more characters, --full shows them)"


SHOWN_CHARACTERS = 1200
