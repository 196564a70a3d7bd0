"""Markdown taken apart by its syntax tree: prose, fences by language, what is hidden, titles and addresses.

The block parser of markdown-it-py is loaded when the first document needs it. Inline syntax is read by bounded
expressions, because only links, images, comments and tags matter here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hermes_git.checks.piece import Piece, language_of, newlines
from hermes_git.knowledge.frontmatter import BadHeader, Value, read
from hermes_git.patterns.lazy import pattern

MAX_BEFORE = 600
LINK = pattern(
    r"(!?)\[((?:[^\[\]\n]|\[[^\[\]\n]{0,80}\]|\n(?!\n)){0,600})\]"
    r"\(\s{0,9}<?([^\s()<>]{0,2000}(?:\([^\s()]{0,200}\)[^\s()<>]{0,2000})?)>?"
    r"(?:\s{1,9}[\"'(]([^\"')]{0,2000})[\"')])?\s{0,9}\)"
)
DEFINITION = pattern(r"^ {0,3}\[([^\]\n]{1,200})\]:\s*(\S{1,2000})(?:[ \t]+[\"'(](.{0,4000})[\"')])?[ \t]*\r?$", re.M)
COMMENT = pattern(r"<!--(.*?)(?:-->|\Z)", re.S)
FRONT = pattern(r"\A\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*\r?$", re.S | re.M)
TAG = pattern(r"<(/?[A-Za-z][\w:-]{0,40})((?:\s[^<>]{0,2000})?)>")
SHOWN_NOT = pattern(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])|"
    r"(?<![-\w])color\s*:\s*transparent|position\s*:\s*absolute[^\"']{0,200}-\d{3,}px|"
    r"(?:height|width)\s*:\s*0(?:px)?\s*[;\"']|\shidden(?=[\s=>]|$)|clip-path\s*:\s*inset\(100%",
    re.I,
)


POSING_TAG = pattern(r"/?(?:system|skill|admin|developer|important|instructions?|policy|override)", re.I)


@dataclass(frozen=True, slots=True)
class Address:
    """A link, an image or a reference: its text, target and title, and the line."""

    text: str
    target: str
    title: str
    line: int
    image: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A Markdown document taken apart."""

    pieces: tuple[Piece, ...]
    addresses: tuple[Address, ...] = ()


@functools.cache
def _parser(*unused: str) -> Any:
    """Return a block parser without the rules whose syntax a text does not hold."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable(["inline", *unused])


BEGINNINGS = (("table", "|"), ("html_block", "<"), ("reference", "]:"), ("blockquote", ">"))
"""Rules of the parser that cannot match in a text without these characters."""


def _parse(body: str) -> Any:
    return _parser(*(rule for rule, mark in BEGINNINGS if mark not in body)).parse(body)


def take_apart(text: str, *, with_header: bool = True) -> Page:
    """Take a Markdown document apart; the header, if it can be read, gives one piece a value."""
    pieces: list[Piece] = []
    body, offset = text, 0
    if with_header:
        header, body, offset = _header(text)
        pieces += header
    pieces += _blocks(body, offset)
    pieces += _definitions(body, offset, pieces)
    addresses = tuple(address for piece in pieces if piece.role in SHOWN for address in _addresses(piece))
    pieces += [
        Piece(part, address.line, "attribute")
        for address in addresses
        for part in (address.text if address.image else "", address.title)
        if part.strip()
    ]
    return Page(tuple(pieces), addresses)


SHOWN = frozenset(("prose", "heading", "cell"))


def _header(text: str) -> tuple[list[Piece], str, int]:
    """Return the pieces of the header, the body, and the number of lines before the body."""
    try:
        header = read(text)
    except BadHeader:
        return _rough_header(text)
    pieces = []
    for key, value in header.values.items():
        line = header.lines.get(key, 1)
        pieces += [Piece(found, line, "header", path) for path, found in strings(value, key)]
    return pieces, header.body, header.body_line - 1


def _rough_header(text: str) -> tuple[list[Piece], str, int]:
    """Split a header that cannot be read by its lines, so that nothing in it goes unseen."""
    found = FRONT.match(text)
    if found is None:
        return [], text, 0
    rows = found.group(1).split("\n")
    pieces = [Piece(found.group(1), 2, "header")]
    pieces += [Piece(row.partition(":")[2].strip(), 2 + at, "header") for at, row in enumerate(rows) if ":" in row]
    return pieces, text[found.end() :], newlines(text, found.end())


def strings(value: Value, path: str) -> Iterator[tuple[str, str]]:
    """Yield `(dotted path, text)` of every string in a plain value, and of keys that hold a blank."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, child in value.items():
            if " " in key:
                yield path, key
            yield from strings(child, f"{path}.{key}")
    elif isinstance(value, list):
        for child in value:
            yield from strings(child, path)


