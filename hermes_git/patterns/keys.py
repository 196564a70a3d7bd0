"""Private keys in armour: how far one reaches, whether its end line is there, cut off, or still to come.

A key goes on as long as the next characters hold its end line or another long run of base64. That covers keys quoted
line by line in code and armour headers such as `Version:`, and it stops at once where text only names a header.
"""

from __future__ import annotations

import re

KEY_BEGIN = "-----BEGIN "
KEY_HEAD = re.compile(r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
KEY_END = re.compile(r"-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
LONGEST_KEY = 20_000
LOOK_AHEAD = 256
"""How many characters after a run of base64 are looked at for the next one or for the end line."""

RUN = re.compile(r"[A-Za-z0-9+/=]{40,}")
REST_OF_RUN = re.compile(r"[A-Za-z0-9+/=]*")
LAST_LINE = re.compile(
    r"(?:\s{1,4}|(?:\\[nr]){1,2})(?=[A-Za-z+/]{0,38}[0-9+/=])[A-Za-z0-9+/]{1,39}={0,2}(?![\w+/=])", re.ASCII
)


def key_rest(text: str, at: int, limit: int, *, started: bool, final: bool) -> tuple[int, bool]:
    """Return how far a key reaches from an offset behind its header, and whether that is its end.

    `limit` is the offset it cannot pass, `started` says whether base64 of it was seen before `at`, `final` that no text
    follows. Without the latter, an answer that is not the end asks to be called again from there with more text.
    """
    end = min(len(text), limit)
    while True:
        if started:
            at = REST_OF_RUN.match(text, at, end).end()  # type: ignore[union-attr]
        window = min(at + LOOK_AHEAD, limit)
        if window > len(text) and not final:
            return at, False
        closed = KEY_END.search(text, at, min(window, len(text)))
        if closed:
            return closed.end(), True
        run = RUN.search(text, at, min(window, len(text)))
        if not run:
            last = LAST_LINE.match(text, at, min(window, len(text))) if started else None
            return (last.end() if last else at), True
        at, started = run.end(), True
