"""The job on a Ray cluster (extra `ray`): the same step, one task a prompt, a bounded number of them at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from hermes_git.batch.dataset import Prompt
from hermes_git.batch.executor import Job, Lost
from hermes_git.batch.record import Record
from hermes_git.errors import UserError

TRIES = 1
"""Further tries that Ray gives a prompt whose worker died."""


class _Step:
    """The step that a Ray worker builds once."""

    built: ClassVar[dict[bytes, Callable[[Prompt], Record]]] = {}


def _work(packed: bytes, item: Prompt) -> Record:
    import pickle

    step = _Step.built.get(packed)
    if step is None:
        job: Job[Prompt, Record] = pickle.loads(packed)  # noqa: S301 - made by the process that sends it
        step = _Step.built[packed] = job.build()
    return step(item)


@dataclass(frozen=True, slots=True)
class RayPool:
    """Runs a job on a cluster; `seconds` bounds each prompt, 0 for no bound."""

    job: Job[Prompt, Record]
    workers: int
    seconds: float = 0.0

    def run(self, items: Iterable[Prompt]) -> Iterator[tuple[Prompt, Record | Lost]]:
        """Yield each prompt with its record, as they come."""
        ray = _library()
        if not ray.is_initialized():
            ray.init(num_cpus=None, logging_level="ERROR", include_dashboard=False)
        import pickle

        task = ray.remote(max_retries=TRIES)(_work)
        packed = ray.put(pickle.dumps(self.job))
        waiting = iter(items)
        live: dict[Any, Prompt] = {}
        while True:
            while len(live) < self.workers and (item := next(waiting, None)) is not None:
                live[task.remote(packed, item)] = item
            if not live:
                return
            yield from self._collect(ray, live)

    def _collect(self, ray: Any, live: dict[Any, Prompt]) -> Iterator[tuple[Prompt, Record | Lost]]:
        ready, late = ray.wait(list(live), num_returns=1, timeout=self.seconds or None)
        for reference in ready:
            yield live.pop(reference), _result(ray, reference)
        if not ready:
            oldest = late[0]
            ray.cancel(oldest, force=True)
            yield live.pop(oldest), Lost("timeout", f"over {self.seconds:g} s", self.seconds)


def _result(ray: Any, reference: Any) -> Record | Lost:
    try:
        found: Record = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        return Lost("bug", str(error).strip().split("\n")[-1][:300], 0.0)
    except ray.exceptions.RayError as error:
        return Lost("worker-died", str(error)[:300], 0.0)
    return found


def _library() -> Any:
    try:
        import ray
    except ImportError as error:
        raise UserError("ray is not installed", hint="pip install 'hermes-git[ray]'") from error
    return ray
