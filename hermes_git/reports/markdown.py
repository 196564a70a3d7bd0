"""A report as Markdown: a job summary or the body of a comment."""

from __future__ import annotations

import re

from hermes_git.finding import Report
from hermes_git.reports.text import place, summary, visible

MAX_ROWS = 200


def cell(text: str) -> str:
    """Return text that is safe inside a table cell: nothing in it is taken for Markdown, HTML, a mention or a link."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]()#+!|~])", r"\\\1", shown).replace("://", ":&#47;&#47;").replace("@", NO_MENTION)


NO_MENTION = "@<!-- -->"
"""Hosts look for mentions after Markdown is rendered, where a backslash is gone; a comment parts sign and name."""


def render(report: Report) -> str:
    """Render a table of findings, worst first, and the list of what was not scanned."""
    rows = ["## hermes-git check", "", f"**{cell(summary(report))}**", ""]
    ranked = sorted(report.findings, key=lambda finding: (-finding.severity, finding))
    if ranked:
        rows += ["| severity | check | where | what | what to do |", "|---|---|---|---|---|"]
    for finding in ranked[:MAX_ROWS]:
        cells = (finding.severity.word, finding.check, place(finding), finding.message, finding.hint)
        rows.append("| " + " | ".join(cell(text) for text in cells) + " |")
    if len(ranked) > MAX_ROWS:
        rows.append(f"\n{len(ranked) - MAX_ROWS} more findings are in the JSON report.")
    if report.not_scanned:
        rows += ["", f"<details><summary>Not scanned: {len(report.not_scanned)}</summary>", ""]
        rows += [f"- {cell(item.path)}: {cell(item.reason)}" for item in report.not_scanned[:MAX_ROWS]]
        rows += ["", "</details>"]
    return "\n".join([*rows, "", f"hermes-git {report.tool}, rules {report.rules}"]) + "\n"
