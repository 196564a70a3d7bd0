"""History per entry: which commit taught a fact, what it was before, and how sure that is.

Nothing is written into the memory files for this. A version of the store is the set of entry texts of all files named
MEMORY.md and USER.md at one commit; an entry is followed from a commit to the parent that has the same text, and where
no parent has it, to what the commit put it in place of: first by the ids of a `Hermes-Change` line, else by likeness.
Moves between the files, to the archive and renames of the files are followed because texts, not paths, are compared.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.changes import classify, similarity
from hermes_git.knowledge.entries import entry_id, texts_of
from hermes_git.knowledge.layout import TARGETS
from hermes_git.provenance import change
from hermes_git.provenance.authors import author_of
from hermes_git.provenance.change import Actor, Change
from hermes_git.provenance.log import Commit

FORMAT = "%x1e%H%n%P%n%ct%n%an%n%ae%n%B"
"""Only the message can hold a line end, so no name or message is taken for another field."""

SURE = 0.8
"""From this likeness on, a rewritten entry is linked without the word `likely`."""
SQUASH = re.compile(r"^(?:Squashed commit of the following|\* \S.*\n(?:.*\n)*?\* \S)", re.MULTILINE)
BULK = 3
"""A squash commit that teaches at least this many entries at once hides who taught which."""


@dataclass(frozen=True)
class Step:
    """One commit of the store: who made it, when, what it said, and the memory files after it, as path → bytes."""

    id: str
    parents: tuple[str, ...]
    time: int
    name: str
    email: str
    message: str
    files: Mapping[str, bytes]
    is_boundary: bool = False

    @functools.cached_property
    def texts(self) -> Mapping[str, str]:
        """Return the entries of the store after this commit, as text → path; read only where a walk comes by."""
        return {
            text: path
            for path, data in sorted(self.files.items())
            for text in texts_of(data.decode("utf-8", "replace"))
        }


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an entry as it stands comes from.

    `action` is what the commit did to it; `before` are the texts it replaced, split or merged, () for a new fact.
    `certainty` is `sure`, `likely`, or `unknown (squashed)` / `unknown (shallow)` when nobody can tell.
    """

    text: str
    step: Step
    action: str = "add"
    before: tuple[str, ...] = ()
    certainty: str = "sure"
    declared: Change | None = None

    @property
    def actor(self) -> Actor:
        """Return who taught the entry: the declared actor, an AI co-author, else the author of the commit."""
        if self.certainty.startswith("unknown"):
            return Actor("unknown", self.certainty.removeprefix("unknown ").strip("()"))
        if self.declared:
            return self.declared.actor
        step = self.step
        return author_of(Commit(step.id, step.time, step.name, step.email, step.message))


@dataclass(frozen=True, slots=True)
class Store:
    """All versions of the memory store that a commit can reach, newest first."""

    steps: dict[str, Step] = field(default_factory=dict)
    tip: str = ""

    def texts(self) -> Mapping[str, str]:
        """Return the store's texts at the tip, as text → path."""
        return self.steps[self.tip].texts if self.tip else {}


def load(repo: Repository, tip: str) -> Store:
    """Read every version of every memory file that `tip` can reach: one log pass and one batch of blobs."""
    rows = list(_commits(repo, tip))
    wanted = {blob for row in rows for _, blob in row.changes if blob}
    content = dict(read.blobs(repo, wanted))
    shallow = _boundaries(repo)
    steps: dict[str, Step] = {}
    states: dict[str, dict[str, str]] = {}
    for row in reversed(rows):  # parents first
        state = dict(states.get(row.parents[0], {})) if row.parents else {}
        for path, blob in row.changes:
            if blob:
                state[path] = blob
            else:
                state.pop(path, None)
        states[row.id] = state
        after = {path: content[blob] for path, blob in state.items()}
        boundary = row.id in shallow
        steps[row.id] = Step(row.id, row.parents, row.time, row.name, row.email, row.message, after, boundary)
    newest = next(iter(rows), None)
    return Store(dict(reversed(steps.items())), newest.id if newest else "")


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    parents: tuple[str, ...]
    time: int
    name: str
    email: str
    message: str
    changes: tuple[tuple[str, str], ...]


PATHSPECS = tuple(f":(glob)**/{name}" for name in TARGETS.values())


def _commits(repo: Repository, tip: str) -> Iterator[_Row]:
    """Walk the commits that touch memory files, newest first, parents rewritten to commits of the walk."""
    args = ["log", "-z", "--full-history", "--parents", "--topo-order", "--raw", "--no-abbrev", "--no-renames"]
    args += ["--diff-merges=first-parent", "--no-ext-diff", f"--format={FORMAT}", "--end-of-options", tip, "--"]
    out = repo.git(*args, *PATHSPECS, env={"GIT_LITERAL_PATHSPECS": "0"})
    head: list[str] = []
    changes: list[tuple[str, str]] = []
    records = iter(run.fields(out))
    for record in records:
        text = record.lstrip("\n")
        if text.startswith("\x1e"):
            if head:
                yield _row(head, changes)
            head, changes = text[1:].split("\n", 5), []
        elif text.startswith(":"):
            changes += _change(text.split(" "), next(records))
    if head:
        yield _row(head, changes)


