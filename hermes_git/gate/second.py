"""The way to second opinions, light enough for every hook: who may ask, and whether anybody is to be asked at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_git.document import Document
from hermes_git.finding import Finding
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.settings import Settings

if TYPE_CHECKING:
    from hermes_git.gate.opinions import Asked, Question

PREFIX = "hermes-git.opinion."
Watch = Callable[["Sequence[Question]"], "Iterable[Question]"]


@dataclass
class Second:
    """Asks the scanners of the user's own configuration; `door` is `check` where a person or CI asks to be told.

    `state` is where answers are kept, if anywhere. One of these serves one judgement: the configuration is read once,
    and one content of a skill is asked about once.
    """

    folder: Path
    state: Path | None = None
    door: str = "all"
    clean: bool = False
    watch: Watch = iter
    _asked: list[Asked] | None = field(default=None, init=False)

    def findings(
        self, documents: Sequence[Document], touched: frozenset[str], settings: Settings
    ) -> tuple[Finding, ...]:
        """Return what they say of the skills and files that a change touches; `documents` hold whole skills."""
        if not touched:
            return ()
        if self._asked is None:
            self._asked = list(self._configured())
        return tuple(found for one in self._asked for found in one.findings(documents, touched, settings))

    def _configured(self) -> Iterator[Asked]:
        options = read.user_config(self.folder, PREFIX, clean=self.clean)
        if options:
            from hermes_git.gate.opinions import Asked  # most users name nobody, and a hook shall not wait for it

            yield Asked.of(options, self.door, self.state, self.watch)


def second_of(repo: Repository, door: str = "all") -> Second:
    """Return who is asked for second opinions on changes of a repository."""
    return Second(repo.cwd, repo.state, door, repo.clean)
