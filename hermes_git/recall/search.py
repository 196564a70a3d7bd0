"""Recall as a library: open it on a repository, then discover, scroll, read, browse (see recall/shapes.py).

with open_recall(repo, settings) as recall:
    found = recall.find("why did the deploy fail", limit=3)
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hermes_git.errors import UserError
from hermes_git.gitrepo.repository import Repository
from hermes_git.recall import analyze, index, query
from hermes_git.recall.answer import Answer, Asked, answer
from hermes_git.recall.engine import RELEVANCE, Engine
from hermes_git.recall.index import Busy, Index, Place
from hermes_git.recall.lineage import Lineages
from hermes_git.recall.manifest import Damaged
from hermes_git.recall.passage import Unit
from hermes_git.recall.query import Query
from hermes_git.recall.source import KNOWLEDGE, SESSIONS, Source
from hermes_git.recall.texts import RepositoryTexts
from hermes_git.recall.update import Progress, Update, bring_up_to_date, build_aside
from hermes_git.screen import amount
from hermes_git.sessions.store import absent, open_store
from hermes_git.settings import Settings

WAIT = 2.0
"""Seconds that a search waits for another process that is updating the index."""

READ_ONLY_HINT = "make .git/hermes-git writable, or run: hermes-git index update"


@dataclass(frozen=True, slots=True)
class Findings:
    """Answers of the two shelves, and what has to be said about the index they came from."""

    query: Query
    sessions: Answer
    knowledge: Answer

    @property
    def rung(self) -> str:
        """Return the rung of the first session, or of the first piece of knowledge."""
        return self.sessions.rung or self.knowledge.rung

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what has to be said, each once."""
        return tuple(dict.fromkeys([*self.sessions.notes, *self.knowledge.notes]))


class Recall:
    """An open index with the texts behind it; `notes` say what was done to it, `complete` whether it covers all."""

    def __init__(
        self, opened: Index | None, texts: RepositoryTexts, notes: tuple[str, ...] = (), *, complete: bool = True
    ) -> None:
        self.index, self.texts, self.notes, self.complete = opened, texts, notes, complete
        self.engines: Mapping[str, Engine] = opened.engines if opened else {}
        self.lineages = Lineages(self.sessions())

    @functools.cached_property
    def titles(self) -> dict[str, list[Source]]:
        """All sessions by their title, folded and squeezed; untitled ones left out."""
        found: dict[str, list[Source]] = {}
        for source in self.lineages.by_id.values():
            if source.title:
                found.setdefault(analyze.squeeze(source.title), []).append(source)
        return found

    def sessions(self) -> Iterator[Source]:
        """Yield all indexed sessions."""
        if SESSIONS in self.engines:
            yield from self.engines[SESSIONS].sources()

    def find(
        self,
        text: str,
        *,
        limit: int = 3,
        order: str = RELEVANCE,
        roles: tuple[str, ...] = (),
        current: str = "",
        within: str = "",
    ) -> Findings:
        """Search both shelves. `current` is the session that asks: what it still has in its context is left out.

        `within` restricts to the messages of one session. Never an error for any text.
        """
        asked = query.parse(text)
        if roles:
            values = {**asked.filters.values, "role": roles}
            asked = replace(asked, filters=replace(asked.filters, values=values))
        if within:
            values = {**asked.filters.values, "session": (within.casefold(),)}
            asked = replace(asked, filters=replace(asked.filters, values=values))
        kinds = asked.filters.of("kind")
        sessions = Answer(notes=asked.notes)
        if not kinds or "session" in kinds:
            sessions = self._ask(SESSIONS, asked, limit, order, current, each_passage=bool(within))
        knowledge = Answer()
        if not within and not roles and (not kinds or set(kinds) - {"session"}):
            knowledge = self._ask(KNOWLEDGE, asked, limit, order, "")
        return Findings(asked, sessions, knowledge)

    def _ask(
        self, shelf: str, asked: Query, limit: int, order: str, current: str, *, each_passage: bool = False
    ) -> Answer:
        engine = self.engines.get(shelf)
        if engine is None or not engine.passages:
            return Answer(notes=asked.notes)
        if shelf == SESSIONS and asked.filters.of("path"):
            asked = _path_as_text(asked)
        mine = self.lineages.of(current) if current else ""

        def is_hidden(source: Source, unit: Unit) -> bool:
            return bool(mine) and unit.state != "compacted" and self.lineages.root(source) == mine

        wanted = Asked(asked, limit, order, self.lineages.group, each_passage, is_hidden)
        try:
            return answer(wanted, engine, self.texts)
        finally:
            engine.release()

    def close(self) -> None:
        """Let go of the index and of git."""
        self.texts.close()
        if self.index:
            self.index.close()


