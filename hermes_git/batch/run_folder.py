"""The folder of a run: batch files that only grow, and everything else made of them.

`run.json` says what the run is; `batch_<n>.jsonl` holds one record a line and is the only truth about what is done; a
line that a killed run left torn is not a record. `checkpoint.json`, `trajectories.jsonl`, `failures.jsonl` and
`statistics.json` are made from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from hermes_git import files
from hermes_git.batch import record
from hermes_git.batch.record import Record, Status
from hermes_git.errors import UserError
from hermes_git.version import __version__

FORMAT = 1
DESCRIPTION, CHECKPOINT, SCRATCH, LOCK = "run.json", "checkpoint.json", "scratch.path", "run.lock"
TRAJECTORIES, FAILURES, STATISTICS = "trajectories.jsonl", "failures.jsonl", "statistics.json"
BATCH = re.compile(r"batch_(\d+)\.jsonl\Z")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
SHOWN_DIFFERENCES = 5


@dataclass(frozen=True, slots=True)
class Scan:
    """What the batch files say: how each prompt stands, and how many lines are no records."""

    statuses: Mapping[str, Status]
    torn: int = 0

    def done(self) -> frozenset[str]:
        """Return the ids that need not be run again."""
        return frozenset(name for name, status in self.statuses.items() if status != "failed")


@dataclass(frozen=True, order=True, slots=True)
class Spot:
    """Where a record is; `holds` says that it is no failure."""

    path: Path
    offset: int
    length: int
    holds: bool


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A folder that holds one run."""

    path: Path

    @property
    def exists(self) -> bool:
        """Say whether a run was begun here."""
        return (self.path / DESCRIPTION).exists()

    def describe(self) -> dict[str, Any]:
        """Return what the run is."""
        try:
            found = json.loads(files.read_bytes(self.path / DESCRIPTION))
        except (ValueError, RecursionError) as error:
            raise UserError(
                "not valid JSON", where=str(self.path / DESCRIPTION), hint="start a run of another name"
            ) from error
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise UserError(f"not a run of format {FORMAT}", where=str(self.path), hint="start a run of another name")
        return found

    def begin(self, description: Mapping[str, Any]) -> dict[str, Any]:
        """Write what the run is."""
        found = {"format": FORMAT, "tool": f"hermes-git {__version__}", **description}
        files.write_atomic(self.path / DESCRIPTION, as_json(found))
        return found

    def check_same(self, description: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the run is; refuse to go on with other settings, which would mix two runs."""
        before = self.describe()
        changed = [
            f"{key}: {before[key]!r} -> {value!r}"
            for key, value in description.items()
            if key in before and before[key] != value
        ]
        if changed:
            listed = "\n  ".join(changed[:SHOWN_DIFFERENCES])
            raise UserError(
                "the run was begun with other settings",
                where=str(self.path),
                hint=f"{listed}\n  or choose another name",
            )
        return before

    def append(self, batch: int, found: Record) -> None:
        """Add a record to the file of its batch, in one write."""
        files.append_line(self.path / f"batch_{batch}.jsonl", record.encode(found))

    def scan(self) -> Scan:
        """Read how each prompt stands; one that is done once is done, whatever failed before or after."""
        statuses: dict[str, Status] = {}
        torn = 0
        for path in self.batches():
            for _, line in files.read_lines(path):
                found = record.decode(line)
                if found is None:
                    torn += bool(line.strip())
                elif statuses.get(found.id, "failed") == "failed":
                    statuses[found.id] = found.status
        return Scan(statuses, torn)

    def batches(self) -> list[Path]:
        """Return the batch files in the order of their numbers."""
        found = [(int(match.group(1)), path) for path in self.path.iterdir() if (match := BATCH.match(path.name))]
        return [path for _, path in sorted(found)]

    def rows(self, wanted: Mapping[str, int]) -> Iterator[Record]:
        """Yield the records that hold, in the order of the dataset; `wanted` is prompt id → place.

        Only places in files are held in memory, so that a run may be larger than memory.
        """
        for place, spot in sorted((wanted[name], spot) for name, spot in self._spots(wanted).items()):
            with spot.path.open("rb") as stream:
                stream.seek(spot.offset)
                found = record.decode(stream.read(spot.length))
            if found is not None:
                yield placed(found, place)

    def _spots(self, wanted: Container[str]) -> dict[str, Spot]:
        """Return where the record of each prompt is: its first one that is no failure, else its last."""
        spots: dict[str, Spot] = {}
        for path in self.batches():
            offset = 0
            with path.open("rb") as stream:
                for line in stream:
                    found = record.decode(line)
                    if found and found.id in wanted and not (found.id in spots and spots[found.id].holds):
                        spots[found.id] = Spot(path, offset, len(line), found.status != "failed")
                    offset += len(line)
        return spots

    def remember_scratch(self, scratch: Path) -> None:
        """Note where scratch folders are, so that a later run removes what a killed one left."""
        files.write_atomic(self.path / SCRATCH, str(scratch).encode("utf-8", "surrogateescape"))

    def left_scratch(self) -> Path | None:
        """Return the scratch folder that a killed run left, or None."""
        found = files.read_optional(self.path / SCRATCH)
        return Path(found.decode("utf-8", "surrogateescape")) if found else None

    def forget_scratch(self) -> None:
        """Note that the scratch folder is gone."""
        files.remove(self.path / SCRATCH)


def placed(found: Record, place: int) -> Record:
    """Return a record with its place in the dataset as it is now."""
    row = {**found.row, "prompt_index": place} if found.row else {}
    return msgspec.structs.replace(found, index=place, row=row)


def run_folder(parent: Path, name: str) -> RunFolder:
    """Return the folder of a run by its name."""
    if not NAME.match(name):
        raise UserError(f"{name!r} is no name of a run", hint="letters, digits, dots, hyphens and underscores")
    return RunFolder(parent / name)


def as_json(value: object) -> bytes:
    """Return a value as indented JSON."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
