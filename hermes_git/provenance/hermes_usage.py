"""Uses from a `.usage.json` of Hermes: what its sidecar still knows, turned into rows of the ledger.

The sidecar keeps counters and last times only, so one version of it yields at most three rows a skill; several versions
(from backups or from git) yield more. Views by Hermes' own curator and reviews count in it too, and cannot be told
apart: a view alone is kept as `viewed`, which is the weakest outcome.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from hermes_git.errors import UserError
from hermes_git.provenance.ledger import Use, seconds

AGENT = "hermes"
TIMES = (("last_used_at", "applied"), ("last_viewed_at", "viewed"))


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What one version of the sidecar says: uses, the names it pins, and rows that could not be read."""

    uses: tuple[Use, ...] = ()
    pinned: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()


def read(data: bytes, where: str = ".usage.json") -> Sidecar:
    """Read a sidecar; one that is no JSON object is an error and never an empty one."""
    try:
        table = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UserError(f"not JSON: {error}", where=where, hint="use a version of it from a backup") from error
    if not isinstance(table, dict):
        raise UserError("not a table of skills", where=where, hint="use a version of it from a backup")
    uses: list[Use] = []
    damaged: list[str] = []
    for name, record in sorted(table.items()):
        if not isinstance(record, dict):
            damaged.append(f"{where}: {name}: not a record")
            continue
        try:
            uses += _uses(name, record)
        except UserError as error:
            damaged.append(f"{where}: {name}: {error.message}")
    pinned = tuple(sorted(name for name, row in table.items() if isinstance(row, dict) and row.get("pinned") is True))
    return Sidecar(tuple(sorted(uses)), pinned, tuple(damaged))


def _uses(name: str, record: dict[str, object]) -> Iterator[Use]:
    for key, outcome in TIMES:
        if record.get(key) is not None:
            yield Use(seconds(record[key]), "skill", name, outcome, agent=AGENT)
