"""Which sessions belong together: a session, what it was compacted or resumed into, and its sub-agents."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from hermes_git.recall.source import Source, is_memory

MAX_HOPS = 1000


class Lineages:
    """Finds the root of a session by its parents; a parent that is not stored is the root's name all the same."""

    def __init__(self, sessions: Iterable[Source]) -> None:
        self._sessions = sessions

    @functools.cached_property
    def by_id(self) -> dict[str, Source]:
        """All sessions by id, read when the first one with a parent asks."""
        return {source.id: source for source in self._sessions if source.kind == "session"}

    def root(self, source: Source) -> str:
        """Return the id of the first session of a lineage; a cycle ends where it closes."""
        seen = {source.id}
        here = source
        while here.parent and here.parent not in seen and len(seen) < MAX_HOPS:
            seen.add(here.parent)
            above = self.by_id.get(here.parent)
            if above is None:
                return here.parent
            here = above
        return here.id

    def group(self, source: Source, unit: int) -> str:
        """Return what one result stands for: a lineage of sessions, an entry, a skill with all its files, a commit."""
        if source.kind == "session":
            return self.root(source)
        if is_memory(source.key):
            return f"{source.path}#{unit}"
        return f"{source.kind}:{source.id}"

    def of(self, session_id: str) -> str:
        """Return the root of a session by its id; an unknown id is its own root."""
        found = self.by_id.get(session_id)
        return self.root(found) if found else session_id

    def members(self, session_id: str) -> list[Source]:
        """Return the sessions of the lineage that an id belongs to, oldest first."""
        root = self.of(session_id)
        found = [source for source in self.by_id.values() if self.root(source) == root]
        return sorted(found, key=lambda source: (source.started, source.id))
