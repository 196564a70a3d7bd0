"""Redaction: secrets and personal data of a session become typed placeholders before anything is written.

A placeholder such as `[REDACTED:github-token:1]` names the kind and a number. The same secret has the same number
everywhere in its session, so a reader can still follow it, and a session that grows keeps the numbers it had.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field

import msgspec

from hermes_git.patterns import secrets
from hermes_git.patterns.placeholders import PLACEHOLDER, Placeholders
from hermes_git.sessions.model import Message, Session, ToolCall

BARE_PLACEHOLDER = re.compile(r"(?<=[:,\[\s])(\[REDACTED:[a-z0-9-]+:\d+\])(?=\s*[,}\]])")
"""A placeholder that took the place of a number in JSON and needs quotes."""
HOME = re.compile(
    r"(/(?:Users|home)/|-(?:Users|home)-|[A-Za-z]:\\\\?Users\\\\?)([^/\\\s\"'`:;,<>|)\]}*?-][^/\\\s\"'`:;,<>|)\]}*?]{0,63}?)"
    r"(?=[/\\\s\"'`:;,<>|)\]}*?-]|\Z)",
    re.ASCII,
)
"""A home folder and its owner; Claude Code writes paths with hyphens for slashes."""
SHARED_HOMES = frozenset("Shared Public Default runner root user linuxbrew".split())


@dataclass
class Redactor:
    """Replaces secrets of one session; remembers which secret got which placeholder, and counts by kind."""

    personal: bool = True
    homes: bool = False
    placeholders: Placeholders = field(default_factory=Placeholders)

    @property
    def counts(self) -> Counter[str]:
        """How many replacements there were, by kind."""
        return self.placeholders.counts

    def text(self, text: str) -> str:
        """Return a text with every secret replaced; JSON inside it stays valid JSON."""
        if len(text) < SHORTEST:
            return text
        before, redacted = text, self._replaced(text)
        while redacted != before:  # a secret that was glued to another one can be told only now
            before, redacted = redacted, self._replaced(redacted)
        return HOME.sub(self._home, redacted) if self.homes else redacted

    def _replaced(self, text: str) -> str:
        parts, position = [], 0
        for match in secrets.find(text, personal=self.personal):
            found = text[match.start : match.end]
            if PLACEHOLDER.search(found):
                continue
            parts += [text[position : match.start], self.placeholders.of(match.kind, found)]
            position = match.end
        return "".join([*parts, text[position:]]) if parts else text

    def _home(self, match: re.Match[str]) -> str:
        if match.group(2) in SHARED_HOMES:
            return match.group()
        return match.group(1) + self.placeholders.of("user-name", match.group(2))

    def arguments(self, text: str) -> str:
        """Redact the arguments of a call, then once more inside strings that escapes hide; JSON stays JSON."""
        redacted = self.text(text)
        if "\\" not in text and redacted == text:
            return text
        for candidate in (redacted, BARE_PLACEHOLDER.sub(r'"\1"', redacted)):
            try:
                value = json.loads(candidate)
            except (ValueError, RecursionError):
                continue
            cleaned = self._value(value)
            return candidate if cleaned == value else _dump(cleaned)
        return redacted

    def _value(self, value: object, depth: int = 0) -> object:
        if isinstance(value, str):
            return self.text(value)
        if depth > DEEPEST:
            return value
        if isinstance(value, list):
            return [self._value(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self._value(item, depth + 1) for key, item in value.items()}
        return value

    def message(self, message: Message) -> Message:
        """Return a message without secrets."""
        return msgspec.structs.replace(
            message,
            content=self.text(message.content),
            reasoning=self.text(message.reasoning),
            tool_calls=tuple(
                ToolCall(call.id, call.name, self.arguments(call.arguments)) for call in message.tool_calls
            ),
        )

    def session(self, session: Session) -> Session:
        """Return a session without secrets; messages come first, so that growth never renumbers them."""
        messages = tuple(self.message(message) for message in session.messages)
        fields = {name: self.text(str(getattr(session, name))) for name in TEXT_FIELDS}
        return msgspec.structs.replace(session, messages=messages, **fields)


def _dump(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if LONE_SURROGATE.search(text) else text


LONE_SURROGATE = re.compile("[\ud800-\udfff]")
SHORTEST = 6
"""No secret is shorter than this."""
DEEPEST = 64
TEXT_FIELDS = ("title", "cwd", "repository", "branch", "system_prompt", "tools", "source_path")


def redact(session: Session, *, personal: bool = True, homes: bool = False) -> tuple[Session, dict[str, int]]:
    """Redact a session; return it with the number of replacements by kind, sorted.

    `homes` also replaces the user's name in paths below a home folder.
    """
    redactor = Redactor(personal=personal, homes=homes)
    redacted = redactor.session(session)
    return redacted, dict(sorted(redactor.counts.items()))
