"""A scrubber of the kind that knows no nonce: `<memory-context>` at a line's start opens, the next closing tag closes.

It is here to show what each of our rules is for: the texts on which it leaks recalled context or loses an answer.
"""

from __future__ import annotations

OPEN, CLOSE = "<memory-context>", "</memory-context>"


class BareTagScrubber:
    """Holds back what may become a tag; drops all between an opening tag and the next closing one."""

    def __init__(self) -> None:
        self.inside, self.held, self.at_line_start = False, "", True

    def feed(self, chunk: str) -> str:
        """Take a chunk; return what it lets through."""
        text, out = self.held + chunk, ""
        self.held = ""
        while text:
            if self.inside:
                end = text.lower().find(CLOSE)
                if end < 0:
                    self.held = _tail(text, CLOSE)
                    return out
                self.inside, text = False, text[end + len(CLOSE) :]
                continue
            start = self._opening(text)
            if start < 0:
                self.held = _tail(text, OPEN + "\n")
                return out + self._let_through(text[: len(text) - len(self.held)])
            out += self._let_through(text[:start])
            self.inside, text = True, text[start + len(OPEN) :]
        return out

    def flush(self) -> str:
        """End the stream."""
        return "" if self.inside else self.held

    def _opening(self, text: str) -> int:
        start = text.lower().find(OPEN)
        while start >= 0:
            line = text[:start].rpartition("\n")
            at_start = not line[2].strip() and (bool(line[1]) or self.at_line_start)
            if at_start and text[start + len(OPEN) : start + len(OPEN) + 1] in ("\r", "\n"):
                return start
            start = text.lower().find(OPEN, start + 1)
        return -1

    def _let_through(self, text: str) -> str:
        if text:
            line = text.rpartition("\n")
            self.at_line_start = not line[2].strip() and (bool(line[1]) or self.at_line_start)
        return text


def _tail(text: str, tag: str) -> str:
    sizes = range(min(len(tag), len(text) + 1), 0, -1)
    return next((text[-size:] for size in sizes if tag.startswith(text[-size:].lower())), "")


def scrub_bare(text: str) -> str:
    """Scrub a whole text."""
    scrubber = BareTagScrubber()
    return scrubber.feed(text) + scrubber.flush()
