"""What is told about a document besides findings: what was not scanned, and what it is able to do."""

from __future__ import annotations

from collections.abc import Iterator

from hermes_git.checks.bytes_and_names import BINARY_DATA
from hermes_git.checks.reading import Fact, Reading
from hermes_git.document import is_binary
from hermes_git.finding import Skipped

REASONS = {
    "link": "link, not followed",
    "gitlink": "submodule, has no files here",
    "archive": "archive",
    "bytecode": "compiled code",
    "executable": "native program",
    "binary": "binary data",
}


def skipped(reading: Reading) -> Iterator[Skipped]:
    """Name the document when its content is not read as text, and why."""
    if reading.kind in BINARY_DATA:
        yield Skipped(reading.path, reading.kind)
    elif reading.kind in REASONS:
        yield Skipped(reading.path, REASONS[reading.kind])
    elif is_binary(reading.document.data):
        yield Skipped(reading.path, "binary under a text name")


def facts(reading: Reading) -> Iterator[Fact]:
    """Yield what the document is able to do, as far as the checks that ran have analysed it."""
    analysis = reading.memo.get("analysis")
    yield from analysis.facts if analysis is not None else ()
