"""How often Python looks for cycles of objects: rarely, because a command is short and makes trees, not cycles."""

from __future__ import annotations

import gc

ALLOCATIONS = 100_000
"""Objects between two collections. Python's own number is 700 to 2,000, which costs a scan an eighth of its time."""


def collect_rarely() -> None:
    """Let this process collect cycles less often; memory that no cycle holds is freed at once all the same."""
    gc.set_threshold(ALLOCATIONS, 20, 20)
