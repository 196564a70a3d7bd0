"""HG790, HG791: what other scanners say, read from the SARIF or JSON they print, held to the same policy.

They are named in the user's own git configuration and nowhere else: a repository must not choose who judges it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hermes_git.checks.registry import declare
from hermes_git.errors import UserError
from hermes_git.finding import ERROR, NOTE, WARNING, Finding, Severity, digest

PREFIX = "hermes-git.opinion."
SECONDS = 60
LONGEST_MESSAGE = 300
SEVERITIES = {
    **dict.fromkeys(("critical", "high", "error", "block", "dangerous", "malicious"), ERROR),
    **dict.fromkeys(("medium", "warning", "warn", "caution", "suspicious"), WARNING),
}
"""Words of other tools for how grave a finding is; any other word makes a note."""

SECOND = declare(
    "HG790",
    severity=WARNING,
    title="A second opinion.",
    doc="""
    Another scanner, which the user's git configuration names, reported this. Its severity is taken over: what it calls
    critical, high or an error blocks.

    Fix: see what that scanner says about its rule; waive the finding here if it is wrong.
    """,
)
SILENT = declare(
    "HG791",
    severity=ERROR,
    title="A second opinion that could not be had.",
    doc="""
    The scanner is missing, took too long, or printed neither SARIF nor JSON. `onFailure` says each time what that
    means: `closed` blocks, `open` is a note. There is no number of failures after which one becomes the other.

    Fix: mend the command of `hermes-git.opinion.NAME.command`, or take it out of your git configuration.
    """,
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """A scanner to ask: its name, its command, to which the folder is added, what a failure means, and its time."""

    name: str
    command: tuple[str, ...]
    is_open: bool = False
    seconds: int = SECONDS


def configured(options: Mapping[str, str]) -> tuple[Opinion, ...]:
    """Return the scanners of a git configuration: `hermes-git.opinion.NAME.command`, `.onFailure`, `.seconds`."""
    names = sorted({key[len(PREFIX) :].rpartition(".")[0] for key in options if key.startswith(PREFIX)})
    return tuple(_opinion(name, options) for name in names)


def _opinion(name: str, options: Mapping[str, str]) -> Opinion:
    def value(key: str, default: str) -> str:
        return options.get(f"{PREFIX}{name}.{key}", default)

    where = f"{PREFIX}{name}"
    try:
        command = tuple(shlex.split(value("command", "")))
    except ValueError as error:
        raise UserError(f"{where}.command cannot be split: {error}", hint="close its quotes") from error
    failure, seconds = value("onfailure", "closed"), value("seconds", str(SECONDS))
    if not command:
        raise UserError(f"{where} has no command", hint=f"git config --global {where}.command 'SCANNER --format sarif'")
    if failure not in ("open", "closed"):
        raise UserError(f"{where}.onFailure is {failure!r}", hint="write open or closed")
    if not (seconds.isascii() and seconds.isdigit() and 0 < int(seconds[:6]) <= 3600):
        raise UserError(f"{where}.seconds is {seconds!r}", hint="write a number from 1 to 3600")
    return Opinion(name, command, failure == "open", int(seconds))


def failed(opinion: Opinion, why: str) -> Finding:
    """Return the finding for an opinion that could not be had."""
    severity = NOTE if opinion.is_open else ERROR
    meaning = "passes, since its onFailure is open" if opinion.is_open else "blocks, since its onFailure is closed"
    message = f"{opinion.name} gave no opinion: {why}; that {meaning}"
    return Finding("", 0, 1, SILENT.id, severity, message, digest(opinion.name), "mend its command, or take it out")


def read(opinion: Opinion, output: bytes, folder: str) -> tuple[Finding, ...]:
    """Return the findings that a scanner printed about files below a folder; `ValueError` when it printed none."""
    data = json.loads(output)
    rows = [*_sarif(data)] if isinstance(data, dict) and "runs" in data else [*_plain(data)]
    return tuple(sorted({_finding(opinion, row, folder) for row in rows}))


Row = tuple[str, Any, str, str]
"""What a scanner says: path, line, the word for its gravity, message."""


def _sarif(data: dict[str, Any]) -> Iterator[Row]:
    for run in _rows(data["runs"]):
        for result in _rows(run.get("results")):
            place = _mapping(_mapping((_rows(result.get("locations")) or [{}])[0]).get("physicalLocation"))
            path = str(_mapping(place.get("artifactLocation")).get("uri", ""))
            text = str(_mapping(result.get("message")).get("text", ""))
            message = f"{result.get('ruleId', '')}: {text}"
            yield path, _mapping(place.get("region")).get("startLine"), str(result.get("level", "warning")), message


def _plain(data: object) -> Iterator[Row]:
    found = data.get("findings", data.get("results")) if isinstance(data, dict) else data
    if not isinstance(found, list):
        raise ValueError("neither SARIF nor a list of findings")
    for row in _rows(found):
        path = row.get("path") or row.get("file_path") or row.get("file") or ""
        line = row.get("line") or row.get("line_number")
        message = row.get("message") or row.get("title") or row.get("description") or "no message"
        yield str(path), line, str(row.get("severity") or row.get("level") or ""), str(message)


def _rows(value: object) -> list[dict[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _finding(opinion: Opinion, row: Row, folder: str) -> Finding:
    path, line, word, message = row
    inside = path.removeprefix("file://").removeprefix(folder).lstrip("/").removeprefix("./")
    severity: Severity = SEVERITIES.get(word.lower(), NOTE)
    text = f"{opinion.name}: {message[:LONGEST_MESSAGE]}"
    at = line if isinstance(line, int) and not isinstance(line, bool) and line > 0 else 0
    return Finding(inside, at, 1, SECOND.id, severity, text, digest(message), "see what that scanner says of it")
