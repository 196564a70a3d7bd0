"""`hermes-git skill matrix`: what each host makes of a skill: refused, ignored, cut."""

from __future__ import annotations

from collections import Counter

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_files import OnDisk, choose, on_disk
from hermes_git.errors import UserError
from hermes_git.knowledge import hosts
from hermes_git.knowledge.layout import skill_key
from hermes_git.knowledge.seen import Remark, see
from hermes_git.reports.text import visible

Judged = dict[str, tuple[Remark, ...]]


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete.skills)
@click.option("--all", "everything", is_flag=True, help="Judge every skill and count.")
@click.option("--host", type=click.Choice(tuple(hosts.HOSTS)), default=None, help="Only this host.")
@common(json_output=True)
def matrix(call: Call, names: tuple[str, ...], everything: bool, host: str | None) -> int:
    """Judge skills by the rules of each host, and say what it refuses, ignores or cuts off.

    \b
    hermes-git skill matrix release-notes
    hermes-git skill matrix --all
    hermes-git skill matrix --all --host hermes --json
    """
    if bool(names) == everything:
        raise UserError("name skills, or give --all", hint="hermes-git skill matrix NAME")
    found = on_disk(call)
    judged = {
        root: _only(hosts.judge(see(root, found.skills[root].documents)), host) for root in choose(call, found, names)
    }
    if call.json:
        call.emit([_as_json(call, found, root, rows) for root, rows in judged.items()])
    elif everything:
        _print_counts(call, judged)
    else:
        for root, rows in judged.items():
            _print_one(call, root, rows)
    return errors.OK


def _only(rows: Judged, host: str | None) -> Judged:
    return rows if host is None else {host: rows[host]}


def _as_json(call: Call, found: OnDisk, root: str, rows: Judged) -> dict[str, object]:
    return {
        "skill": skill_key(root, call.settings),
        "path": found.skills[root].path,
        "hosts": {
            host: {
                "verdict": hosts.verdict(remarks),
                "remarks": [
                    {"effect": row.effect, "about": row.about, "line": row.line, "message": row.message}
                    for row in remarks
                ],
            }
            for host, remarks in rows.items()
        },
    }


def _print_one(call: Call, root: str, rows: Judged) -> None:
    call.say(visible(skill_key(root, call.settings)))
    for host, remarks in rows.items():
        call.say(f"  {host:<12} {hosts.verdict(remarks)}")
        for row in remarks:
            where = f"line {row.line}: " if row.line else f"{visible(row.about)}: " if row.about else ""
            call.say(f"      {row.effect}: {where}{visible(row.message)}")


def _print_counts(call: Call, judged: dict[str, Judged]) -> None:
    verdicts = ("loads", "ignored", "cut", "unclear", "refused")
    call.say(f"{'host':<12} " + " ".join(f"{word:>8}" for word in verdicts))
    shown = next(iter(judged.values()), {})
    for host in shown:
        counts = Counter(hosts.verdict(rows[host]) for rows in judged.values())
        call.say(f"{host:<12} " + " ".join(f"{counts[word]:>8,}" for word in verdicts))
    for host in shown:
        messages = Counter(_kind(row) for rows in judged.values() for row in rows[host])
        for (effect, message), count in messages.most_common(3):
            call.say(f"  {host}: {count:,} x {effect}: {visible(message)}")
    call.say(f"{len(judged):,} skills; ignored, cut and unclear are the weightiest remark on a skill that loads")


def _kind(row: Remark) -> tuple[str, str]:
    """Return a remark without its numbers and names, so that the same one counts as the same."""
    import re

    return row.effect, re.sub(r"'[^']*'|[\d,]*\d", "…", row.message)
