"""`hermes-git trajectory`: look at training rows, count them, hold them against trainers' rules, compare two files."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import click

from hermes_git.commands.call import Call, common
from hermes_git.commands.lazy import Group
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.export.compress_files import decode, inputs, lines_of
from hermes_git.names import whole_number
from hermes_git.screen import amount
from hermes_git.tokens import choose
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories import describe, quality, validate
from hermes_git.trajectories.model import Drop
from hermes_git.trajectories.policy import DEFAULT, policy

MAX_SHOWN = 50
RULES = {**validate.TRAINERS, "general": quality.general}
"""Whose rules `validate` knows: trainers', and those that hold for all."""


@click.group(cls=Group)
def trajectory() -> None:
    """Look at training rows: show turns, count, validate for trainers, compare two files.

    \b
    hermes-git trajectory show rows.jsonl:3
    hermes-git trajectory validate --for llamafactory rows.jsonl
    """


tokenizer_option = click.option(
    "--tokenizer", metavar="NAME|PATH", default=None, help="What counts tokens.  [default: cl100k_base]"
)


@trajectory.command()
@click.argument("place", metavar="FILE[:ROW]")
@click.option("--budget", type=click.IntRange(min=0), default=0, help="Also show what this budget would replace.")
@click.option("--policy", "policy_name", metavar="NAME", default=DEFAULT, show_default=True)
@tokenizer_option
@common(json_output=True)
def show(call: Call, *, place: str, budget: int, policy_name: str, tokenizer: str | None) -> int:
    """Show the turns of one row: tokens, what trainers mask, what is protected, what is or would be compressed.

    \b
    hermes-git trajectory show rows.jsonl            the first row
    hermes-git trajectory show rows.jsonl:12 --budget 8000
    """
    name, _, number = place.rpartition(":")
    at = whole_number(number)
    path, wanted = (name, at) if name and at is not None else (place, 1)
    counter = _counter(tokenizer)
    line = next((row for row_number, row in _rows(call.folder / path) if row_number == wanted), None)
    if line is None:
        raise UserError(f"there is no row {wanted}", where=path, hint="rows are counted from 1")
    try:
        found = describe.lines(decode(line), counter, policy(policy_name), budget)
    except Drop as drop:
        raise UserError(drop.reason, where=f"{path}:{wanted}", hint="a row has conversations or messages") from drop
    if call.json:
        call.emit(
            {"row": wanted, "tokens": sum(row.tokens for row in found), "turns": [row.as_json() for row in found]}
        )
    for row in found:
        call.say(f"{row.turn:5} {row.role:6} {row.tokens:7,} {row.fate:10} {row.text}")
    call.say(f"{amount(len(found), 'turn')}, {sum(row.tokens for row in found):,} tokens ({counter.name})")
    return OK


@trajectory.command()
@click.argument("sources", metavar="FILES...", nargs=-1, required=True)
@tokenizer_option
@common(json_output=True)
def stats(call: Call, *, sources: tuple[str, ...], tokenizer: str | None) -> int:
    """Count rows, turns, tokens, calls and results.

    \b
    hermes-git trajectory stats rows.jsonl
    hermes-git trajectory stats data/ --json
    """
    counter, found = _counter(tokenizer), describe.Stats()
    for _, line in call.watch(_all_rows(call, sources), "rows"):
        try:
            found.add(decode(line), counter)
        except Drop as drop:
            found.dropped[drop.reason] += 1
    report = {**found.as_json(), "tokenizer": counter.describe()}
    if call.json:
        call.emit(report)
    for name, value in report.items():
        shown = ", ".join(f"{key} {item}" for key, item in value.items()) if isinstance(value, dict) else value
        call.say(f"{name:10} {shown}")
    return FINDINGS if found.dropped else OK


