"""`hermes-git eval guard`: labelled skills, malicious and harmless, before the guard."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from hermes_git import files
from hermes_git.commands.call import Call, common
from hermes_git.commands.eval_input import COUNT
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.evals.guard_exam import FLOORS, SETS, Judged, Skill, card, judge, skill
from hermes_git.export import workers as pool

MAX_BYTES = 1 << 30
"""The most that a set may unpack to."""

Labelled = tuple[str, Skill]


@dataclass(frozen=True, slots=True)
class JudgingJob:
    """What another process needs to judge skills."""

    def build(self) -> Callable[[Labelled], Judged]:
        """Return the step."""
        return lambda one: judge(*one)


@click.command()
@click.argument("sets", metavar="SETS")
@click.option("--only", metavar="STRATA", default="", help="Judge these strata alone, separated by commas.")
@click.option("--floors", "has_floors", is_flag=True, help="Exit 1 if a figure misses its floor.")
@click.option(
    "--list", "is_listed", is_flag=True, help="Name the malicious skills that pass, and harmless ones kept out."
)
@click.option("--workers", type=COUNT, default=1, show_default=True, help="Processes.")
@click.option("--out", metavar="DIR", default=None, help="Folder for guard.json.")
@common(json_output=True)
def guard(call: Call, *, sets: str, only: str, has_floors: bool, is_listed: bool, workers: int, out: str | None) -> int:
    """Judge labelled skills as if strangers had sent them: what is caught, and what is kept out for nothing.

    SETS is a folder of malicious.jsonl.gz, benign.jsonl.gz, benign-hard.jsonl.gz, mutation.jsonl.gz and others: one
    skill a line, with id, stratum and files (path, mode, text or base64). Nothing of them is run or written.

    \b
    hermes-git eval guard sets --floors
    hermes-git eval guard sets --list --workers 2
    """
    chosen = frozenset(part for part in only.split(",") if part)
    unread: list[str] = []
    found = [one for one in labelled(call.folder / sets, unread) if not chosen or one[1].stratum in chosen]
    if not found:
        raise UserError("no labelled skills", where=sets, hint=f"SETS holds files such as {SETS[0]}.jsonl.gz")
    judged = call.watch(pool.run(JudgingJob(), found, workers), "skills", len(found))
    result = card(list(judged), len(unread))
    if out:
        files.write_atomic(call.folder / out / "guard.json", (json.dumps(result, indent=1) + "\n").encode("utf-8"))
    if call.json:
        call.emit(result)
    _show(call, result, is_listed=is_listed)
    for where in unread:
        call.note(f"hermes-git: {where} is no labelled skill, and was left out")
    return FINDINGS if has_floors and (result["floors_missed"] or unread) else OK


def labelled(folder: Path, unread: list[str]) -> Iterator[Labelled]:
    """Yield the skills of every set in a folder, with the name of the set; lines that are none are named."""
    for name in SETS:
        data = files.read_optional(folder / f"{name}.jsonl.gz")
        rows = unpacked(data, folder / f"{name}.jsonl.gz").split(b"\n") if data is not None else ()
        for number, line in enumerate(rows, 1):
            one = skill(line) if line.strip() else None
            if one is not None:
                yield name, one
            elif line.strip():
                unread.append(f"{name}.jsonl.gz:{number}")


def unpacked(data: bytes, path: Path) -> bytes:
    """Return what a gzip file holds, within bounds."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            found = stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"not a gzip file: {error}", where=str(path)) from error
    if len(found) > MAX_BYTES:
        raise UserError("a set of more than a gibibyte", where=str(path), hint="split it")
    return found


def _show(call: Call, result: dict[str, Any], *, is_listed: bool) -> None:
    for name, row in result["sets"].items():
        call.say(f"{name:24} {row['blocked']:4} of {row['skills']:4} kept out")
        for stratum, one in row["strata"].items() if len(row["strata"]) > 1 else ():
            call.say(f"  {stratum:22} {one['blocked']:4} of {one['skills']:4}")
    for name, floor in FLOORS.items():
        missed = "  missed" if name in result["floors_missed"] else ""
        call.say(f"{name.replace('_', ' '):24} {result['figures'][name]:5} %  (floor {floor}){missed}")
    if is_listed:
        for id in result["passed"]:
            call.say(f"passed: {id}")
        for id, checks in result["blocked"].items():
            call.say(f"kept out: {id} ({', '.join(checks)})")
