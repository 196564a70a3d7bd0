"""Replacing what is found in one part of a stream, and knowing where a secret ends that is longer than the part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hermes_git.patterns import named, secrets
from hermes_git.patterns.keys import KEY_BEGIN, KEY_HEAD, LONGEST_KEY, key_rest
from hermes_git.patterns.placeholders import PLACEHOLDER, Placeholders
from hermes_git.patterns.secrets import AWS_REACH
from hermes_git.patterns.spans import Match, disjoint

KEY = "private-key"
SIGNED = "jwt"
REACH = AWS_REACH + 40
"""How far behind a secret another may end that is known by it."""
RESTS = {
    SIGNED: re.compile(r"[\w.-]*", re.ASCII),
    "bearer-token": re.compile(r"[A-Za-z0-9._~+/=-]*"),
}
"""What a secret goes on with behind a window, by kind; all others go on to the end of their word."""
TOKEN_START = re.compile(r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))eyJ[\w-]{8}", re.ASCII)
TOKEN_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"  # noqa: S105 - an alphabet
SHORTEST_PART = 8


class Open(NamedTuple):
    """A secret whose end is not yet seen: its kind, and its text so far, at most `LONGEST_KEY` characters of it."""

    kind: str
    text: str


class Replacement:
    """Finds what is to be redacted, and puts numbered placeholders in its place."""

    def __init__(self, is_allowed: Callable[[str], bool]) -> None:
        self.placeholders = Placeholders()
        self._is_allowed = is_allowed

    def matches(self, text: str, low: int, high: int, *, is_window: bool = False) -> list[Match]:
        """Return what starts before `high` and ends behind `low`; in a window also what goes on beyond the text."""
        found = disjoint([*secrets.find(text), *_open_token(text)]) if is_window else secrets.find(text)
        marks = [match.span() for match in PLACEHOLDER.finditer(text)] if found and "[REDACTED:" in text else []
        return [
            match
            for match in found
            if match.start < high and match.end > low
            and not self._is_allowed(text[match.start : match.end])
            and (match.kind == KEY or not any(start < match.end and match.start < end for start, end in marks))
        ]  # fmt: skip

    def replaced(self, before: str, body: str, after: str, found: list[Match]) -> tuple[str, int]:
        """Return the body without what is found, and without what comes to light by that, until nothing more is.

        A secret that comes to light and reaches beyond the body is left for later; the number says how much that is.
        """
        left = 0
        while True:
            parts, position = [], 0
            for match in found:
                start = max(match.start - len(before), position)
                end = min(match.end - len(before), len(body))
                parts += [body[position:start], self.placeholders.of(match.kind, body[start:end])]
                position = end
            body = "".join([*parts, body[position:]])
            found = self.matches(before + body + after, len(before), len(before) + len(body))
            if found and found[-1].end > len(before) + len(body):
                start = max(0, found.pop().start - len(before))
                left, body, after = left + len(body) - start, body[:start], body[start:] + after
            if not found:
                return body, left

    def closed(self, secret: Open) -> str:
        """Return what stands for a secret whose end was found."""
        return secret.text if self._is_allowed(secret.text) else self.placeholders.of(secret.kind, secret.text)


def _unfinished_key(text: str) -> int:
    """Return how many characters at the end may begin a private key, which is another secret."""
    return next((size for size in range(len(KEY_BEGIN), 0, -1) if text.endswith(KEY_BEGIN[:size])), 0)


def is_open(match: Match, text: str) -> bool:
    """Say whether a match at the end of a window, or a key whose end is not in sight, goes on in the text to come."""
    if match.kind != KEY:
        return match.end == len(text)
    limit = match.start + LONGEST_KEY
    return not key_rest(text, seen_end(match, text), limit, started=False, final=False)[1]


def seen_end(match: Match, text: str) -> int:
    """Return up to where an open match is certain: a key, whose rest has its own rule, up to its first line."""
    head = KEY_HEAD.match(text, match.start) if match.kind == KEY else None
    return head.end() if head else match.end - _unfinished_key(text[match.start : match.end])


def rest(secret: Open, text: str, at: int, *, final: bool) -> tuple[Open, int, bool]:
    """Return a secret with more of its text, up to where that is, and whether its end is there."""
    if secret.kind == KEY:
        started = not secret.text.endswith("-")
        end, ended = key_rest(text, at, at + LONGEST_KEY - len(secret.text), started=started, final=final)
    else:
        word = RESTS.get(secret.kind, named.REST).match(text, at)
        end = word.end() if word else at
        key = text.find(KEY_BEGIN, at, end + 1)
        held = 0 if final or end < len(text) else _unfinished_key(text[at:])
        end, ended = (key, True) if key >= 0 else (end - held, final or end < len(text))
    return Open(secret.kind, (secret.text + text[at:end])[:LONGEST_KEY]), end, ended


def undivided(found: list[Match], low: int, end: int) -> int:
    """Return an end behind `low`, not closely behind a secret: what that says of the text behind it would be lost."""
    start = end
    for match in reversed(found):
        if match.end + REACH <= start:
            break
        start = match.start
    return start if start > low else end


def _open_token(text: str) -> Iterator[Match]:
    """Yield a signed token whose third part lies beyond the end of the text, or too little of it before."""
    low = _run(text, len(text))
    end = low - 1 if text[low - 1 : low] == "." and len(text) - low < SHORTEST_PART else len(text)
    payload = _run(text, end)
    header = _run(text, payload - 1)
    start = TOKEN_START.search(text, header, payload - 1) if text.startswith(".eyJ", payload - 1) else None
    if start and end - payload >= SHORTEST_PART:
        yield Match(SIGNED, start.start(), len(text))


def _run(text: str, end: int) -> int:
    """Return where the run of token characters before an offset begins."""
    return len(text[: max(0, end)].rstrip(TOKEN_CHARS))