@trajectory.command("validate")
@click.argument("sources", metavar="FILES...", nargs=-1, required=True)
@click.option(
    "--for",
    "trainers",
    metavar="NAMES",
    default="llamafactory,general",
    show_default=True,
    help="Whose rules to apply, separated by commas: " + ", ".join(RULES) + ".",
)
@common(json_output=True)
def validate_command(call: Call, *, sources: tuple[str, ...], trainers: str) -> int:
    """Hold rows against the rules of trainers' own loaders; exit code 1 when one objects.

    \b
    hermes-git trajectory validate --for llamafactory rows.jsonl
    hermes-git trajectory validate --for axolotl,trl,openai messages.jsonl
    hermes-git trajectory validate --for general rows.jsonl
    """
    chosen = trainers.split(",")
    unknown = next((name for name in chosen if name not in RULES), None)
    if unknown is not None:
        raise UserError(f"no trainer called {unknown!r}", hint=f"there are: {', '.join(RULES)}")
    rows, objections = 0, []
    for where, line in call.watch(_all_rows(call, sources), "rows"):
        rows += 1
        objections += list(_objections(where, line, chosen))
    if call.json:
        call.emit({"rows": rows, "objections": objections})
    for found in objections[:MAX_SHOWN]:
        call.say(f"{found['where']}: {found['trainer']}: {found['rule']}: turn {found['turn']}: {found['message']}")
    if len(objections) > MAX_SHOWN:
        call.say(f"… and {len(objections) - MAX_SHOWN} more; see --json")
    call.say(f"{amount(rows, 'row')}, {amount(len(objections), 'objection')} by {trainers}")
    return FINDINGS if objections else OK


def _objections(where: str, line: bytes, chosen: list[str]) -> Iterator[dict[str, object]]:
    try:
        row = decode(line)
    except Drop as drop:
        yield {"where": where, "trainer": "all", "rule": "json", "turn": -1, "message": drop.reason}
        return
    if not isinstance(row, dict):
        yield {"where": where, "trainer": "all", "rule": "json", "turn": -1, "message": "not a JSON object"}
        return
    for name in chosen:
        for found in RULES[name](row):
            yield {"where": where, "trainer": name, "rule": found.rule, "turn": found.turn, "message": found.message}


@trajectory.command()
@click.argument("before")
@click.argument("after")
@tokenizer_option
@common(json_output=True)
def diff(call: Call, *, before: str, after: str, tokenizer: str | None) -> int:
    """Show, row by row, which turns one file has lost against another and what stands in their place.

    \b
    hermes-git trajectory diff rows.jsonl small.jsonl
    """
    counter = _counter(tokenizer)
    rows = []
    pairs = itertools.zip_longest(_rows(call.folder / before), _rows(call.folder / after))
    for number, (old, new) in enumerate(pairs, 1):
        if old is None or new is None:
            raise UserError(f"row {number} is in one file only", hint="compare a file with its compressed form")
        try:
            changes = [line.as_json() for line in describe.difference(decode(old[1]), decode(new[1]), counter)]
        except Drop as drop:
            raise UserError(drop.reason, where=f"row {number}", hint="see: hermes-git trajectory validate") from drop
        rows.append({"row": number, "changes": changes})
    if call.json:
        call.emit({"rows": rows})
    for row in rows:
        _say_changes(call, row)
    return OK


def _say_changes(call: Call, row: dict[str, object]) -> None:
    changes = row["changes"]
    for change in changes if isinstance(changes, list) else ():
        sign = "-" if change["fate"] == "left out" else "+"
        call.say(f"{row['row']}: {sign} {change['turn']:4} {change['role']:6} {change['tokens']:6,} {change['text']}")


def _counter(tokenizer: str | None) -> Counter:
    return choose.counter(tokenizer) if tokenizer else choose.default()


def _rows(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield `(number, line)` of the rows of a file, blank lines not counted."""
    if not path.is_file():
        raise UserError(f"no such file: {path}", hint="give a JSONL file of trajectories")
    yield from enumerate((line for _, line in lines_of(path)), 1)


def _all_rows(call: Call, sources: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    for source in sources:
        for path in inputs(call.folder / source):
            for number, line in _rows(path):
                yield f"{path.relative_to(call.folder) if path.is_relative_to(call.folder) else path}:{number}", line
