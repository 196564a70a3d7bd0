"""The spool: uses recorded since the last flush, one line each, in the folder that all work trees share.

A read must not dirty the tree or make a commit, so uses wait here; `flush` moves them into the session store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from hermes_git import files
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import ledger
from hermes_git.provenance.ledger import Reading, Use
from hermes_git.sessions.store import open_store
from hermes_git.settings import Settings

NAME = "uses.jsonl"


def spool_path(repo: Repository) -> Path:
    """Return where the spool of a repository lies."""
    return repo.state / "spool" / NAME


def record_use(repo: Repository, use: Use) -> None:
    """Append one use to the spool; cheap, durable enough, and safe beside a flush."""
    with _locked(repo):
        files.append_line(spool_path(repo), ledger.encode(use))


def spooled(repo: Repository) -> Reading:
    """Read the uses that are not flushed yet."""
    data = files.read_optional(spool_path(repo))
    return ledger.read([(NAME, data)]) if data else Reading()


def flush(repo: Repository, settings: Settings, *, now: datetime | None = None) -> int:
    """Move the spool into the session store; return how many uses were moved.

    The spool is emptied only after the store has them, so a crash repeats rows, which the ledger folds. Damaged lines
    stay in the spool, where `status` and the next run show them.
    """
    with _locked(repo):
        data = files.read_optional(spool_path(repo))
        waiting = ledger.read([(NAME, data)]) if data else Reading()
        if not waiting.uses:
            return 0
        add(repo, settings, waiting.uses, now=now)
        lines = (data or b"").split(b"\n")
        numbers = {int(entry.split(":")[1]) for entry in waiting.damaged}
        files.write_atomic(
            spool_path(repo), b"".join(lines[number - 1].rstrip(b"\n") + b"\n" for number in sorted(numbers))
        )
        return len(waiting.uses)


def add(repo: Repository, settings: Settings, uses: Iterable[Use], *, now: datetime | None = None) -> None:
    """Write uses straight into the ledger of the session store, those that it already holds left out."""
    by_path: dict[str, list[Use]] = {}
    for use in uses:
        by_path.setdefault(ledger.path_of(use), []).append(use)

    def merge(present: Mapping[str, bytes]) -> dict[str, bytes | None]:
        return {path: ledger.appended(present.get(path, b""), rows) for path, rows in sorted(by_path.items())}

    if by_path:
        total = sum(map(len, by_path.values()))
        open_store(repo, settings, now=now).update(by_path, merge, message=f"ledger: record {total} uses")


def read_ledger(repo: Repository, settings: Settings) -> Reading:
    """Read the ledger of the session store, without the spool."""
    store = open_store(repo, settings)
    return ledger.read(store.read(store.files(f"{ledger.FOLDER}/")))


def _locked(repo: Repository) -> AbstractContextManager[None]:
    return files.lock(repo.state / "spool.lock", purpose="recording uses")
