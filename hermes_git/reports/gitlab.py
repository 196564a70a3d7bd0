"""A report as a GitLab code quality artefact."""

from __future__ import annotations

import json

from hermes_git.finding import Report, Severity
from hermes_git.reports.text import visible

WORDS = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "info"}


def render(report: Report) -> str:
    """Render the findings as GitLab's list of code quality issues."""
    rows = [
        {
            "description": visible(f"{finding.message}. {finding.hint}".rstrip(". ") + "."),
            "check_name": finding.check,
            "fingerprint": finding.fingerprint,
            "severity": WORDS[finding.severity],
            "location": {"path": finding.path, "lines": {"begin": max(1, finding.line)}},
        }
        for finding in report.findings
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
