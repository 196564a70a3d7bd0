"""What history says of each skill: when it came, when it last changed, who wrote it, and what it used to be called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.authors import author_of
from hermes_git.provenance.change import Actor, parse
from hermes_git.provenance.log import Commit, Row, commits

SKILL_FILE = "SKILL.md"
BULK_ROOTS = 10
"""A commit that edits this many skills at once is a bulk commit: a sweep, an import, a squash of many."""


@dataclass(frozen=True, slots=True)
class Event:
    """One commit in the life of a skill: what it did, when, who did it, and the blob pairs it edited.

    `kind` is create, edit, move or restore; `is_bulk` marks a commit that edited many skills at once.
    """

    kind: str
    commit: str
    time: int
    author: Actor
    is_bulk: bool = False
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Past:
    """The life of one skill that exists now: its events, oldest first, and every folder it has been in."""

    root: str
    events: tuple[Event, ...]
    roots: tuple[str, ...]

    @property
    def created(self) -> Event:
        """Return the event that brought the skill into the repository."""
        return self.events[0]


@dataclass(frozen=True, slots=True)
class History:
    """The lives of all skills at one commit; `is_shallow` means that the beginning is missing."""

    tip: str
    is_shallow: bool
    skills: Mapping[str, Past] = field(default_factory=dict)
    commits: tuple[Commit, ...] = ()


def history(repo: Repository, tip: str) -> History:
    """Read the history of a commit: one `git log` pass, cached."""
    found = commits(repo, tip)
    is_shallow = repo.ask("rev-parse", "--is-shallow-repository") == "true"
    return History(tip, is_shallow, lives(found), found)


def lives(found: Iterable[Commit]) -> dict[str, Past]:
    """Follow every skill folder from commit to commit, parents first, and return those alive at the end."""
    alive: dict[str, Past] = {}
    dead: dict[str, Past] = {}
    origins: dict[str, Commit] = {}
    for commit in found:
        _follow_files(commit, origins)
        alive = _step(commit, alive, dead, origins)
    return alive


def _follow_files(commit: Commit, origins: dict[str, Commit]) -> None:
    """Keep the commit each Markdown file first appeared in, so that a file that became a skill keeps its age."""
    moved = {row.path: origins.get(row.source, commit) for row in commit.rows if row.status == "R"}
    for row in commit.rows:
        if row.status in "DR":
            origins.pop(row.source, None)
        elif row.status == "A" and row.path.endswith(".md"):
            origins[row.path] = commit
    origins.update({path: origin for path, origin in moved.items() if path.endswith(".md")})


def _step(
    commit: Commit, alive: dict[str, Past], dead: dict[str, Past], origins: Mapping[str, Commit]
) -> dict[str, Past]:
    mains = [row for row in commit.rows if _is_main(row.path) or _is_main(row.source)]
    moves = _moves(mains, commit.rows)
    gone = [_root(row.source) for row in mains if _is_main(row.source) and row.status in "DR"]
    after = {root: past for root, past in alive.items() if root not in moves and root not in gone}
    dead.update({root: alive[root] for root in gone if root in alive and root not in moves})
    for source, target in moves.items():
        after[target] = _moved(commit, alive.get(source) or dead.get(source), source, target)
    born = [_root(row.path) for row in mains if _is_main(row.path) and row.status in "AR"]
    for root in born:
        if root not in after:
            earlier = dead.pop(root, None) or next((past for past in after.values() if root in past.roots), None)
            after[root] = _born(commit, root, earlier, origins.get(f"{root}/{SKILL_FILE}", commit))
    return _edited(commit, after, {*born, *moves.values()})


def _is_main(path: str) -> bool:
    return PurePosixPath(path).name == SKILL_FILE


def _root(path: str) -> str:
    return str(PurePosixPath(path).parent)


def _moves(mains: list[Row], rows: Iterable[Row]) -> dict[str, str]:
    """Pair old and new folders: a renamed SKILL.md, or one deleted and one added whose files or names say the same."""
    found = {_root(row.source): _root(row.path) for row in mains if row.status == "R" and _both_main(row)}
    gone = {_root(row.source) for row in mains if row.status == "D" or (row.status == "R" and not _is_main(row.path))}
    gone -= set(found)
    born = [_root(row.path) for row in mains if row.status == "A" and _root(row.path) not in found.values()]
    companions = {(row.source, row.path) for row in rows if row.status == "R"} if gone and born else set()
    for target in born:
        name = PurePosixPath(target).name
        along = [old for old in sorted(gone) if any(_moved_along(old, target, pair) for pair in companions)]
        named = [old for old in sorted(gone) if PurePosixPath(old).name == name]
        for source in [*along, *named][:1]:
            found[source] = target
            gone.discard(source)
    return found


def _both_main(row: Row) -> bool:
    return _is_main(row.path) and _is_main(row.source)


def _moved_along(source: str, target: str, pair: tuple[str, str]) -> bool:
    return pair[0].startswith(source + "/") and pair[1].startswith(target + "/")


def _targets(*roots: str) -> tuple[str, ...]:
    """Return the words by which a change line may call a skill: its paths and its last two and last one components."""
    found: list[str] = []
    for root in roots:
        parts = PurePosixPath(root).parts
        found += [root, f"{root}/{SKILL_FILE}", "/".join(parts[-2:]), parts[-1] if parts else root]
    return tuple(dict.fromkeys(found))


def _declared(commit: Commit, targets: tuple[str, ...]) -> set[str]:
    return {change.action for change in parse(commit.message) if change.target in targets}


def _moved(commit: Commit, past: Past | None, source: str, target: str) -> Past:
    targets = _targets(source, target)
    returns = past is not None and target in past.roots
    kind = "restore" if returns and _is_restore(commit, targets) else "move"
    event = Event(kind, commit.id, commit.time, author_of(commit, targets))
    if past is None:
        return Past(target, (replace(event, kind="create"),), (source, target))
    return Past(target, (*past.events, event), tuple(dict.fromkeys([*past.roots, target])))


def _born(commit: Commit, root: str, earlier: Past | None, origin: Commit) -> Past:
    """Start a life, or go on with that of the skill that was there before when the commit says it brings it back."""
    targets = _targets(root)
    if earlier is not None and _is_restore(commit, targets):
        event = Event("restore", commit.id, commit.time, author_of(commit, targets))
        return Past(root, (*earlier.events, event), earlier.roots)
    events = [Event("create", origin.id, origin.time, author_of(origin, targets))]
    if origin is not commit:
        events.append(Event("move", commit.id, commit.time, author_of(commit, targets)))
    return Past(root, tuple(events), (root,))


def _is_restore(commit: Commit, targets: tuple[str, ...]) -> bool:
    return _is_revert(commit) or bool(_declared(commit, targets) & {"restore", "revert"})


def _is_revert(commit: Commit) -> bool:
    return commit.message.startswith('Revert "') or "This reverts commit" in commit.message


def _edited(commit: Commit, after: dict[str, Past], already: set[str]) -> dict[str, Past]:
    """Add an edit event to each skill whose files the commit changed; to new and moved ones only for a changed file."""
    edits: dict[str, list[tuple[str, str]]] = {}
    for row in commit.rows:
        root = _owner(row.path, after)
        if root and row.before != row.after and not (root in already and row.status in "AD"):
            edits.setdefault(root, []).append((row.before, row.after))
    touched = [root for root in edits if root not in already]
    for root, pairs in edits.items():
        past = after[root]
        if past.events[-1].kind == "create" and past.events[-1].commit == commit.id:
            continue
        author = author_of(commit, _targets(root))
        event = Event("edit", commit.id, commit.time, author, len(touched) >= BULK_ROOTS, tuple(pairs))
        after[root] = replace(past, events=(*past.events, event))
    return after


def _owner(path: str, roots: Mapping[str, Past]) -> str:
    folder = path.rpartition("/")[0]
    while folder and folder not in roots:
        folder = folder.rpartition("/")[0]
    return folder
