"""A report for people at a terminal: one line a finding, then what to do, then what was not read."""

from __future__ import annotations

from hermes_git.finding import Finding, Report, Severity
from hermes_git.screen import amount

MAX_SKIPPED = 12
COLOURS = {Severity.ERROR: "\x1b[31m", Severity.WARNING: "\x1b[33m", Severity.NOTE: "\x1b[36m"}
RESET = "\x1b[0m"


def visible(text: str) -> str:
    """Return text on one line with control, direction and other invisible characters written as escapes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def place(finding: Finding) -> str:
    """Return `path:line:column` as editors read it; the line is left off for findings about a whole file."""
    where = f":{finding.line}:{finding.column}" if finding.line else ""
    return visible(finding.path) + where


def render(report: Report, *, colour: bool = False) -> str:
    """Render the report as text with a final newline."""
    rows = [row for finding in report.findings for row in _rows(finding, colour)]
    rows += [f"waived: {place(finding)}: {finding.check}" for finding in report.waived]
    rows += _skipped(report)
    return "\n".join([*rows, summary(report)]) + "\n"


def _rows(finding: Finding, colour: bool) -> list[str]:
    word = finding.severity.word
    shown = f"{COLOURS[finding.severity]}{word}{RESET}" if colour else word
    rows = [f"{place(finding)}: {shown} {finding.check}: {visible(finding.message)}"]
    return [*rows, f"    {visible(finding.hint)}"] if finding.hint else rows


def _skipped(report: Report) -> list[str]:
    shown = [f"not scanned: {visible(item.path)}: {item.reason}" for item in report.not_scanned[:MAX_SKIPPED]]
    rest = len(report.not_scanned) - MAX_SKIPPED
    return [*shown, f"not scanned: {rest} more, see --format json"] if rest > 0 else shown


def summary(report: Report) -> str:
    """Return the last line: the verdict and how much there is of what."""
    counts = dict.fromkeys(Severity, 0)
    for finding in report.findings:
        counts[finding.severity] += 1
    parts = [plural(counts[severity], severity.word) for severity in sorted(counts, reverse=True) if counts[severity]]
    if report.waived:
        parts.append(f"{len(report.waived)} waived")
    if report.not_scanned:
        parts.append(f"{plural(len(report.not_scanned), 'file')} not scanned")
    scanned = "" if report.scanned is None else f"; {amount(report.scanned, 'file')} judged"
    explain = "; explain one with: hermes-git explain ID" if report.findings else ""
    return f"{report.verdict}: {', '.join(parts) or 'nothing found'}{scanned}{explain}"


def plural(count: int, word: str) -> str:
    """Return `1 error`, `2 errors`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
