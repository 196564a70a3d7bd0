"""Budgets of memory files: how long they may be, and how long they are. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hermes_git.knowledge import entries
from hermes_git.settings import MemorySettings

Count = Callable[[str], int]
"""Counts the tokens of a text."""


def limit_of(target: str, settings: MemorySettings) -> int:
    """Return the budget of a target in the unit of the settings."""
    return settings.user_limit if target == "user" else settings.memory_limit


def used(texts: Sequence[str], settings: MemorySettings, count_tokens: Count | None = None) -> int:
    """Return the length of the entries in the unit of the settings; `count_tokens` is asked only for tokens."""
    if settings.unit == "tokens" and count_tokens is not None:
        return count_tokens(entries.render(texts))
    return entries.length(texts)
