"""What a text says, in pieces that can be looked for elsewhere: sentence, item, heading, table row, code, URL …

Every non-blank line of a Markdown text is in exactly one block unit; inside prose and items, commands, paths and
URLs are units of their own, so that a rewritten sentence still shows whether what it pointed at survived.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"[ ]{0,3}(?:> ?)*(`{3,}|~{3,})")
ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
HEADING = re.compile(r"[ ]{0,3}#{1,6}(?:\s|$)")
SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|(?<=[。！？])")
CODE_SPAN = re.compile(r"`([^`\n]{2,400})`")
URL = re.compile(r"https?://[^\s<>()\[\]\"'`]{1,2000}")
FOLDABLE_INNER = ("command", "path", "url")
PATH = re.compile(r"[~.]{0,2}/?[\w.@+-]+(?:/[\w.@+*-]+)+/?\Z")


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece: kind, its text with white space folded, and the 1-based lines it stands on."""

    kind: str
    text: str
    line: int = 0
    end: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """Return what makes two units the same; a sentence and a list item that say the same are the same."""
        return ("said" if self.kind in ("sentence", "item") else self.kind), self.text


def folded(text: str) -> str:
    """Return text with white space folded and in composed Unicode form."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def units(text: str) -> tuple[Unit, ...]:
    """Return the units of a Markdown text in order: block units, each followed by the units inside it."""
    found: list[Unit] = []
    for block in blocks(text):
        found.append(block)
        if block.kind in ("sentence", "item", "row"):
            found += inner(block)
    return tuple(found)


def blocks(text: str) -> Iterator[Unit]:
    """Yield block units: header, heading, code, row, rule, item, sentence."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    number = 0
    if lines[0].rstrip() == "---":
        closing = next((at for at in range(1, len(lines)) if lines[at].rstrip() == "---"), 0)
        for at in range(1, closing):
            if lines[at].strip():
                yield Unit("header", folded(lines[at]), at + 1, at + 1)
        number = closing + 1 if closing else 0
    while number < len(lines):
        taken = list(_block(lines, number))
        yield from taken
        number = max(taken[-1].end, number + 1) if taken else number + 1


def _block(lines: list[str], start: int) -> Iterator[Unit]:
    line = lines[start]
    if not line.strip():
        return
    fence = FENCE.match(line)
    if fence:
        yield _code(lines, start, fence.group(1))
    elif HEADING.match(line):
        yield Unit("heading", folded(line), start + 1, start + 1)
    elif line.lstrip().startswith("|"):
        yield Unit("row", folded(line), start + 1, start + 1)
    elif not any(char.isalnum() for char in line):
        yield Unit("rule", folded(line), start + 1, start + 1)
    else:
        yield from _prose(lines, start)


def _code(lines: list[str], start: int, fence: str) -> Unit:
    """Return a fenced block as one unit without its closing fence, lines and indentation kept.

    An unclosed one runs to the end of the text.
    """
    end = start + 1
    while end < len(lines) and not (lines[end].strip(" >").startswith(fence) and not lines[end].strip(" >`~")):
        end += 1
    body = "\n".join(row.rstrip() for row in lines[start:end])
    return Unit("code", unicodedata.normalize("NFC", body.strip()), start + 1, min(end + 1, len(lines)))


def _prose(lines: list[str], start: int) -> Iterator[Unit]:
    """Yield a paragraph or list item, with its wrapped lines, sentence by sentence."""
    item = ITEM.match(lines[start])
    end = start + 1
    while end < len(lines) and lines[end].strip() and not _starts_block(lines[end]):
        end += 1
    first = lines[start][item.end() :] if item else lines[start]
    body = folded(" ".join([first, *(row.lstrip("> ") for row in lines[start + 1 : end])]))
    kind = "item" if item else "sentence"
    for sentence in SENTENCE_END.split(body):
        if sentence.strip():
            yield Unit(kind, sentence.strip(), start + 1, end)


def _starts_block(line: str) -> bool:
    stripped = line.lstrip()
    return (
        bool(FENCE.match(line) or HEADING.match(line) or ITEM.match(line))
        or stripped.startswith("|")
        or not any(char.isalnum() for char in line)
    )


def inner(block: Unit) -> Iterator[Unit]:
    """Yield the commands, paths and URLs inside a sentence, item or row."""
    for match in URL.finditer(block.text):
        yield Unit("url", match.group().rstrip(".,;:!?"), block.line, block.end)
    for match in CODE_SPAN.finditer(block.text):
        text = match.group(1).strip()
        if text and not URL.match(text):
            yield Unit("path" if PATH.match(text) else "command", text, block.line, block.end)
