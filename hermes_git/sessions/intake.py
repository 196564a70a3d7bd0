"""Importing: files in, sessions in the store, and an account of every row."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.finding import ERROR, Finding, Report
from hermes_git.sessions import canonical, forget, growth
from hermes_git.sessions.detect import detect
from hermes_git.sessions.formats import opencode_storage
from hermes_git.sessions.loss import Tally
from hermes_git.sessions.model import LossReport, Session
from hermes_git.sessions.redact import redact
from hermes_git.sessions.source import Source, short_digest
from hermes_git.sessions.store import FORGOTTEN, Store, session_files, session_path

BATCH_CHARACTERS = 32 * 1024 * 1024
"""How much text of sessions is held before it is written; each batch is one commit."""

UNREADABLE = "unreadable"
SKIPPED_FOLDERS = frozenset((".git", "node_modules", "__pycache__"))


@dataclass(frozen=True)
class FileReport:
    """What became of one file: its format, the sessions found in it, and the account of its rows."""

    path: str
    format: str
    sessions: tuple[str, ...]
    loss: LossReport


@dataclass(frozen=True, slots=True)
class Refused:
    """A session that the guard does not let in: its id, the source it came from, and why, with the message meant."""

    session: str
    source: str
    finding: Finding
    message: int = 0


@dataclass
class Intake:
    """One import: what was read, what was written, what was refused, and what else the guard found, by check."""

    files: list[FileReport] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    refused: list[Refused] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    revision: str = ""

    @property
    def loss(self) -> LossReport:
        """Return the account over all files."""
        total = LossReport()
        for report in self.files:
            total = total.plus(report.loss)
        return total

    @property
    def sessions(self) -> int:
        """Return how many sessions were found."""
        return sum(len(report.sessions) for report in self.files)


Describe = Callable[[Mapping[str, int]], str]
"""Counts by state (`new`, `grown`) → the message of the commit that stores them."""
Watch = Callable[[str], None]
Judge = Callable[[Mapping[str, bytes]], Mapping[str, Report]]
"""Files that are about to be stored → what the guard says of each, by path."""


@dataclass
class Importer:
    """Reads files into a store past a judge; `describe` writes the message of a commit, `watch` is told each name."""

    store: Store
    describe: Describe
    judge: Judge
    redacting: bool = True
    homes: bool = False
    again: bool = False
    dry: bool = False
    revive: bool = False
    watch: Watch = lambda _: None
    found: Intake = field(default_factory=Intake)
    _batch: list[Session] = field(default_factory=list)
    _size: int = 0

    def run(self, paths: Iterable[Given]) -> Intake:
        """Import files and folders and return the account."""
        for path in expand(paths):
            self.watch(path.as_posix())
            self._file(path)
        self._flush()
        self.found.revision = self.store.revision
        return self.found

    def _file(self, path: Path) -> None:
        """Read one file; one that cannot be read is damage, and costs the others nothing."""
        source = Source(path)
        tally = Tally(source.shown)
        names: list[str] = []
        name = UNREADABLE
        try:
            module = detect(source.head)
            if module is None:
                self.found.unsupported.append(source.shown)
                return
            name = module.NAME
            for session in module.read(source, tally):
                names.append(session.id)
                self._add(session)
        except UserError as error:
            tally.damage(0, f"{error.message}; {error.hint}" if error.hint else error.message)
        self.found.files.append(FileReport(source.shown, name, tuple(names), tally.report()))

    def _add(self, session: Session) -> None:
        self._batch.append(session)
        self._size += sum(len(message.content) + len(message.reasoning) for message in session.messages)
        if self._size >= BATCH_CHARACTERS:
            self._flush()

    def _flush(self) -> None:
        """Write the sessions read so far in one step."""
        batch, self._batch, self._size = self._batch, [], 0
        placing = Placing(self.store, list(self._changed(batch)), self.judge)
        paths = [*placing.paths(), *((FORGOTTEN,) if self.revive else ())]

        def merge(present: Mapping[str, bytes]) -> dict[str, bytes | None]:
            placed = placing.merge({path: data for path, data in present.items() if path != FORGOTTEN})
            out = {row.session for row in placing.refused}
            kept = [session for session in batch if session.id not in out]
            return placed | (forget.taken_back(present.get(FORGOTTEN, b""), kept) if self.revive else {})

        changes = merge(dict(self.store.read(paths)))
        if changes and not self.dry:
            self.store.update(paths, merge, message=self.describe(placing.states))
        self.found.states.update(placing.states)
        self.found.refused += placing.refused
        self.found.counts.update(placing.counts)

    def _changed(self, batch: list[Session]) -> Iterator[Session]:
        """Yield the sessions whose source is not the one that is stored, redacted."""
        known = {stored.id: stored.path for stored in self.store.sessions()} if batch else {}
        wanted = [known[session.id] for session in batch if session.id in known]
        digests = {path: canonical.decode_header(data, where=path).digest for path, data in self.store.read(wanted)}
        gone = frozenset[str]() if self.revive or not batch else forget.forgotten(self.store)
        for session in batch:
            if session.id not in known and forget.identity(session) in gone:
                self.found.states["forgotten"] += 1
            elif digests.get(known.get(session.id, "")) == session.digest and not self.again:
                self.found.states["unchanged"] += 1
            else:
                yield self._redacted(session)

    def _redacted(self, session: Session) -> Session:
        if not self.redacting:
            return session
        cleaned, counts = redact(session, homes=self.homes)
        self.found.redactions.update(counts)
        return cleaned


@dataclass
class Placing:
    """Where sessions go in the store, how they grow what is there, and which of them the guard keeps out."""

    store: Store
    sessions: list[Session]
    judge: Judge
    known: dict[str, str] = field(default_factory=dict)
    states: Counter[str] = field(default_factory=Counter)
    refused: list[Refused] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    fresh: dict[str, str] = field(default_factory=dict)
    """Id → path of sessions that are new: a second source may know no start time, and so would lie elsewhere."""

    def __post_init__(self) -> None:
        self.known = {stored.id: stored.path for stored in self.store.sessions()}

    def paths(self) -> list[str]:
        """Return the paths that the sessions may touch."""
        named = (self._path(name, session) for session in self.sessions for name in _names(session))
        return sorted(set(named))

    def _path(self, name: str, session: Session) -> str:
        return self.known.get(name) or self.fresh.get(name) or session_path(msgspec.structs.replace(session, id=name))

    def merge(self, present: Mapping[str, bytes]) -> dict[str, bytes | None]:
        """Return the files to write, given what is stored now."""
        current = {path: self.store.decode(data, path) for path, data in present.items()}
        touched: dict[str, Session] = {}
        went: list[tuple[str, str]] = []
        self.fresh = {}
        for session in self.sessions:
            path, placed = self._place(session, current)
            before = current.get(path)
            went.append((path, "new" if before is None else "unchanged" if placed == before else "grown"))
            if placed != before:
                current[path] = touched[path] = placed
        written, out = self._past_the_guard(touched)
        self.states = Counter("refused" if path in out and state != "unchanged" else state for path, state in went)
        return written

    def _past_the_guard(self, touched: Mapping[str, Session]) -> tuple[dict[str, bytes | None], set[str]]:
        """Return the files of the sessions that are let in, and the paths of the others."""
        files = {path: session_files(session, path) for path, session in touched.items()}
        reports = self.judge({name: data for rows in files.values() for name, data in rows.items()})
        self.counts = Counter(row.check for report in reports.values() for row in report.findings)
        self.refused = [
            _refused(touched[path], row, name == path)
            for path, rows in files.items()
            for name in rows
            for row in reports[name].findings
            if row.severity == ERROR
        ]
        out = {path for path, rows in files.items() if any(reports[name].verdict == "block" for name in rows)}
        kept = [rows for path, rows in files.items() if path not in out]
        return {name: data for rows in kept for name, data in rows.items()}, out

    def _place(self, session: Session, current: Mapping[str, Session]) -> tuple[str, Session]:
        """Return where a session belongs: under its id, or beside another one that has the same id by chance."""
        for name in _names(session):
            path = self._path(name, session)
            stored = current.get(path)
            named = msgspec.structs.replace(session, id=name)
            if stored is None:
                self.fresh[name] = path
                return path, named
            if growth.is_related(stored, session):
                return path, growth.grow(stored, named)
        raise UserError(f"two other sessions have the id {session.id}", hint="rename the file and import it again")


def _refused(session: Session, found: Finding, own: bool) -> Refused:
    """Say of which message a finding speaks: a session's first line is its header, then each message has a line."""
    at = found.line - 2 if own else -1
    number = session.messages[at].id if 0 <= at < len(session.messages) else 0
    return Refused(session.id, session.source_path, found, number)


