"""`hermes-git loss`: what a range of commits took out of the knowledge, piece by piece."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands.call import Call, common
from hermes_git.curator import range_loss
from hermes_git.curator.loss import Fate
from hermes_git.curator.range_loss import RangeLoss
from hermes_git.errors import UserError
from hermes_git.gitrepo import read

SHOWN = 50


@click.command()
@click.argument("span", metavar="A..B")
@click.option("--all", "show_all", is_flag=True, help="List moved and duplicate units too, not only dropped ones.")
@common(json_output=True)
def loss(call: Call, span: str, show_all: bool) -> int:
    """Map every unit of the knowledge at A to its fate at B: verbatim, moved, duplicate of another, or dropped.

    A unit is a sentence, list item, heading, command, path, URL, table row or code block. Exit status 1 means that
    something was dropped that no change line in the range declares.

    \b
    hermes-git loss main..curator/2026-11-29-1f0c9aa
    hermes-git loss HEAD~1..HEAD --json
    """
    start, end = _ends(call, span)
    found = range_loss.measure(call.repo, start, end, call.settings)
    listed = found.loss.of("moved", "duplicate", "dropped") if show_all else found.loss.of("dropped")
    if call.json:
        call.emit(
            {
                "from": start,
                "to": end,
                "files": found.files,
                "units": found.loss.counts,
                "undeclared": len(found.undeclared),
                "fates": [fate.as_json() | {"declared": fate not in found.undeclared} for fate in listed],
            }
        )
    _show(call, found, listed)
    return errors.FINDINGS if found.undeclared else errors.OK


def _ends(call: Call, span: str) -> tuple[str, str]:
    start, dots, end = span.partition("..")
    if not dots or not start or end.startswith("."):
        raise UserError(f"{span!r} is not a range", hint="give two commits as A..B, for example HEAD~1..HEAD")
    return read.resolve(call.repo, start), read.resolve(call.repo, end or "HEAD")


def _show(call: Call, found: RangeLoss, listed: tuple[Fate, ...]) -> None:
    counts = ", ".join(f"{count:,} {status}" for status, count in found.loss.counts.items())
    call.say(f"files that differ: {found.files}; units: {counts}")
    for fate in listed[:SHOWN]:
        mark = "" if fate.status != "dropped" else " (undeclared)" if fate in found.undeclared else " (declared)"
        now = f" -> {fate.now}" if fate.now else ""
        text = fate.unit.text.replace("\n", " ")
        call.say(f"  {fate.path}:{fate.unit.line}: {fate.status}{mark} {fate.unit.kind}: {text[:140]}{now}")
    if len(listed) > SHOWN:
        call.say(f"  and {len(listed) - SHOWN} more; all of them with --json")
