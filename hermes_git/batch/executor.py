"""One step over many items in processes that may crash, hang or be killed: every item comes back, as result or as lost.

A worker has one item at a time. One that dies costs its item one more try, then the item is lost; one that is over time
is ended with all it started. When this process dies, its workers notice and end themselves.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Protocol, TypeVar

from hermes_git.batch import subprocesses
from hermes_git.errors import UserError

Item = TypeVar("Item")
Out = TypeVar("Out")
Item_contra = TypeVar("Item_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)

GRACE = 5.0
"""Seconds between asking a worker to end itself and killing it."""

MOST_TRIES = 2
MOST_UNREADY = 4
"""Workers in a row that may die before they are ready; then none will ever be."""

START_SECONDS = 120.0
"""Seconds that a worker may take to get ready for its first item."""


class Job(Protocol[Item_contra, Out_co]):
    """A step that can be sent to another process and is built there."""

    def build(self) -> Callable[[Item_contra], Out_co]:
        """Return the step."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Why an item has no result: `worker-died`, `timeout` or `bug`, and what is known about it."""

    reason: str
    message: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Unready:
    """What a worker sends when it cannot build its step, which no other worker could either."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Raised:
    """What a worker sends for a step that raised: the last lines of the report."""

    message: str


@dataclass(slots=True)
class _Worker(Generic[Item]):
    """A process with the pipe to it, and the item it has, since when."""

    process: BaseProcess
    pipe: connection.Connection
    item: Item | None = None
    tries: int = 0
    since: float = 0.0
    is_ready: bool = False


@dataclass
class Pool(Generic[Item, Out]):
    """Runs a job on items; `seconds` bounds each item, 0 for no bound."""

    job: Job[Item, Out]
    workers: int
    seconds: float = 0.0
    _waiting: deque[tuple[Item, int]] = field(default_factory=deque)
    _unready: int = 0
    _live: list[_Worker[Item]] = field(default_factory=list)

    def run(self, items: Iterable[Item]) -> Iterator[tuple[Item, Out | Lost]]:
        """Yield each item with its result, as they come."""
        self._waiting = deque((item, 0) for item in items)
        context = _context()
        try:
            while self._waiting or any(worker.item is not None for worker in self._live):
                self._fill(context)
                yield from self._collect()
        finally:
            self._end_all()

    def _fill(self, context: BaseContext) -> None:
        """Start workers while there is more to do than are alive, and give idle ones their next item."""
        busy = sum(worker.item is not None for worker in self._live)
        while len(self._live) < min(self.workers, busy + len(self._waiting)):
            self._live.append(_started(context, self.job))
        for worker in self._live:
            if worker.item is None and self._waiting:
                worker.item, worker.tries = self._waiting.popleft()
                worker.since = time.monotonic()
                try:
                    worker.pipe.send(worker.item)
                except OSError:
                    continue  # it has died; `_collect` sees that next

    def _collect(self) -> Iterator[tuple[Item, Out | Lost]]:
        """Wait for something to happen, and yield what is known then."""
        pipes = {worker.pipe: worker for worker in self._live}
        ready = connection.wait([*pipes, *(worker.process.sentinel for worker in self._live)], self._patience())
        for worker in list(self._live):
            if worker.pipe in ready or worker.process.sentinel in ready:
                yield from self._heard(worker)
            elif self._is_late(worker):
                yield from self._ended_late(worker)

    def _heard(self, worker: _Worker[Item]) -> Iterator[tuple[Item, Out | Lost]]:
        try:
            if not worker.pipe.poll():
                raise EOFError
            answer: Any = worker.pipe.recv()
        except (EOFError, OSError):
            yield from self._died(worker)
            return
        if answer is None:
            worker.is_ready, worker.since, self._unready = True, time.monotonic(), 0
            return
        if isinstance(answer, Unready):
            raise UserError(answer.message, hint=answer.hint)
        item, worker.item = worker.item, None
        assert item is not None  # noqa: S101 - a worker only answers to an item
        if isinstance(answer, Raised):
            yield item, Lost("bug", answer.message, time.monotonic() - worker.since)
        else:
            yield item, answer

    def _died(self, worker: _Worker[Item]) -> Iterator[tuple[Item, Lost]]:
        """A worker is gone: its item gets another try, in the first place of the queue, or is lost."""
        self._live.remove(worker)
        _end(worker)
        item = worker.item
        if not worker.is_ready:
            self._unready += 1
            if self._unready >= MOST_UNREADY:
                raise UserError("worker processes die before they begin", hint="try --engine inline to see why")
        if item is None:
            return
        if worker.tries + 1 < MOST_TRIES:
            self._waiting.appendleft((item, worker.tries + 1))
            return
        code = worker.process.exitcode
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        yield item, Lost("worker-died", f"its process ended with {how}, twice", time.monotonic() - worker.since)

    def _patience(self) -> float | None:
        """Return the seconds until the first item is over time."""
        limits = [left for worker in self._live if (left := self._left(worker)) is not None]
        return max(0.0, min(limits)) if limits else None

    def _left(self, worker: _Worker[Item]) -> float | None:
        limit = self.seconds if worker.is_ready else START_SECONDS
        return None if worker.item is None or not limit else worker.since + limit - time.monotonic()

    def _is_late(self, worker: _Worker[Item]) -> bool:
        left = self._left(worker)
        return left is not None and left <= 0

    def _ended_late(self, worker: _Worker[Item]) -> Iterator[tuple[Item, Lost]]:
        self._live.remove(worker)
        _end(worker)
        assert worker.item is not None  # noqa: S101 - only a busy worker can be late
        limit = self.seconds if worker.is_ready else START_SECONDS
        yield worker.item, Lost("timeout", f"over {limit:g} s", time.monotonic() - worker.since)

    def _end_all(self) -> None:
        for worker in self._live:
            if worker.item is not None:
                worker.process.terminate()
        for worker in self._live:
            _end(worker)
        self._live.clear()


def _context() -> BaseContext:
    """Return a way to start processes that copies no threads, with our modules loaded once for all."""
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload(["hermes_git.batch.work", "hermes_git.batch.swe"])
    return context


def _started(context: BaseContext, job: Job[Item, Out]) -> _Worker[Item]:
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(job, theirs), daemon=True)  # type: ignore[attr-defined]
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _end(worker: _Worker[Item]) -> None:
    """End a process: by closing its pipe if it is idle, by asking it, by force."""
    worker.pipe.close()
    if worker.item is not None:
        worker.process.terminate()
    worker.process.join(GRACE)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()


def _serve(job: Job[Item, Out], pipe: connection.Connection) -> None:
    """Do items until the pipe closes; the life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    threading.Thread(target=_watch_parent, daemon=True).start()
    try:
        step = job.build()
    except UserError as error:
        pipe.send(Unready(error.message, error.hint))
        return
    except Exception as error:  # noqa: BLE001 - said once by the process that started this one, not by each worker
        pipe.send(Unready(f"a worker cannot begin: {type(error).__name__}: {error}", "try --engine inline to see why"))
        return
    pipe.send(None)
    while True:
        try:
            item = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(_attempt(step, item))


def _attempt(step: Callable[[Item], Out], item: Item) -> Out | Raised:
    try:
        return step(item)
    except Exception as error:  # noqa: BLE001 - a bug in one item must not cost the others
        import traceback

        where = traceback.extract_tb(error.__traceback__)[-1]
        return Raised(f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})")


def _watch_parent() -> None:
    """End this process when the one that started it is gone, by whatever signal."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        _leave()


def _leave() -> None:
    subprocesses.end_all()
    os._exit(0)
