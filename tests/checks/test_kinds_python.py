"""Each kind of attack in Python blocks by what it does, and the honest program beside it passes."""

from __future__ import annotations

import pytest

from hermes_git.finding import ERROR
from tests.checks.judging import judge, skill
from tests.checks.kinds_python import FIRES, QUIET

BY_CONTENT = ("HG3", "HG4", "HG5", "HG6")


def blocking(text: str, path: str = "links/tidy.py") -> list[str]:
    found = judge(skill("Checks links."), (path, text), trust="community", select=BY_CONTENT)
    return [f"{finding.check} {finding.message}" for finding in found if finding.severity == ERROR]


@pytest.mark.parametrize("kind", FIRES)
def test_the_attack_blocks(kind: str) -> None:
    found = blocking(FIRES[kind])
    assert found
    assert not any("check itself failed" in message for message in found)


@pytest.mark.parametrize("kind", QUIET)
def test_the_honest_program_passes(kind: str) -> None:
    assert blocking(QUIET[kind]) == []
