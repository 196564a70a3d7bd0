"""`hermes-git skill refresh`: which skills are behind the sources they were learnt from, and recording sources."""

from __future__ import annotations

from dataclasses import dataclass

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_edit import change_text
from hermes_git.commands.skill_list import listed_at
from hermes_git.commands.skill_read import read_found, skill_at
from hermes_git.commands.sources import digest_now, read_sources
from hermes_git.errors import UserError
from hermes_git.knowledge.listing import SKILL_FILE
from hermes_git.knowledge.recorded import Recorded, sources_of, with_sources
from hermes_git.reports.text import visible
from hermes_git.screen import amount


@dataclass(frozen=True, slots=True)
class Compared:
    """One source of one skill: same, changed, gone, or unknown where this tool cannot look."""

    skill: str
    source: Recorded
    state: str


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete.skills)
@click.option("--record", metavar="SOURCE", multiple=True, help="Record a source of the one skill named, as it is now.")
@click.option("--strict", is_flag=True, help="Exit with 1 when a skill is behind.")
@common(json_output=True, now=True)
def refresh(call: Call, *, names: tuple[str, ...], record: tuple[str, ...], strict: bool) -> int:
    """Say which skills are behind their sources; with --record, note what a skill was learnt from.

    \b
    hermes-git skill refresh
    hermes-git skill refresh deploy --record docs/deploy.md --record https://example.org/guide
    """
    if record:
        return _record(call, names, record)
    rows = [row for name in names or _all(call) for row in _compare(call, name)]
    behind = sorted({row.skill for row in rows if row.state in ("changed", "gone")})
    if call.json:
        call.emit({"sources": [_as_json(row) for row in rows], "behind": behind})
    else:
        _print(call, rows, behind)
    return errors.FINDINGS if strict and behind else errors.OK


def _all(call: Call) -> tuple[str, ...]:
    return tuple(row.key for row in listed_at(call).skills if not row.problem)


def _compare(call: Call, name: str) -> list[Compared]:
    found = skill_at(call, name)
    return [Compared(found.key, source, _state(call, source)) for source in sources_of(found.skill)]


def _state(call: Call, source: Recorded) -> str:
    if source.is_url or not source.digest:
        return "unknown"
    now = digest_now(call, source.path)
    return "gone" if now is None else "same" if now == source.digest else "changed"


def _record(call: Call, names: tuple[str, ...], record: tuple[str, ...]) -> int:
    if len(names) != 1:
        raise UserError("--record needs the name of one skill", hint="hermes-git skill refresh NAME --record SOURCE")
    day = call.clock().strftime("%Y-%m-%d")
    fresh = {source.name: Recorded(source.name, source.digest, day) for source in read_sources(call, record)}
    if "-" in fresh:
        raise UserError("standard input cannot be looked at again", hint="record the file it came from")
    found = skill_at(call, names[0])
    kept = {source.path: source for source in sources_of(read_found(call, found.commit, found.listed).skill)}

    def change(text: str) -> str:
        return with_sources(text, {**kept, **fresh}.values())

    return change_text(call, names[0], SKILL_FILE, change, action="edit", dry_run=False)


def _as_json(row: Compared) -> dict[str, object]:
    return {
        "skill": row.skill,
        "path": row.source.path,
        "sha256": row.source.digest,
        "read": row.source.day,
        "state": row.state,
    }


def _print(call: Call, rows: list[Compared], behind: list[str]) -> None:
    for row in rows:
        hint = ", not looked at: compare it yourself" if row.state == "unknown" else ""
        call.say(f"{row.state:<8} {visible(row.skill)}  {visible(row.source.path)} (read {row.source.day}{hint})")
    late = f"{amount(len(behind), 'skill')} behind" + (f": {', '.join(behind)}" if behind else "")
    call.say(f"{amount(len(rows), 'source')}, {late}")
    if behind:
        call.say(f"bring one up to date with: hermes-git learn --update {behind[0]} SOURCE")
