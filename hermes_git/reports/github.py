"""A report as GitHub workflow commands: annotations beside the changed lines."""

from __future__ import annotations

from hermes_git.finding import Finding, Report, Severity
from hermes_git.reports.text import summary, visible

WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def _data(text: str) -> str:
    """Escape the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def render(report: Report) -> str:
    """Render one workflow command a finding, then the summary as a plain line."""
    return "\n".join([*(_command(finding) for finding in report.findings), summary(report)]) + "\n"


def _command(finding: Finding) -> str:
    where = f"file={_property(finding.path)},line={max(1, finding.line)},col={max(1, finding.column)}"
    text = visible(finding.message) + (f" ({visible(finding.hint)})" if finding.hint else "")
    return f"::{WORDS[finding.severity]} {where},title={finding.check}::{_data(text)}"
