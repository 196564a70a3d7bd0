"""What to tell the author of a header that is not YAML: in plain words, and the very line to write instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_git.knowledge.yaml_text import quoted

if TYPE_CHECKING:
    from yaml import YAMLError

Value = None | bool | int | str | list["Value"] | dict[str, "Value"]
"""What a header can hold."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a header cannot be read: a 1-based line and column of the file, what is wrong, and how to mend it."""

    line: int
    column: int
    message: str
    hint: str = ""


class BadHeader(ValueError):
    """A header that cannot be read; `problem` says why and where."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def explain(error: YAMLError, source: str) -> Problem:
    """Explain a YAML error of a header whose source starts on line 2 of its file."""
    mark = getattr(error, "problem_mark", None)
    line, column = (mark.line + 2, mark.column + 1) if mark else (1, 1)
    said = str(getattr(error, "problem", "") or error).split("\n", 1)[0]
    rows = source.replace("\r\n", "\n").split("\n")
    message, hint = _advice(said, rows, line - 2)
    return Problem(line, column, message or f"not valid YAML: {said}", hint)


def _advice(said: str, rows: list[str], at: int) -> tuple[str, str]:
    """Say in plain words what is wrong with a row of YAML and how to write it; ("", hint) where words fail."""
    row = rows[at] if 0 <= at < len(rows) else ""
    key, colon, value = row.partition(": ")
    value = value.strip()
    if row.startswith("\t") or "\\t" in said:
        return "YAML is indented with spaces, not tabs", "replace the tabs by spaces"
    if "mapping values are not allowed" in said or (colon and ": " in value + " "):
        return _about_colon(rows, at)
    if value[:1] in ("'", '"') and value[-1:] == value[:1] and len(value) > 2:
        return "a quotation mark inside quotes", f"write {key}: {quoted(value[1:-1])}"
    if "',' or ']'" in said or "',' or '}'" in said:
        return "", "close the bracket, or quote the value"
    if value[:1] in tuple("@`%&*!|>{}[]#,"):
        return "", f"write {key}: {quoted(value)}"
    if ":" not in row:
        return "", "write it as key: value, or indent it below the key it belongs to"
    return "", 'quote the value: key: "value"'


def _about_colon(rows: list[str], at: int) -> tuple[str, str]:
    """Tell a value with a colon on one line from one that goes on over several, and from a key that is indented."""
    row = rows[at]
    key, _, value = row.partition(": ")
    above = next((number for number in range(at - 1, -1, -1) if rows[number][:1].strip()), None)
    owner, colon, start = rows[above].partition(": ") if above is not None else ("", "", "")
    if not row[:1].strip() and colon and start.strip() and start.strip()[:1] not in "|>":
        if key.strip() in KNOWN_KEYS:
            return f"the key {key.strip()} is indented", f"remove the blanks before {key.strip()}"
        end = next((number for number in range(at + 1, len(rows)) if rows[number][:1].strip()), len(rows))
        whole = " ".join(part.strip() for part in [start, *rows[(above or 0) + 1 : end]])
        return (
            "a value with a colon in it must be quoted, all its lines together",
            f"write {owner}: {quoted(whole.strip())}",
        )
    return "a value with a colon in it must be quoted", f"write {key}: {quoted(value.strip())}"


KNOWN_KEYS = frozenset("name description license compatibility metadata allowed-tools version author tags".split())