def _names(session: Session) -> tuple[str, str]:
    """Return a session's id, and the one it gets where another session is already stored under that id."""
    first = growth.key(session.messages[0]) if session.messages else ()
    return session.id, f"{session.id[:100]}-{short_digest(session.agent, repr(first))[:8]}"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of which only the files with a certain kind of name are meant, such as `*.jsonl`."""

    path: Path
    pattern: str

    def exists(self) -> bool:
        """Say whether the folder is there."""
        return self.path.is_dir()


Given = Path | Folder
"""What an import may be pointed at: a file, a folder with all its files, or a folder and a pattern of names."""


def expand(paths: Iterable[Given]) -> Iterator[Path]:
    """Yield the sources that are meant: a file itself, a folder's files below it, sorted; links are not followed.

    A folder that an agent keeps as one store of sessions is one source.
    """
    for given in paths:
        path, pattern = (given.path, given.pattern) if isinstance(given, Folder) else (given, "*")
        if path.is_dir():
            yield from _files(path, pattern)
        elif path.is_file():
            yield path
        else:
            raise UserError(f"no such file or folder: {path}", hint="name a session file or a folder of them")


def _files(folder: Path, pattern: str) -> Iterator[Path]:
    stores: dict[Path, Path | None] = {}
    given: set[Path] = set()
    for relative, found in files.walk(folder):
        skipped = found.is_symlink() or SKIPPED_FOLDERS & set(relative.split("/")) or _belongs_to_database(found)
        source = _store_around(found.parent, folder, stores) or found
        if not skipped and source not in given and fnmatch.fnmatchcase(source.name, pattern):
            given |= {source} if source != found else set()
            yield source


def _store_around(folder: Path, top: Path, known: dict[Path, Path | None]) -> Path | None:
    """Return the store, at or below `top`, that a folder is part of."""
    if folder not in known:
        above = None if folder == top else _store_around(folder.parent, top, known)
        known[folder] = above or (folder if opencode_storage.is_storage(folder) else None)
    return known[folder]


def _belongs_to_database(path: Path) -> bool:
    """Say whether a file is the log or the shared memory of the SQLite database beside it."""
    base = path.name.removesuffix("-wal").removesuffix("-shm").removesuffix("-journal")
    return base != path.name and path.with_name(base).is_file()
