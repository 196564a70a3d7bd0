"""What a change does to hosts: told when one takes a skill no more, shows less of it or takes it again, else quiet."""

from __future__ import annotations

import pytest

from hermes_git.document import Document
from hermes_git.knowledge.conformance import altered_hosts
from hermes_git.knowledge.skill import Skill, read_skill

PLAIN = "name: x\ndescription: Checks links.\n"
LONG = f"name: x\ndescription: {'Checks links and more of them ' * 3}.\n"
HERMES = PLAIN + "platforms:\n  - linux\n"
BROKEN = "name: x\ndescription: Use when: now\n"
STRICT = {"agentskills", "anthropic"}


def skill(header: str, folder: str = "x") -> Skill:
    root = f"knowledge/skills/{folder}"
    return read_skill(root, [Document(f"{root}/SKILL.md", f"---\n{header}---\n\n# X\n".encode())])


def told(before: Skill | None, after: Skill | None) -> dict[str, tuple[str, str]]:
    return {row.what: (row.before.split(":")[0], row.after.split(":")[0]) for row in altered_hosts(before, after)}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (PLAIN, HERMES, dict.fromkeys(STRICT, ("loads", "refused"))),
        (HERMES, PLAIN, dict.fromkeys(STRICT, ("refused", "loads"))),
        (PLAIN, LONG, {"hermes": ("loads", "cut")}),
        (LONG, PLAIN, {"hermes": ("cut", "loads")}),
        (PLAIN, PLAIN + "license: MIT\n", {}),
        (HERMES, HERMES + "tags: a\n", {}),
    ],
)
def test_changes(before: str, after: str, expected: dict[str, tuple[str, str]]) -> None:
    assert told(skill(before), skill(after)) == expected


def test_a_new_skill_is_told_of_where_it_is_refused() -> None:
    assert told(None, skill(PLAIN)) == told(None, skill(LONG)) == {}
    assert told(None, skill(HERMES)) == dict.fromkeys(STRICT, ("", "refused"))
    assert set(told(None, skill(BROKEN))) >= STRICT | {"gh", "openclaw"}


def test_a_skill_that_is_gone_is_nobodys() -> None:
    assert told(skill(PLAIN), None) == {}


def test_a_rename_that_leaves_the_name_behind_is_seen() -> None:
    assert set(told(skill(PLAIN), skill(PLAIN, "y"))) >= {"agentskills", "gh"}
