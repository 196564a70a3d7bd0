"""The reference validator's verdict: on single rules, and side by side with the validator where it is installed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hermes_git.knowledge.agentskills import judge
from tests.knowledge.frontmatters import FOLDERS, document
from tests.knowledge.real_skills import skill_files

GENERATED = 1000


def page(**values: str) -> bytes:
    rows = {"name": "x", "description": "Checks links.", **values}
    return (
        "---\n" + "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in rows.items()) + "---\n# X\n"
    ).encode()


VALID = {
    "plain": page(),
    "block table": b"---\nname: x\ndescription: y\nmetadata:\n  a: b\n  c:\n    d: e\n---\n",
    "block list": b"---\nname: x\ndescription: y\nallowed-tools:\n  - Read\n---\n",
    "crlf": page().replace(b"\n", b"\r\n"),
    "lone carriage returns": page().replace(b"\n", b"\r"),
    "three hyphens inside": page(description="a --- b"),
    "description of 1,024 characters": page(description="a" * 1024),
    "angle brackets": page(description="<b>"),
    "empty compatibility": page(compatibility=""),
}


@pytest.mark.parametrize("case", VALID)
def test_valid(case: str) -> None:
    assert judge("x", VALID[case]) == ()


REFUSED = {
    "missing": (None, "missing"),
    "byte order mark": (b"\xef\xbb\xbf" + page(), "start with ---"),
    "blank line above": (b"\n" + page(), "start with ---"),
    "not closed": (b"---\nname: x\n", "not closed"),
    "not UTF-8": (b"---\nname: \xff\n---\n", "UTF-8"),
    "brackets": (page(allowed_tools="[Read]"), "brackets"),
    "braces": (page(metadata="{a: b}"), "brackets"),
    "anchor": (page(license="&a MIT"), "anchors"),
    "tag": (page(license="!!str MIT"), "tags"),
    "duplicate": (page().replace(b"---\n#", b"name: x\n---\n#"), "twice"),
    "seventh key": (page(version="1"), "version"),
    "colon": (page(description="Use when: now"), "YAML"),
    "uneven tables": (
        b"---\nname: x\ndescription: y\nmetadata:\n  a:\n    b: c\n  d:\n      e: f\n---\n",
        "different amounts",
    ),
    "empty name": (page(name=""), "name is empty"),
    "upper case": (page(name="X"), "upper-case"),
    "hyphens": (page(name="x--"), "hyphen"),
    "underscore": (page(name="a_b"), "letters, digits"),
    "long name": (page(name="a" * 65), "65 characters"),
    "other folder": (page(name="y"), "folder"),
    "empty description": (page(description="' '"), "description is empty"),
    "long description": (page(description="a" * 1025), "1,025"),
    "block scalar counts its line end": (page(description="|\n  " + "a" * 1024), "1,025"),
    "long compatibility": (page(compatibility="a" * 501), "501"),
    "list": (b"---\n- a\n---\n", "table of keys"),
    "scalar": (b"---\na\n---\n", "table of keys"),
    "nothing": (b"---\n---\n", "table of keys"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_a_reason(case: str) -> None:
    data, words = REFUSED[case]
    found = judge("x", data)
    assert any(words in refusal.message for refusal in found), found


@pytest.mark.parametrize("name", ["naïve", "技能", "é", "²"])
def test_letters_of_any_script_are_let_pass(name: str) -> None:
    assert judge(name, page(name=name)) == ()


def test_lines_point_into_the_file() -> None:
    (refusal,) = judge("x", page(version="1"))
    assert (refusal.key, refusal.line) == ("version", 4)


def test_deep_nesting_is_refused_not_a_crash() -> None:
    deep = "".join("  " * depth + "a:\n" for depth in range(3000))
    assert judge("x", f"---\n{deep}---\n".encode())


def theirs(folder: Path) -> bool:
    """Say whether the validator passes a folder; where it falls over (odd bytes, control characters) it does not."""
    skills_ref = pytest.importorskip(
        "skills_ref", reason="the reference validator is not installed: pip install skills-ref"
    )
    try:
        return not skills_ref.validate(folder)
    except (UnicodeDecodeError, AttributeError, AssertionError):
        return False


def agreement(tmp_path: Path, cases: list[tuple[str, bytes]]) -> tuple[int, list[str]]:
    """Return how many cases are valid, and those on which the two do not agree."""
    valid, apart = 0, []
    for folder, data in cases:
        target = tmp_path / folder
        target.mkdir(exist_ok=True)
        (target / "SKILL.md").write_bytes(data)
        said = theirs(target)
        valid += said
        if said == bool(judge(folder, data)):
            apart.append(f"{folder}: {data!r}: theirs {said}, ours {judge(folder, data)}")
    return valid, apart


def test_agrees_with_the_validator_on_generated_headers(tmp_path: Path) -> None:
    dice = random.Random(20261129)
    cases = [(dice.choice(FOLDERS), document(dice).encode("utf-8")) for _ in range(GENERATED)]
    valid, apart = agreement(tmp_path, cases)
    assert not apart, "\n".join(apart[:5])
    assert GENERATED * 0.1 < valid < GENERATED * 0.9


def test_agrees_with_the_validator_on_real_skills(tmp_path: Path, data: Path) -> None:
    cases = [(path.split("/")[-2], content) for path, content in skill_files(data)]
    valid, apart = agreement(tmp_path, cases)
    assert not apart, "\n".join(apart[:5])
    assert len(cases) > 2000
    assert valid > 300