def _path_as_text(asked: Query) -> Query:
    """Return a query whose path must be named in the text: a session is no file of the work tree."""
    values = {name: value for name, value in asked.filters.values.items() if name != "path"}
    within = tuple(query.Piece(path, is_phrase=True) for path in asked.filters.of("path"))
    return replace(asked, filters=replace(asked.filters, values=values), within=within)


@contextlib.contextmanager
def open_recall(
    repo: Repository, settings: Settings, *, update: bool = True, progress: Progress | None = None
) -> Iterator[Recall]:
    """Open recall on a repository, the index brought up to date first.

    Where the index cannot be written a temporary one answers, and `notes` say so; where another process is writing
    it, the old one answers and `complete` is False.
    """
    with contextlib.ExitStack() as held:
        notes, complete, opened = _prepare(repo, settings, held, progress, update=update)
        store = open_store(repo, settings)
        if folder := absent(store):
            notes, complete = (*notes, f"the folder of sessions is not there, so none was searched: {folder}"), False
        recall = Recall(opened, RepositoryTexts(repo, store), notes, complete=complete)
        held.callback(recall.close)
        yield recall


def _prepare(
    repo: Repository,
    settings: Settings,
    held: contextlib.ExitStack,
    progress: Progress | None,
    *,
    update: bool,
) -> tuple[tuple[str, ...], bool, Index | None]:
    """Return notes, whether the index covers everything, and the index."""
    place = index.place_of(repo)
    try:
        done = bring_up_to_date(repo, settings, wait=WAIT, progress=progress) if update else Update()
        return _described(done, Index.open(place))
    except Busy as busy:
        opened = _open_or_none(place)
        if opened is None:
            raise
        return (f"{busy.message}; what is not indexed yet was not searched",), False, opened
    except OSError as error:
        why = f"the index cannot be written ({error.strerror or error})"
    aside = held.enter_context(index.temporary())
    done = build_aside(repo, settings, aside, progress)
    return _described(replace(done, note=f"{why}; a temporary one was built"), Index.open(aside))


def _open_or_none(place: Place) -> Index | None:
    try:
        return Index.open(place)
    except Damaged:
        return None


def _described(done: Update, opened: Index | None) -> tuple[tuple[str, ...], bool, Index | None]:
    """Return what an update and the index it left have to say, whether the index covers everything, and the index."""
    notes = [done.note] if done.note else []
    problems = opened.manifest.problems if opened else ()
    if problems:
        unread = amount(len(problems), "source")
        notes.append(f"{unread} could not be read and so not searched, the first: {problems[0]}")
    return tuple(notes), not problems, opened


def rebuilt(repo: Repository) -> None:
    """Throw the index away, so that the next search builds a new one: for damage found while reading."""
    place = index.place_of(repo)
    try:
        with index.writing(place, wait=WAIT, afresh=True) as writer:
            writer.commit()
    except OSError as error:
        raise UserError(
            f"the index is damaged and cannot be rebuilt: {error.strerror}",
            where=str(place.folder),
            hint=READ_ONLY_HINT,
        ) from error
