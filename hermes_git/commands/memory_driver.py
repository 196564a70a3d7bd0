"""What git itself calls for memory files: the text that `git diff` compares, and the merge by entry."""

from __future__ import annotations

from pathlib import Path

import click

from hermes_git import errors, files
from hermes_git.commands.screen import show, show_data
from hermes_git.gate.drift import decoded
from hermes_git.knowledge import merge, skill_merge


@click.command()
@click.argument("file", type=click.Path())
def textconv(file: str) -> int:
    """Print a memory file with the id above each entry, for `git diff`.

    \b
    git config diff.hermes-memory.textconv   shows how git calls it (set by init)
    """
    found = decoded(files.read_bytes(Path(file)), file)
    show("\n\n".join(f"[{entry.id}]\n{entry.text}" for entry in found.entries))
    return errors.OK


@click.command("merge-driver")
@click.argument("base", type=click.Path())
@click.argument("ours", type=click.Path())
@click.argument("theirs", type=click.Path())
@click.argument("path", required=False, default="")
def merge_driver(base: str, ours: str, theirs: str, path: str) -> int:
    """Merge memory files by entry, as git's merge driver; the result replaces OURS.

    \b
    git config merge.hermes-memory.driver   shows how git calls it (set by init)
    """
    texts = [decoded(files.read_bytes(Path(name)), path or name).raw() for name in (base, ours, theirs)]
    merged = merge.three_way(*texts)
    files.write_atomic(Path(ours), merged.marked.encode())
    for conflict in merged.conflicts:
        show(f"{path or ours}: both sides changed an entry: {conflict.base[:80]!r}", err=True)
    return errors.FINDINGS if merged.conflicts else errors.OK


@click.command("merge-skill-driver")
@click.argument("base", type=click.Path())
@click.argument("ours", type=click.Path())
@click.argument("theirs", type=click.Path())
@click.argument("path", required=False, default="")
def merge_skill_driver(base: str, ours: str, theirs: str, path: str) -> int:
    """Merge SKILL.md files by key and section, as git's merge driver; the result replaces OURS.

    \b
    git config merge.hermes-skill.driver   shows how git calls it (set by init)
    """
    texts = [files.read_bytes(Path(name)).decode("utf-8", "surrogateescape") for name in (base, ours, theirs)]
    merged = skill_merge.three_way(*texts)
    files.write_atomic(Path(ours), merged.text.encode("utf-8", "surrogateescape"))
    for name in merged.conflicts:
        show(f"{path or ours}: both sides changed {name}", err=True)
    return errors.FINDINGS if merged.conflicts else errors.OK


@click.command("merge")
@click.argument("base", type=click.Path())
@click.argument("ours", type=click.Path())
@click.argument("theirs", type=click.Path())
def merge_files(base: str, ours: str, theirs: str) -> int:
    """Merge three memory files by entry and print the result; exit 1 when entries are in conflict.

    \b
    git show :1:knowledge/memory/MEMORY.md > base.md   (and :2: ours.md, :3: theirs.md)
    hermes-git memory merge base.md ours.md theirs.md > knowledge/memory/MEMORY.md
    """
    texts = [decoded(files.read_bytes(Path(name)), name).raw() for name in (base, ours, theirs)]
    merged = merge.three_way(*texts)
    show_data(merged.marked.raw())
    return errors.FINDINGS if merged.conflicts else errors.OK
