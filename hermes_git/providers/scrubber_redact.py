"""Redaction of a stream: secrets and personal data become placeholders, whatever chunks the text comes in.

The text is decided part by part, from cut to cut (see `scrubber_cuts`). Only parts in which the sieve sees something
are searched. A stretch without a cut that is longer than a window is decided window by window, with look-behind and
look-ahead; a secret that outgrows its window, or a private key, is dropped up to its end. All of these choices depend
on the text alone, so every way of cutting it into chunks gives the same result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hermes_git.patterns import sieve
from hermes_git.providers.scrubber_cuts import CONTEXT, first_cut, last_cut
from hermes_git.providers.scrubber_replace import KEY, Open, Replacement, is_open, rest, seen_end, undivided

WINDOW = 4096
"""The longest text that is held back while no cut is in sight."""
LOOK_AHEAD = 640
"""How much of a secret is enough to know it; the longest are an address with eight labels and a quoted value."""
LOOK_BEHIND = 256
"""How much of the text before a window is looked at with it; a name, a sign and an AWS reach are shorter."""
GUARD = "Z"
"""Stands before a text whose beginning is out of sight, so that nothing seems to start there."""
STAND_IN = "[REDACTED:secret:0]"
"""What the text before a dropped secret is searched with: in the end a placeholder will follow it."""


class Redaction:
    """Redacts a stream of text: `feed` returns what is decided, `flush` the rest."""

    def __init__(
        self, is_allowed: Callable[[str], bool], *, window: int = WINDOW, look_ahead: int = LOOK_AHEAD
    ) -> None:
        self._replacement = Replacement(is_allowed)
        self._window, self._settled = window, window - look_ahead
        self._text, self._at, self._final = "", 0, False
        self._cutless = 0  # up to where no cut is behind `_at`
        self._is_inside = False  # whether `_at` follows a window's edge or a dropped secret instead of a cut
        self._before = ""  # what was put out since the last cut, if inside
        self._open: Open | None = None
        self._out: list[str] = []

    @property
    def counts(self) -> Counter[str]:
        """How many placeholders were written, by kind."""
        return self._replacement.placeholders.counts

    @property
    def held(self) -> int:
        """How many characters wait for a decision."""
        return len(self._text) - self._at

    def feed(self, text: str) -> str:
        """Take more text; return what is decided by now."""
        self._text += text
        self._decide()
        seen = max(0, self._at - CONTEXT)
        self._text, self._at, self._cutless = self._text[seen:], self._at - seen, self._cutless - seen
        return self._taken()

    def flush(self) -> str:
        """End the stream: return all that waits, and start anew."""
        self._final = True
        self._decide()
        if self._open:
            self._close(self._open)
        self._text, self._before, self._at, self._cutless = "", "", 0, 0
        self._is_inside = self._final = False
        return self._taken()

    def _taken(self) -> str:
        out, self._out = "".join(self._out), []
        return out

    def _decide(self) -> None:
        while self._at < len(self._text) and self._drop_open():
            end = len(self._text)
            stop = end if self._final else last_cut(self._text, max(self._at, self._cutless), end)
            if stop > self._at:
                self._settle(stop)
                continue
            self._cutless = end - 1  # the next character may make the end a cut
            while end - self._at > self._window and not self._open:
                self._step()
            if not self._open:
                return

    def _settle(self, stop: int) -> None:
        """Decide all parts up to a cut, or up to a secret whose end is not in sight."""
        base = self._at
        hits = sieve.places(self._text[base:stop])
        self._leave_stretch(stop)
        for place in (base + hit for hit in hits):
            if self._open:
                return
            if place >= self._at:
                self._keep(last_cut(self._text, self._at, place))
                self._part(stop)
                self._leave_stretch(stop)
        if not self._open:
            self._keep(stop)

    def _leave_stretch(self, stop: int) -> None:
        """Go on from a window's edge, or from the end of a dropped secret, to the next cut."""
        while self._drop_open() and self._is_inside and self._at < stop:
            self._part(stop)

    def _part(self, stop: int) -> None:
        """Decide the part up to the next cut, or one window of it."""
        limit = min(self._at + self._window, stop)
        end = first_cut(self._text, self._at, limit)
        if end < 0 and limit == stop:
            end = stop
        if end < 0:
            self._step()
        elif not self._is_inside or self._is_suspect(end):
            self._clean(end, end)
        else:
            self._keep(end)

    def _step(self) -> None:
        """Decide the settled share of one window, in a stretch that has no cut."""
        before, edge = self._before, self._at + self._window
        if self._is_suspect(edge):
            self._clean(self._at + self._settled, edge)
        else:
            self._keep(self._at + self._settled)
        self._stay_inside(before)

    def _stay_inside(self, before: str) -> None:
        """Search what follows together with what was just put out, as there was no cut between them."""
        whole = before + self._out[-1]
        self._before = whole if len(whole) <= LOOK_BEHIND else GUARD + whole[-LOOK_BEHIND:]
        self._is_inside = True

    def _is_suspect(self, end: int) -> bool:
        return bool(sieve.places(self._before + self._text[self._at : end]))

    def _keep(self, end: int) -> None:
        if end > self._at:
            self._put(self._text[self._at : end], end)

    def _put(self, text: str, end: int) -> None:
        self._out.append(text)
        self._at, self._before, self._is_inside = end, "", False

    def _clean(self, end: int, edge: int) -> None:
        """Redact up to `end`, with the text up to `edge` in sight, or up to a secret that goes on beyond that."""
        before, is_window = self._before, edge > end
        seen = before + self._text[self._at : edge]
        low = self._at - len(before)
        found = self._replacement.matches(seen, len(before), end - low, is_window=is_window)
        if is_window:
            end = low + undivided(found, len(before), end - low)
            found = [match for match in found if low + match.start < end]
        opened = next((match for match in found if (is_window or match.kind == KEY) and is_open(match, seen)), None)
        if opened:
            end = max(self._at, low + opened.start)
            found = found[: found.index(opened)]
        elif found:
            end = max(end, low + found[-1].end)
        body, after = self._text[self._at : end], STAND_IN if opened else self._text[end:edge]
        if found or opened:
            body, left = self._replacement.replaced(before, body, after, found)
            end -= left
        self._put(body, end)
        if opened:
            self._stay_inside(before)
            self._at = max(end, low + seen_end(opened, seen))
            self._open = Open(opened.kind, self._text[end : self._at])

    def _drop_open(self) -> bool:
        """Drop more of a secret whose end was not in sight; say whether there is none left."""
        if self._open:
            self._open, self._at, ended = rest(self._open, self._text, self._at, final=self._final)
            if ended:
                self._close(self._open)
        return not self._open

    def _close(self, secret: Open) -> None:
        before = self._before
        self._put(self._replacement.closed(secret), self._at)
        self._stay_inside(before)
        self._open = None
