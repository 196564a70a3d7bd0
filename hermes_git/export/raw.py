"""Sessions straight from the files of agents, for an export without a store, and an account of what was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hermes_git.errors import UserError
from hermes_git.sessions.detect import detect
from hermes_git.sessions.intake import expand
from hermes_git.sessions.loss import Tally, is_loss
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Source

MAX_NAMED = 20


@dataclass(slots=True)
class Account:
    """What became of the files: how many were read, which are in no known format, and the rows lost by reason."""

    files: int = 0
    unsupported: list[str] = field(default_factory=list)
    rows: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    damaged: list[str] = field(default_factory=list)

    def add(self, tally: Tally) -> None:
        """Take in the account of one file."""
        found = tally.report()
        self.files += 1
        self.rows += tally.rows
        self.lost.update({why: count for why, count in found.dropped.items() if is_loss(why)})
        self.damaged += found.damaged[: MAX_NAMED - len(self.damaged)]

    def as_json(self) -> dict[str, object]:
        """Return the published form."""
        return {
            "files": self.files,
            "rows": self.rows,
            "lost": dict(sorted(self.lost.items())),
            "damaged": self.damaged,
            "unsupported": len(self.unsupported),
        }


def sessions(paths: Iterable[Path], account: Account) -> Iterator[Session]:
    """Yield the sessions of files and folders, in the order of their names; what cannot be read costs only itself."""
    for path in expand(paths):
        source = Source(path)
        tally = Tally(source.shown)
        try:
            module = detect(source.head)
            if module is None:
                account.unsupported.append(source.shown)
                continue
            yield from module.read(source, tally)
        except UserError as error:
            tally.damage(0, error.message)
        account.add(tally)
