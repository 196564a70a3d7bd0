"""`hermes-git session`: import what agents wrote, list it, show it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from hermes_git.commands import agent_homes
from hermes_git.commands.call import Call, common, is_terminal
from hermes_git.commands.lazy import Group
from hermes_git.commands.screen import show_progress
from hermes_git.commands.session_check import check
from hermes_git.commands.session_forget import forget
from hermes_git.commands.session_judge import Judging
from hermes_git.commands.session_merge import merge
from hermes_git.commands.session_read import list_, show
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.provenance import spool
from hermes_git.provenance.change import Change, message
from hermes_git.screen import amount, printable
from hermes_git.sessions.intake import Describe, FileReport, Given, Importer, Intake, Refused
from hermes_git.sessions.loss import is_loss
from hermes_git.sessions.model import LossReport
from hermes_git.sessions.store import Store, open_store
from hermes_git.sessions.watch import changes

STATES = ("new", "grown", "unchanged", "forgotten", "refused")
RARE = ("forgotten", "refused")
"""States that are told only where there are any."""


@click.group("session", cls=Group)
def session() -> None:
    """Import, list and show the sessions of agents.

    \b
    hermes-git session import ~/.claude/projects
    hermes-git session list
    hermes-git session show 20260901_080000_ab12cd
    """


session.add_command(list_)
session.add_command(show)
session.add_command(forget)
session.add_command(merge)
session.add_command(check)


@session.command("import")
@click.argument("paths", nargs=-1, metavar="PATH…", type=click.Path(path_type=Path))
@click.option("--discover", is_flag=True, help="Find the sessions of this user's agents and import them too.")
@click.option("--watch", type=float, metavar="SECONDS", default=None, help="Go on: look for changes this often.")
@click.option("--no-redact", is_flag=True, help="Keep secrets and personal data; only for a folder outside git.")
@click.option("--forgotten", is_flag=True, help="Also import sessions that were forgotten.")
@click.option("--again", is_flag=True, help="Read sources again that have not changed, for example after an upgrade.")
@click.option("--dry-run", is_flag=True, help="Report what would be imported and write nothing.")
@common(json_output=True, now=True)
def import_(call: Call, paths: tuple[Path, ...], discover: bool, watch: float | None, **options: bool) -> int:
    """Import session files, or folders of them, whatever agent wrote them.

    Formats are recognised by their content: Claude Code, Codex, Hermes (exports, files, state.db), OpenAI chat,
    Gemini CLI, opencode, Cursor, pi, SpecStory, ATIF, SWE-agent, tau2-bench, ShareGPT. Secrets and personal data
    become placeholders before anything is written. Importing again adds what is new and changes nothing else.
    What is to be stored passes the guard: a session with bytes or secrets that block is named and left out, the others
    are stored; hidden text and words of attacks, which tools print all day, are counted.
    The exit code is 1 when a session was left out, rows were damaged or unknown, or a file is in no known format.

    \b
    hermes-git session import ~/.claude/projects/-srv-shop
    hermes-git session import rollout-2026-09-01.jsonl --json
    hermes-git session import --discover --dry-run
    hermes-git session import --discover --watch 30
    """
    sources: list[Given] = [*_given(call, paths), *(_discovered(call) if discover else ())]
    if not sources:
        raise UserError("nothing to import", hint="name a file or a folder, or let --discover look for agents")
    code = _import(call, sources, options)
    if watch is not None:
        for changed in changes(sources, pause=lambda: time.sleep(max(watch, 0.1))):
            code = max(code, _import(call, changed, options))
    return code


def _given(call: Call, paths: tuple[Path, ...]) -> list[Path]:
    """Return the paths as they were typed, or below the folder that -C names."""
    return list(paths) if call.folder == Path.cwd() else [call.folder / path for path in paths]


def _discovered(call: Call) -> list[Given]:
    """Say what was found, before anything of it is read, and return it."""
    homes = agent_homes.of_this_user(call.folder)
    for home in homes:
        call.note(f"found {home.agent}: {amount(home.files, 'file')}, {home.bytes:,} bytes in {home.path}")
    if not homes:
        call.note("no agent's sessions were found")
    return [home.place for home in homes]


def _import(call: Call, sources: Sequence[Given], options: Mapping[str, bool]) -> int:
    if not options["dry_run"]:
        spool.flush(call.repo, call.settings, now=call.now)
    store = open_store(call.repo, call.settings, now=call.now)
    redacting = _redacting(call, store, options["no_redact"])
    importer = Importer(
        store,
        _describer(call, store),
        Judging(call, redacting).judge,
        redacting=redacting,
        homes=call.settings.sessions.redact_homes,
        again=options["again"],
        dry=options["dry_run"],
        revive=options["forgotten"],
        watch=_progress(call),
    )
    found = importer.run(sources)
    if is_terminal() and not call.quiet:
        show_progress("")
    if call.json:
        call.emit(as_json(found))
    else:
        _tell(call, found, store, options["dry_run"])
    return FINDINGS if found.refused or found.unsupported or _losses(found.loss) else OK


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
    return lambda path: show_progress(printable(path)[-78:])


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
        "counts": dict(sorted(found.counts.items())),
        "findings": [_refused_json(row) for row in found.refused],
        "unsupported": found.unsupported,
        "damaged": list(loss.damaged),
        "notes": loss.notes,
        "files": [_file_json(report) for report in found.files],
        "revision": found.revision,
    }


def _refused_json(row: Refused) -> dict[str, object]:
    return {"session": row.session, "source": row.source, "message_id": row.message, **row.finding.as_json()}


def _file_json(report: FileReport) -> dict[str, object]:
    loss = report.loss
    counts = {"rows_in": loss.rows_in, "kept": loss.kept, "merged": loss.merged, "dropped": loss.dropped}
    return {"path": report.path, "format": report.format, "sessions": list(report.sessions), **counts}


def _tell(call: Call, found: Intake, store: Store, dry: bool) -> None:
    loss = found.loss
    for name in sorted({report.format for report in found.files}):
        reports = [report for report in found.files if report.format == name]
        sessions = sum(len(report.sessions) for report in reports)
        call.say(f"{name}: {amount(sessions, 'session')} in {amount(len(reports), 'file')}")
    dropped = sum(loss.dropped.values())
    call.say(f"{amount(loss.rows_in, 'row')} = {loss.kept:,} kept + {loss.merged:,} merged + {dropped:,} dropped")
    told = (("dropped", loss.dropped), ("noted", loss.notes), ("redacted", found.redactions), ("found", found.counts))
    for title, counts in told:
        _tell_counts(call, title, counts)
    _tell_places(call, "row", "damaged", loss.damaged)
    _tell_places(call, "file", "in no known format", found.unsupported)
    _tell_refused(call, found)
    shown = [state for state in STATES if state not in RARE or found.states[state]]
    states = ", ".join(f"{found.states[state]:,} {state}" for state in shown)
    where = "nothing was written (--dry-run)" if dry else f"now {store.place.where}"
    call.say(f"{amount(found.sessions, 'session')}: {states}; {where}")


def _tell_counts(call: Call, title: str, counts: Mapping[str, int]) -> None:
    if counts:
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        shown = [f"{name} {count:,}" for name, count in ordered[:MOST_KINDS]]
        rest = ordered[MOST_KINDS:]
        if rest:
            shown.append(f"and {sum(count for _, count in rest):,} of {len(rest)} more kinds (see --json)")
        call.say(f"  {title}: " + ", ".join(shown))


def _tell_places(call: Call, what: str, why: str, places: Sequence[str]) -> None:
    if places:
        call.say(f"{amount(len(places), what)} {why}:")
        for place in places[:MOST_TOLD]:
            call.say(f"  {place}")
        if len(places) > MOST_TOLD:
            call.say(f"  … and {len(places) - MOST_TOLD:,} more (--json lists them)")


def _tell_refused(call: Call, found: Intake) -> None:
    """Say on standard error which sessions were left out, why, and what to do."""
    for row in found.refused[:MOST_TOLD]:
        at = f"{row.finding.path}:{row.finding.line}"
        where = f"message {row.message}, " if row.message else ""
        call.note(f"{row.source or row.session}: session {row.session} is not stored: {where}{at}: "
                  f"{row.finding.check}: {row.finding.message}")  # fmt: skip
        if row.finding.hint:
            call.note(f"    {row.finding.hint}")
    if len(found.refused) > MOST_TOLD:
        call.note(f"  … and {len(found.refused) - MOST_TOLD:,} more (--json lists them)")
    if found.refused:
        call.note("take what blocks out of the source and import again, or keep sessions as they are outside git: "
                  'sessions.place = "folder" and --no-redact')  # fmt: skip


MOST_KINDS = 12
MOST_TOLD = 20
