"""The built-in reader: answers from the question and the context alone, by finding a line and a span in it, or not.

It knows nothing of gold answers, of how questions are made, or of how contexts were compressed.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hermes_git.evals.question import BLANK, Answer, Question

TOKEN = re.compile(r"\w+|[^\w\s]")
WORD = re.compile(r"\w+")
ARGUMENT = re.compile(r"In the call of (\S+) with (\w+): (['\"])(.*)\3, what was (\w+)\?\Z", re.DOTALL)
CANDIDATES = 25
CONFIDENCE = 0.55
"""The share of a question's words, by their rarity, that a line must hold before an answer is dared."""

MAX_SPAN = 24
CONTEXT_TOKENS = 5
EDGES = " .,;:()[]{}*`\"'"
NEAR_LINES = 3
MAX_LINE = 2000
REMEMBERED = 16_384
"""Lines whose words are kept: the same ones stand in what every policy leaves."""

NONE = Answer()


class Reader(Protocol):
    """Answers a question from a context."""

    def answer(self, question: Question) -> Answer:
        """Return the answer, empty when the context does not hold it."""


@dataclass(slots=True)
class ExtractiveReader:
    """A context, indexed by word, ready to be asked."""

    lines: Sequence[str]
    _index: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the lines."""
        index: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(self.lines):
            for word in dict.fromkeys(_words(line)):
                index[word].append(number)
        self._index = dict(index)

    def answer(self, question: Question) -> Answer:
        """Answer one question."""
        if question.form == "cloze":
            return self._fill(question.text)
        if question.form == "argument":
            return self._argument(question.text)
        return self._first(question.options) if question.form == "first" else NONE

    def _fill(self, text: str) -> Answer:
        """Fill the blank from the line that shares most of the sentence's words and fits around the blank."""
        left, _, right = text.partition(BLANK)
        best = NONE
        for number, confidence in self.nearest(f"{left} {right}"):
            span, fit = _span(self.lines[number][:MAX_LINE], left, right)
            score = confidence * fit
            if span and confidence >= CONFIDENCE and score > best.confidence:
                best = Answer(span, round(score, 4), self.lines[number][:200])
        return best

    def _argument(self, text: str) -> Answer:
        """Find the argument that identifies the call, then the one asked for, near it and of the same call."""
        match = ARGUMENT.match(text)
        if not match:
            return NONE
        hint, name = match.group(4), match.group(5)
        for number, confidence in self.nearest(hint):
            if confidence < CONFIDENCE or _squeezed(hint)[:40] not in _squeezed(self.lines[number]):
                continue
            value = self._near(number, name)
            if value:
                return Answer(value, round(confidence, 4), self.lines[number][:200])
        return NONE

    def _near(self, number: int, name: str) -> str:
        """Return the value of `name: …` on the nearest line, the line itself first."""
        label = re.compile(rf"(?:^|[\s;,{{(\"']){re.escape(name)}[\"']?\s*[:=]\s*[\"']?(.+)")
        for distance in range(NEAR_LINES):
            for place in dict.fromkeys((number - distance, number + distance)):
                found = label.search(self.lines[place]) if 0 <= place < len(self.lines) else None
                if found:
                    return re.split(r"[\"']?(?:; |, )\w+[\"']?: ", found.group(1))[0].strip().rstrip("\"'")
        return ""

    def _first(self, options: Iterable[str]) -> Answer:
        """Return the option that stands first; all must be there, or else the order is a guess."""
        places: dict[str, int] = {}
        for number, line in enumerate(self.lines):
            for option in options:
                if option not in places and option in line:
                    places[option] = number
        if len(places) < len(tuple(options)):
            return NONE
        return Answer(min(places, key=lambda option: places[option]), 1.0)

    def nearest(self, text: str) -> list[tuple[int, float]]:
        """Return the lines that share most words with a text, each with the share of rarity it covers, best first."""
        total = len(self.lines) + 1
        # in the order of the text: sums of floats must not depend on how a process hashes words
        told = dict.fromkeys(_words(text))
        rarity = {word: math.log(total / (1 + len(self._index.get(word, ())))) + 0.1 for word in told}
        scores: Counter[int] = Counter()
        for word, weight in rarity.items():
            places = self._index.get(word, ())
            if len(places) * 4 < total or len(places) < 200:
                for place in places:
                    scores[place] += weight  # type: ignore[assignment]
        whole = math.fsum(rarity.values()) or 1.0
        best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:CANDIDATES]
        return [(place, score / whole) for place, score in best]


@functools.lru_cache(maxsize=REMEMBERED)
def _words(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in WORD.findall(text))


@functools.lru_cache(maxsize=REMEMBERED)
def _tokens(line: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((match.group(), match.start(), match.end()) for match in TOKEN.finditer(line))


def _squeezed(text: str) -> str:
    return "".join(WORD.findall(text)).lower()


def _span(line: str, left: str, right: str) -> tuple[str, float]:
    """Return what stands in a line between the words around the blank, and how well those words fit (0 to 1)."""
    tokens = _tokens(line)
    before = TOKEN.findall(left)[-CONTEXT_TOKENS:]
    after = TOKEN.findall(right)[:CONTEXT_TOKENS]
    words = [token for token, _, _ in tokens]
    best, fit = (0, 0), 0.0
    for start in range(len(tokens)):
        head = _matching(words[:start], before)
        if before and not head:
            continue
        for end in range(start + 1, min(len(tokens), start + MAX_SPAN) + 1):
            tail = _matching(words[end:][::-1], after[::-1])
            if after and not tail:
                continue
            score = (head + tail) / (len(before) + len(after) or 1) - 0.001 * (end - start)
            if score > fit:
                best, fit = (tokens[start][1], tokens[end - 1][2]), score
    return _whole(line, *best, open_left=not before, open_right=not after), fit


def _whole(line: str, start: int, end: int, *, open_left: bool, open_right: bool) -> str:
    """Grow a span that nothing bounds on one side to the whole word there."""
    if open_right and end:
        end += _run(line[end:])
    if open_left and end:
        start -= _run(line[:start][::-1])
    return line[start:end].strip(EDGES)


def _run(text: str) -> int:
    """Return how many characters come before the first blank."""
    return len(text.split(maxsplit=1)[0]) if text and not text[0].isspace() else 0


def _matching(words: Sequence[str], wanted: Sequence[str]) -> int:
    """Count how many of the wanted words end a sequence, from its end backwards."""
    count = 0
    for found, word in zip(reversed(words), reversed(wanted), strict=False):
        if found.lower() != word.lower():
            break
        count += 1
    return count