def _row(head: list[str], changes: list[tuple[str, str]]) -> _Row:
    id, parents, time, name, email, message = head
    return _Row(id, tuple(parents.split()), read.moment(time), name, email, message, tuple(changes))


def _change(words: list[str], path: str) -> list[tuple[str, str]]:
    """Return path and blob of a raw row, "" where the file is gone; nothing where it is no regular file."""
    is_file = words[1].startswith("100") or words[1] == "000000"
    return [(path, "" if set(words[3]) == {"0"} else words[3])] if is_file else []


def _boundaries(repo: Repository) -> frozenset[str]:
    from hermes_git.files import read_optional

    data = read_optional(repo.common_dir / "shallow")
    return frozenset((data or b"").decode("ascii", "replace").split())


def blame(store: Store) -> dict[str, Origin]:
    """Return the origin of every entry at the tip, as text → origin."""
    open_texts: dict[str, set[str]] = {store.tip: set(store.texts())} if store.tip else {}
    found: dict[str, Origin] = {}
    for step in store.steps.values():  # newest first, so every child was handled before
        mine = open_texts.pop(step.id, set()) - set(found)
        left = set(mine)
        for parent in step.parents:
            known = store.steps[parent].texts if parent in store.steps else {}
            inherited = {text for text in left if text in known}
            open_texts.setdefault(parent, set()).update(inherited)
            left -= inherited
        for text in sorted(left):
            found[text] = origin(store, step, text)
        if not any(open_texts.values()):
            break
    return found


def origin(store: Store, step: Step, text: str) -> Origin:
    """Say what a commit that put an entry there did: by its change line, else by what is most alike."""
    declared = next((row for row in change.parse(step.message) if _is(row.after, text)), None)
    if step.is_boundary:
        return Origin(text, step, certainty="unknown (shallow)", declared=declared)
    before = _before(store, step)
    if declared is not None:
        replaced = tuple(other for other in before if _is(declared.before, other))
        return Origin(text, step, declared.action, replaced, "sure", declared)
    fresh = [other for other in step.texts if other not in before]
    if len(fresh) >= BULK and SQUASH.search(step.message):
        return Origin(text, step, certainty="unknown (squashed)")
    return _by_likeness(step, text, before)


def _is(short: str, text: str) -> bool:
    return bool(short) and entry_id(text).startswith(short[:12])


def _before(store: Store, step: Step) -> dict[str, str]:
    return {text: path for parent in step.parents if parent in store.steps
            for text, path in store.steps[parent].texts.items()}  # fmt: skip


def _by_likeness(step: Step, text: str, before: Mapping[str, str]) -> Origin:
    """Link an entry to what is gone in the same file and most like it; say `likely` where that is not plain."""
    path = step.texts[text]
    old = [other for other, where in before.items() if where == path] or list(before)
    new = [other for other, where in step.texts.items() if where == path]
    for found in classify(old, new):
        if text in found.after and found.action in ("replace", "split", "merge"):
            score = max(similarity(text, other) for other in found.before)
            sure = found.action != "replace" or (score >= SURE and _is_unique(text, found.before[0], old, new))
            return Origin(text, step, found.action, found.before, "sure" if sure else "likely")
    return Origin(text, step)


def _is_unique(text: str, other: str, old: Sequence[str], new: Sequence[str]) -> bool:
    """Say whether no other entry that is gone, and none that is new, is nearly as alike."""
    gone = [row for row in old if row not in new and row != other]
    return all(similarity(text, row) < SURE for row in gone)


def chain(store: Store, text: str) -> list[Origin]:
    """Follow one entry at the tip back through everything it was, newest first."""
    links: list[Origin] = []
    seen: set[tuple[str, str]] = set()
    start = store.tip
    while text and start:
        step = _introduced(store, start, text)
        if step is None or (step.id, text) in seen:
            break
        seen.add((step.id, text))
        link = origin(store, step, text)
        links.append(link)
        text = link.before[0] if link.before else ""
        start = next((parent for parent in step.parents if text in store.steps[parent].texts), "")
    return links


def _introduced(store: Store, start: str, text: str) -> Step | None:
    """Walk from a commit that has a text to the oldest one that put it there."""
    step = store.steps.get(start)
    while step is not None and text in step.texts:
        parent = next((row for row in step.parents if row in store.steps and text in store.steps[row].texts), None)
        if parent is None:
            return step
        step = store.steps[parent]
    return None


def find_text(store: Store, wanted: str) -> str:
    """Return the newest text, at any commit, whose id starts with `wanted`; "" when there is none."""
    for step in store.steps.values():
        for text in step.texts:
            if entry_id(text).startswith(wanted):
                return text
    return ""
