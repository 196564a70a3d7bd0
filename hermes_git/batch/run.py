"""A run: prompts that are not done yet to workers, each result to its batch file, at the end one file of all rows."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from hermes_git import files
from hermes_git.batch import places, record, statistics
from hermes_git.batch.dataset import Dataset, Prompt
from hermes_git.batch.executor import Lost
from hermes_git.batch.record import Record
from hermes_git.batch.run_folder import (
    CHECKPOINT,
    FAILURES,
    LOCK,
    STATISTICS,
    TRAJECTORIES,
    RunFolder,
    as_json,
)
from hermes_git.errors import UserError

HOPELESS = 10
"""Prompts, from the first on, that may all be refused before the run is given up: a wrong key refuses every one."""

CHECKPOINT_EVERY = 50
LOCK_WAIT = 0.5


class Engine(Protocol):
    """Runs the job of a run on prompts, in whatever order, and yields each with its result."""

    def run(self, items: Iterable[Prompt]) -> Iterator[tuple[Prompt, Record | Lost]]:
        """Yield each prompt with its record, or with why there is none."""


@dataclass(slots=True)
class Progress:
    """How far a run is, for whoever watches."""

    total: int
    before: int
    done: int = 0
    failed: int = 0
    cost: float = 0.0
    latest: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did: statistics of the whole run, counts of this sitting, and what was not usable."""

    statistics: Mapping[str, Any]
    ran: int
    before: int
    invalid: Mapping[str, int]
    torn: int = 0
    strangers: int = 0

    @property
    def is_clean(self) -> bool:
        """Say whether every line of the dataset has its trajectory."""
        return not (self.statistics["failed"] or self.statistics["dropped"] or self.invalid)


@dataclass
class Runner:
    """One sitting of a run."""

    folder: RunFolder
    dataset: Dataset
    batch_size: int = 50
    watch: Callable[[Progress], None] = lambda _: None
    _refused: int = field(default=0, init=False)
    _hope: bool = field(default=False, init=False)

    def run(self, engine: Engine) -> Report:
        """Run what is not done, then merge; only within a `sitting`."""
        found = self.folder.scan()
        done = set(found.done())
        waiting = [prompt for prompt in self.dataset.prompts if prompt.id not in done]
        before = len(self.dataset.prompts) - len(waiting)
        self._work(engine, waiting, done)
        known = {prompt.id for prompt in self.dataset.prompts}
        strangers = sum(name not in known for name in found.statuses)
        return Report(self.merge(), len(waiting), before, self.dataset.reasons(), found.torn, strangers)

    def _work(self, engine: Engine, waiting: Sequence[Prompt], done: set[str]) -> None:
        progress = Progress(len(self.dataset.prompts), len(self.dataset.prompts) - len(waiting))
        counts: Counter[str] = Counter()
        try:
            for number, (prompt, result) in enumerate(engine.run(waiting), start=1):
                made = _record(prompt, result)
                self.folder.append(prompt.index // self.batch_size, made)
                counts[made.status] += 1
                if made.status != "failed":
                    done.add(prompt.id)
                self._judge(made)
                progress.done, progress.failed, progress.latest = number, counts["failed"], made.reason
                progress.cost += made.usage.get("cost", 0.0)
                self.watch(progress)
                if number % CHECKPOINT_EVERY == 0:
                    self._checkpoint(done)
        finally:
            self._checkpoint(done)

    def _judge(self, made: Record) -> None:
        """Give a run up that cannot succeed, before it has spoilt all prompts."""
        self._hope = self._hope or made.status != "failed" or made.reason != "refused"
        self._refused += made.reason == "refused" and made.status == "failed"
        if not self._hope and self._refused >= HOPELESS:
            raise UserError(
                f"the model refuses every prompt: {made.message}", hint="mend that, then run it with --resume"
            )

    def _checkpoint(self, done: Collection[str]) -> None:
        """Write which prompts are done; it says nothing that the batch files do not say."""
        known = [prompt for prompt in self.dataset.prompts if prompt.id in done]
        state = {
            "format": 1,
            "run_name": self.folder.path.name,
            "completed_prompts": [prompt.index for prompt in known],
            "remaining": len(self.dataset.prompts) - len(known),
        }
        files.write_atomic(self.folder.path / CHECKPOINT, as_json(state))

    def merge(self) -> dict[str, Any]:
        """Write trajectories, failures and statistics, in the order of the dataset; return the statistics."""
        order = {prompt.id: prompt.index for prompt in self.dataset.prompts}
        counted = statistics.Statistics()
        with contextlib.ExitStack() as stack:
            rows = stack.enter_context(files.writing(self.folder.path / TRAJECTORIES))
            failures = stack.enter_context(files.writing(self.folder.path / FAILURES))
            for found in self.folder.rows(order):
                counted.add(found)
                if found.status == "done":
                    rows.write(record.encode_row(found))
                else:
                    failures.write(_failure(found))
        dataset = {
            "sha256": self.dataset.digest,
            "prompts": len(self.dataset.prompts),
            "invalid": self.dataset.reasons(),
        }
        result = {**counted.as_json(), "dataset": dataset}
        files.write_atomic(self.folder.path / STATISTICS, as_json(result))
        return result


def _record(prompt: Prompt, result: Record | Lost) -> Record:
    if isinstance(result, Lost):
        return record.failed(prompt, result.reason, result.message, result.seconds)
    return result


def _failure(found: Record) -> bytes:
    """Return a line about a prompt without a trajectory, without times."""
    line = Record(found.id, found.index, found.status, found.reason, found.message)
    return record.encode(line) + b"\n"


@contextlib.contextmanager
def sitting(folder: RunFolder) -> Iterator[Path]:
    """Hold a run alone and yield a place for its scratch folders, removed afterwards; so is what a killed run left.

    Errors: `UserError` while another process runs the same.
    """
    with files.lock(folder.path / LOCK, wait=LOCK_WAIT, purpose="running this batch"):
        left = folder.left_scratch()
        if left is not None:
            places.remove_root(left)
        root = places.new_root()
        folder.remember_scratch(root)
        try:
            yield root
        finally:
            places.remove_root(root)
            folder.forget_scratch()
