"""What each host makes of a skill: one table of what fires, one of what stays quiet, and every real skill."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_git.document import Document
from hermes_git.knowledge import hosts
from hermes_git.knowledge.seen import CUT, IGNORED, REFUSED, UNCLEAR, see
from tests.knowledge.real_skills import packages

GOOD = "---\nname: x\ndescription: Checks links.\n---\n# X\n"


def judged(text: str | bytes, *others: str, root: str = "x") -> dict[str, list[tuple[str, str]]]:
    """Return host → (effect, about) of a skill with this SKILL.md and these other files."""
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    documents = (Document(f"{root}/SKILL.md", data), *(Document(f"{root}/{name}", b"text") for name in others))
    return {host: [(row.effect, row.about) for row in rows] for host, rows in hosts.judge(see(root, documents)).items()}


def test_a_plain_skill_loads_everywhere() -> None:
    found = judged(GOOD, "references/a.md", "scripts/run.py")
    assert found == {host: [] for host in hosts.HOSTS}


FIRES: list[tuple[str, str, str, str]] = [
    ("agentskills", GOOD.replace("---\n#", "version: 1.0.0\n---\n#"), REFUSED, "version"),
    ("agentskills", GOOD.replace("---\n#", "allowed-tools: [Read]\n---\n#"), REFUSED, ""),
    ("anthropic", GOOD.replace("Checks links.", "Checks <a> links."), REFUSED, "description"),
    ("anthropic", GOOD.replace("name: x", "name: naïve"), REFUSED, "name"),
    ("anthropic", "---  \n" + GOOD[4:], REFUSED, ""),
    ("anthropic", GOOD.replace("name: x", "name: 12"), REFUSED, "name"),
    ("gh", GOOD.replace("name: x", "name: y"), REFUSED, "name"),
    ("gh", GOOD.replace("---\n#", "allowed-tools:\n  - Read\n---\n#"), REFUSED, "allowed-tools"),
    ("gh", GOOD.replace("---\n#", "metadata:\n  github-repo: a\n---\n#"), IGNORED, "metadata.github-repo"),
    ("hermes", GOOD.replace("Checks links.", "a" * 61), CUT, "description"),
    ("hermes", GOOD.replace("name: x", "name: 123"), REFUSED, "name"),
    ("hermes", GOOD.replace("name: x", "name: 2026-01-02"), REFUSED, "name"),
    ("hermes", GOOD.replace("name: x", "name: y"), UNCLEAR, "name"),
    ("hermes", GOOD.replace("Checks links.", "Use when: now"), UNCLEAR, ""),
    ("hermes", GOOD.replace("---\n#", f"license: {'a' * 4000}\n---\n#"), CUT, ""),
    ("hermes", GOOD.replace("---\n#", "model: opus\n---\n#"), IGNORED, "model"),
    ("hermes", GOOD + "a" * 100_000, REFUSED, "SKILL.md"),
    ("claude-code", GOOD.replace("Checks links.", "a" * 1537), CUT, "description"),
    ("claude-code", GOOD.replace("---\n#", "platforms:\n  - linux\n---\n#"), IGNORED, "platforms"),
    ("claude-code", "---\nname: x\n---\n# X\n", UNCLEAR, "description"),
    ("claude-code", "# X\n", UNCLEAR, ""),
    ("openclaw", GOOD.replace("---\n#", "version: 1.0\n---\n#"), REFUSED, "version"),
    ("openclaw", GOOD.replace("description: Checks links.\n", ""), REFUSED, "description"),
    ("openclaw", GOOD.replace("---\n#", "license: &a MIT\ncompatibility: *a\n---\n#"), UNCLEAR, ""),
]


@pytest.mark.parametrize(("host", "text", "effect", "about"), FIRES)
def test_fires(host: str, text: str, effect: str, about: str) -> None:
    assert (effect, about) in judged(text)[host]


QUIET: list[tuple[str, str]] = [
    ("agentskills", GOOD.replace("name: x", "name: x   # why")),
    ("agentskills", GOOD.replace("---\n#", "metadata:\n  version: 1.0.0\n  hermes:\n    tags:\n      - Git\n---\n#")),
    ("anthropic", GOOD.replace("---\n#", "allowed-tools: [Read]\n---\n#")),
    ("anthropic", GOOD.replace("name: x", "name: other-than-folder")),
    ("gh", GOOD.replace("---\n#", "version: 1\n---\n#")),
    ("hermes", GOOD.replace("---\n#", "platforms: [linux]\nversion: 0.1.0\nauthor: Hermes\n---\n#")),
    ("hermes", "\ufeff" + GOOD),
    ("claude-code", GOOD.replace("---\n#", "model: opus\nwhen_to_use: on Mondays\n---\n#")),
    ("openclaw", GOOD.replace("---\n#", "version: 1.0.0\nhomepage: https://example.invalid\n---\n#")),
]


@pytest.mark.parametrize(("host", "text"), QUIET)
def test_quiet(host: str, text: str) -> None:
    assert judged(text)[host] == []


@pytest.mark.parametrize(
    ("name", "effect"),
    [("FORMS.md", IGNORED), ("references/deep/er/a.md", IGNORED), ("references/data.csv", IGNORED)],
)
def test_hermes_does_not_list_every_file(name: str, effect: str) -> None:
    assert judged(GOOD, name)["hermes"] == [(effect, name)]


def test_the_example_of_hermes_documentation_fails_elsewhere() -> None:
    text = GOOD.replace(
        "---\n#", "version: 1.0.0\nplatforms: [macos, linux]\nmetadata:\n  hermes:\n    tags: [Git]\n---\n#"
    )
    found = judged(text)
    assert found["hermes"] == []
    assert hosts.verdict(hosts.judge(see("x", (Document("x/SKILL.md", text.encode()),)))["agentskills"]) == REFUSED
    assert (REFUSED, "platforms") in found["anthropic"]


def test_no_skill_file_is_refused_everywhere() -> None:
    found = hosts.judge(see("x", (Document("x/readme.md", b"text"),)))
    assert {hosts.verdict(rows) for rows in found.values()} == {REFUSED}


def test_every_real_skill_is_judged_by_every_host(data: Path) -> None:
    seen = 0
    for root, documents in packages(data):
        for rows in hosts.judge(see(root, documents)).values():
            seen += 1
            assert all(row.message and row.line >= 0 for row in rows)
            assert [*rows] == sorted(rows, key=lambda row: ["refused", "unclear", "cut", "ignored"].index(row.effect))
    assert seen > 3000
