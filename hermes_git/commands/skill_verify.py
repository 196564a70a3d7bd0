"""`hermes-git skill verify` and `skill outdated`: installed skills against their lock, and against their source."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_install import locked_at, locks_at
from hermes_git.commands.skill_read import read_found
from hermes_git.commands.skill_source import address, obtain
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.fetch import remote_commit
from hermes_git.knowledge import lock
from hermes_git.knowledge.listing import find, listing
from hermes_git.knowledge.lock import Drifted, Locked
from hermes_git.reports.text import visible


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete.skills)
@common(json_output=True)
def verify(call: Call, names: tuple[str, ...]) -> int:
    """Compare installed skills with the lock file: exit 1 where a file was changed, added or removed here.

    What is committed is compared; files on disk that differ from it (ignored ones too) are named as `on-disk`.

    \b
    hermes-git skill verify
    """
    found = {row.key: (*_drift(call, row), *_on_disk(call, row)) for row in _chosen(call, names)}
    if call.json:
        call.emit(
            [
                {"skill": key, "drift": [{"path": row.path, "state": row.state} for row in rows]}
                for key, rows in found.items()
            ]
        )
    else:
        for key, rows in found.items():
            call.say(f"{'as installed' if not rows else 'changed here'}  {visible(key)}")
            for row in rows:
                call.say(f"    {row.state:<8} {visible(row.path)}")
        call.say(f"{len(found)} installed, {sum(1 for rows in found.values() if rows)} changed here")
    return errors.FINDINGS if any(found.values()) else errors.OK


def _chosen(call: Call, names: tuple[str, ...]) -> list[Locked]:
    return [locked_at(call, name)[0] for name in names] if names else list(locks_at(call).values())


def _drift(call: Call, row: Locked) -> tuple[Drifted, ...]:
    head = read.head(call.repo) or ""
    known = listing(call.repo, call.settings, head)
    try:
        here = read_found(call, head, find(known, row.key))
    except UserError:
        return lock.drift(row, ())
    large = tuple(lock.LockedFile(here.inner(path), "", "") for path, _ in here.too_large)
    return lock.drift(row, (*lock.files_of(here.skill.documents, here.root), *large))


def _on_disk(call: Call, row: Locked) -> tuple[Drifted, ...]:
    """Name the files of a skill that an agent finds on disk other than they are committed."""
    if call.repo.top is None:
        return ()
    root = f"{call.settings.paths.skills}/{row.key}"
    found = read.pending(call.repo, root, ignored=True)
    return tuple(Drifted(path[len(root) + 1 :].rstrip("/"), "on-disk") for path in sorted(found))


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete.skills)
@click.option("--strict", is_flag=True, help="Exit with 1 when something is behind.")
@common(json_output=True)
def outdated(call: Call, names: tuple[str, ...], strict: bool) -> int:
    """Ask the sources of installed skills whether they have something newer; this uses the network where they do.

    \b
    hermes-git skill outdated
    """
    rows = [(row, *_newer(call, row)) for row in _chosen(call, names)]
    if call.json:
        call.emit(
            [{"skill": row.key, "source": row.source, "state": state, "commit": row.commit, "there": there}
             for row, state, there in rows]
        )  # fmt: skip
    else:
        for row, state, there in rows:
            call.say(
                f"{state:<9} {visible(row.key)}  {visible(row.source)}  {row.commit[:12]} -> {there[:12]}".rstrip(" ->")
            )
        call.say(f"{len(rows)} installed, {sum(1 for _, state, _ in rows if state == 'behind')} behind")
    return errors.FINDINGS if strict and any(state == "behind" for _, state, _ in rows) else errors.OK


def _newer(call: Call, row: Locked) -> tuple[str, str]:
    """Return current, behind, or unknown where a source cannot be asked, and what it has."""
    try:
        place = row.source if "://" in row.source or ":" in row.source else str(call.repo.work_tree() / row.source)
        where = address(call, f"{place}@{row.revision}" if row.revision else place)
        if where.is_folder:
            there = obtain(call, where)
            files = lock.files_of(there.skills.get(row.folder, ()), "" if row.folder == "." else row.folder)
            known = {file.path for file in row.files}
            same = row.files == tuple(file for file in files if file.path in known or file.path not in row.left_out)
            return ("current" if same else "behind"), ""
        now = remote_commit(call.repo.cwd, where.place, row.revision)
    except UserError as error:
        call.note(f"{row.key}: {error.message}")
        return "unknown", ""
    return ("current" if now == row.commit else "behind"), now
