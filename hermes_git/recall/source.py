"""What is searched: sessions, memory entries, skills, archived knowledge and commits, each a source with a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from hermes_git.document import decode
from hermes_git.knowledge import entries
from hermes_git.knowledge.frontmatter import BadHeader, read
from hermes_git.knowledge.layout import place, skill_key, skill_roots
from hermes_git.knowledge.skill import SKILL_FILE, encoding_problem
from hermes_git.recall.passage import LATEST, SAID, Unit, message_unit, session_units
from hermes_git.sessions import canonical
from hermes_git.sessions.model import Session
from hermes_git.sessions.typed import typed
from hermes_git.settings import Settings

PREVIEW = 60
SESSIONS, KNOWLEDGE = "sessions", "knowledge"


class Key(NamedTuple):
    """The identity of a source: its kind, the id of its blob (or commit), and its path ("" for a commit)."""

    kind: str
    blob: str
    path: str

    @property
    def shelf(self) -> str:
        """Return which of the two shelves the source is ranked on."""
        return SESSIONS if self.kind == "session" else KNOWLEDGE


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the index remembers of a source, so that lists need not open it; `first` and `count` are its passages."""

    kind: str
    blob: str
    path: str = ""
    id: str = ""
    title: str = ""
    agent: str = ""
    channel: str = ""
    author: str = ""
    model: str = ""
    repository: str = ""
    cwd: str = ""
    parent: str = ""
    parent_kind: str = ""
    end_reason: str = ""
    started: str = ""
    active: str = ""
    messages: int = 0
    preview: str = ""
    problem: str = ""
    first: int = 0
    count: int = 0

    @property
    def key(self) -> Key:
        """Return the identity of the source."""
        return Key(self.kind, self.blob, self.path)


def session_source(key: Key, session: Session) -> Source:
    """Describe a session by its header and its messages."""
    flat = " ".join(_asked(session).split())
    times = [message.timestamp for message in session.messages if message.timestamp]
    models = dict.fromkeys(message.model for message in session.messages if message.model)
    return Source(
        *key,
        id=session.id,
        title=session.title,
        agent=session.agent,
        channel=session.channel,
        model=session.model or next(iter(models), ""),
        repository=session.repository,
        cwd=session.cwd,
        parent=session.parent,
        parent_kind=session.parent_kind,
        end_reason=session.end_reason,
        started=session.started_at or (times[0] if times else ""),
        active=session.ended_at or (times[-1] if times else session.started_at),
        messages=len(session.messages),
        preview=flat[:PREVIEW] + ("..." if len(flat) > PREVIEW else ""),
    )


def _asked(session: Session) -> str:
    """Return what the person asked first: words, or a command with arguments, before text of the program."""
    said = [message for message in session.messages if message.role == "user" and message.content]
    meant = (typed(message.content) for message in said if message.state != "harness" or _is_request(message.content))
    return next(meant, typed(said[0].content) if said else "")


def _is_request(text: str) -> bool:
    return typed(text) != text and " " in typed(text)


def knowledge_keys(tree: dict[str, tuple[str, str]], settings: Settings) -> Iterator[Key]:
    """Yield the keys of memory, skills and archive in a tree given as path → (mode, blob id)."""
    roots = skill_roots(tree)
    for path, (mode, blob) in sorted(tree.items()):
        if mode.startswith("100"):
            area = place(path, settings, roots).area
            kind = KIND_OF_AREA.get(area)
            if kind:
                yield Key(kind, blob, _writable(path))


def _writable(path: str) -> str:
    r"""Return a path as UTF-8 can write it: bytes of other encodings as `\\xff`."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


KIND_OF_AREA = {
    "memory": "memory",
    "skill": "skill",
    "category": "skill",
    "archived-memory": "archive",
    "archived-skill": "archive",
}


class Commit(NamedTuple):
    """One commit as it is searched: id, author's name, time (Unix seconds), message."""

    id: str
    author: str
    time: int
    message: str


def units_of(key: Key, data: bytes) -> list[Unit]:
    """Return the units of a source from its bytes."""
    if key.kind == "session":
        return list(session_units(canonical.decode(data, where=key.path)))
    text = decode(data)[0]
    if is_memory(key):
        return [Unit(number, entry.text) for number, entry in enumerate(entries.parse(text).entries, start=1)]
    if key.path.rsplit("/", 1)[-1] == SKILL_FILE:
        return _skill_units(text, is_refused=encoding_problem(data) is not None)
    return [Unit(1, text)] if text.strip() else []


def _skill_units(text: str, *, is_refused: bool) -> list[Unit]:
    """Return what a skill says it is for, and its body; the whole text where the header cannot be read."""
    try:
        header = None if is_refused else read(text)
    except BadHeader:
        header = None
    if header is None:
        return [Unit(1, text)] if text.strip() else []
    told = f"{header.values.get('name', '')}: {header.values.get('description', '')}"
    return [Unit(1, told), *([Unit(2, header.body)] if header.body.strip() else [])]


def is_memory(key: Key) -> bool:
    """Say whether a source is a file of memory entries, live or archived."""
    return key.path.rsplit("/", 1)[-1] in ("MEMORY.md", "USER.md")


def texts_of(key: Key, data: bytes) -> Mapping[int, Unit]:
    """Return each unit by id with its whole text, which the spans of passages point into."""
    if key.kind == "session":
        return SessionUnits(data, key.path)
    return {unit.id: unit for unit in units_of(key, data)}


class SessionUnits(Mapping[int, Unit]):
    """The messages of a stored session by id, each decoded when it is first asked for."""

    def __init__(self, data: bytes, where: str) -> None:
        self._lines, self._where = data.split(b"\n"), where
        self._units: dict[int, Unit] = {}

    def __getitem__(self, number: int) -> Unit:
        if number not in self._units:
            line = self._lines[number] if 0 < number < len(self._lines) else b""
            message = canonical.decode_message(line, number + 1, where=self._where) if line else None
            if message is None or message.id != number:  # ids may have gaps
                self._decode_all()
            else:
                self._units[number] = message_unit(message)
        return self._units[number]

    def _decode_all(self) -> None:
        found = canonical.decode(b"\n".join(self._lines), where=self._where).messages
        self._units = {message.id: message_unit(message) for message in found}

    def __iter__(self) -> Iterator[int]:
        self._decode_all()
        return iter(self._units)

    def __len__(self) -> int:
        return sum(1 for line in self._lines[1:] if line)


def knowledge_source(key: Key, settings: Settings, roots: frozenset[str], units: list[Unit]) -> Source:
    """Describe a memory file, by its path, or a file of a skill, by the skill's category and name."""
    root = place(key.path, settings, roots).root or key.path.rsplit("/", 1)[0]
    named = key.path if is_memory(key) else skill_key(root, settings)
    first = units[0].text if units else ""
    flat = " ".join(first.split())
    return Source(*key, id=named, title=named, messages=len(units), preview=flat[:PREVIEW])


def commit_source(key: Key, commit: Commit, when: str) -> Source:
    """Describe a commit by its subject, author and time (ISO 8601)."""
    subject = commit.message.split("\n", 1)[0]
    return Source(
        *key, id=commit.id, title=subject, author=commit.author, started=when, active=when, messages=1, preview=subject
    )


def commit_unit(commit: Commit) -> Unit:
    """Return the one unit of a commit: its message."""
    return Unit(1, commit.message, SAID, "", (), min(commit.time, LATEST))
