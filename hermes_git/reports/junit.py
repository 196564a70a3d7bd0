"""A report as JUnit XML, which most CI servers can show."""

from __future__ import annotations

from hermes_git.finding import ERROR, Finding, Report, Skipped
from hermes_git.reports.text import place, visible


def render(report: Report) -> str:
    """Render one test case a finding; only errors are failures, the rest is output of a passing case."""
    failures = sum(finding.severity == ERROR for finding in report.findings)
    rows = [_case(finding) for finding in report.findings] or [
        '  <testcase classname="hermes-git" name="no findings"/>'
    ]
    rows += [_skipped(item) for item in report.not_scanned]
    head = (
        f'<testsuite name="hermes-git" tests="{len(rows)}" failures="{failures}" skipped="{len(report.not_scanned)}">'
    )
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *rows, "</testsuite>"]) + "\n"


def _skipped(item: Skipped) -> str:
    head = f'  <testcase classname="not scanned" name={_attribute(item.path)}>'
    return f"{head}<skipped message={_attribute(item.reason)}/></testcase>"


def _attribute(text: str) -> str:
    quoted = _escaped(visible(text)).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
    return f'"{quoted}"'


def _escaped(text: str) -> str:
    """Return text for XML; the library's own function brings an HTTP client into every start of the tool."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _case(finding: Finding) -> str:
    text = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    body = _escaped("\n".join(visible(row) for row in text.split("\n")))
    tag = "failure" if finding.severity == ERROR else "system-out"
    message = f" message={_attribute(finding.message)}" if tag == "failure" else ""
    head = f"  <testcase classname={_attribute(finding.check)} name={_attribute(place(finding))}>"
    return f"{head}<{tag}{message}>{body}</{tag}></testcase>"
