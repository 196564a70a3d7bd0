"""The scrubber: takes recalled context, secrets and personal data out of what a model writes, as it writes it.

One rule for a whole text and for a stream in chunks of any size, as text or as UTF-8 bytes; what is not removed or
replaced comes out byte for byte. Scrubbing twice changes nothing more. See `docs/scrubber.md`.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from dataclasses import dataclass

from hermes_git.providers.scrubber_fence import LONGEST_FENCE, Fences
from hermes_git.providers.scrubber_redact import WINDOW, Redaction

MAX_DELAY = LONGEST_FENCE + WINDOW
"""No character is held back after this many more have come in; prose waits for the next word only."""
BLOCK = 65_536
"""Longer chunks are taken in blocks of this size, which bounds copying and memory."""


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A text that was scrubbed, and how much of each kind was removed and redacted, sorted by kind."""

    text: str
    removed: tuple[tuple[str, int], ...]
    redacted: tuple[tuple[str, int], ...]


class StreamingContextScrubber:
    """Scrubs a stream: feed it chunks, show what comes back, and flush it at the end.

    `nonce` is that of this turn's fence, or all nonces of fences that the model may still see. `allow` names values
    that stay, exactly as they stand in the text, or `@domain` for all addresses of a domain. Without `redact` only
    recalled context is removed. After a flush another stream may follow; placeholders and counts go on.
    """

    def __init__(self, nonce: str | Iterable[str], *, allow: Iterable[str] = (), redact: bool = True) -> None:
        self._fences = Fences((nonce,) if isinstance(nonce, str) else tuple(nonce))
        self._allowed = frozenset(allow)
        self._redaction = Redaction(self._is_allowed) if redact else None
        self._bytes = codecs.getincrementaldecoder("utf-8")("surrogateescape")

    def feed(self, chunk: str) -> str:
        """Take the next chunk of text; return what can be shown by now."""
        out = [self._pass_on(self._fences.feed(chunk[at : at + BLOCK])) for at in range(0, len(chunk), BLOCK)]
        return "".join(out)

    def feed_bytes(self, chunk: bytes) -> bytes:
        """Take the next chunk of UTF-8, which may end inside a character; bytes that are not UTF-8 pass unchanged."""
        return _encode(self.feed(self._bytes.decode(chunk)))

    def flush(self) -> str:
        """End the stream; return the rest of it."""
        tail = self.feed(self._bytes.decode(b"", final=True)) + self._pass_on(self._fences.flush())
        self._bytes.reset()
        return tail + (self._redaction.flush() if self._redaction else "")

    def flush_bytes(self) -> bytes:
        """End a stream of bytes; return the rest of it."""
        return _encode(self.flush())

    @property
    def held(self) -> int:
        """How many characters wait for a decision; never more than `MAX_DELAY`."""
        return self._fences.held + (self._redaction.held if self._redaction else 0)

    @property
    def removed(self) -> dict[str, int]:
        """How often recalled context was removed, by kind: `fence`, `unterminated`, `tag`, `note`."""
        return dict(sorted(self._fences.removed.items()))

    @property
    def redacted(self) -> dict[str, int]:
        """How many placeholders were written, by kind of secret or personal data."""
        return dict(sorted(self._redaction.counts.items())) if self._redaction else {}

    def _pass_on(self, text: str) -> str:
        return self._redaction.feed(text) if self._redaction else text

    def _is_allowed(self, value: str) -> bool:
        at = value.rfind("@")
        return value in self._allowed or (at >= 0 and value[at:].lower() in self._allowed)


def scrub(text: str, nonce: str | Iterable[str] = (), *, allow: Iterable[str] = (), redact: bool = True) -> Scrubbed:
    """Scrub a whole text; the same as feeding it to a scrubber in any chunks."""
    scrubber = StreamingContextScrubber(nonce, allow=allow, redact=redact)
    clean = scrubber.feed(text) + scrubber.flush()
    return Scrubbed(clean, tuple(scrubber.removed.items()), tuple(scrubber.redacted.items()))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
