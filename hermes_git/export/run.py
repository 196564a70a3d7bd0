"""The export: sessions in, two groups of rows and a manifest out, one session in memory at a time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hermes_git import files
from hermes_git.export import manifest
from hermes_git.export.recipe import COMPLETED, FAILED, Dropped, Kitchen, Made, refused_by
from hermes_git.export.shards import SHARD_BYTES, Shards
from hermes_git.export.workers import run
from hermes_git.sessions.model import Session

LLAMAFACTORY_INFO = {
    "formatting": "sharegpt",
    "columns": {"messages": "conversations", "system": "system", "tools": "tools"},
    "tags": {
        "role_tag": "from",
        "content_tag": "value",
        "user_tag": "human",
        "assistant_tag": "gpt",
        "observation_tag": "observation",
        "function_tag": "function_call",
        "system_tag": "system",
    },
}
"""The entry that LLaMA-Factory's `dataset_info.json` needs for our rows: its own defaults, spelled out."""


def export(
    sessions: Iterable[Session],
    kitchen: Kitchen,
    folder: Path,
    *,
    commits: dict[str, str],
    limit: int = SHARD_BYTES,
    workers: int = 1,
) -> dict[str, object]:
    """Write an export into a folder and return its manifest, which is written last."""
    manifest.prepare(folder)
    totals = manifest.Totals()
    with Shards(folder, COMPLETED, limit) as completed, Shards(folder, FAILED, limit) as failed:
        groups = {COMPLETED: completed, FAILED: failed}
        made_rows = map(kitchen.make, sessions) if workers <= 1 else run(kitchen.job, sessions, workers, size=_size)
        for made in made_rows:
            totals.sessions += 1
            if isinstance(made, Dropped):
                totals.dropped[made.reason] += 1
            else:
                groups[made.group].add(made.line)
                _count(totals, made, measured=kitchen.recipe.compression is not None)
    written = [*completed.written, *failed.written]
    if kitchen.recipe.style == "sharegpt":
        files.write_atomic(folder / "dataset_info.json", manifest.encode(_dataset_info(completed)))
    result = manifest.manifest(
        commits=commits,
        options=kitchen.recipe.describe(),
        digest=kitchen.recipe.digest,
        tokenizer=kitchen.counter.describe(),
        totals=totals,
        written=written,
        refused_by=refused_by(kitchen.recipe),
    )
    files.write_atomic(folder / manifest.NAME, manifest.encode(result))
    return result


def _size(session: Session) -> int:
    return sum(len(message.content) for message in session.messages)


def _count(totals: manifest.Totals, made: Made, *, measured: bool) -> None:
    totals.outcomes[made.outcome] += 1
    totals.marks.update(made.marks)
    totals.redactions.update(made.redactions)
    if measured:
        totals.metrics.add(made.metrics)


def _dataset_info(shards: Shards) -> dict[str, object]:
    names = [item.name for item in shards.written]
    keys = {name: "hermes_git" if number == 0 else f"hermes_git_{number}" for number, name in enumerate(names)}
    return {keys[name]: {"file_name": name, **LLAMAFACTORY_INFO} for name in names}
