"""Regular expressions that are compiled when they are first used, so that a hook pays only for those it needs."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator

Match = re.Match[str]


class Pattern:
    """A regular expression over text, compiled on first use; the methods are those of `re.Pattern`."""

    __slots__ = ("__dict__", "flags", "source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags

    @functools.cached_property
    def compiled(self) -> re.Pattern[str]:
        """Return the compiled expression."""
        return re.compile(self.source, self.flags)

    def search(self, text: str) -> Match | None:
        """Return the first match anywhere in a text."""
        return self.compiled.search(text)

    def match(self, text: str) -> Match | None:
        """Return the match at the start of a text."""
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> Match | None:
        """Return the match of the whole text."""
        return self.compiled.fullmatch(text)

    def finditer(self, text: str) -> Iterator[Match]:
        """Yield the matches in a text."""
        return self.compiled.finditer(text)

    def within(self, text: str, start: int, end: int) -> Iterator[Match]:
        """Yield the matches between two places; what stands before the first can be looked back at."""
        return self.compiled.finditer(text, start, end)

    def findall(self, text: str) -> list[str]:
        """Return the matches, or their only group, as text."""
        found: list[str] = self.compiled.findall(text)
        return found

    def sub(self, change: str | Callable[[Match], str], text: str, count: int = 0) -> str:
        """Return a text with matches replaced."""
        return self.compiled.sub(change, text, count=count)


def pattern(source: str, flags: int = 0) -> Pattern:
    """Return a lazily compiled regular expression."""
    return Pattern(source, flags)
