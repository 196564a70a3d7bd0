"""Writing skills from the command line: every write is one judged commit, and never over work that is not committed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hermes_git import errors
from hermes_git.commands.call import Call
from hermes_git.commands.memory_write import tell_commit
from hermes_git.errors import UserError
from hermes_git.gate import commit as judged
from hermes_git.gate import sync
from hermes_git.gitrepo import read, write
from hermes_git.gitrepo.read import TreeEntry
from hermes_git.knowledge.listing import Listing, listing
from hermes_git.provenance.change import Change
from hermes_git.reports.text import visible

SHOWN_PENDING = 5


@dataclass(frozen=True, slots=True)
class Write:
    """What one command writes: path → bytes (None removes), the action it is, and what to tell afterwards.

    `folders` are looked at whole for work that is not committed; a path alone otherwise.
    """

    action: str
    key: str
    content: Mapping[str, bytes | None]
    subject: str
    before: str = ""
    after: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    modes: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    body: str = ""


Builder = Callable[[str | None, Listing], Write | None]
"""Given the commit to build on and its skills, say what to write, or None when it is there already."""


def carry_out(call: Call, build: Builder, *, dry_run: bool = False, nothing: str = "nothing to do") -> int:
    """Judge and commit what a builder says; print what happened; return the exit code."""
    made: list[Write] = []

    def draft(base: str | None) -> judged.Draft | None:
        made.clear()
        wanted = build(base, listing(call.repo, call.settings, base))
        if wanted is None:
            return None
        made.append(wanted)
        sync.refuse_through_links(call.repo, wanted.content)
        _refuse_over_pending(call, wanted)
        change = Change(
            wanted.action, wanted.key, wanted.before, wanted.after, call.actor, call.session, dict(wanted.extra)
        )
        return judged.Draft(wanted.content, wanted.subject, (change,), wanted.body, modes=wanted.modes)

    outcome = judged.commit(call.repo, draft, actor=call.actor, today=call.clock().date(), dry_run=dry_run)
    return _tell(call, made[0] if made else None, outcome, dry_run, nothing)


def _refuse_over_pending(call: Call, wanted: Write) -> None:
    """Stop where the user has edits of these files that are not committed: they would be lost or mixed in."""
    found = read.pending(call.repo, *wanted.folders, *wanted.content)
    if not found:
        return
    paths = sorted(found)
    listed = "\n".join(f"  {found[path]} {visible(path)}" for path in paths[:SHOWN_PENDING])
    more = f"\n  and {len(paths) - SHOWN_PENDING} more" if len(paths) > SHOWN_PENDING else ""
    raise UserError(
        "there are edits that are not committed; nothing was written",
        where=visible(paths[0]),
        hint=f"{listed.strip()}{more}\n  commit them first, or set them aside with: git stash push -- {paths[0]}",
    )


def _tell(call: Call, wanted: Write | None, outcome: judged.Outcome, dry_run: bool, nothing: str) -> int:
    report = outcome.report
    if call.json:
        call.emit(_as_json(wanted, outcome))
    elif report.findings:
        from hermes_git.reports import text

        call.note(text.render(report))
    if report.verdict == "block":
        return errors.FINDINGS
    if wanted is None:
        call.say(nothing)
        return errors.OK
    call.say(f"{'would ' if dry_run else ''}{visible(wanted.subject.split(': ', 1)[-1])}")
    tell_commit(call, outcome)
    return errors.OK


def _as_json(wanted: Write | None, outcome: judged.Outcome) -> dict[str, object]:
    from hermes_git.reports.json import as_json

    return {
        "success": outcome.report.verdict != "block",
        "action": wanted.action if wanted else "",
        "skill": wanted.key if wanted else "",
        "paths": sorted(wanted.content) if wanted else [],
        "commit": outcome.commit,
        "proposal": outcome.proposal,
        "already_there": wanted is None,
        **as_json(outcome.report),
    }


def short_id(call: Call, data: bytes) -> str:
    """Return the twelve hex digits by which a change line names the bytes of a file."""
    return write.blob_id(call.repo, data)[:12]


def modes_of(entries: Mapping[str, TreeEntry]) -> dict[str, str]:
    """Return path → mode of tree entries, so that what is moved keeps its executable bit."""
    return {path: entry.mode for path, entry in entries.items()}
