"""The job in this very process, one prompt after the other: for looking into it. Nothing bounds a prompt's time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes_git.batch.dataset import Prompt
from hermes_git.batch.executor import Job, Lost
from hermes_git.batch.record import Record


@dataclass(frozen=True, slots=True)
class Inline:
    """Runs a job here."""

    job: Job[Prompt, Record]

    def run(self, items: Iterable[Prompt]) -> Iterator[tuple[Prompt, Record | Lost]]:
        """Yield each prompt with its record."""
        step = self.job.build()
        for item in items:
            yield item, step(item)
