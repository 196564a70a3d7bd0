"""Syntax trees of tree-sitter with bounded work; the one module that loads it, when program text first needs it.

The work of these parsers grows with the square of a text that does not fit its grammar. It is bounded by counts, the
same on every machine: steps that the parser reports, and blocks of text that it asks for, again whenever it goes back.
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from typing import Any

STEP_FLOOR, STEPS_PER_BYTE = 200, 0.015
"""Reports of progress that a parser may give for a text; ordinary programs need fewer than 0.01 a byte."""

STEPS_IN_ALL = 1000
"""Reports of progress for all the texts of one document."""

BLOCK = 1024
"""Bytes that a parser is given at a time; a text of one block is parsed without counting."""

BLOCK_FLOOR, READS_PER_BLOCK = 100, 8
"""How often blocks may be asked for, in all and for each; ordinary programs need fewer than three a block."""

GRAMMARS = {
    "shell": ("tree_sitter_bash", "language"),
    "powershell": ("tree_sitter_powershell", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_tsx"),
}
"""Language of a piece → module and function of its grammar."""


@dataclass(slots=True)
class Work:
    """The steps that are left for the texts of one document."""

    steps: int = STEPS_IN_ALL


@functools.cache
def _language(name: str) -> Any:
    from tree_sitter import Language

    module, function = GRAMMARS[name]
    return Language(getattr(importlib.import_module(module), function)())


def root(language: str, text: str, work: Work) -> Any:
    """Return the root node of a text, or None when parsing takes more work than any ordinary program does.

    A longer text is parsed once to count the work, and again to keep the tree: nodes of a text that is handed out in
    blocks would fetch their own text byte by byte.
    """
    from tree_sitter import Parser

    data = text.encode("utf-8", "replace")
    parser = Parser(_language(language))
    if len(data) > BLOCK and not _bears(parser, data, work):
        return None
    return parser.parse(data).root_node


def _bears(parser: Any, data: bytes, work: Work) -> bool:
    """Say whether a text is parsed within the bounds."""
    steps = min(work.steps, int(STEP_FLOOR + STEPS_PER_BYTE * len(data)))
    left, spare = steps, BLOCK_FLOOR + READS_PER_BLOCK * len(data) // BLOCK

    def read(at: int, _point: object) -> bytes:
        nonlocal spare
        spare -= 1
        return data[at : at + BLOCK] if spare >= 0 else b""

    def stop(_position: int, _has_error: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0 or spare < 0

    try:
        parser.parse(read, progress_callback=stop)
    except ValueError:
        parser.reset()
        return False
    finally:
        work.steps -= steps - max(left, 0)
    return spare >= 0
