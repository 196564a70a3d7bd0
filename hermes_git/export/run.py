"""The export: sessions in, groups of rows and a manifest out, one session in memory at a time."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from hermes_git import files
from hermes_git.export import card, llamafactory, manifest
from hermes_git.export.journal import kept
from hermes_git.export.raw import Account
from hermes_git.export.recipe import GROUPS, Dropped, Kitchen, Made, pack, refused_by, unpack
from hermes_git.export.review import JUDGEMENTS, PREFERENCES, Review
from hermes_git.export.select import Seen
from hermes_git.export.shards import SHARD_BYTES, Shards, Written
from hermes_git.export.workers import run
from hermes_git.sessions.model import Session
from hermes_git.version import __version__

Steps = Callable[[Iterable[Session]], Iterator[Made | Dropped]]
"""Sessions in, what became of each out, in the same order."""


def here(kitchen: Kitchen, workers: int = 1) -> Steps:
    """Return what makes rows in this process, or in several of this machine."""
    if workers <= 1:
        return lambda sessions: map(kitchen.make, sessions)
    return lambda sessions: run(kitchen.job, sessions, workers, size=_size)


def export(
    sessions: Iterable[Session],
    kitchen: Kitchen,
    folder: Path,
    *,
    commits: dict[str, str],
    limit: int = SHARD_BYTES,
    steps: Steps | None = None,
    reviewed: Review | None = None,
    note: Callable[[str], None] = lambda _: None,
    account: Account | None = None,
) -> dict[str, object]:
    """Write an export into a folder and return its manifest, which is written last.

    Killed at any point, the same export goes on with the rows that were made, and writes the same bytes. `note` is told
    how many those were. `account` tells, at the end, what was read to get the sessions.
    """
    with _alone(folder), kept(folder / manifest.JOURNAL, _key(kitchen, commits), pack, unpack) as journal:
        outcomes = journal.carry_on(sessions, steps or here(kitchen), _name)
        totals, written = _write_rows(outcomes, kitchen, folder, limit)
        if journal.replayed:
            note(f"went on after {journal.replayed} sessions that an interrupted run had done")
        if reviewed is not None:
            for group, rows in ((PREFERENCES, reviewed.preferences), (JUDGEMENTS, reviewed.judgements)):
                written += _write_all(Shards(folder, group, limit, kitchen.recipe.format), rows)
        result = _manifest(kitchen, commits, totals, written, reviewed)
        result |= {"sources": account.as_json()} if account else {}
        if entries := llamafactory.dataset_info(kitchen.recipe.style, written):
            files.write_atomic(folder / llamafactory.NAME, manifest.encode(entries))
        files.write_atomic(folder / card.NAME, card.card(result).encode("utf-8"))
        files.write_atomic(folder / manifest.NAME, manifest.encode(result))
        files.remove(folder / manifest.JOURNAL)
    return result


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold a folder and make it ready: two exports into one would clear each other's files."""
    with files.lock(folder / manifest.LOCK, wait=0, purpose="export"):
        try:
            manifest.prepare(folder)
            yield
        finally:
            files.remove(folder / manifest.LOCK)


def _name(session: Session) -> str:
    return f"{session.id} {session.digest}"


def _key(kitchen: Kitchen, commits: dict[str, str]) -> str:
    """Return a digest of all that rows are made of; the sessions themselves are known by their digests."""
    recipe = kitchen.recipe
    parts = (__version__, commits, recipe.digest, recipe.compression, kitchen.counter.describe(),
             sorted(kitchen.reverted), kitchen.source)  # fmt: skip
    return hashlib.sha256(repr(parts).encode("utf-8")).hexdigest()


def _write_rows(
    outcomes: Iterable[Made | Dropped], kitchen: Kitchen, folder: Path, limit: int
) -> tuple[manifest.Totals, list[Written]]:
    totals, seen = manifest.Totals(), Seen()
    names = [group for (_, aside), group in GROUPS.items() if kitchen.recipe.validation or not aside]
    with contextlib.ExitStack() as stack:
        groups = {name: stack.enter_context(Shards(folder, name, limit, kitchen.recipe.format)) for name in names}
        for made in outcomes:
            totals.sessions += 1
            reason = made.reason if isinstance(made, Dropped) else seen.admit(made.print)
            if reason or isinstance(made, Dropped):
                totals.dropped[reason] += 1
            else:
                groups[made.group].add(made.line)
                _count(totals, made, measured=kitchen.recipe.compression is not None)
    return totals, [item for name in names for item in groups[name].written]


def _manifest(
    kitchen: Kitchen,
    commits: dict[str, str],
    totals: manifest.Totals,
    written: list[Written],
    reviewed: Review | None,
) -> dict[str, object]:
    return manifest.manifest(
        commits=commits,
        options=kitchen.recipe.describe(),
        digest=kitchen.recipe.digest,
        tokenizer=kitchen.counter.describe(),
        totals=totals,
        written=written,
        reviewed=reviewed,
        refused_by=refused_by(kitchen.recipe),
    )


def _write_all(shards: Shards, rows: Iterable[object]) -> list[Written]:
    with shards:
        for row in rows:
            shards.add(msgspec.json.encode(row) + b"\n")
    return shards.written


def _size(session: Session) -> int:
    return sum(len(message.content) for message in session.messages)


def _count(totals: manifest.Totals, made: Made, *, measured: bool) -> None:
    totals.outcomes[made.outcome] += 1
    totals.marks.update(made.marks)
    totals.redactions.update(made.redactions)
    if measured:
        totals.metrics.add(made.metrics)
