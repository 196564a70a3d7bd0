"""`hermes-git skill write-file` and `skill remove-file`: the files beside SKILL.md."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path, PurePosixPath

import click

from hermes_git import files
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_read import Found, read_found
from hermes_git.commands.skill_write import Write, carry_out, short_id
from hermes_git.document import MODE_EXECUTABLE, MODE_FILE
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.knowledge.listing import Listing, find
from hermes_git.knowledge.skill import SKILL_FILE
from hermes_git.names import is_inside

MAX_FILE = 1024 * 1024
"""Bytes of a supporting file beyond which Hermes takes none."""


@click.command("write-file")
@click.argument("name", shell_complete=complete.skills)
@click.argument("path")
@click.option("--from", "source", metavar="FILE", required=True, help="The content, from a file or - for stdin.")
@click.option("--executable", is_flag=True, help="Make it executable.")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def write_file(call: Call, *, name: str, path: str, source: str, executable: bool, dry_run: bool) -> int:
    """Write one file beside SKILL.md, new or in place of an old one.

    \b
    hermes-git skill write-file deploy references/hosts.md --from hosts.md
    hermes-git skill write-file deploy scripts/run.sh --from run.sh --executable
    """
    check_inner(path)
    data = _read(call, source)

    def build(base: str | None, known: Listing) -> Write | None:
        found = read_found(call, base or "", find(known, name))
        _check_place(found, path)
        full = f"{found.root}/{path}"
        old = found.entries.get(full)
        mode = MODE_EXECUTABLE if executable else (old.mode if old else MODE_FILE)
        before = read.blob(call.repo, old.id) if old else b""
        if old and before == data and old.mode == mode:
            return None
        return Write(
            "write",
            found.key,
            {full: data},
            f"skills: write {found.key} {path}",
            short_id(call, before) if old else "",
            short_id(call, data),
            {"file": path},
            {full: mode},
        )

    return carry_out(call, build, dry_run=dry_run, nothing="nothing to do: the file says this already")


@click.command("remove-file")
@click.argument("name", shell_complete=complete.skills)
@click.argument("path")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def remove_file(call: Call, *, name: str, path: str, dry_run: bool) -> int:
    """Remove one file beside SKILL.md; history keeps it.

    \b
    hermes-git skill remove-file deploy references/old-hosts.md
    """
    check_inner(path)

    def build(base: str | None, known: Listing) -> Write | None:
        found = read_found(call, base or "", find(known, name))
        full = f"{found.root}/{path}"
        entry = found.entries.get(full)
        if entry is None:
            listed = "\n".join(f"  {found.inner(other)}" for other in sorted(found.entries))
            raise UserError(f"{found.key} has no {path!r}", hint=f"its files are:\n{listed}")
        return Write(
            "write",
            found.key,
            {full: None},
            f"skills: remove {found.key} {path}",
            entry.id[:12],
            "",
            {"file": path},
            {full: entry.mode},
        )

    return carry_out(call, build, dry_run=dry_run)


def check_inner(path: str) -> None:
    """Refuse a path that leaves the skill, is SKILL.md, would make a skill inside the skill, or hides.

    SKILL.md changes by `edit` and `patch` only, which validate it.
    """
    parts = PurePosixPath(path).parts
    plain = str(PurePosixPath(path)) == path and all(unicodedata.category(char)[0] != "C" for char in path)
    if not is_inside(path) or not plain or any(part.startswith(".") for part in parts):
        raise UserError(f"{path!r} is not a plain path inside the skill", hint="for example references/hosts.md")
    if parts[-1].casefold() == SKILL_FILE.casefold():
        hint = "change it with: hermes-git skill edit NAME, or hermes-git skill patch NAME"
        raise UserError(f"{path} is not written as a file", hint=hint)


def _check_place(found: Found, path: str) -> None:
    """Refuse a path that goes through a file or a link, or that is a folder already."""
    full = f"{found.root}/{path}"
    for parent in map(str, PurePosixPath(full).parents):
        if parent in found.entries:
            raise UserError(f"{found.inner(parent)} is not a folder", hint="choose another path")
    if full in found.entries and found.entries[full].mode not in (MODE_FILE, MODE_EXECUTABLE):
        raise UserError(f"{path} is not a regular file", hint=f"hermes-git skill remove-file {found.key} {path}")
    if any(other.startswith(f"{full}/") for other in found.entries):
        raise UserError(f"{path} is a folder", hint="choose another path")


def _read(call: Call, source: str) -> bytes:
    if source != "-":
        return files.read_bytes(call.folder / Path(source), limit=MAX_FILE)
    data = sys.stdin.buffer.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise UserError(f"more than {MAX_FILE:,} bytes", where=source, hint="link to data of that size instead")
    return data
