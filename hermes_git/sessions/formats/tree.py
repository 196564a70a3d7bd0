"""The tree of a session: which messages are on the path to the last one, and which were left behind.

Calls that run in parallel make small forks of their own (each result hangs on its call), so a result is where its
call is. A row without a known parent continues the row before it: files are cut, and a compaction starts anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hermes_git.sessions.drafts import Draft


@dataclass
class Tree:
    """Rows by id, the row each hangs on, and the drafts each row contributed to."""

    parents: dict[str, str] = field(default_factory=dict)
    drafts: dict[str, list[Draft]] = field(default_factory=dict)
    compacted: list[Draft] = field(default_factory=list)
    _tip: str = ""

    def add(self, row: str, parent: str, drafts: Iterable[Draft]) -> None:
        """Add a row below its parent; a row whose parent is not in the file hangs on the one before it."""
        if not row:
            return
        known = parent if parent in self.parents else self._tip
        self.parents[row] = known if known != row else ""
        self.drafts[row] = list(drafts)
        if self.drafts[row]:
            self._tip = row

    def boundary(self, row: str, parent: str, before: Iterable[Draft]) -> None:
        """Add the row of a compaction: all that was said before it is now compacted."""
        self.compacted += before
        self.add(row, parent, ())

    def path(self) -> set[str]:
        """Return the rows from the last one that says something up to the root."""
        row, found = self._tip, set[str]()
        while row and row not in found:
            found.add(row)
            row = self.parents.get(row, "")
        return found


def mark(tree: Tree, drafts: Iterable[Draft]) -> None:
    """Set the state of messages that were compacted or lie on an abandoned branch."""
    on_path = tree.path()
    chosen = {id(draft) for row in on_path for draft in tree.drafts[row]}
    calls = {call.id for row in on_path for draft in tree.drafts[row] for call in draft.calls}
    in_tree = {id(draft) for found in tree.drafts.values() for draft in found}
    compacted = {id(draft) for draft in tree.compacted}
    for draft in drafts:
        left = id(draft) in in_tree and id(draft) not in chosen and not (draft.call_id and draft.call_id in calls)
        if draft.state == "active" and id(draft) in compacted:
            draft.state = "compacted"
        elif draft.state == "active" and left:
            draft.state = "branch"
