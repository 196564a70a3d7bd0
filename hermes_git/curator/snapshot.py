"""Take the snapshot: the tree at HEAD, the history behind it, the ledger and the sessions at their branch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hermes_git.curator import entry_facts, evidence
from hermes_git.curator.facts import BUILTIN, DAY, SkillFacts, Snapshot
from hermes_git.curator.tree import Leaf, Tree
from hermes_git.document import MODE_GITLINK, MODE_LINK, TEXT_KINDS, Document, kind_of
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import lock
from hermes_git.knowledge.layout import is_below, place, skill_key, skill_roots
from hermes_git.knowledge.skill import group, read_skill
from hermes_git.provenance import references
from hermes_git.provenance.history import Event, History, Past, history
from hermes_git.provenance.ledger import Use
from hermes_git.provenance.substance import Freshness, freshness
from hermes_git.settings import Settings

MAX_TEXT = 1024 * 1024
"""Largest file that is read to look for references and links; larger ones are counted as not read."""

IGNORE_REVS = ".git-blame-ignore-revs"


def take(repo: Repository, base: str, settings: Settings, *, now: int) -> Snapshot:
    """Read everything a run decides on, as of commit `base` and the moment `now`."""
    tree, not_read = read_tree(repo, base)
    past = history(repo, base)
    texts = {entry.id: entry.text for _, _, entry in entry_facts.listed(tree, settings)}
    known, uses = evidence.gather(repo, settings, texts, now)
    entries, missing = entry_facts.gather(repo, base, tree, evidence.by_entry(uses), settings, now=now)
    known = replace(known, partial=(*known.partial, *missing))
    snapshot = Snapshot(base, now, tree, (), entries, known, past.is_shallow, last_states(tree, settings), not_read)
    roots = live_roots(tree, settings)
    return replace(snapshot, skills=_skills(repo, snapshot, past, roots, evidence.by_skill(uses, past), settings))


def read_tree(repo: Repository, revision: str) -> tuple[Tree, tuple[str, ...]]:
    """Read a tree with the content of every text file of bearable size; return it and the paths left unread."""
    entries = read.tree(repo, revision)
    wanted = {path: entry.id for path, entry in entries.items() if _may_be_text(path, entry.mode)}
    sizes = read.sizes(repo, wanted.values())
    small = {path: id for path, id in wanted.items() if sizes.get(id, 0) <= MAX_TEXT}
    content = dict(read.blobs(repo, small.values()))
    leaves = {
        path: Leaf(entry.mode, entry.id, content.get(entry.id) if path in small else None)
        for path, entry in entries.items()
    }
    return Tree(leaves, repo.object_format), tuple(sorted(set(wanted) - set(small)))


def _may_be_text(path: str, mode: str) -> bool:
    return mode not in (MODE_LINK, MODE_GITLINK) and kind_of(path, b"", mode) in TEXT_KINDS


def live_roots(tree: Tree, settings: Settings) -> list[str]:
    """Return the folders of all skills that are in use: below the skills folder and not in the archive."""
    inside = [path for path in tree.leaves if is_below(path, settings.paths.skills)]
    outside_archive = [path for path in inside if not is_below(path, settings.paths.archive)]
    return sorted(skill_roots(outside_archive))


def last_states(tree: Tree, settings: Settings) -> dict[str, str]:
    """Return the state of each skill in the newest report that is in the tree."""
    reports = [path for path in tree.below(settings.paths.curator) if path.endswith(".json")]
    for path in sorted(reports, reverse=True):
        data = tree.leaves[path].data
        states = _states(data) if data else None
        if states is not None:
            return states
    return {}


def _states(data: bytes) -> dict[str, str] | None:
    """Read the states in a report; None for one that has none or cannot be read."""
    try:
        rows = json.loads(data)["skills"]
        return {row["key"]: row["state"] for row in rows} or None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _skills(
    repo: Repository,
    snapshot: Snapshot,
    past: History,
    roots: list[str],
    uses: Mapping[str, tuple[Use, ...]],
    settings: Settings,
) -> tuple[SkillFacts, ...]:
    documents = snapshot.tree.documents()
    by_root = group(_members(snapshot.tree, settings), roots)
    skills = {root: read_skill(root, by_root[root]) for root in roots}
    named = references.find(_referrers(documents, settings), {root: skill.name for root, skill in skills.items()})
    fresh = _freshness(repo, snapshot, past, roots)
    origins = _origins(snapshot.tree, settings)
    found = []
    for root, skill in skills.items():
        facts = SkillFacts(
            skill,
            skill_key(root, settings),
            snapshot.tree.folder_id(root),
            uses=uses.get(root, ()),
            references=named[root],
            origin=origins.get(skill_key(root, settings)) or origins.get(skill.name) or origins.get(skill.folder, ""),
        )
        found.append(_aged(facts, past.skills.get(root), fresh.get(root, Freshness()), snapshot.now))
    return tuple(found)


def _members(tree: Tree, settings: Settings) -> list[Document]:
    """Return the files of the skills folder as documents; unread ones are empty, for their path and mode alone."""
    return [
        Document(path, leaf.data if leaf.data is not None else b"", leaf.mode, blob=leaf.id)
        for path, leaf in tree.below(settings.paths.skills).items()
    ]


def _referrers(documents: Iterable[Document], settings: Settings) -> list[Document]:
    """Leave out what does not speak for anybody: the archive, the curator's reports, waivers."""
    quiet = ("archived-skill", "archived-memory", "curator", "waivers", "settings")
    return [document for document in documents if place(document.path, settings).area not in quiet]


