"""A piece of a document: text of one role and language, with the line it starts on."""

from __future__ import annotations

import bisect
import functools
import re
from array import array
from typing import NamedTuple

PROSE_ROLES = frozenset("prose heading cell header hidden attribute fence comment string".split())
"""Roles whose text is read as sentences. `fence` is a fenced block without a programming language."""


CELL = ("cell",)
"""Layer of a notebook's program whose lines are those of the document."""

JOINED = ("cell", "joined")
"""Layers of a notebook's program when all of it stands on one line."""


FEW = 4_096
"""Characters of a text in which lines are counted each time they are asked for."""


def newlines(text: str, offset: int) -> int:
    """Return how many lines end before an offset; where many places of a long text are asked for, it is read once."""
    return text.count("\n", 0, offset) if len(text) <= FEW else bisect.bisect_left(_ends(text), offset)


@functools.lru_cache(maxsize=2)
def _ends(text: str) -> array[int]:
    """Return where lines end, four bytes each."""
    return array("I", (match.start() for match in re.finditer("\n", text)))


class Piece(NamedTuple):
    """Text with its role, language, 1-based first line, and the layers it was decoded from.

    `role` is one of prose, heading, cell, header (a value of the frontmatter), hidden (comments and elements that are
    not shown), attribute (alternative text, titles), fence, comment, string, code. `before` is the text that
    introduces a block: the heading and the paragraph above it.
    """

    text: str
    line: int
    role: str
    language: str = ""
    layers: tuple[str, ...] = ()
    before: str = ""

    def at(self, offset: int) -> int:
        """Return the line of the document that an offset into the text lies on."""
        return self.line if self.is_elsewhere else self.line + newlines(self.text, offset)

    @property
    def is_elsewhere(self) -> bool:
        """Say whether the lines of the text are none of the document: it was decoded, or put together."""
        return bool(self.layers) and self.layers != CELL

    def inner(self, text: str, line: int, language: str, layer: str = "") -> Piece:
        """Return a piece found inside this one: a command in a string, or what a literal decodes to."""
        layers = (*self.layers, layer) if layer else self.layers
        return self._replace(
            text=text, line=line, role="code" if language else "hidden", language=language, layers=layers
        )


LANGUAGES = {
    **dict.fromkeys(
        "sh bash zsh shell console shell-session shellsession terminal ksh dash fish command".split(), "shell"
    ),
    **dict.fromkeys("py python python3 ipython pycon".split(), "python"),
    **dict.fromkeys("js javascript mjs cjs node jsx".split(), "javascript"),
    **dict.fromkeys("ts typescript tsx mts".split(), "typescript"),
    **dict.fromkeys("ps1 powershell pwsh ps".split(), "powershell"),
    **dict.fromkeys("bat cmd batch dosbatch".split(), "batch"),
    **dict.fromkeys("json jsonc json5 jsonl".split(), "json"),
    **dict.fromkeys("yaml yml".split(), "yaml"),
    **dict.fromkeys("html xml svg xhtml plist vue".split(), "html"),
    **dict.fromkeys("dockerfile docker containerfile".split(), "dockerfile"),
    **dict.fromkeys("makefile make just".split(), "makefile"),
    **dict.fromkeys("ruby rb".split(), "ruby"),
    **dict.fromkeys("perl pl".split(), "perl"),
    **dict.fromkeys("toml ini cfg conf env dotenv properties".split(), "toml"),
    **dict.fromkeys("text txt plain plaintext markdown md mdx prompt output log none".split(), ""),
}
"""Info string of a fence → language; an unknown word names a language that is not analysed."""


def language_of(info: str) -> str:
    """Return the language that the info string of a fence names; "" for prose and for none."""
    word = info.strip().lower().lstrip("{.").split(None, 1)[0].rstrip("}").split(",")[0] if info.strip() else ""
    return LANGUAGES.get(word, word)
