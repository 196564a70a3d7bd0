"""What checks look at: one document with its place, one skill with its files, or all of it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hermes_git.document import Document
from hermes_git.knowledge.skill import Skill, read_skill

MAX_TEXT = 1024 * 1024
"""Characters of one document that are analysed; a longer one is an incomplete scan, which blocks."""

MAX_LINES = 60_000
"""Lines of one document that are analysed: lines of two characters cost as much as whole ones."""

MAX_CODE = 384 * 1024
"""Characters of program text that are parsed; generated code beyond that is nothing a skill needs."""

Value = TypeVar("Value")


def bounded(text: str) -> str:
    """Return the part of a text that is analysed; HG102 says so where that is not all of it."""
    text = text[:MAX_TEXT]
    return text if text.count("\n") <= MAX_LINES else "\n".join(text.split("\n", MAX_LINES)[:MAX_LINES])


@dataclass(frozen=True, slots=True)
class Failure:
    """Stands in `memo` for an analysis that failed."""

    error: Exception


@dataclass(frozen=True)
class Reading:
    """One document where it stands: its area (see `knowledge.layout.Place`), memory target, skill root, inner path.

    `inner` is the path inside the skill, or the whole path outside any; `about` is the text of the SKILL.md that a file
    belongs to, addresses left out. Analyses that several checks share are kept
    in `memo`, so that each is done once.
    """

    document: Document
    area: str = "other"
    target: str = ""
    root: str | None = None
    inner: str = ""
    about: str = ""
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def path(self) -> str:
        """Return the path of the document."""
        return self.document.path

    @property
    def kind(self) -> str:
        """Return the kind of the document."""
        return self.document.kind

    @functools.cached_property
    def text(self) -> str:
        """Return the text that is analysed: all of it, or the first part of an overlong one."""
        return bounded(self.document.text)

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of the document."""
        return self.document.lines

    def once(self, name: str, analyse: Callable[[Reading], Value]) -> Value:
        """Return the result of an analysis, run on first use; one that failed fails again without being run again."""
        if name not in self.memo:
            try:
                self.memo[name] = analyse(self)
            except Exception as error:
                self.memo[name] = Failure(error)
                raise
        found = self.memo[name]
        if isinstance(found, Failure):
            raise found.error
        result: Value = found
        return result


@dataclass(frozen=True, order=True, slots=True)
class Fact:
    """One thing a file is able to do: an axis such as `host`, `env`, `reads`, `runs`, its value, and the line."""

    axis: str
    value: str
    path: str = ""
    line: int = 0


@dataclass(frozen=True)
class SkillReading:
    """A skill folder: its root, its documents, and the facts of its files."""

    root: str
    readings: tuple[Reading, ...]
    facts: tuple[Fact, ...] = ()

    @functools.cached_property
    def skill(self) -> Skill:
        """Return the skill, read once."""
        return read_skill("" if self.root == "." else self.root, [reading.document for reading in self.readings])

    @functools.cached_property
    def body(self) -> str:
        """Return the part of its instructions that is analysed."""
        return bounded(self.skill.body)

    @property
    def path(self) -> str:
        """Return the path of its SKILL.md."""
        return self.skill.path

    @property
    def is_archived(self) -> bool:
        """Say whether the skill lies in the archive."""
        return any(reading.area == "archived-skill" for reading in self.readings)


@dataclass(frozen=True)
class TreeReading:
    """Everything that is judged together: skills, and documents that belong to none."""

    skills: tuple[SkillReading, ...]
    others: tuple[Reading, ...] = ()
    facts: tuple[Fact, ...] = ()
