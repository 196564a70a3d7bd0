"""`hermes-git session`: import what agents wrote, list it, show it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click
import msgspec

from hermes_git.commands.call import Call, common, is_terminal
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.provenance.change import Change, message
from hermes_git.sessions import canonical
from hermes_git.sessions.intake import Describe, FileReport, Importer, Intake
from hermes_git.sessions.loss import is_loss
from hermes_git.sessions.model import LossReport, Message, Session
from hermes_git.sessions.store import Store, open_store

STATES = ("new", "grown", "unchanged")


@click.group("session")
def session() -> None:
    """Import, list and show the sessions of agents.

    \b
    hermes-git session import ~/.claude/projects
    hermes-git session list
    hermes-git session show 20260901_080000_ab12cd
    """


@session.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=click.Path(path_type=Path))
@click.option("--no-redact", is_flag=True, help="Keep secrets and personal data; only for a folder outside git.")
@click.option("--again", is_flag=True, help="Read sources again that have not changed, for example after an upgrade.")
@click.option("--dry-run", is_flag=True, help="Report what would be imported and write nothing.")
@common(json_output=True, now=True)
def import_(call: Call, paths: tuple[Path, ...], no_redact: bool, again: bool, dry_run: bool) -> int:
    """Import session files, or folders of them, whatever agent wrote them.

    Formats are recognised by their content: Claude Code, Codex, Hermes (exports, files, state.db), OpenAI chat,
    Gemini CLI, opencode, Cursor, pi, SpecStory, ATIF, SWE-agent, ShareGPT. Secrets and personal data become
    placeholders before anything is written. Importing again adds what is new and changes nothing else.
    The exit code is 1 when rows were damaged or unknown, or a file is in no known format.

    \b
    hermes-git session import ~/.claude/projects/-srv-shop
    hermes-git session import rollout-2026-09-01.jsonl --json
    """
    store = open_store(call.repo, call.settings, now=call.now)
    redacting = _redacting(call, store, no_redact)
    importer = Importer(store, _describer(call, store), redacting, again, dry_run, _progress(call))
    found = importer.run(paths if call.folder == Path.cwd() else [call.folder / path for path in paths])
    if is_terminal() and not call.quiet:
        click.echo("\r\x1b[K", nl=False, err=True)
    if call.json:
        call.emit(as_json(found))
    else:
        _tell(call, found, store, dry_run)
    return FINDINGS if found.unsupported or _losses(found.loss) else OK


def _redacting(call: Call, store: Store, no_redact: bool) -> bool:
    wanted = call.settings.sessions.redact and not no_redact
    if not wanted and store.place.name != "folder":
        raise UserError(
            "sessions in a repository are always redacted",
            hint='set sessions.place = "folder" to keep unredacted sessions in a folder outside git',
        )
    return wanted


def _describer(call: Call, store: Store) -> Describe:
    def describe(counts: Mapping[str, int]) -> str:
        extra = {name: str(counts[name]) for name in ("new", "grown") if counts.get(name)}
        change = Change("import", "sessions", store.revision[:12], "", call.actor, call.session, extra)
        return message(f"sessions: import {counts.get('new', 0)} new, {counts.get('grown', 0)} grown", [change])

    return describe


def _progress(call: Call) -> Callable[[str], None]:
    if call.quiet or not is_terminal():
        return lambda _: None
    return lambda path: click.echo(f"\r\x1b[K{printable(path)[-78:]}", nl=False, err=True)


def _losses(loss: LossReport) -> int:
    return sum(count for why, count in loss.dropped.items() if is_loss(why))


def as_json(found: Intake) -> dict[str, object]:
    """Return the published JSON form of an import."""
    loss = found.loss
    return {
        "sessions": found.sessions,
        **{state: found.states[state] for state in STATES},
        "rows_in": loss.rows_in,
        "kept": loss.kept,
        "merged": loss.merged,
        "dropped": loss.dropped,
        "redactions": dict(sorted(found.redactions.items())),
        "unsupported": found.unsupported,
        "damaged": list(loss.damaged),
        "notes": loss.notes,
        "files": [_file_json(report) for report in found.files],
        "revision": found.revision,
    }


def _file_json(report: FileReport) -> dict[str, object]:
    loss = report.loss
    counts = {"rows_in": loss.rows_in, "kept": loss.kept, "merged": loss.merged, "dropped": loss.dropped}
    return {"path": report.path, "format": report.format, "sessions": list(report.sessions), **counts}


def _tell(call: Call, found: Intake, store: Store, dry: bool) -> None:
    loss = found.loss
    for name in sorted({report.format for report in found.files}):
        reports = [report for report in found.files if report.format == name]
        sessions = sum(len(report.sessions) for report in reports)
        call.say(f"{name}: {sessions:,} sessions in {len(reports):,} files")
    dropped = sum(loss.dropped.values())
    call.say(f"{loss.rows_in:,} rows = {loss.kept:,} kept + {loss.merged:,} merged + {dropped:,} dropped")
    for title, counts in (("dropped", loss.dropped), ("noted", loss.notes), ("redacted", found.redactions)):
        _tell_counts(call, title, counts)
    _tell_places(call, "damaged rows", loss.damaged)
    _tell_places(call, "files in no known format", found.unsupported)
    states = ", ".join(f"{found.states[state]:,} {state}" for state in STATES)
    where = "nothing was written (--dry-run)" if dry else f"now {store.place.where}"
    call.say(f"{found.sessions:,} sessions: {states}; {where}")


def _tell_counts(call: Call, title: str, counts: Mapping[str, int]) -> None:
    if counts:
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        call.say(f"  {title}: " + ", ".join(f"{printable(name)} {count:,}" for name, count in ordered))


def _tell_places(call: Call, title: str, places: Sequence[str]) -> None:
    if places:
        call.say(f"{len(places):,} {title}:")
        for place in places[:MOST_TOLD]:
            call.say(f"  {printable(place)}")
        if len(places) > MOST_TOLD:
            call.say(f"  … and {len(places) - MOST_TOLD:,} more (--json lists them)")


MOST_TOLD = 20


@session.command("list")
@click.option("--agent", default="", metavar="NAME", help="Only sessions of this agent.")
@click.option("--limit", default=50, show_default=True, metavar="N", help="At most this many, newest first; 0 for all.")
@common(json_output=True)
def list_(call: Call, agent: str, limit: int) -> int:
    """List stored sessions, newest first.

    \b
    hermes-git session list --agent codex --limit 5
    """
    store = open_store(call.repo, call.settings)
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
    for header, data in shown:
        when = header.started_at[:16].replace("T", " ") or "no time"
        call.say(f"{header.id}  {when:16}  {header.agent:12}  {_count(data):5,}  {printable(header.title)[:60]}")
    if len(shown) < len(chosen):
        call.say(f"… and {len(chosen) - len(shown):,} more (--limit 0 shows all)")
    return OK


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


@session.command("show")
@click.argument("name", metavar="ID")
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
    call.say(f"{found.id}  {found.agent}  {found.started_at}  {printable(found.title)}".rstrip())
    for field in ("model", "cwd", "repository", "branch", "commit", "parent", "parent_kind"):
        if getattr(found, field):
            call.say(f"  {field}: {printable(str(getattr(found, field)))}")
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
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return text that cannot steer a terminal: control and direction characters become visible escapes."""
    return UNPRINTABLE.sub(lambda match: f"\\x{ord(match.group()):02x}", text)
