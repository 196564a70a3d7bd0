"""House rules: their examples fire and stay quiet, the gate is not blocked by them, real skills are judged calmly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hermes_git.checks import catalogue
from hermes_git.checks.house_pages import missing_related, related
from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.finding import ERROR, WARNING
from hermes_git.knowledge.skill import Skill, read_skill
from tests.knowledge.real_skills import packages

HOUSE = [id for id, entry in catalogue.load().items() if id.startswith(("HG23", "HG24")) and entry.run]


def fired(files: object, id: str) -> list[int]:
    documents = [
        Document(path, content.encode("utf-8") if isinstance(content, str) else content)
        for path, content in files  # type: ignore[attr-defined]
    ]
    return [finding.line for finding in scan(documents, select=(id,)).findings]


@pytest.mark.parametrize("id", HOUSE)
def test_examples(id: str) -> None:
    entry = catalogue.load()[id]
    assert entry.fires
    assert entry.quiet
    for example in entry.fires:
        assert fired(example, id), example
    for example in entry.quiet:
        assert not fired(example, id), example


def page(extra: str = "", body: str = "") -> str:
    return f"---\nname: x\ndescription: Checks links.\n{extra}---\n# X\n\n## When to Use\n\n- now\n{body}"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("\n\n[a](references/no.md)\n", 12),
        ("\n`templates/no.md`\n", 11),
        ("\n```sh\ncat references/no.md\n```\n", 12),
    ],
)
def test_a_dangling_reference_has_its_line(body: str, line: int) -> None:
    assert fired([("x/SKILL.md", page(body=body))], "HG236") == [line]


def skill(root: str, extra: str) -> Skill:
    text = page(extra).replace("name: x", f"name: {root}")
    return read_skill(root, [Document(f"{root}/SKILL.md", text.encode("utf-8"))])


@pytest.mark.parametrize(
    ("extra", "names"),
    [
        ("metadata:\n  hermes:\n    related_skills: [a, b]\n", ("a", "b")),
        ("related_skills: a, devops/b\n", ("a", "devops/b")),
        ("metadata:\n  hermes: text\n", ()),
        ("", ()),
    ],
)
def test_related_skills_are_found_where_hosts_look(extra: str, names: tuple[str, ...]) -> None:
    assert related(skill("x", extra)) == names


def test_only_a_related_skill_that_does_not_exist_is_reported() -> None:
    skills = {"a": skill("a", "related_skills: b, c, team/a\n"), "b": skill("b", "")}
    (finding,) = missing_related(skills, ["a", "b"])
    assert (finding.path, finding.line, finding.check) == ("a/SKILL.md", 4, "HG239")
    assert "'c'" in finding.message


def test_archived_skills_are_left_alone() -> None:
    path = "knowledge/archive/x@20260101-0000000/SKILL.md"
    assert not scan([Document(path, page(body="[a](references/no.md)").encode())], select=("HG23",)).findings


def test_nothing_here_blocks_and_warnings_on_good_skills_are_few(data: Path) -> None:
    counts: Counter[str] = Counter()
    skills = 0
    for number, (folder, documents) in enumerate(packages(data)):
        if not folder.startswith("benign") or number % 2:
            continue
        skills += 1
        findings = scan(documents, select=("HG23", "HG24")).findings
        assert not [row for row in findings if row.severity == ERROR]
        counts.update({row.check for row in findings if row.severity == WARNING})
    assert skills > 100
    assert sum(counts.values()) < skills * 0.1, counts
