"""The registry of checks: numbered, documented by their docstring, with examples that are data.

Three shapes: a document check sees one `Reading`, a skill check one `SkillReading` with all its files, a tree check
every skill and document at once. Ids raised by other areas (gate, curator) are declared, so that they can be explained.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from hermes_git.check_ids import FAMILIES, RETIRED
from hermes_git.finding import Severity

Example = str | tuple[tuple[str, str | bytes], ...]
"""An example is the text of one file, or pairs of path and content that make up a small tree."""

Function = TypeVar("Function", bound=Callable[..., Iterable["Spot"]])


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a check fired, before it becomes a finding.

    `line` and `column` are 1-based, line 0 means the whole file. `path` is needed by skill and tree checks only.
    `severity` overrides the check's own. `evidence` replaces the offending line as the identity of the finding.
    """

    line: int
    message: str
    column: int = 1
    path: str = ""
    hint: str = ""
    severity: Severity | None = None
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One registered id; `run` is None for ids that another area raises.

    `indicator` marks signs of malice, whose warnings become errors when the author is not trusted.
    """

    id: str
    severity: Severity
    title: str
    doc: str
    shape: str
    kinds: frozenset[str] = frozenset()
    indicator: bool = False
    fires: tuple[Example, ...] = ()
    quiet: tuple[Example, ...] = ()
    run: Callable[..., Iterable[Spot]] | None = None
    sample: str = "notes.md"


CHECKS: dict[str, Check] = {}
"""Every registered check by id; filled by importing the modules of `catalogue`."""


def check(
    id: str,
    *,
    severity: Severity,
    kinds: Iterable[str] = (),
    indicator: bool = False,
    fires: tuple[Example, ...] = (),
    quiet: tuple[Example, ...] = (),
    shape: str = "document",
    sample: str = "notes.md",
) -> Callable[[Function], Function]:
    """Register a function from one `Reading` to spots; its docstring is the documentation page.

    `kinds` limits a document check to kinds of documents; none means every document. `sample` names the file that an
    example stands for when it is given as text alone.
    """

    def register(function: Function) -> Function:
        title, doc = _page(inspect.getdoc(function) or "", id)
        _add(Check(id, severity, title, doc, shape, frozenset(kinds), indicator, fires, quiet, function, sample))
        return function

    return register


def declare(id: str, *, severity: Severity, title: str, doc: str) -> Check:
    """Register an id that is raised outside the checks, so that it is explained and documented like any other."""
    return _add(Check(id, severity, title, inspect.cleandoc(doc), "declared"))


def _add(entry: Check) -> Check:
    if entry.id in CHECKS and CHECKS[entry.id] != entry:
        raise ValueError(f"{entry.id} is registered twice")
    if entry.id in RETIRED or not any(entry.id.startswith(name) for name in FAMILIES):
        raise ValueError(f"{entry.id} is retired or belongs to no family")
    CHECKS[entry.id] = entry
    return entry


def _page(doc: str, id: str) -> tuple[str, str]:
    """Split a docstring into its title line and the page below it; both are required."""
    title, _, rest = doc.partition("\n")
    if not title.strip() or not rest.strip():
        raise ValueError(f"{id} needs a docstring: a title line, why it matters, how to fix it")
    return title.strip(), rest.strip()


def skill_check(
    id: str, *, severity: Severity, indicator: bool = False, fires: tuple[Example, ...], quiet: tuple[Example, ...]
) -> Callable[[Function], Function]:
    """Register a function from one `SkillReading` to spots that name their path."""
    return check(id, severity=severity, indicator=indicator, fires=fires, quiet=quiet, shape="skill")


def tree_check(
    id: str, *, severity: Severity, indicator: bool = False, fires: tuple[Example, ...], quiet: tuple[Example, ...]
) -> Callable[[Function], Function]:
    """Register a function from a `TreeReading` of all skills and stray files to spots that name their path."""
    return check(id, severity=severity, indicator=indicator, fires=fires, quiet=quiet, shape="tree")
