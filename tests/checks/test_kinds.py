"""Each kind of attack in program text blocks by what it does, and the honest text beside it passes."""

from __future__ import annotations

import pytest

from hermes_git.finding import ERROR
from tests.checks import kinds_other, kinds_script, kinds_shell
from tests.checks.judging import judge, skill

BY_CONTENT = ("HG3", "HG4", "HG5", "HG6")
FIRES = {
    "links/tidy.sh": {**kinds_shell.FIRES, **kinds_shell.MORE},
    "links/tidy.mjs": kinds_script.FIRES,
    "links/tidy.ps1": kinds_other.POWERSHELL_FIRES,
    "links/notes.md": kinds_other.MARKS_FIRES,
}
QUIET = {
    "links/tidy.sh": kinds_shell.QUIET,
    "links/tidy.mjs": kinds_script.QUIET,
    "links/tidy.ps1": kinds_other.POWERSHELL_QUIET,
    "links/notes.md": kinds_other.MARKS_QUIET,
}


def blocking(path: str, text: str) -> list[str]:
    found = judge(skill("Checks links."), (path, text), trust="community", select=BY_CONTENT)
    return [f"{finding.check} {finding.message}" for finding in found if finding.severity == ERROR]


def rows(table: dict[str, dict[str, str]]) -> list[object]:
    """Return the rows of a table as parameters that are named by their file's suffix and their kind."""
    return [
        pytest.param(path, text, id=f"{path.rpartition('.')[2]} {name}")
        for path, row in table.items()
        for name, text in row.items()
    ]


@pytest.mark.parametrize(("path", "text"), rows(FIRES))
def test_the_attack_blocks(path: str, text: str) -> None:
    assert blocking(path, text)


@pytest.mark.parametrize(("path", "text"), rows(QUIET))
def test_the_honest_text_passes(path: str, text: str) -> None:
    assert blocking(path, text) == []


@pytest.mark.parametrize("path", kinds_other.PROGRAMS)
def test_a_shell_on_a_socket_blocks_in_any_language(path: str) -> None:
    assert blocking(path, kinds_other.PROGRAMS[path])
