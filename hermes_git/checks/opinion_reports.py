"""Reports of other scanners read: SARIF, the JSON of those that are known, and exit statuses.

Shapes of JSON that are understood, as their programs print them: a list of findings; `findings`, `issues`, `results`
or `files` with such lists inside each other (Cisco skill-scanner, SkillSpector, SkillEvaluator, tirith). What says of
itself that it did not finish is no opinion.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from hermes_git.checks.opinions import Opinion, Said
from hermes_git.finding import ERROR, NOTE, WARNING, Severity

SEVERITIES: dict[str, Severity] = {
    **dict.fromkeys(("critical", "high", "error", "block", "dangerous", "malicious", "do_not_install"), ERROR),
    **dict.fromkeys(("medium", "warning", "warn", "caution", "suspicious"), WARNING),
    **dict.fromkeys(("low", "info", "information", "informational", "note", "none", "safe", "minor", "style"), NOTE),
}
"""Words of other tools for how grave a finding is; a word that is not known, or none, makes a warning."""
LISTS = ("findings", "issues", "results", "files")
"""Keys under which tools list findings, or things that have findings."""
UNFINISHED = ("analysis_incomplete", "scan_analysis_incomplete", "truncated", "incomplete_scans", "panic_files")
"""Keys that say, when they hold something, that not all was looked at."""
VERDICTS = {"do_not_install", "block", "warn"}
"""Verdicts on the whole that are findings by themselves."""
NO_FINDINGS = ("pass", "notapplicable")
"""Kinds of SARIF results that say that nothing is wrong."""
DEEPEST = 6


class Unreadable(ValueError):
    """A report that is none, or says that its scan did not finish; the text says which."""


def read(opinion: Opinion, reports: tuple[bytes, ...], status: int) -> tuple[Said, ...]:
    """Return what a scanner says, sorted, each once; paths are as it wrote them."""
    if opinion.form == "exit":
        return _by_status(opinion, status)
    if not reports:
        raise Unreadable("it wrote no report")
    rows = sorted({said for report in reports for said in _read(report)})
    if status != 0 and not rows:
        raise Unreadable(f"it found nothing and ended with exit status {status}")
    return tuple(rows)


def _by_status(opinion: Opinion, status: int) -> tuple[Said, ...]:
    if status == 0:
        return ()
    if status == opinion.warn_code:
        return (Said("", 0, WARNING, f"it warns (exit status {status})"),)
    if status == 1:
        return (Said("", 0, ERROR, "it objects (exit status 1)"),)
    raise Unreadable(f"exit status {status} is neither 0 nor 1 nor its warnCode")


def _read(report: bytes) -> Iterator[Said]:
    try:
        data = json.loads(report)
    except (ValueError, RecursionError) as error:
        raise Unreadable("it printed neither SARIF nor a list of findings as JSON") from error
    if isinstance(data, dict) and "runs" in data:
        yield from _sarif(data)
        return
    if not (
        isinstance(data, list) or (isinstance(data, dict) and any(isinstance(data.get(key), list) for key in LISTS))
    ):
        raise Unreadable("it printed neither SARIF nor a list of findings as JSON")
    if isinstance(data, dict):
        _refuse_unfinished(data)
        yield from _overall(data)
    yield from _plain(data, "")


def _sarif(data: Mapping[str, Any]) -> Iterator[Said]:
    for run in _rows(data["runs"]):
        for invocation in _rows(run.get("invocations")):
            if invocation.get("executionSuccessful") is False:
                raise Unreadable("its report says that its scan did not finish")
        rules = _rules(run)
        for result in _rows(run.get("results")):
            if str(result.get("kind", "")).lower() not in NO_FINDINGS:
                yield _result(result, rules)


def _rules(run: Mapping[str, Any]) -> dict[str, str]:
    """Return the level that each rule has where a result names none."""
    driver = _mapping(_mapping(run.get("tool")).get("driver"))
    return {
        str(rule.get("id")): str(_mapping(rule.get("defaultConfiguration")).get("level", "warning"))
        for rule in _rows(driver.get("rules"))
    }


def _result(result: Mapping[str, Any], rules: Mapping[str, str]) -> Said:
    rule = str(result.get("ruleId") or _mapping(result.get("rule")).get("id") or "")
    place = _mapping(_mapping((_rows(result.get("locations")) or [{}])[0]).get("physicalLocation"))
    path = unquote(str(_mapping(place.get("artifactLocation")).get("uri", "")))
    word = str(result.get("level") or rules.get(rule, "warning"))
    message = f"{rule}: {_mapping(result.get('message')).get('text', '')}"
    return Said(path, _line(_mapping(place.get("region")).get("startLine")), severity(word), message)


def _refuse_unfinished(data: Mapping[str, Any]) -> None:
    incomplete = "incomplete" in (data.get("overall_status"), data.get("status"))
    if incomplete or data.get("execution_successful") is False or any(data.get(key) for key in UNFINISHED):
        raise Unreadable("its report says that its scan did not finish")


def _overall(data: Mapping[str, Any]) -> Iterator[Said]:
    for word in (data.get("action"), _mapping(data.get("risk_assessment")).get("recommendation")):
        if isinstance(word, str) and word.lower() in VERDICTS:
            yield Said("", 0, severity(word), f"its verdict is {word}")


def _plain(value: object, path: str, depth: int = 0) -> Iterator[Said]:
    """Yield the findings of lists that may lie in each other: by validator, by file."""
    if depth > DEEPEST:
        raise Unreadable(f"its findings lie more than {DEEPEST} deep")
    lists = [(key, _rows(value.get(key))) for key in LISTS] if isinstance(value, dict) else [("", _rows(value))]
    for key, row in ((key, row) for key, rows in lists for row in rows):
        if any(isinstance(row.get(inner), list) for inner in LISTS):
            _refuse_unfinished(row)
            yield from _plain(row, _path(row) or path, depth + 1)
        elif key != "files":  # a file without a list of findings is one that was looked at
            yield _said(row, path)


def _said(row: Mapping[str, Any], path: str) -> Said:
    rule = row.get("rule_id") or row.get("ruleId") or row.get("check_name") or row.get("id") or ""
    text = next((row[key] for key in TEXTS if row.get(key)), "no message")
    word = str(row.get("severity") or row.get("level") or "")
    return Said(_path(row) or path, _found_line(row), severity(word), f"{rule}: {text}" if rule else str(text))


TEXTS = ("message", "title", "explanation", "description", "pattern")


def _path(row: Mapping[str, Any]) -> str:
    place = _mapping(row.get("location"))
    found = (row.get("path") or row.get("file_path") or row.get("file") or place.get("file") or place.get("path")) or ""
    return found if isinstance(found, str) else ""


def _found_line(row: Mapping[str, Any]) -> int:
    return _line(row.get("line") or row.get("line_number") or _mapping(row.get("location")).get("start_line"))


def severity(word: str) -> Severity:
    """Return how grave a word of another tool is."""
    return SEVERITIES.get(word.lower(), WARNING)


def _line(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _rows(value: object) -> list[dict[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
