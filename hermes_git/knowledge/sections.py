"""The body of a Markdown document: headings with the text below them, and what it points to, all with line numbers.

Blocks are parsed by markdown-it; inline text is parsed only where it may hold a link or code, which is most of the
cost. Nothing is rendered and nothing is followed.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from hermes_git.knowledge.skill import Section

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_BODY = 1024 * 1024
"""Characters of a body that are parsed; what lies beyond has no sections and no references."""

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
SUPPORT = "references scripts templates assets examples".split()
"""The folders in which skills keep their files; a path into one of them is a mention wherever it stands."""

MENTION = re.compile(rf"(?<![\w/.@-])(?:\./)?((?:{'|'.join(SUPPORT)})/[\w@+./-]*[\w@+-])")
CODE_PATH = re.compile(r"(?:\./)?[\w@+-][\w@+.-]*(?:/[\w@+.-]+)*\.[A-Za-z][A-Za-z0-9]{0,5}\Z")


@dataclass(frozen=True, order=True, slots=True)
class Reference:
    """What a text points to: the 1-based line, how (`link`, `image`, `code`, `text`), and the target as written."""

    line: int
    how: str
    target: str

    @property
    def is_local(self) -> bool:
        """Say whether the target is a file here, not a URL, a mail address or a place in the same document."""
        return bool(self.path) and not SCHEME.match(self.target)

    @property
    def path(self) -> str:
        """Return the path part: without fragment and query, percent signs decoded."""
        bare = self.target.split("#", 1)[0].split("?", 1)[0]
        return unquote(bare) if self.how in ("link", "image") else bare


@functools.cache
def _parser(inline: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    return parser if inline else parser.disable("inline")


@functools.lru_cache(maxsize=2)
def _blocks(body: str) -> tuple[list[Token], dict[str, Any]]:
    environment: dict[str, Any] = {}
    return _parser(False).parse(body[:MAX_BODY], environment), environment


def sections(body: str, *, first_line: int = 1) -> tuple[Section, ...]:
    """Return the headings of a body in order; `first_line` is the line of the file on which the body starts."""
    lines = body.split("\n")
    heads = [
        (int(token.tag[1:]), following.content.strip(), token.map[0])
        for token, following in zip(*_paired(_blocks(body)[0]), strict=True)
        if token.type == "heading_open" and token.map and token.level == 0
    ]
    found = []
    for number, (level, title, start) in enumerate(heads):
        end = next((line for depth, _, line in heads[number + 1 :] if depth <= level), len(lines))
        text = "\n".join(lines[start + 1 : end]).strip()
        found.append(Section(level, title, first_line + start, text))
    return tuple(found)


def _paired(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    return tokens[:-1], tokens[1:]


def references(body: str, *, first_line: int = 1) -> tuple[Reference, ...]:
    """Return everything a body points to, sorted by line: links, images, and paths named in code or text."""
    found: set[Reference] = set()
    tokens, environment = _blocks(body)
    for token in tokens:
        start = first_line + (token.map[0] if token.map else 0)
        if token.type == "inline":
            found.update(_of_inline(token.content, start, environment))
        elif token.type in ("fence", "code_block"):
            found.update(_mentions(token.content, start + (1 if token.type == "fence" else 0), "code"))
    return tuple(sorted(found))


def _of_inline(content: str, line: int, environment: dict[str, Any]) -> Iterator[Reference]:
    if not any(mark in content for mark in ("[", "`", "<")):
        yield from _mentions(content, line, "text")
        return
    for token in _parser(True).parseInline(content, environment)[0].children or []:
        if token.type in ("softbreak", "hardbreak"):
            line += 1
        elif token.type == "link_open":
            yield Reference(line, "link", str(token.attrs.get("href", "")))
        elif token.type == "image":
            yield Reference(line, "image", str(token.attrs.get("src", "")))
        elif token.type == "code_inline":
            yield from _of_code(token.content, line)
        elif token.type == "text":
            yield from _mentions(token.content, line, "text")
        line += token.content.count("\n") if token.type in ("html_inline", "image") else 0


def _of_code(content: str, line: int) -> Iterator[Reference]:
    text = content.strip()
    if CODE_PATH.match(text) and "/" in text:
        yield Reference(line, "code", text.removeprefix("./"))
    else:
        yield from _mentions(text, line, "code")


def _mentions(content: str, line: int, how: str) -> Iterator[Reference]:
    for number, row in enumerate(content.split("\n")):
        for match in MENTION.finditer(row):
            yield Reference(line + number, how, match.group(1))
