"""The one list of report formats."""

from __future__ import annotations

from collections.abc import Callable

from hermes_git.finding import Report
from hermes_git.reports import github, gitlab, json, junit, markdown, sarif, text

FORMATS: dict[str, Callable[[Report], str]] = {
    "text": text.render,
    "json": json.render,
    "sarif": sarif.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "junit": junit.render,
    "markdown": markdown.render,
}
"""Name of a format → its renderer from report to text."""
