"""Which path is what: the folders of skills, also with skills inside skills and names that begin alike."""

from __future__ import annotations

import pytest

from hermes_git.knowledge.layout import skill_roots


@pytest.mark.parametrize(
    ("paths", "roots"),
    [
        ([], set()),
        (["a/b/SKILL.md", "a/b/references/x.md"], {"a/b"}),
        (["a/b/SKILL.md", "a/b/references/inner/SKILL.md"], {"a/b"}),
        (["a/b/c/SKILL.md", "a/b-c/SKILL.md", "a/b/SKILL.md"], {"a/b", "a/b-c"}),
        (["SKILL.md", "a/SKILL.md"], {".", "a"}),
        (["a/NOT-SKILL.md", "a/SKILL.md.bak", "a/skill.md"], set()),
    ],
    ids=["nothing", "one", "inner", "names that begin alike", "the top itself", "other names"],
)
def test_roots_are_the_outermost_folders_with_a_skill_file(paths: list[str], roots: set[str]) -> None:
    assert skill_roots(paths) == roots and skill_roots(reversed(paths)) == roots
