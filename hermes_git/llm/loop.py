"""An event loop on a thread of its own, by which code that waits can be ended at its deadline wherever it waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Out = TypeVar("Out")


class Loop:
    """Runs coroutines for any number of threads; its thread starts with the first one and ends with `end`."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._live, name="hermes-git-llm", daemon=True)
        self._lock = threading.Lock()

    def run(self, work: Coroutine[Any, Any, Out], seconds: float) -> Out:
        """Return what the work returns; `TimeoutError` when it is not done within so many seconds, all in all.

        Work that is over time, or whose caller is interrupted, is cancelled at the place where it waits.
        """
        with self._lock:
            if self._thread.ident is None:
                self._thread.start()
        future = asyncio.run_coroutine_threadsafe(_within(work, seconds), self._loop)
        try:
            return future.result()
        finally:
            future.cancel()

    def end(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run some last work and end the thread; does not wait, since it may be the loop itself that calls."""
        if self._thread.ident is None:
            self._loop.close()
        else:
            asyncio.run_coroutine_threadsafe(self._end(last), self._loop)

    async def _end(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await last()
        finally:
            self._loop.stop()

    def _live(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()


async def _within(work: Coroutine[Any, Any, Out], seconds: float) -> Out:
    async with asyncio.timeout(seconds):
        return await work