def _origins(tree: Tree, settings: Settings) -> dict[str, str]:
    """Map keys and names to where skills came from: the lock file's source, or `builtin` by Hermes' manifest."""
    manifest = tree.leaves.get(f"{settings.paths.skills}/.bundled_manifest")
    lines = manifest.data.decode("utf-8", "replace").split("\n") if manifest and manifest.data else []
    found = {line.split(":", 1)[0].strip(): BUILTIN for line in lines if line.strip()}
    leaf = tree.leaves.get(lock.path(settings))
    installed = lock.parse(leaf.data, where=lock.path(settings)) if leaf and leaf.data else {}
    return found | {key: row.source for key, row in installed.items()}


def _freshness(repo: Repository, snapshot: Snapshot, past: History, roots: list[str]) -> dict[str, Freshness]:
    leaf = snapshot.tree.leaves.get(IGNORE_REVS)
    lines = leaf.data.decode("utf-8", "replace").split("\n") if leaf and leaf.data else []
    ignored = frozenset(line.split("#", 1)[0].strip() for line in lines)
    events = {root: past.skills[root].events for root in roots if root in past.skills}
    return freshness(events, ignored, lambda ids: _existing(repo, ids))


def _existing(repo: Repository, ids: Iterable[str]) -> dict[str, bytes]:
    sizes = read.sizes(repo, ids)
    return dict(read.blobs(repo, [id for id, size in sizes.items() if size <= MAX_TEXT]))


def _aged(facts: SkillFacts, past: Past | None, fresh: Freshness, now: int) -> SkillFacts:
    """Fill in what history says, edits that do not count and dates in the future seen through."""
    if past is None:
        return facts
    times = _sane_times(past.events, now)
    restores = [times[event.commit] for event in past.events if event.kind == "restore"]
    created = times[past.created.commit]
    return replace(
        facts,
        created=created,
        changed=times[fresh.edit.commit] if fresh.edit else created,
        restored=max(restores, default=0),
        author=past.created.author.kind,
        notes=tuple(_notes(past, fresh, now)),
    )


def _notes(past: Past, fresh: Freshness, now: int) -> Iterator[str]:
    for reason in sorted(set(fresh.passed)):
        yield f"{fresh.passed.count(reason)} newer edits not counted: {reason}"
    if len(past.roots) > 1:
        yield f"was called {', '.join(past.roots[:-1])}"
    if any(event.time > now + DAY for event in past.events):
        yield "has commits dated in the future; they count from the commit before them"


def _sane_times(events: Iterable[Event], now: int) -> dict[str, int]:
    """Return the time of each event's commit, 0 where it cannot be known.

    Up to a day after `now` counts as now, because a run's time is the start of its day; a commit further in the
    future takes the time of the newest sane event before it.
    """
    times: dict[str, int] = {}
    last = 0
    for event in events:
        last = min(event.time, now) if event.time <= now + DAY else last
        times[event.commit] = last
    return times
