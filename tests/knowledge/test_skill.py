"""The one reader of skills: names, folders, and every real skill loaded or refused with file, line and fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.knowledge.skill import MAX_NAME, group, name_problem, read_skill
from tests.knowledge.real_skills import packages, skill_files

GOOD = ["a", "a1", "pdf-2-text", "1", "a" * MAX_NAME]
BAD = [
    "",
    "Foo",
    "-foo",
    "foo-",
    "foo--bar",
    "naïve",
    "a_b",
    "a b",
    "a.b",
    "a" * (MAX_NAME + 1),
    "a\n",
    "nul",
    "com1",
    "scripts",
]


@pytest.mark.parametrize("name", GOOD)
def test_good_names(name: str) -> None:
    assert name_problem(name) == ""


@pytest.mark.parametrize("name", BAD)
def test_bad_names_say_why(name: str) -> None:
    assert name_problem(name)


def test_files_belong_to_the_innermost_folder_known_as_a_skill() -> None:
    documents = [Document(path, b"") for path in ("a/SKILL.md", "a/b/SKILL.md", "a/b/c.md", "x.md")]
    found = group(documents, ["a", "a/b"])
    assert {root: [row.path for row in rows] for root, rows in found.items()} == {
        "a": ["a/SKILL.md"],
        "a/b": ["a/b/SKILL.md", "a/b/c.md"],
    }


def test_a_folder_without_its_file_is_a_skill_with_a_problem() -> None:
    skill = read_skill("a/x", [Document("a/x/readme.md", b"text")])
    assert (skill.name, skill.description) == ("x", "")
    assert skill.problem is not None


def test_every_real_skill_loads_or_is_refused_with_line_and_fix(data: Path) -> None:
    loaded, refused = 0, 0
    for path, content in skill_files(data):
        root = path.rsplit("/", 1)[0]
        document = Document(path, content)
        skill = read_skill(root, [document])
        if not skill.problem:
            loaded += 1
            assert skill.name, path
            continue
        refused += 1
        (finding,) = scan([document], select=("HG201",)).findings
        assert finding.path == path
        assert finding.line >= 1
        assert finding.message and finding.hint
    assert loaded > 2500
    assert 0 < refused < 10


def test_real_packages_keep_all_their_files(data: Path) -> None:
    for folder, documents in packages(data):
        assert {row.path for row in read_skill(folder, documents).documents} == {row.path for row in documents}
