"""`hermes-git undo`: take back the last commit this tool made, by a new commit; nothing is rewritten."""

from __future__ import annotations

from collections.abc import Iterator

import click

from hermes_git import errors
from hermes_git.commands.call import Call, common
from hermes_git.commands.memory_write import tell_commit
from hermes_git.errors import UserError
from hermes_git.gate import commit as judged
from hermes_git.gate import copies
from hermes_git.gate.intent import REVERTS
from hermes_git.gate.replay import Commit
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import merge
from hermes_git.knowledge.layout import place
from hermes_git.provenance.change import Change, parse
from hermes_git.screen import amount
from hermes_git.settings import Settings

LOOK_BACK = 200
"""How many commits are searched for one that this tool made."""


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be taken back.")
@common(json_output=True, now=True)
def undo(call: Call, dry_run: bool) -> int:
    """Take back the last commit this tool made; running it again takes back the one before.

    An approved proposal is taken back whole. What you merged with git is yours: git revert -m 1 MERGE, or hermes-git
    curate undo RUN.

    \b
    hermes-git undo --dry-run
    hermes-git undo
    """
    target = _to_take_back(call)
    subject = target.subject

    def draft(base: str | None) -> judged.Draft | None:
        content = inverse(call.repo, base or "", target, call.settings)
        change = Change("revert", target.id[:12], actor=call.actor, session=call.session)
        body = f"This reverts commit {target.id}."
        if not content:
            return None
        modes = {row.path: row.mode_before for row in target.differences}
        modes = {path: mode for path, mode in modes.items() if content.get(path) is not None}
        mine = copies.carried(call.repo, call.settings, base or "", content)
        return judged.Draft(content, f'Revert "{subject}"', (change,), body, mine.on_disk, mine.in_index, modes)

    outcome = judged.commit(call.repo, draft, actor=call.actor, today=call.clock().date(), dry_run=dry_run)
    if call.json:
        call.emit({"reverted": target.id, "subject": subject, "commit": outcome.commit, "proposal": outcome.proposal})
    if outcome.report.verdict == "block":
        from hermes_git.reports import text

        call.note(text.render(outcome.report))
        return errors.FINDINGS
    would = "would take" if dry_run else "would take, once approved," if outcome.proposal else "took"
    call.say(f"{would} back {target.id[:12]}: {subject}")
    if outcome.proposal:
        tell_commit(call, outcome)
    return errors.OK


def _to_take_back(call: Call) -> Commit:
    """Find the commit to take back; one of which nothing is left, because somebody edited it away, is passed over."""
    head = read.head(call.repo) or ""
    merges: list[Commit] = []
    for target in own_commits(call.repo, call.settings, merges):
        if inverse(call.repo, head, target, call.settings):
            _tell_passed(call, merges)
            return target
        call.note(f"nothing is left of {target.id[:12]}: {target.subject}")
    _tell_passed(call, merges)
    hint = "undo another commit with: git revert COMMIT"
    raise UserError("no commit by this tool is left to take back", hint=hint)


def _tell_passed(call: Call, merges: list[Commit]) -> None:
    """Say that merges made with git, which may hold newer commits of this tool, stay as they are."""
    if merges:
        more = f" and {amount(len(merges) - 1, 'merge')} before it" if len(merges) > 1 else ""
        call.note(f"passed over what you merged with git: {merges[0].id[:12]} {merges[0].subject}{more}")
        call.note(f"  take it back with: git revert -m 1 {merges[0].id[:12]}")


def own_commits(repo: Repository, settings: Settings, merges: list[Commit]) -> Iterator[Commit]:
    """Yield the commits this tool made, newest first: no reverts, nothing reverted, not the start of the repository.

    The hooks put change lines into commits that people make with git, too; those are theirs to take back, as are merges
    that they made, which are added to `merges` where they hold knowledge.
    """
    head = read.head(repo)
    if head is None:
        return
    records = read.log(repo, "--first-parent", f"--max-count={LOOK_BACK}", "--format=%H %P%n%B", head, "--")
    by_tool, by_hand = _made_here(repo)
    reverted: set[str] = set()
    for record in records:
        first, _, message = record.partition("\n")
        id, *parents = first.split()
        taken_back = _taken_back(message)
        reverted |= set(taken_back)
        is_reverted = any(id.startswith(commit) for commit in reverted)
        is_merge = len(parents) > 1
        says_so = _is_approval(id, message, by_tool) if is_merge else _declares_knowledge(message)
        is_mine = says_so and id not in by_hand
        if taken_back or is_reverted or not (is_mine or is_merge):
            continue
        rows = tuple(read.compare(repo, parents[0] if parents else repo.empty_tree, id))
        found, areas = Commit(id, tuple(parents), message, rows), {place(row.path, settings).area for row in rows}
        if not is_mine:
            merges += [found] if areas & KNOWLEDGE else []
        elif id in by_tool or areas <= KNOWLEDGE:
            yield found


KNOWLEDGE = {"memory", "archived-memory", "skill", "archived-skill", "category", "curator"}
"""What a commit from elsewhere may touch and still count as one that the tool made."""


def _taken_back(message: str) -> list[str]:
    """Return the commits that a message says it reverts; an approved proposal names them in its change lines alone."""
    approved = [row.target for row in parse(message) if row.action == "revert" and "approved" in row.extra]
    return REVERTS.findall(message) or approved


def _is_approval(id: str, message: str, by_tool: set[str]) -> bool:
    """Say whether a merge is an approval by this tool; any other merge is a person's own."""
    return id in by_tool or any("approved" in row.extra for row in parse(message))


def _declares_knowledge(message: str) -> bool:
    """Say whether a message declares a change of knowledge; `repository` stands for whatever else a commit holds."""
    return any(change.target != "repository" for change in parse(message))


def _made_here(repo: Repository) -> tuple[set[str], set[str]]:
    """Return the commits that the reflog says were made in this clone: by this tool, and by `git commit`."""
    rows = [row.partition(" ") for row in read.log(repo, "--walk-reflogs", "--format=%H %gs", "HEAD", "--")]
    by_tool = {id for id, _, said in rows if said.startswith("hermes-git: ")}
    return by_tool, {id for id, _, said in rows if said.startswith("commit")} - by_tool


def inverse(repo: Repository, head: str, target: Commit, settings: Settings) -> dict[str, bytes | None]:
    """Return path → bytes that take a commit back on top of HEAD; later edits of other entries stay."""
    wanted: dict[str, bytes | None] = {}
    now = read.tree(repo, head)
    for row in target.differences:
        current = now[row.path].id if row.path in now else ""
        if current == row.id_before:
            continue
        if current == row.id_after:
            wanted[row.path] = read.blob(repo, row.id_before) if row.id_before else None
        elif place(row.path, settings).area in ("memory", "archived-memory") and current and row.id_after:
            before = read.blob(repo, row.id_before) if row.id_before else b""
            merged = merge.three_way(*(_text(data) for data in _three(repo, row.id_after, current, before)))
            if merged.conflicts:
                raise UserError("a later commit changed the same entry", where=row.path, hint=_by_hand(target))
            wanted[row.path] = merged.file.encode()
        else:
            raise UserError("a later commit changed the same file", where=row.path, hint=_by_hand(target))
    return wanted


def _three(repo: Repository, base: str, ours: str, theirs: bytes) -> tuple[bytes, bytes, bytes]:
    return read.blob(repo, base), read.blob(repo, ours), theirs


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _by_hand(target: Commit) -> str:
    return f"take it back by hand: git revert {'-m 1 ' if target.is_merge else ''}{target.id[:12]}"
