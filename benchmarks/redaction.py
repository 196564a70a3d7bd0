"""How fast redaction reads text, as a ratio to plain passes over the same text.

    python benchmarks/redaction.py FILES…

FILES are session files in any known format. Prints MB/s of CPU time and the ratio to `str.lower`, which no redaction
can beat since it needs a folded text.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from hermes_git.patterns import secrets
from hermes_git.sessions.detect import detect
from hermes_git.sessions.intake import expand
from hermes_git.sessions.loss import Tally
from hermes_git.sessions.source import Source

PIECE = 4000


def texts(paths: Iterable[Path]) -> Iterator[str]:
    """Yield what redaction reads: contents, reasoning, arguments."""
    for path in expand(paths):
        source = Source(path)
        module = detect(source.head)
        for session in module.read(source, Tally(source.shown)) if module else ():
            for message in session.messages:
                yield from (message.content, message.reasoning, *(call.arguments for call in message.tool_calls))


def measure(work: Callable[[str], object], pieces: list[str]) -> float:
    """Return the megabytes per second of the best of three passes."""
    size = sum(len(piece.encode("utf-8", "replace")) for piece in pieces)
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        for piece in pieces:
            work(piece)
        best = min(best, time.process_time() - began)
    return size / best / 1e6


def main(paths: list[Path]) -> None:
    """Print a table."""
    whole = [text for text in texts(paths) if text]
    joined = "\n".join(whole)
    pieces = [joined[start : start + PIECE] for start in range(0, len(joined), PIECE)]
    plain = measure(str.lower, pieces)
    print(f"{'str.lower':28} {plain:8.1f} MB/s")
    for name, work, given in (
        ("messages as they are", secrets.find, whole),
        (f"pieces of {PIECE}", secrets.find, pieces),
        ("without personal data", lambda text: secrets.find(text, personal=False), pieces),
    ):
        rate = measure(work, given)
        print(f"{name:28} {rate:8.1f} MB/s  {plain / rate:5.1f} times the cost of str.lower")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
