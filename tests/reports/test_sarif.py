"""SARIF that services take: held to the published schema of SARIF 2.1.0, where a copy of it is at hand.

`HERMES_GIT_SARIF_SCHEMA=sarif-schema-2.1.0.json pytest tests/reports/test_sarif.py`, with the package jsonschema.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from hermes_git.checks import catalogue
from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.finding import Report
from hermes_git.reports import sarif
from tests.reports.test_formats import EMPTY, REPORT

MAX_EXAMPLE = 5000


def everything() -> Report:
    """Return a report with a finding of nearly every check: what their examples give."""
    documents = []
    for entry in catalogue.load().values():
        for number, example in enumerate(entry.fires):
            files = ((entry.sample, example),) if isinstance(example, str) else example
            for path, content in files:
                data = content if isinstance(content, bytes) else content.encode("utf-8")
                if len(data) < MAX_EXAMPLE:
                    documents.append(Document(f"{entry.id}-{number}/{path}", data))
    done = scan(documents, trust="community")
    return Report(done.findings, done.not_scanned)


def test_the_whole_of_it_obeys_the_schema() -> None:
    validation = pytest.importorskip("jsonschema")
    where = os.environ.get("HERMES_GIT_SARIF_SCHEMA")
    if not where:
        pytest.skip("HERMES_GIT_SARIF_SCHEMA names no copy of the schema")
    schema: dict[str, Any] = json.loads(Path(where).read_text(encoding="utf-8"))
    validator = validation.validators.validator_for(schema)(schema, format_checker=validation.FormatChecker())
    report = everything()
    assert len({finding.check for finding in report.findings}) > 90
    titles = {entry.id: entry.title for entry in catalogue.load().values()}
    for one in (report, REPORT, EMPTY):
        assert not [error.message for error in validator.iter_errors(json.loads(sarif.render(one, titles)))]
