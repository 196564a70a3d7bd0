"""The export: sessions in, two groups of rows and a manifest out, one session in memory at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from hermes_git import files
from hermes_git.export import card, llamafactory, manifest
from hermes_git.export.recipe import GROUPS, Dropped, Kitchen, Made, refused_by
from hermes_git.export.review import JUDGEMENTS, PREFERENCES, Review
from hermes_git.export.select import Seen
from hermes_git.export.shards import SHARD_BYTES, Shards, Written
from hermes_git.export.workers import run
from hermes_git.sessions.model import Session


def export(
    sessions: Iterable[Session],
    kitchen: Kitchen,
    folder: Path,
    *,
    commits: dict[str, str],
    limit: int = SHARD_BYTES,
    workers: int = 1,
    reviewed: Review | None = None,
) -> dict[str, object]:
    """Write an export into a folder and return its manifest, which is written last."""
    manifest.prepare(folder)
    totals = manifest.Totals()
    names = [group for (_, aside), group in GROUPS.items() if kitchen.recipe.validation or not aside]
    seen = Seen()
    with contextlib.ExitStack() as stack:
        groups = {name: stack.enter_context(Shards(folder, name, limit, kitchen.recipe.format)) for name in names}
        made_rows = map(kitchen.make, sessions) if workers <= 1 else run(kitchen.job, sessions, workers, size=_size)
        for made in made_rows:
            totals.sessions += 1
            reason = made.reason if isinstance(made, Dropped) else seen.admit(made.print)
            if reason or isinstance(made, Dropped):
                totals.dropped[reason] += 1
            else:
                groups[made.group].add(made.line)
                _count(totals, made, measured=kitchen.recipe.compression is not None)
    written = [item for name in names for item in groups[name].written]
    if reviewed is not None:
        for group, rows in ((PREFERENCES, reviewed.preferences), (JUDGEMENTS, reviewed.judgements)):
            written += _write_all(Shards(folder, group, limit, kitchen.recipe.format), rows)
    if entries := llamafactory.dataset_info(kitchen.recipe.style, written):
        files.write_atomic(folder / llamafactory.NAME, manifest.encode(entries))
    result = manifest.manifest(
        commits=commits,
        options=kitchen.recipe.describe(),
        digest=kitchen.recipe.digest,
        tokenizer=kitchen.counter.describe(),
        totals=totals,
        written=written,
        reviewed=reviewed,
        refused_by=refused_by(kitchen.recipe),
    )
    files.write_atomic(folder / card.NAME, card.card(result).encode("utf-8"))
    files.write_atomic(folder / manifest.NAME, manifest.encode(result))
    return result


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
