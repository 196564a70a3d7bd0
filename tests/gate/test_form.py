"""Names that the specification refuses: new ones block, old ones do not stop an edit of something else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.finding import Report
from hermes_git.gate.doors import judge_staged
from hermes_git.gate.range import judge_range
from hermes_git.gitrepo.repository import Repository

Write = Callable[[str, str], Path]
Commit = Callable[..., str]
AGENT = {"HERMES_GIT_ACTOR": "agent:claude-code"}
SKILLS = "knowledge/skills"
FORM = ("HG204", "HG205", "HG206")


def page(name: str, text: str = "Do it.") -> str:
    return f"---\nname: {name}\ndescription: Does one thing well.\n---\n# Title\n\n{text}\n"


def severities(report: Report) -> set[tuple[str, str]]:
    return {(found.check, found.severity.word) for found in report.findings if found.check in FORM}


def staged(repo: Repository) -> set[tuple[str, str]]:
    repo.git("add", "-A")
    return severities(judge_staged(repo, environment=AGENT))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({f"{SKILLS}/a/foo/SKILL.md": "bar"}, {("HG205", "error")}),
        ({f"{SKILLS}/a/Foo/SKILL.md": "Foo"}, {("HG204", "error")}),
        ({f"{SKILLS}/a/foo/SKILL.md": "foo", f"{SKILLS}/b/foo/SKILL.md": "foo"}, {("HG206", "error")}),
        ({f"{SKILLS}/a/{'x' * 64}/SKILL.md": "x" * 64}, set()),
        ({f"{SKILLS}/a/foo/SKILL.md": "foo"}, set()),
    ],
)
def test_new_names(
    repo: Repository, write: Write, commit: Commit, files: dict[str, str], expected: set[tuple[str, str]]
) -> None:
    commit()
    for path, name in files.items():
        write(path, page(name))
    assert staged(repo) == expected
    commit()
    assert severities(judge_range(repo, "HEAD~1", "HEAD")) == expected


def test_a_name_that_stood_before_only_warns(repo: Repository, write: Write, commit: Commit) -> None:
    write(f"{SKILLS}/a/foo/SKILL.md", page("bar"))
    write(f"{SKILLS}/a/Old_One/SKILL.md", page("Old_One"))
    commit()
    write(f"{SKILLS}/a/foo/SKILL.md", page("bar", "Do it twice."))
    write(f"{SKILLS}/a/Old_One/SKILL.md", page("Old_One", "Do it twice."))
    assert staged(repo) == {("HG204", "warning"), ("HG205", "warning")}
    write(f"{SKILLS}/a/foo/SKILL.md", page("baz", "Do it twice."))
    assert ("HG205", "error") in staged(repo), "another wrong name is a new one"


def test_moving_a_skill_as_it_is_only_warns(repo: Repository, write: Write, commit: Commit) -> None:
    write(f"{SKILLS}/a/foo/SKILL.md", page("bar"))
    commit()
    (repo.work_tree() / SKILLS / "b").mkdir()
    repo.git("mv", f"{SKILLS}/a/foo", f"{SKILLS}/b/foo")
    assert staged(repo) == {("HG205", "warning")}


def test_renaming_the_folder_alone_blocks(repo: Repository, write: Write, commit: Commit) -> None:
    write(f"{SKILLS}/a/foo/SKILL.md", page("foo"))
    commit()
    repo.git("mv", f"{SKILLS}/a/foo", f"{SKILLS}/a/fu")
    assert staged(repo) == {("HG205", "error")}
