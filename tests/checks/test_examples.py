"""Every check fires on its own examples and is quiet on the near misses beside them."""

from __future__ import annotations

import pytest

from hermes_git.checks import catalogue
from hermes_git.checks.registry import Check, Example
from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.finding import NOTE, Finding

CHECKS = [entry for entry in catalogue.load().values() if entry.run]


def documents(entry: Check, example: Example) -> list[Document]:
    files = ((entry.sample, example),) if isinstance(example, str) else example
    return [
        Document(path, content if isinstance(content, bytes) else content.encode("utf-8")) for path, content in files
    ]


def findings(entry: Check, example: Example) -> tuple[Finding, ...]:
    return scan(documents(entry, example), select=(entry.id,)).findings


@pytest.mark.parametrize("entry", CHECKS, ids=lambda entry: entry.id)
def test_fires(entry: Check) -> None:
    for example in entry.fires:
        found = findings(entry, example)
        assert found, f"{entry.id} is silent on {ascii(example)[:200]}"
        assert {finding.check for finding in found} == {entry.id}
        assert not any("itself failed" in finding.message for finding in found)


@pytest.mark.parametrize("entry", CHECKS, ids=lambda entry: entry.id)
def test_is_quiet(entry: Check) -> None:
    for example in entry.quiet:
        found = [finding for finding in findings(entry, example) if finding.severity > NOTE or entry.severity == NOTE]
        assert not found, f"{entry.id} fires on {ascii(example)[:200]}: {found[0].message}"


@pytest.mark.parametrize("entry", CHECKS, ids=lambda entry: entry.id)
def test_has_a_page(entry: Check) -> None:
    assert entry.title.endswith("."), "the first line of the docstring is a sentence"
    assert "Fix:" in entry.doc
    assert entry.quiet, "a near miss belongs beside every check"
