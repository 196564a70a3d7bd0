"""`hermes-git eval diff`, and the same comparison as a gate: two scorecards of the same exam."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from hermes_git import files
from hermes_git.commands.call import Call, common
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.evals import report, scorecard


def load(call: Call, path: str) -> dict[str, Any]:
    """Read a scorecard."""
    try:
        card = msgspec.json.decode(files.read_bytes(call.folder / path), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"not a scorecard: {error}", where=path, hint="give a scorecard.json") from error
    if card.get("format") != scorecard.FORMAT or "lines" not in card:
        raise UserError("not a scorecard of this format", where=path, hint="write it again with this version")
    return card


def judge(call: Call, card: dict[str, Any], before: dict[str, Any] | None, fail_under: float | None) -> int:
    """Hold a scorecard against an earlier one; a fall of more than `fail_under` points is a finding."""
    if before is None:
        return OK
    report.check_same_exam(before, card)
    fallen = [one for one in report.difference(before, card) if one["change"] < -(fail_under or 0.0)]
    for one in fallen:
        call.note(
            f"{one['policy']} at {one['budget']}: recall fell from {one['recall_before']} to {one['recall_after']}"
        )
    return FINDINGS if fallen else OK


@click.command()
@click.argument("before")
@click.argument("after")
@common(json_output=True)
def diff(call: Call, *, before: str, after: str) -> int:
    """Compare two scorecards of the same exam.

    \b
    hermes-git eval diff scores/scorecard.json later/scorecard.json
    """
    old, new = load(call, before), load(call, after)
    report.check_same_exam(old, new)
    found = report.difference(old, new)
    if call.json:
        call.emit({"lines": found})
    for one in found:
        call.say(
            f"{one['policy']:22} {one['budget']:>7} {one['recall_before']:6.1f} -> {one['recall_after']:6.1f} "
            f"({one['change']:+.1f})"
        )
    return OK
