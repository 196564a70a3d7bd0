"""Which path is what: the folders of skills, also with skills inside skills and names that begin alike."""

from __future__ import annotations

import pytest

from hermes_git.knowledge.layout import place, skill_roots
from hermes_git.settings import DEFAULTS


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


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("knowledge/memory/MEMORY.md", "memory"),
        ("knowledge/archive/USER.md", "archived-memory"),
        ("knowledge/memory/OTHER.md", "other"),
        ("hermes-git.toml", "settings"),
        ("knowledge/waivers.toml", "waivers"),
        ("knowledge/curator/2026.md", "curator"),
        ("knowledge/skills/web/DESCRIPTION.md", "category"),
        ("knowledge/skills/web/link/scripts/x.py", "skill"),
        ("knowledge/archive/web/link@1/SKILL.md", "archived-skill"),
        (".github/workflows/x.yml", "policy"),
        (".gitattributes", "policy"),
        ("knowledge/memory/.gitattributes", "policy"),
        ("src/app.py", "other"),
    ],
)
def test_places(path: str, area: str) -> None:
    roots = frozenset({"knowledge/skills/web/link", "knowledge/archive/web/link@1"})
    assert place(path, DEFAULTS, roots).area == area
