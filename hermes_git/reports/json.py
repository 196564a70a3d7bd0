"""A report as JSON: the published contract of `check --format json`."""

from __future__ import annotations

import json

from hermes_git.finding import Report


def as_json(report: Report) -> dict[str, object]:
    """Return the report as plain values; keys may be added later, never changed."""
    return {
        "verdict": report.verdict,
        "findings": [finding.as_json() for finding in report.findings],
        "not_scanned": [{"path": item.path, "reason": item.reason} for item in report.not_scanned],
        "waived": [finding.as_json() for finding in report.waived],
        "tool": report.tool,
        "rules": report.rules,
        **({} if report.scanned is None else {"scanned": report.scanned}),
    }


def render(report: Report) -> str:
    """Render the report as indented JSON with a final newline."""
    return json.dumps(as_json(report), ensure_ascii=False, indent=2) + "\n"
