"""The thirteen categories: names that are allowed, descriptions that can be read and are not cut by anybody."""

from __future__ import annotations

import yaml

from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.knowledge.categories import CATEGORIES, scaffold
from hermes_git.knowledge.frontmatter import read
from hermes_git.knowledge.skill import name_problem


def test_thirteen_sorted_names() -> None:
    assert len(CATEGORIES) == 13
    assert list(CATEGORIES) == sorted(CATEGORIES)
    assert not [name for name in CATEGORIES if name_problem(name)]


def test_each_has_a_description_file_that_every_loader_reads() -> None:
    files = scaffold("knowledge/skills")
    assert list(files) == [f"knowledge/skills/{name}/DESCRIPTION.md" for name in CATEGORIES]
    for (path, data), text in zip(files.items(), CATEGORIES.values(), strict=True):
        header = read(data.decode("utf-8"))
        assert header.values == {"description": text}
        assert yaml.safe_load(data.decode("utf-8").split("---")[1]) == {"description": text}
        assert not scan([Document(path, data)]).findings
