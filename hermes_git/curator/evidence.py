"""The evidence of use: ledger, spool and sessions read together, and told apart from having none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from hermes_git.curator.facts import DAY, Evidence
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import ledger, session_uses, spool
from hermes_git.provenance.history import History
from hermes_git.provenance.ledger import Reading, Use
from hermes_git.screen import amount
from hermes_git.sessions import canonical
from hermes_git.sessions.store import open_store
from hermes_git.settings import Settings


def gather(
    repo: Repository, settings: Settings, entries: Mapping[str, str], now: int
) -> tuple[Evidence, tuple[Use, ...]]:
    """Read all uses up to `now` that count; `entries` maps the ids of the memory entries to their texts."""
    kept, waiting = spool.read_ledger(repo, settings), spool.spooled(repo)
    store = open_store(repo, settings)
    shown, unread = session_uses.gather(repo, store, entries)
    every = {use.id: use for use in (*kept.uses, *waiting.uses, *shown)}
    counted = sorted(use for use in every.values() if not use.maintenance)
    sane = tuple(replace(use, time=min(use.time, now)) for use in counted if use.time <= now + DAY)
    partial = list(_partial(repo, settings, waiting, unread))
    last = max((use.time for use in sane), default=now)
    if now - last > settings.curator.stale_after_days * DAY:
        idle = amount((now - last) // DAY, "day")
        partial.append(f"no use of anything is on record for {idle}: recording may have stopped")
    if len(sane) < len(counted):
        partial.append(f"left out because dated in the future: {amount(len(counted) - len(sane), 'use')}")
    evidence = Evidence(
        len(sane),
        min((use.time for use in sane), default=0),
        max((use.time for use in sane), default=0),
        store.revision,
        (*kept.damaged, *waiting.damaged),
        kept.damaged_months | waiting.damaged_months,
        tuple(partial),
    )
    return evidence, sane


def _partial(repo: Repository, settings: Settings, waiting: Reading, unread: Sequence[str]) -> Iterable[str]:
    if waiting.uses:
        yield f"not flushed to the ledger yet, but counted: {amount(len(waiting.uses), 'use')}"
    if unread:
        yield f"{amount(len(unread), 'session')} could not be read: {', '.join(unread[:3])}"
    if settings.sessions.place == "branch":
        local = read.ref(repo, f"refs/heads/{settings.sessions.branch}")
        remote = read.ref(repo, f"refs/remotes/origin/{settings.sessions.branch}")
        if local and remote and local != remote and read.merge_base(repo, local, remote) != remote:
            yield f"origin/{settings.sessions.branch} has uses that are not merged here: hermes-git session merge"


def last_session(repo: Repository, settings: Settings) -> int:
    """Return when the newest stored session ended, or 0; only the newest month is read."""
    store = open_store(repo, settings)
    paths = [item.path for item in store.sessions()]
    newest = max((path.rsplit("/", 1)[0] for path in paths if "/unknown/" not in path), default="")
    last = 0
    for path, data in store.read(path for path in paths if path.startswith(f"{newest}/")):
        try:
            session = canonical.decode(data, where=path)
        except UserError:
            continue
        times = [session.ended_at, session.started_at, *(message.timestamp for message in session.messages)]
        last = max([last, *(ledger.seconds(text) for text in times if text)])
    return last


def by_skill(found: Iterable[Use], past: History) -> dict[str, tuple[Use, ...]]:
    """Give each use to the live skill whose present or earlier folder its key names; the longest match wins."""
    names = _names(past)
    result: dict[str, list[Use]] = {}
    for use in found:
        if use.subject == "skill":
            for root in _roots(use.key, names):
                result.setdefault(root, []).append(use)
    return {root: tuple(_told_once(rows)) for root, rows in result.items()}


def _told_once(rows: Iterable[Use]) -> Iterator[Use]:
    """Leave out that a skill was looked at in a session that tells itself what came of it."""
    every = list(rows)
    told = {use.session for use in every if use.outcome != "viewed"} - {""}
    yield from (use for use in every if use.outcome != "viewed" or use.session not in told)


def by_entry(found: Iterable[Use]) -> dict[str, tuple[Use, ...]]:
    """Give each use of an entry to the entry's id."""
    result: dict[str, list[Use]] = {}
    for use in found:
        if use.subject == "entry" and use.subject_id:
            result.setdefault(use.subject_id, []).append(use)
    return {entry_id: tuple(rows) for entry_id, rows in result.items()}


def _names(past: History) -> dict[str, dict[str, str]]:
    """Map a folder's name to every folder, present or past, of that name and the live root it belongs to."""
    names: dict[str, dict[str, str]] = {}
    for root, life in past.skills.items():
        for folder in life.roots:
            names.setdefault(PurePosixPath(folder).name, {}).setdefault(folder, root)
        names.setdefault(PurePosixPath(root).name, {})[root] = root
    return names


def _roots(key: str, names: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Return the live skills that a key may mean: all of that name, narrowed by the category when it is given."""
    parts = PurePosixPath(key).parts
    folders = names.get(parts[-1], {}) if parts else {}
    exact = {root for folder, root in folders.items() if len(parts) > 1 and f"/{folder}".endswith(f"/{key}")}
    return exact or set(folders.values())
