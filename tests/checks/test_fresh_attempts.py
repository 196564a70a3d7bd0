"""A second set of attempts, written when the rules were done by someone who had not read most of them.

Of these 198 the rules of that day blocked 95; what they block now is what is not in `MISSED`.
"""

from __future__ import annotations

import pytest

from hermes_git.finding import ERROR
from tests.checks.fresh_code import POWERSHELL, PYTHON, SCRIPT, SHELL
from tests.checks.fresh_words import HARMLESS, WORDS
from tests.checks.judging import judge, skill

SECURITY = ("HG1", "HG3", "HG4", "HG5", "HG6", "HG9")
SETS = {
    "shell": ("links/setup.sh", "#!/bin/sh\n{}\n", SHELL),
    "python": ("links/tidy.py", "{}\n", PYTHON),
    "script": ("links/tidy.mjs", "{}\n", SCRIPT),
    "powershell": ("links/setup.ps1", "{}\n", POWERSHELL),
    "words": ("links/notes.md", "# Notes\n\n{}\n", WORDS),
    "harmless": ("links/notes.md", "# Notes\n\n{}\n", HARMLESS),
}
MISSED = {
    "shell": "brace expansion|docker socket|no verify",
    "python": "",
    "script": "script tag",
    "powershell": "",
    "words": (
        "priority|new owner|trust anchor|weaken ci|paste token|image beacon|short link|login page|sudo|gatekeeper|"
        "oppose|grandma|translate|recommend|affiliate|transfer|mass delete|backdoor|weak crypto|german secrecy"
    ),
}
"""Attempts that pass, by set; docs/limits.md tells what they have in common."""

KNOWN = {(name, one) for name, row in MISSED.items() for one in row.split("|") if one}
ATTEMPTS = [(name, one) for name in MISSED for one in SETS[name][2]]


def is_blocked(name: str, one: str) -> bool:
    path, frame, rows = SETS[name]
    found = judge(skill("Checks links."), (path, frame.replace("{}", rows[one])), trust="community", select=SECURITY)
    return any(finding.severity == ERROR for finding in found)


@pytest.mark.parametrize(("name", "one"), ATTEMPTS)
def test_attempt_is_blocked(name: str, one: str) -> None:
    blocked = is_blocked(name, one)
    assert blocked is ((name, one) not in KNOWN), "take it out of MISSED" if blocked else "it gets past"


@pytest.mark.parametrize("one", HARMLESS)
def test_the_same_words_meant_well_pass(one: str) -> None:
    assert not is_blocked("harmless", one)


def test_the_set_and_what_passes_are_counted() -> None:
    assert len(ATTEMPTS) == 198
    assert set(ATTEMPTS) >= KNOWN
    assert len(KNOWN) == 24
