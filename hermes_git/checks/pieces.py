"""Every kind of document taken apart into pieces, so that one analysis serves a file, a fence and a string alike."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from hermes_git.checks.markdown_pieces import Address, Page, html_pieces, take_apart
from hermes_git.checks.piece import CELL, JOINED, Piece, newlines
from hermes_git.checks.python_tree import nodes, parse
from hermes_git.checks.reading import MAX_CODE, Reading
from hermes_git.document import SHEBANG, SHEBANG_KINDS
from hermes_git.patterns.lazy import pattern

MARKDOWN_KINDS = frozenset(("skill", "markdown", "description"))
CODE_KINDS = {
    "python": "python",
    "shell": "shell",
    "javascript": "javascript",
    "typescript": "typescript",
    "powershell": "powershell",
    "batch": "batch",
    "ruby": "ruby",
    "perl": "perl",
    "php": "php",
    "lua": "lua",
    "makefile": "makefile",
    "dockerfile": "dockerfile",
}
LOOSE_WORKFLOW = pattern(r"(?m)^[ \t]{0,8}pull_request_target:")
"""A workflow that stands in a document without a fence."""

MAX_PARAGRAPH = 20_000
MAX_PIECES = 40_000


def page_of(reading: Reading) -> Page:
    """Return the document taken apart, once."""
    return reading.once("page", _take_apart)


def pieces_of(reading: Reading) -> tuple[Piece, ...]:
    """Return the pieces of the document."""
    return page_of(reading).pieces


def addresses_of(reading: Reading) -> tuple[Address, ...]:
    """Return the links and images of a Markdown document."""
    return page_of(reading).addresses


def _take_apart(reading: Reading) -> Page:
    if not reading.document.is_text:
        return Page(tuple(_binary_strings(reading)))
    if reading.kind in MARKDOWN_KINDS or reading.area in ("memory", "archived-memory"):
        page = take_apart(reading.text, with_header=reading.kind != "description" or reading.text.startswith("---"))
        if LOOSE_WORKFLOW.search(reading.text):
            return Page((*page.pieces, *_loose(reading.text, page)), page.addresses)
        return page
    return Page(tuple(_other(reading))[:MAX_PIECES])


def _loose(text: str, page: Page) -> Iterator[Piece]:
    """Yield the text without its blocks of code, when the workflow stands outside of them."""
    rows = text.split("\n")
    for piece in page.pieces:
        if piece.role in ("code", "fence"):
            for number in range(piece.line - 1, min(len(rows), piece.line + piece.text.count("\n"))):
                rows[number] = ""
    rest = "\n".join(rows)
    if LOOSE_WORKFLOW.search(rest):
        yield Piece(rest, 1, "code", "yaml")


def _other(reading: Reading) -> Iterator[Piece]:
    text, kind = reading.text, reading.kind
    if kind in CODE_KINDS:
        yield Piece(text[:MAX_CODE], 1, "code", CODE_KINDS[kind])
    elif kind == "notebook":
        yield from _notebook(text)
    elif kind == "json":
        yield Piece(text, 1, "code", "json")
    elif kind in ("yaml", "toml"):
        yield Piece(text, 1, "code", kind)
    elif kind in ("html", "svg", "xml"):
        yield from html_pieces(text, 1)
    else:
        yield from _plain(reading)


def _plain(reading: Reading) -> Iterator[Piece]:
    """Yield a text file: as the program its first line names, else by paragraphs."""
    shebang = SHEBANG.match(reading.document.data[:256])
    if shebang and shebang.group(1) in SHEBANG_KINDS:
        yield Piece(reading.text[:MAX_CODE], 1, "code", SHEBANG_KINDS[shebang.group(1)])
        return
    yield from paragraphs(reading.text, 1)


def overlong(reading: Reading) -> list[str]:
    """Say that a program goes on behind the part of it that is read."""
    program = reading.kind in CODE_KINDS or SHEBANG.match(reading.document.data[:256])
    return [f"more than {MAX_CODE:,} characters of a program"] if program and len(reading.text) > MAX_CODE else []


def paragraphs(text: str, line: int, role: str = "prose") -> Iterator[Piece]:
    """Yield the paragraphs of plain text, overlong ones in parts."""
    position = 0
    for part in re.split(r"(\n[ \t\r]*\n)", text):
        for start in range(0, len(part), MAX_PARAGRAPH):
            head = part[start : start + MAX_PARAGRAPH]
            if head.strip():
                yield Piece(head, line + newlines(text, position + start), role)
        position += len(part)


def _notebook(text: str) -> Iterator[Piece]:
    """Yield the cells of a notebook: those in Python as one program, each line where it stands in the JSON text."""
    try:
        cells = json.loads(text).get("cells", [])
    except (ValueError, AttributeError, RecursionError):
        yield Piece(text, 1, "code", "json")
        return
    position = 0
    program: list[tuple[int, str]] = []
    for cell in cells if isinstance(cells, list) else []:
        source = cell.get("source", "") if isinstance(cell, dict) else ""
        body = "".join(part for part in source if isinstance(part, str)) if isinstance(source, list) else str(source)
        first = json.dumps(body.split("\n", 1)[0])[1:-1]
        position = max(position, text.find(first, position)) if first else position
        line = newlines(text, position) + 1
        if cell.get("cell_type") != "code":
            yield from (Piece(piece.text, line, piece.role, piece.language) for piece in take_apart(body).pieces)
        elif (magic := CELL_MAGIC.match(body)) is not None and magic.group(1) in CELL_LANGUAGES:
            yield Piece(body[magic.end() :], line, "code", CELL_LANGUAGES[magic.group(1)], CELL)
        else:
            program.append((line, body[magic.end() :] if magic else body))
    yield from _program(program)


CELL_MAGIC = re.compile(r"%%(?:script[ \t]{1,9}(?:\S{0,80}/)?)?(\w{1,20})[^\n]{0,400}\n")
CELL_LANGUAGES = {
    **dict.fromkeys(("bash", "sh", "zsh", "system", "sx"), "shell"),
    **dict.fromkeys(("javascript", "js", "node"), "javascript"),
    **dict.fromkeys(("html", "HTML", "svg", "SVG"), "html"),
    "perl": "perl",
    "ruby": "ruby",
}
"""First line of a cell → language of the rest."""


def _program(cells: list[tuple[int, str]]) -> Iterator[Piece]:
    """Yield cells as one program, as they are run one after the other, empty lines between them."""
    if len({line for line, _ in cells}) < len(cells):
        yield Piece("\n\n".join(body for _, body in cells)[:MAX_CODE], cells[0][0], "code", "python", JOINED)
        return
    rows: list[str] = []
    for line, body in cells:
        rows += [""] * (line - cells[0][0] - len(rows))
        rows += body.split("\n")
    if cells:
        yield Piece("\n".join(rows)[:MAX_CODE], cells[0][0], "code", "python", CELL)


PRINTABLE = re.compile(rb"[\x20-\x7e\t\n]{8,4000}")


def _binary_strings(reading: Reading) -> Iterator[Piece]:
    """Yield printable runs of compiled code, which name hosts and commands."""
    if reading.kind not in ("bytecode", "executable", "binary"):
        return
    for match in list(PRINTABLE.finditer(reading.document.data[: 2 * 1024 * 1024]))[:2000]:
        yield Piece(match.group().decode("ascii"), 0, "code", "shell", ("bytes",))


def python_text(code: str, line: int) -> Iterator[Piece]:
    """Yield comments and strings of Python source as text that a model reads."""
    for match in re.finditer(r"(?:^|[\s;])#([^\n]{12,2000})", code):
        yield Piece(match.group(1), line + newlines(code, match.start(1)), "comment")
    tree = parse(code)
    if tree is None:
        yield from paragraphs(code, line, "string")
        return
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 20:
            yield Piece(node.value, line + node.lineno - 1, "string")


LITERALS = pattern(
    r"/\*.*?(?:\*/|\Z)|(?://|\#|(?<![-\w])--|\bREM\b)[^\n]*|"
    r"\"(?:[^\"\\\n]|\\.)*(?:\"|\n|\Z)|'(?:[^'\\\n]|\\.)*(?:'|\n|\Z)|`(?:[^`\\]|\\.)*(?:`|\Z)",
    re.S,
)
"""Comments and strings of most languages; every alternative consumes what it starts, so the scan is linear."""

MIN_TEXT, MAX_LITERAL = 14, 4000


def code_text(code: str, line: int) -> Iterator[Piece]:
    """Yield comments and strings of any other source as text that a model reads."""
    here, position = line, 0
    for match in LITERALS.finditer(code):
        found = match.group()
        here, position = here + code.count("\n", position, match.start()), match.start()
        if len(found) > MIN_TEXT:
            role = "string" if found[0] in "\"'`" else "comment"
            yield Piece(found[:MAX_LITERAL].strip("/*\"'`# \n"), here, role)
