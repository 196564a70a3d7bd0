"""Frontmatter: found by one rule, loaded strictly and within bounds, edited by splicing bytes.

YAML itself is in `strict_yaml`, imported with the first header that is read: memory files have none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hermes_git.knowledge.header_advice import BadHeader, Problem, Value

__all__ = ["BadHeader", "Header", "Value", "compose", "load", "read"]

OPENING = re.compile(r"---[ \t]*\r?\n")
CLOSING = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
DOTS = re.compile(r"^\.\.\.[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Header:
    """A header as read: its values, the line of each top-level key, and where the body starts.

    `start` and `end` bound the YAML source in the text; `body_line` is the 1-based line of the first body line.
    """

    values: dict[str, Value] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    start: int = 0
    end: int = 0
    body: str = ""
    body_line: int = 1


def read(text: str) -> Header:
    """Read the header of a document whose BOM is already gone; `BadHeader` for none, an unclosed or a broken one."""
    opening = OPENING.match(text)
    if opening is None:
        raise BadHeader(_no_opening(text))
    closing = CLOSING.search(text, opening.end())
    if closing is None:
        raise BadHeader(_no_closing(text))
    source = text[opening.end() : closing.start()]
    if DOTS.search(source):  # YAML ends there, and what follows up to the next rule would be lost
        raise BadHeader(_no_closing(text))
    values, lines = load(source)
    after = closing.end() + 1
    return Header(
        values,
        {key: line + 2 for key, line in lines.items()},
        opening.end(),
        closing.start(),
        text[after:],
        text.count("\n", 0, after) + 1,
    )


def _no_opening(text: str) -> Problem:
    first = text.lstrip("\ufeff").lstrip()
    if "\r" in text and "\n" not in text:
        return Problem(1, 1, "line ends are lone carriage returns", "save the file with LF line ends")
    if first.startswith("---"):
        return Problem(1, 1, "the file must start with --- on its first line", "remove what stands above the first ---")
    if "\n---" in text[:4096]:
        return Problem(1, 1, "text stands above the frontmatter", "move the frontmatter to the very first line")
    return Problem(1, 1, "no frontmatter", "start the file with ---, name:, description:, ---")


def _no_closing(text: str) -> Problem:
    dots = DOTS.search(text)
    if dots:
        return Problem(text.count("\n", 0, dots.start()) + 1, 1, "frontmatter ends with ...", "end it with a line ---")
    return Problem(1, 1, "the frontmatter is not closed", "end it with a line that holds only ---")


def load(source: str) -> tuple[dict[str, Value], dict[str, int]]:
    """Load YAML source into plain values and the 0-based line of each top-level key; `BadHeader` on any breach."""
    from hermes_git.knowledge import strict_yaml

    return strict_yaml.load(source)


def compose(values: dict[str, object], body: str) -> str:
    """Write a new document with a header in the given key order; the inverse of `read`."""
    from hermes_git.knowledge import strict_yaml

    return strict_yaml.compose(values, body)
