"""What gets past the checks is known by name: no attempt of these tables passes unless it is listed here."""

from __future__ import annotations

import pytest

from hermes_git.finding import ERROR
from tests.checks.bypass_code import CONFIG, POWERSHELL, PYTHON, SCRIPT
from tests.checks.bypass_prose import DISGUISES, WORDS
from tests.checks.bypass_shell import SHELL
from tests.checks.judging import judge, skill

KNOWN_MISSES = frozenset((("words", "account"),))
"""Attempts that still pass, as (table, name); a fix takes its row out."""

FILES = {
    "shell": {name: ("links/setup.sh", f"#!/bin/sh\n{text}\n") for name, text in SHELL.items()},
    "python": {name: ("links/tidy.py", f"{text}\n") for name, text in PYTHON.items()},
    "script": {name: ("links/tidy.mjs", f"{text}\n") for name, text in SCRIPT.items()},
    "powershell": {name: ("links/setup.ps1", f"{text}\n") for name, text in POWERSHELL.items()},
    "config": {name: (f"links/{name}", text) for name, text in CONFIG.items()},
    "words": {name: ("links/notes.md", f"# Notes\n\n{text}\n") for name, text in WORDS.items()},
    "disguises": {name: ("links/notes.md", f"# Notes\n\n{text}\n") for name, text in DISGUISES.items()},
    "fences": {name: ("links/notes.md", f"# Setup\n\n```bash\n{text}\n```\n") for name, text in SHELL.items()},
}
ATTEMPTS = [(table, name) for table, rows in FILES.items() for name in rows]
SECURITY = ("HG1", "HG3", "HG4", "HG5", "HG6", "HG9")


@pytest.mark.parametrize(("table", "name"), ATTEMPTS, ids=lambda part: part)
def test_attempt_is_blocked(table: str, name: str) -> None:
    found = judge(skill("Checks links."), FILES[table][name], trust="community", select=SECURITY)
    blocked = any(finding.severity == ERROR for finding in found)
    assert blocked is ((table, name) not in KNOWN_MISSES), "mend KNOWN_MISSES" if blocked else "it gets past"


def test_the_set_is_large_enough_to_mean_something() -> None:
    assert len(ATTEMPTS) >= 300
    assert len(KNOWN_MISSES) <= 0.05 * len(ATTEMPTS)
