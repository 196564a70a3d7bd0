"""A bound on the time of a command: it ends the process, and never becomes a verdict."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TimeIsUp(BaseException):
    """Raised when the time is up; no `except Exception` of a check takes it for a failure of its own."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise `TimeIsUp` in the block after so many seconds; without alarms, and outside the main thread, do nothing."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: object) -> None:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
