"""Two versions of a skill compared: what moved is not added and removed, what is equal is not told."""

from __future__ import annotations

import pytest

from hermes_git.document import Document
from hermes_git.knowledge.compare import compare
from hermes_git.knowledge.skill import Skill, read_skill


def skill(body: str = "# X\n\ntext\n", header: str = "", root: str = "x", **files: str) -> Skill:
    text = f"---\nname: x\ndescription: y\n{header}---\n{body}"
    documents = [Document(f"{root}/SKILL.md", text.encode())]
    documents += [Document(f"{root}/{name.replace('_', '.')}", content.encode()) for name, content in files.items()]
    return read_skill(root, documents)


CASES = [
    (skill(), skill(root="other"), []),
    (skill(), skill(header="license: MIT\n"), [("header", "license", "added")]),
    (skill(header="metadata:\n  a: b\n"), skill(header="metadata:\n  a: c\n"), [("header", "metadata.a", "changed")]),
    (skill("# X\n\na\n\n## One\n\nb\n"), skill("# X\n\na\n\n## Uno\n\nb\n"), [("section", "One", "renamed")]),
    (skill("# X\n\na\n\n## One\n\nb\n"), skill("# X\n\na\n\n## One\n\nc\n"), [("section", "One", "changed")]),
    (
        skill("# X\n\n## A\n\n1\n\n## B\n\n2\n"),
        skill("# X\n\n## B\n\n2\n\n## A\n\n1\n"),
        [("section", "order", "moved")],
    ),
    (skill("# X\n\na\n"), skill("text\n\n# X\n\na\n"), [("section", "(opening)", "added")]),
    (skill("## A\n\n1\n\n## A\n\n2\n"), skill("## A\n\n1\n\n## A\n\n3\n"), [("section", "A (2)", "changed")]),
    (skill(a_md="1"), skill(b_md="1"), [("file", "a.md", "renamed")]),
    (skill(a_md="1"), skill(), [("file", "a.md", "removed")]),
    (skill(a_md="1"), skill(a_md="2"), [("file", "a.md", "changed")]),
]


@pytest.mark.parametrize(("before", "after", "expected"), CASES)
def test_compare(before: Skill, after: Skill, expected: list[tuple[str, str, str]]) -> None:
    assert [(row.kind, row.what, row.how) for row in compare(before, after).rows] == expected


def test_a_skill_compared_with_itself_is_nothing() -> None:
    whole = skill("# X\n\ntext\n\n## When to Use\n\n- now\n", "license: MIT\n", a_md="1")
    assert compare(whole, whole).rows == ()
