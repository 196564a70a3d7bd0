"""The same pure step over many items, in several processes, results in the order of the items, memory bounded."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Generic, Protocol, TypeVar

from hermes_git.errors import UserError

Item = TypeVar("Item")
Out = TypeVar("Out")
Item_contra = TypeVar("Item_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)

CHUNK_BYTES = 512 * 1024
CHUNK_ITEMS = 64
AHEAD = 2
"""Chunks a worker has waiting; more would only hold memory."""


class Job(Protocol[Item_contra, Out_co]):
    """A step that can be sent to another process and built there."""

    def build(self) -> Callable[[Item_contra], Out_co]:
        """Return the step."""


class _Worker(Generic[Item, Out]):
    """What a process of the pool keeps between chunks."""

    step: Callable[[object], object] | None = None


def _start(job: Job[Item, Out]) -> None:
    _Worker.step = job.build()  # type: ignore[assignment]


def _chunk(items: list[Item]) -> list[object]:
    step = _Worker.step
    return [step(item) for item in items] if step else []


def run(
    job: Job[Item, Out], items: Iterable[Item], workers: int, *, size: Callable[[Item], int] = lambda _: 0
) -> Iterator[Out]:
    """Yield the result for each item, in order; one worker means this process.

    `size` tells the bytes of an item, by which chunks are cut. A worker that dies is an error, never a lost item.
    """
    if workers <= 1:
        yield from map(job.build(), items)
        return
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start, initargs=(job,)) as pool:
        waiting: deque[Future[list[object]]] = deque()
        try:
            for chunk in chunks(items, size):
                waiting.append(pool.submit(_chunk, chunk))
                if len(waiting) > workers * AHEAD:
                    yield from waiting.popleft().result()  # type: ignore[misc]
            while waiting:
                yield from waiting.popleft().result()  # type: ignore[misc]
        except BrokenProcessPool as error:
            raise UserError(
                "a worker process died", hint="try fewer --workers; it may have run out of memory"
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def run_waiting(step: Callable[[Item], Out], items: Iterable[Item], at_once: int) -> Iterator[Out]:
    """Yield the result for each item, in order, several waiting at once: for a step that asks somebody else."""
    with ThreadPoolExecutor(at_once) as pool:
        waiting: deque[Future[Out]] = deque()
        for item in items:
            waiting.append(pool.submit(step, item))
            if len(waiting) > at_once * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def chunks(items: Iterable[Item], size: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Cut items into lists of bounded bytes and number."""
    chunk: list[Item] = []
    held = 0
    for item in items:
        chunk.append(item)
        held += size(item)
        if held >= CHUNK_BYTES or len(chunk) >= CHUNK_ITEMS:
            yield chunk
            chunk, held = [], 0
    if chunk:
        yield chunk
