"""`hermes-git skill pin` and `skill unpin`: a line of the settings, so that taking a pin off is a change of policy."""

from __future__ import annotations

import click

from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_write import Write, carry_out, short_id
from hermes_git.gate.policy import parse_bytes
from hermes_git.gitrepo import read
from hermes_git.knowledge.listing import Listed, Listing, find
from hermes_git.knowledge.pins import with_pins
from hermes_git.settings import FILE_NAME


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def pin(call: Call, name: str, dry_run: bool) -> int:
    """Keep a skill where it is: neither curator nor command archives, renames, merges or deletes it.

    \b
    hermes-git skill pin deploy
    """
    return _carry_out(call, name, "pin", dry_run)


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def unpin(call: Call, name: str, dry_run: bool) -> int:
    """Take a pin off; this loosens policy, so an agent cannot do it alone.

    \b
    hermes-git skill unpin deploy
    """
    return _carry_out(call, name, "unpin", dry_run)


def _carry_out(call: Call, name: str, action: str, dry_run: bool) -> int:
    def build(base: str | None, known: Listing) -> Write | None:
        listed = find(known, name)
        before = (read.file_at(call.repo, base, FILE_NAME) if base else None) or b""
        pins = parse_bytes(before).curator.pinned
        wanted = _wanted(listed, pins, action)
        if wanted == pins:
            return None
        after = with_pins(before.decode("utf-8"), wanted).encode("utf-8")
        return Write(
            action,
            listed.key,
            {FILE_NAME: after},
            f"skills: {action} {listed.key}",
            short_id(call, before) if before else "",
            short_id(call, after),
        )

    return carry_out(call, build, dry_run=dry_run, nothing=f"nothing to do: it is {action}ned already")


def _wanted(listed: Listed, pins: tuple[str, ...], action: str) -> tuple[str, ...]:
    own = {listed.key, listed.name, listed.folder}
    if action == "unpin":
        return tuple(name for name in pins if name not in own)
    return pins if own & set(pins) else (*pins, listed.key)
