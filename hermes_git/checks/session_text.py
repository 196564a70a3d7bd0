"""Stored sessions as text: what was said in them is read, and nothing in them is a program.

A session is lines of JSON whose strings are messages, arguments and what tools printed. Code quoted there is never run
by anybody who reads the session, so no parser of code looks at it; prose, hidden text and secrets are looked for.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import replace

from hermes_git.checks import decode, marks, prose_signs
from hermes_git.checks.analysis import MAX_DEPTH, Analysis
from hermes_git.checks.piece import Piece
from hermes_git.checks.reading import Reading
from hermes_git.checks.sign import Found, Sign
from hermes_git.document import Document
from hermes_git.patterns.lazy import pattern
from hermes_git.settings import Settings

FAMILIES = ("HG1", "HG3", "HG4", "HG5")
"""Families of checks that look at a session."""
PART = 512 * 1024
"""Bytes of a session that are judged at a time; a part ends at the end of a line, so a longer line is a part alone."""
EDGE = 4 * 1024
"""Bytes on both sides of a cut through a line that are read twice."""
SHORTEST = 14
"""Characters of a string that can say anything."""
OPENS = '{["'
CHUNK, OVERLAP = 4_000, 500
"""Characters that are read at once, and how many of them twice, since a rule may reach over an edge."""
KEPT = 1_024
"""Pieces of text whose reading is kept."""


def parts(document: Document) -> Iterator[tuple[int, Document]]:
    """Yield a session in parts of whole lines, each with the number of lines before it; most sessions are one part."""
    data = document.data
    if len(data) <= PART:
        yield 0, document
        return
    start = lines = 0
    while start < len(data):
        end = data.find(b"\n", min(start + PART, len(data))) + 1 if start + PART < len(data) else 0
        part = data[start : end or len(data)]
        yield from ((lines + before, replace(document, data=piece, blob="")) for before, piece in _pieces(part))
        lines += part.count(b"\n")
        start = end or len(data)


def _pieces(part: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield a part whole, or cut where its last line is very long: all of it is read, edges twice.

    What stands behind a cut is the end of the same line, and no JSON, so that it is read as a text.
    """
    last = part.rstrip(b"\n").rfind(b"\n") + 1
    end = _edge(part, last + PART)
    yield 0, part[:end]
    while end < len(part):
        start = _edge(part, end - EDGE)
        end = _edge(part, start + PART)
        yield part.count(b"\n", 0, last), part[start:end]


def _edge(data: bytes, at: int) -> int:
    """Return the start of the character that a place in UTF-8 lies in; of other bytes at most three are given up."""
    if at >= len(data):
        return len(data)
    return next((place for place in range(at, at - 4, -1) if not 0x80 <= data[place] < 0xC0), at)


AREA = "session"
"""Area of a document that is a stored session, or a text that sessions share."""
SESSION = pattern(r"sessions/.{1,400}\.jsonl\Z|texts/[0-9a-f]{64}\Z")
"""What the store of sessions keeps below its folder; nothing else that lies there is read as mildly."""


def is_session(path: str, settings: Settings) -> bool:
    """Say whether a path of the tree is where the store keeps a session, or a text that sessions share."""
    folder = f"{settings.sessions.folder.rstrip('/')}/"
    stored = settings.sessions.place == "tree" and path.startswith(folder)
    return stored and SESSION.match(path[len(folder) :]) is not None


def analyse(reading: Reading) -> Analysis:
    """Return the analysis of a session, in place of the one that follows code; what is too deep is incomplete."""
    signs: list[Sign] = []
    incomplete: list[str] = []
    for number, text in _texts(reading.text) if reading.document.is_text else ():
        for chunk in _chunks(text):
            found, reason = _read(chunk)
            signs += [replace(sign, line=number) for sign in found]
            incomplete += [reason] if reason else []
    return Analysis(tuple(dict.fromkeys(signs)), (), tuple(dict.fromkeys(incomplete)))


def _chunks(text: str) -> Iterator[str]:
    """Yield a long text in pieces that overlap, so that what stands on an edge stands whole in one of them."""
    start = 0
    while start < len(text):
        end = start + CHUNK if len(text) - start > CHUNK + OVERLAP else len(text)
        yield text[max(0, start - OVERLAP) : end]
        start = end


@functools.lru_cache(maxsize=KEPT)
def _read(text: str) -> tuple[tuple[Sign, ...], str]:
    """Return the signs of a piece of prose and of what is encoded in it, and what of it was not read.

    Sessions repeat themselves: the same reminder or file stands in many of their messages.
    """
    signs: list[Sign] = []
    queue = [(Piece(text, 1, "string"), 0)]
    for piece, depth in queue:
        found = Found(piece)
        prose_signs.analyse(piece, found)
        marks.analyse(piece, found)
        signs += found.signs
        inner = list(decode.runs(piece.text)) if len(piece.text) >= decode.MIN_RUN else []
        if inner and depth >= MAX_DEPTH:
            return tuple(signs), f"more than {MAX_DEPTH} layers inside each other"
        queue += [(piece.inner(within, 1, "", layer), depth + 1) for layer, _, within in inner]
    return tuple(signs), ""


def _texts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the strings of lines of JSON, and the lines that are none, with the number of the line."""
    for number, line in enumerate(text.split("\n"), 1):
        try:
            value = json.loads(line) if line[:1] in OPENS and line else line
        except (ValueError, RecursionError):
            value = line
        yield from ((number, found) for found in _strings(value) if len(found) >= SHORTEST)


def _strings(value: object) -> Iterator[str]:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            stack += one.values()
        elif isinstance(one, list):
            stack += one
