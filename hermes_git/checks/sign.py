"""What an analysis of a piece yields: signs that checks report, facts about abilities, and pieces found inside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hermes_git.checks.grammar import Work
from hermes_git.checks.piece import Piece
from hermes_git.checks.reading import Fact

STRONG, MEDIUM, WEAK = 3, 2, 1


@dataclass(frozen=True, order=True, slots=True)
class Sign:
    """One sign: the check that reports it, how much it weighs (3 blocks, 2 warns, 1 counts beside others), and where.

    `mention` is set where the text is only talked about; `layers` name what it was decoded from.
    """

    check: str
    weight: int
    line: int
    message: str
    mention: bool = False
    layers: tuple[str, ...] = ()


@dataclass(slots=True)
class Found:
    """A collector that an analysis of one piece fills.

    `about` returns the words of the document, addresses left out; `work` is what is left of its bound on parsing.
    """

    piece: Piece
    signs: list[Sign] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    inner: list[Piece] = field(default_factory=list)
    incomplete: str = ""
    about: Callable[[], frozenset[str]] = frozenset
    work: Work = field(default_factory=Work)

    @property
    def topic(self) -> frozenset[str]:
        """Return the words of the document, collected when somebody first asks."""
        return self.about()

    def sign(self, check: str, weight: int, line: int, message: str) -> None:
        """Add a sign; `line` counts within the piece, from 1."""
        self.signs.append(Sign(check, weight, self.line(line), message, layers=self.piece.layers))

    def fact(self, axis: str, value: str, line: int) -> None:
        """Add a fact about what the piece is able to do."""
        self.facts.append(Fact(axis, value, "", self.line(line)))

    def add_inner(self, text: str, line: int, language: str, layer: str = "") -> None:
        """Add a piece found inside: a command in a string, or what a literal decodes to."""
        self.inner.append(self.piece.inner(text, self.line(line), language, layer))

    def line(self, line: int) -> int:
        """Return the line of the document for a line of the piece."""
        return self.piece.line if self.piece.is_elsewhere else self.piece.line + line - 1
