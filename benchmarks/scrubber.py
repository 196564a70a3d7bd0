"""How fast the scrubber is and how long it holds text back, beside two searches of the same text in the same run.

    python benchmarks/scrubber.py [FILES] [--megabytes 4]

Megabytes of UTF-8 a second, in CPU time of the process. "Words" is one search for five words with `re`; "find" is the
search for secrets in the whole text, without streaming. Delay is what waits after every chunk of four characters.
The bound printed is 20 MB/s on plain text in chunks of 4,096 characters.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from hermes_git.patterns import secrets
from hermes_git.providers.scrubber import StreamingContextScrubber

NONCE = "0123456789abcdef"
WORDS = """the of and to in is that for it as was with be by on not he this are or his from at which but have an they
you were her she all would there been their we him has when who will more no if out so said what up its about into than
them can only other new some could time these two may then do first any my now such like our over man me even most made
after also did many before must through back years where much your way well down should because each just those people
""".split()
HAN = "我们今天去公园看见很多人在那里散步他说这个地方非常漂亮所以大家都喜欢来玩孩子在草地上跑老师给学生讲故事"
NAMES = "token password secret api_key bearer tokens monkey credentials".split()
LOOKED_FOR = re.compile(r"password|secret|token|authorization|credential")
BOUND = 20.0


def prose(size: int, names: int = 0) -> str:
    """Return English-looking paragraphs; of a thousand words `names` are names of secrets."""
    source = random.Random(7)
    lines, length = [], 0
    while length < size:
        words = [
            source.choice(NAMES if source.randrange(1000) < names else WORDS) for _ in range(source.randint(5, 90))
        ]
        lines.append(" ".join(words).capitalize() + source.choice([".", ".", "?", " (1984)."]) + "\n")
        length += len(lines[-1])
    return "".join(lines)


def han(size: int) -> str:
    """Return Chinese-looking sentences."""
    source = random.Random(7)
    parts = ["".join(source.choices(HAN, k=source.randint(4, 25))) + source.choice("，。") for _ in range(size // 15)]
    return "".join(parts)[:size]


def minified(size: int) -> str:
    """Return JSON without a blank or a line break."""
    source = random.Random(7)
    parts = [
        f'{{"id":{source.randrange(10**6)},"name":"{source.choice(WORDS)}","on":true}},' for _ in range(size // 36)
    ]
    return "[" + "".join(parts)[:size]


def rate(action: Callable[[], object], size: int) -> float:
    """Return megabytes a second of CPU time, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return size / 1e6 / best


def stream(text: str, chunk: int) -> None:
    """Scrub a text in chunks."""
    scrubber = StreamingContextScrubber(NONCE)
    for at in range(0, len(text), chunk):
        scrubber.feed(text[at : at + chunk])
    scrubber.flush()


def delays(text: str) -> list[int]:
    """Return how many characters wait after each chunk of four."""
    scrubber, held = StreamingContextScrubber(NONCE), []
    for at in range(0, len(text), 4):
        scrubber.feed(text[at : at + 4])
        held.append(scrubber.held)
    return sorted(held)


def measure(name: str, text: str) -> float:
    """Print one line; return the rate in chunks of 4,096 characters."""
    size = len(text.encode("utf-8", "surrogatepass"))
    share = text[: max(1, len(text) // 20)]
    words = rate(lambda: sum(1 for _ in LOOKED_FOR.finditer(text)), size)
    find = rate(lambda: secrets.find(text), size)
    whole, block = rate(lambda: stream(text, len(text)), size), rate(lambda: stream(text, 4096), size)
    small = rate(lambda: stream(share, 4), len(share.encode("utf-8", "surrogatepass")))
    held = delays(share)
    print(
        f"{name:<22}{whole:8.1f}{block:8.1f}{small:8.2f}{words:8.1f}{find:8.1f}{block / words:8.2f}{block / find:8.2f}"
        f"{statistics.mean(held):8.1f}{held[len(held) * 95 // 100]:6}{held[-1]:6}"
    )
    return block


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--megabytes", type=float, default=4.0)
    options = parser.parse_args()
    size = int(options.megabytes * 1e6)
    columns = ["whole", "4096", "4", "words", "find", "/words", "/find", "mean", "95 %", "max"]
    print(" " * 22 + "".join(f"{name:>{width}}" for name, width in zip(columns, [8] * 8 + [6] * 2, strict=True)))
    plain = measure("plain text", prose(size))
    measure("Chinese", han(size // 3))
    measure("2 % names of secrets", prose(size, 20))
    measure("minified JSON", minified(size))
    texts = [path.read_text(encoding="utf-8", errors="surrogateescape") for path in options.files]
    if texts:
        measure(f"{len(texts)} files", "".join(texts))
    print(
        f"plain text, chunks of 4096: {plain:.1f} MB/s, bound {BOUND:.0f} MB/s {'met' if plain >= BOUND else 'NOT met'}"
    )


if __name__ == "__main__":
    main()
