"""`hermes-git skill log` and `skill blame`: what happened to a skill and who wrote which line, across renames."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_read import skill_at
from hermes_git.curator import archive
from hermes_git.curator.tree import Leaf, Tree
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.knowledge.listing import SKILL_FILE, find, listing
from hermes_git.provenance.authors import author_of
from hermes_git.provenance.change import Change, parse
from hermes_git.provenance.history import Event, History, Past, history
from hermes_git.provenance.log import Commit
from hermes_git.reports.text import visible
from hermes_git.sessions import canonical
from hermes_git.sessions.store import open_store

APPROVED = re.compile(r"^(?:approved|reviewed)-by:[ \t]*([^<\n]{1,80})", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Told:
    """What history tells of one commit to a skill: who, in which session, with which model, approved by whom."""

    actor: str
    session: str = ""
    model: str = ""
    approver: str = ""
    subject: str = ""

    @property
    def marks(self) -> str:
        """Return session, model and approver as words, those that are known."""
        named = (("session", self.session), ("model", self.model), ("approved-by", self.approver))
        return " ".join(f"{key}={visible(value)}" for key, value in named if value)

    def as_json(self) -> dict[str, object]:
        """Return who, in which session, with which model and approved by whom, as plain values."""
        return {"actor": self.actor, "session": self.session, "model": self.model, "approver": self.approver}


@click.command()
@click.argument("name", shell_complete=complete.skills)
@common(json_output=True)
def log(call: Call, name: str) -> int:
    """List what happened to a skill, newest first: created, edited, moved, archived, restored, and by whom.

    \b
    hermes-git skill log deploy
    hermes-git skill log devops/deploy@20261129-1a2b3c4
    """
    past, known = past_of(call, name)
    commits = {commit.id: commit for commit in known.commits}
    rows = [(event, told(commits[event.commit], past.roots)) for event in reversed(past.events)]
    models = models_of(call, {row.session for _, row in rows})
    rows = [(event, with_model(row, models)) for event, row in rows]
    if call.json:
        call.emit([_as_json(event, row) for event, row in rows])
        return errors.OK
    for event, row in rows:
        bulk = " (bulk)" if event.is_bulk else ""
        call.say(
            f"{day(event.time)}  {event.commit[:12]}  {event.kind + bulk:<12} {row.actor:<20} {row.marks}".rstrip()
        )
        call.say(f"    {visible(row.subject)}")
    if known.is_shallow:
        call.note("the history is shallow: the beginning is missing (git fetch --unshallow)")
    return errors.OK


def _as_json(event: Event, row: Told) -> dict[str, object]:
    return {
        "commit": event.commit,
        "time": datetime.fromtimestamp(event.time, UTC).isoformat(),
        "kind": event.kind,
        "bulk": event.is_bulk,
        **row.as_json(),
        "subject": row.subject,
    }


def day(moment: int) -> str:
    """Return the date of a moment in UTC."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")


def past_of(call: Call, name: str) -> tuple[Past, History]:
    """Return the life of a skill that is in use or archived, and the whole history."""
    head = read.head(call.repo)
    if head is None:
        raise UserError("there is no commit yet", hint="hermes-git skill new NAME --description TEXT")
    root = _root(call, head, name)
    known = history(call.repo, head)
    if root not in known.skills:
        raise UserError(f"history does not know {root}", hint="is the history shallow? git fetch --unshallow")
    return known.skills[root], known


def _root(call: Call, head: str, name: str) -> str:
    """Find the folder that a name means: of a skill in use, or of a restore point of the archive."""
    try:
        return find(listing(call.repo, call.settings, head), name).root
    except UserError as error:
        entries = read.tree(call.repo, head, call.settings.paths.archive)
        tree = Tree({path: Leaf(entry.mode, entry.id) for path, entry in entries.items()}, call.repo.object_format)
        rows = [row for row in archive.archived(tree, call.settings) if name in (row.label, row.root)]
        if len(rows) != 1:
            raise error
        return rows[0].root


def told(commit: Commit, roots: tuple[str, ...]) -> Told:
    """Return what a commit tells about its change to a skill that has been in these folders."""
    targets = tuple(dict.fromkeys(word for root in roots for word in _targets(root)))
    own: Change | None = next((change for change in parse(commit.message) if change.target in targets), None)
    own = own or next(iter(parse(commit.message)), None)
    approved = APPROVED.search(commit.message)
    return Told(
        str(author_of(commit, targets)),
        own.session if own else "",
        own.extra.get("model", "") if own else "",
        own.extra.get("approver", "")
        if own and "approver" in own.extra
        else approved.group(1).strip()
        if approved
        else "",
        commit.message.split("\n", 1)[0],
    )


def models_of(call: Call, sessions: Iterable[str]) -> dict[str, str]:
    """Return session id → model for those of the sessions that are stored here and say which model they used."""
    wanted = set(sessions) - {""}
    if not wanted:
        return {}
    store = open_store(call.repo, call.settings)
    paths = [item.path for item in store.sessions() if item.id in wanted]
    headers = [canonical.decode_header(data, where=path) for path, data in store.read(paths)]
    return {header.id: header.model for header in headers if header.model}


def with_model(row: Told, models: Mapping[str, str]) -> Told:
    """Fill in the model that the session used where the commit itself does not name one."""
    return row if row.model else replace(row, model=models.get(row.session, ""))


def _targets(root: str) -> list[str]:
    """Return the words by which a change line may call the skill in a folder: every tail of its path."""
    parts = root.split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


BOUNDARY = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?\Z")


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.argument("file", required=False, default=SKILL_FILE)
@common(json_output=True)
def blame(call: Call, name: str, file: str) -> int:
    """Say for each line who wrote it: commit, day, person or agent; with --json also session, model and approver.

    \b
    hermes-git skill blame deploy
    hermes-git skill blame deploy references/hosts.md
    """
    found = skill_at(call, name)
    document = found.document(file)
    past, known = past_of(call, found.key)
    commits = {commit.id: commit for commit in known.commits}
    rows = []
    for number, (commit_id, text) in enumerate(_blamed(call, found.commit, document.path), start=1):
        commit = commits.get(commit_id)
        row = told(commit, past.roots) if commit else Told("unknown:unknown")
        rows.append((number, commit_id, day(commit.time) if commit else "", row, text))
    models = models_of(call, {row.session for _, _, _, row, _ in rows})
    rows = [(number, commit, when, with_model(row, models), text) for number, commit, when, row, text in rows]
    if call.json:
        call.emit([{"line": number, "commit": commit, "day": when, **row.as_json(), "text": text}
                   for number, commit, when, row, text in rows])  # fmt: skip
        return errors.OK
    for number, commit_id, when, row, text in rows:
        call.say(f"{commit_id[:8]} {when} {row.actor:<20} {number:>4}  {visible(text)}")
    return errors.OK


def _blamed(call: Call, commit: str, path: str) -> list[tuple[str, str]]:
    """Return the commit and the text of each line, moved lines followed."""
    output = call.repo.git("blame", "--porcelain", "-M", commit, "--", path)
    rows, current = [], ""
    for line in output.split(b"\n"):
        if line.startswith(b"\t"):
            rows.append((current, line[1:].decode("utf-8", "replace").rstrip("\r")))
            continue
        head = BOUNDARY.match(line)
        if head:
            current = head.group(1).decode("ascii")
    return rows
