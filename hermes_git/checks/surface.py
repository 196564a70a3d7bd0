"""What is told about a document besides findings: what was not scanned, and what it is able to do.

Abilities are facts, not findings: they never block by themselves. Two revisions of a skill are compared by their facts,
so that a skill which grows new abilities can be seen growing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hermes_git.checks.analysis import analysis_of
from hermes_git.checks.bytes_and_names import BINARY_DATA
from hermes_git.checks.reading import Fact, Reading
from hermes_git.document import is_binary
from hermes_git.finding import Skipped

REASONS = {
    "link": "link, not followed",
    "gitlink": "submodule, has no files here",
    "archive": "archive, members are listed and scanned within limits",
    "bytecode": "compiled code",
    "executable": "native program",
    "binary": "binary data",
}

AXES = {
    "host": "hosts it speaks to",
    "sends": "hosts it sends data to",
    "runs": "programs it runs",
    "runs-download": "hosts whose programs it runs",
    "installs": "packages it installs",
    "env": "variables of the environment it reads",
    "imports": "Python modules it imports",
    "writes": "files it writes",
    "keeps": "files it keeps secrets in",
    "uploads": "files it uploads",
    "model-endpoint": "servers it sends the agent's own traffic to",
}
"""Axis of a fact → what its values are."""

Surface = dict[str, tuple[str, ...]]


def skipped(reading: Reading) -> Iterator[Skipped]:
    """Name the document when its content is not read as text, and why."""
    if reading.kind in BINARY_DATA:
        yield Skipped(reading.path, reading.kind)
    elif reading.kind in REASONS:
        yield Skipped(reading.path, REASONS[reading.kind])
    elif is_binary(reading.document.data):
        yield Skipped(reading.path, "binary under a text name")


def facts(reading: Reading) -> tuple[Fact, ...]:
    """Return what the document is able to do."""
    return analysis_of(reading).facts


def surface(found: Iterable[Fact]) -> Surface:
    """Return facts as sorted values by axis, each once."""
    table: dict[str, set[str]] = {}
    for fact in found:
        if fact.axis in AXES and fact.value:
            table.setdefault(fact.axis, set()).add(fact.value)
    return {axis: tuple(sorted(table[axis])) for axis in AXES if axis in table}


def growth(before: Surface, after: Surface) -> Surface:
    """Return the abilities that a later surface has and an earlier one has not."""
    grown = {
        axis: tuple(value for value in values if value not in before.get(axis, ())) for axis, values in after.items()
    }
    return {axis: values for axis, values in grown.items() if values}
