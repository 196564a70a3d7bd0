"""A report as SARIF 2.1.0, for code scanning services."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from urllib.parse import quote

from hermes_git.finding import Finding, Report
from hermes_git.reports.text import visible

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
HOME = "https://github.com/hermes-git/hermes-git"


def render(report: Report, titles: dict[str, str] | None = None) -> str:
    """Render the report; `titles` gives the one-line description of each check id."""
    ids = sorted({finding.check for finding in (*report.findings, *report.waived)})
    rules = [_rule(id, (titles or {}).get(id, id)) for id in ids]
    results = [_result(finding, ids) for finding in report.findings]
    results += [_result(finding, ids, waived=True) for finding in report.waived]
    driver = {
        "name": "hermes-git",
        "informationUri": HOME,
        "version": report.tool,
        "properties": {"rules": report.rules},
        "rules": rules,
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _not_scanned(report)}],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _rule(id: str, title: str) -> dict[str, object]:
    return {
        "id": id,
        "shortDescription": {"text": title},
        "helpUri": f"{HOME}/blob/main/docs/checks.md#{id.lower()}",
        "help": {"text": f"hermes-git explain {id}"},
    }


def _result(finding: Finding, ids: list[str], *, waived: bool = False) -> dict[str, object]:
    text = visible(finding.message) + (f" ({visible(finding.hint)})" if finding.hint else "")
    result: dict[str, object] = {
        "ruleId": finding.check,
        "ruleIndex": ids.index(finding.check),
        "level": finding.severity.word,
        "message": {"text": text},
        "locations": [{"physicalLocation": _location(finding)}],
        "partialFingerprints": {"hermesGit/v1": finding.fingerprint},
    }
    if waived:
        result["suppressions"] = [{"kind": "external", "status": "accepted"}]
    return result


def _location(finding: Finding) -> dict[str, object]:
    location: dict[str, object] = {"artifactLocation": {"uri": uri(finding.path), "uriBaseId": "%SRCROOT%"}}
    if finding.line:
        location["region"] = {"startLine": finding.line, "startColumn": max(1, finding.column)}
    return location


def uri(path: str) -> str:
    """Return a path as a relative URI reference."""
    encoded = quote(path.encode("utf-8", "surrogateescape"), safe="/")
    return f"./{encoded}" if re.match(r"[^/]*:", encoded) else encoded


def _not_scanned(report: Report) -> list[dict[str, object]]:
    return list(_notifications((item.path, item.reason) for item in report.not_scanned))


def _notifications(items: Iterable[tuple[str, str]]) -> Iterable[dict[str, object]]:
    for path, reason in items:
        yield {
            "level": "note",
            "message": {"text": f"not scanned: {reason}"},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(path), "uriBaseId": "%SRCROOT%"}}}],
        }