def _blocks(body: str, offset: int) -> list[Piece]:
    pieces: list[Piece] = []
    heading, paragraph = "", ""
    role = "prose"
    for token in _parse(body):
        line = offset + (token.map[0] if token.map else 0) + 1
        if token.type in ("heading_open", "th_open", "td_open", "paragraph_open", "tr_open"):
            role = {"heading_open": "heading", "th_open": "cell", "td_open": "cell"}.get(token.type, "prose")
        elif token.type == "inline":
            pieces += _shown(token.content, line, role)
            heading, paragraph = (token.content, "") if role == "heading" else (heading, token.content)
        elif token.type in ("fence", "code_block"):
            before = f"{heading}\n{paragraph}"[-MAX_BEFORE:]
            pieces.append(_fence(token, line, before))
        elif token.type == "html_block":
            pieces += html_pieces(token.content, line)
    return pieces


def _fence(token: Any, line: int, before: str) -> Piece:
    language = language_of(token.info) if token.type == "fence" else ""
    start = line + 1 if token.type == "fence" else line
    if token.type == "code_block":
        language = "indented"
    role = "code" if language else "fence"
    return Piece(token.content, start, role, language, before=before)


def _shown(content: str, line: int, role: str) -> Iterator[Piece]:
    """Yield a paragraph, and apart from it what its inline HTML hides."""
    if "<" in content:
        for match in COMMENT.finditer(content):
            yield Piece(match.group(1), line + newlines(content, match.start()), "hidden", before="comment")
        content = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), content)
        yield from (piece for piece in _concealed(content, line))
    yield Piece(content, line, role)


def html_pieces(content: str, line: int) -> Iterator[Piece]:
    """Yield the pieces of HTML: comments, concealed elements, scripts, attributes that run, and the text shown."""
    for match in COMMENT.finditer(content):
        yield Piece(match.group(1), line + newlines(content, match.start(1)), "hidden", before="comment")
    rest = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), content)
    for match in re.finditer(r"<script\b[^>]{0,500}>(.*?)(?:</script\s*>|\Z)", rest, re.S | re.I):
        yield Piece(match.group(1), line + newlines(rest, match.start(1)), "code", "javascript")
    rest = re.sub(
        r"<(script|style)\b.*?(?:</\1\s*>|\Z)",
        lambda match: re.sub(r"[^\n]", " ", match.group()),
        rest,
        flags=re.S | re.I,
    )
    for match in re.finditer(r"\son[a-z]{3,20}\s*=\s*(\"[^\"]{1,4000}\"|'[^']{1,4000}')", rest, re.I):
        yield Piece(match.group(1)[1:-1], line + newlines(rest, match.start()), "code", "javascript")
    yield from _concealed(rest, line)
    for match in re.finditer(r"(?:alt|title|content|aria-label|desc)\s*=\s*\"([^\"]{8,4000})\"", rest, re.I):
        yield Piece(match.group(1), line + newlines(rest, match.start()), "attribute")
    yield Piece(TAG.sub(_tag, rest), line, "prose")


def _tag(match: re.Match[str]) -> str:
    """Drop a tag, unless its name pretends to an authority."""
    return match.group() if POSING_TAG.fullmatch(match.group(1)) else " "


def _concealed(content: str, line: int) -> Iterator[Piece]:
    """Yield the text of elements that a browser would not show."""
    for match in TAG.finditer(content):
        if SHOWN_NOT.search(match.group(2)):
            end = content.find(f"</{match.group(1)}", match.end())
            inner = content[match.end() : end if end >= 0 else len(content)]
            yield Piece(TAG.sub(" ", inner), line + newlines(content, match.start()), "hidden", before="element")


def _definitions(body: str, offset: int, pieces: list[Piece]) -> list[Piece]:
    """Return reference definitions that carry text in place of an address: a comment that nobody is shown."""
    if "]:" not in body:
        return []
    fenced = [
        range(piece.line, piece.line + piece.text.count("\n") + 1)
        for piece in pieces
        if piece.role in ("code", "fence")
    ]
    found = []
    for match in DEFINITION.finditer(body):
        line = offset + newlines(body, match.start()) + 1
        title = match.group(3) or ""
        if title and not any(line in span for span in fenced):
            is_comment = match.group(2) in ("#", "<>") or match.group(1) in ("//", "comment", "#", "_", "hidden")
            found.append(Piece(title, line, "hidden" if is_comment else "attribute", before="definition"))
    return found


def _addresses(piece: Piece) -> Iterator[Address]:
    if "](" not in piece.text:
        return
    plain = re.sub(r"(`{1,3})[^`]{0,2000}\1", lambda match: "x" * len(match.group()), piece.text)
    for match in LINK.finditer(plain):
        mark, text, target, title = match.groups()
        yield Address(text, target, title or "", piece.at(match.start()), bool(mark))
