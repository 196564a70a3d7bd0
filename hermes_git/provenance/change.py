"""The `Hermes-Change` line: who did what to which entry or skill, in one line that survives squash merges.

Grammar (docs/formats/change.md)::

    Hermes-Change: <action> <target> <id-before>..<id-after> actor=<kind>:<name> session=<id> key=value …

Values with spaces are double-quoted with backslash escapes. An absent id is written as a dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from hermes_git.patterns.lazy import pattern

KEY = "Hermes-Change"
ACTIONS = (
    "add replace remove move split merge adopt evict archive restore consolidate create edit patch rename delete "
    "import forget init revert pin unpin report write"
).split()
ACTOR_KINDS = ("person", "agent", "curator", "unknown")
LINE = pattern(rf"^[ \t>*-]*{KEY}:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
WORD = pattern(r'([A-Za-z][A-Za-z0-9_.-]*)=("(?:[^"\\]|\\.)*"|[^\s"]+)')
PLAIN_VALUE = pattern(r"[^\s\"\\=\x00-\x1f]+\Z")


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acted: kind (person, agent, curator, unknown) and a name without spaces."""

    kind: str = "unknown"
    name: str = "unknown"

    @property
    def is_agent(self) -> bool:
        """Say whether the strict rules hold; an unknown actor is treated as an agent."""
        return self.kind in ("agent", "unknown")

    def __str__(self) -> str:
        """Render as `kind:name`."""
        return f"{self.kind}:{self.name}"


@dataclass(frozen=True, slots=True)
class Change:
    """One declared change: action, target (a path, `memory`, `user`, or a skill's key), ids before and after."""

    action: str
    target: str
    before: str = ""
    after: str = ""
    actor: Actor = Actor()
    session: str = ""
    extra: dict[str, str] = field(default_factory=dict)

    def line(self) -> str:
        """Render as the line of a commit message."""
        words = [f"{KEY}: {self.action} {_value(self.target)} {self.before or '-'}..{self.after or '-'}"]
        words.append(f"actor={_value(str(self.actor))}")
        if self.session:
            words.append(f"session={_value(self.session)}")
        return " ".join([*words, *(f"{key}={_value(value)}" for key, value in sorted(self.extra.items()))])


def _value(text: str) -> str:
    if PLAIN_VALUE.match(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _unquote(text: str) -> str:
    if not text.startswith('"'):
        return text
    return re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match.group(1), match.group(1)), text[1:-1])


HEAD = pattern(r'(\S+)[ \t]+("(?:[^"\\]|\\.)*"|\S+)[ \t]+([0-9a-f]+|-)\.\.([0-9a-f]+|-)(?=\s|$)')


def parse_line(text: str) -> Change | None:
    """Parse what follows `Hermes-Change:`; None when it does not obey the grammar."""
    head = HEAD.match(text)
    if head is None or head.group(1) not in ACTIONS:
        return None
    words = WORD.finditer(text[head.end() :])
    values = {word.group(1): _unquote(word.group(2)) for word in words}
    return Change(
        head.group(1),
        _unquote(head.group(2)),
        head.group(3).strip("-"),
        head.group(4).strip("-"),
        parse_actor(values.pop("actor", "")),
        values.pop("session", ""),
        values,
    )


def parse_actor(text: str) -> Actor:
    """Parse `kind:name`; anything else is an unknown actor."""
    kind, _, name = text.partition(":")
    return Actor(kind, name or kind) if kind in ACTOR_KINDS else Actor()


def parse(message: str) -> tuple[Change, ...]:
    """Find all well-formed change lines of a commit message, wherever they stand and however they are indented."""
    found = (parse_line(match.group(1)) for match in LINE.finditer(message))
    return tuple(change for change in found if change is not None)


def message(subject: str, changes: Iterable[Change], body: str = "") -> str:
    """Compose a commit message: subject, optional body, and the change lines as its last paragraph."""
    lines = "\n".join(change.line() for change in changes)
    return "\n\n".join(part for part in (subject, body.strip(), lines) if part) + "\n"
