"""`manifest.json`: what an export or a compression was made of, so that it can be repeated and compared."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.export.review import Review
from hermes_git.export.shards import Written, names
from hermes_git.trajectories.metrics import Aggregate
from hermes_git.version import __version__

FORMAT = 1
NAME = "manifest.json"
JOURNAL, LOCK = ".rows.journal", ".export.lock"
"""Of an export under way: what it has made so far, and who is at it."""

GROUPS = "trajectory_samples|failed_trajectories|validation_samples|failed_validation|preferences|judgements"
OURS = re.compile(
    rf"(?:{GROUPS})(?:-\d{{5}})?(?:\.jsonl|\.jsonl\.zst|\.parquet)|dataset_info\.json|manifest\.json|README\.md|\..+\.tmp|\.rows\.journal|\.export\.lock"
)


@dataclass(slots=True)
class Totals:
    """What was counted over all rows."""

    sessions: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    marks: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    metrics: Aggregate = field(default_factory=Aggregate)

    def as_json(self) -> dict[str, object]:
        """Return counts and metrics; sessions = all outcomes + all drops."""
        return {
            "sessions": self.sessions,
            "rows": self.outcomes.total(),
            "outcomes": dict(sorted(self.outcomes.items())),
            "dropped": dict(sorted(self.dropped.items())),
            "marks": dict(sorted((+self.marks).items())),
            "redactions": dict(sorted(self.redactions.items())),
        }


def manifest(
    *,
    commits: dict[str, str],
    options: dict[str, object],
    digest: str,
    tokenizer: dict[str, object],
    totals: Totals,
    written: Sequence[Written],
    reviewed: Review | None = None,
    refused_by: Sequence[str] = (),
) -> dict[str, object]:
    """Return the manifest of an export; it holds no time and no path, so that a repeated run gives the same bytes."""
    return {
        "format": FORMAT,
        "kind": "export",
        "tool": f"hermes-git {__version__}",
        "commits": commits,
        "settings": {**options, "digest": f"sha256:{digest}"},
        "seed": 0,
        "tokenizer": tokenizer,
        "counts": totals.as_json(),
        "compression": totals.metrics.as_json() if totals.metrics.total else None,
        "review": _counts(reviewed),
        "refused_by": list(refused_by),
        "files": [asdict(item) for item in written],
    }


def _counts(reviewed: Review | None) -> dict[str, object] | None:
    if reviewed is None:
        return None
    return {
        "preferences": len(reviewed.preferences),
        "judgements": len(reviewed.judgements),
        "dropped": dict(sorted(reviewed.dropped.items())),
        "redactions": dict(sorted(reviewed.redactions.items())),
    }


def encode(value: object) -> bytes:
    """Write a manifest as indented JSON."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def prepare(folder: Path) -> None:
    """Make a folder ready for an export: an earlier export is cleared, anything else in it is an error.

    The journal of one that was interrupted stays. The manifest goes first, so that a folder with a manifest always
    holds exactly what the manifest names.
    """
    found = sorted(set(names(folder)) - {LOCK}) if folder.exists() else []
    foreign = next((name for name in found if not OURS.fullmatch(name)), None)
    if found == ["README.md"]:
        foreign = "README.md"  # a folder with nothing else in it is no export
    if foreign is not None:
        raise UserError(
            f"the folder holds files that no export wrote, such as {foreign}",
            where=str(folder),
            hint="give --out a new or empty folder",
        )
    for name in sorted(found, key=lambda one: one != NAME):
        if name != JOURNAL:
            files.remove(folder / name)
