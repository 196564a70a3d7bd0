"""Frontmatter in all its variants: one verdict, with file, line and a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.finding import ERROR, WARNING
from hermes_git.knowledge.skill import read_skill
from tests.checks.judging import document, judge, serious

SPEC = ("HG20", "HG210")

OK = "---\nname: {n}\ndescription: Checks links. Use when a page changes.\n---\n# Body\n\n---\n\nmore\n"
ACCEPTED = {
    "plain": OK,
    "bom": "\ufeff" + OK,
    "crlf": OK.replace("\n", "\r\n"),
    "trail": OK.replace("---\n", "---  \n", 1),
}
REFUSED = {
    "cr": OK.replace("\n", "\r"),
    "comment": "<!-- from: x -->\n" + OK,
    "blank": "\n\n" + OK,
    "unclosed": OK.replace("\n---\n# Body", "\n# Body", 1).split("\n---\n")[0] + "\n",
    "dots": OK.replace("\n---\n# Body", "\n...\n# Body", 1),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted_variants_have_one_name_and_description(name: str) -> None:
    main = document(f"skills/{name}/SKILL.md", ACCEPTED[name].format(n=name))
    assert scan([main], select=SPEC).findings == ()
    skill = read_skill(f"skills/{name}", [main])
    assert (skill.name, skill.description) == (name, "Checks links. Use when a page changes.")
    assert "more" in skill.body


@pytest.mark.parametrize("name", REFUSED)
def test_refused_variants_name_file_line_and_reason(name: str) -> None:
    main = document(f"skills/{name}/SKILL.md", REFUSED[name].format(n=name))
    (found,) = scan([main], select=SPEC).findings
    assert (found.check, found.severity, found.path) == ("HG201", ERROR, main.path)
    assert found.line >= 1
    assert found.message and found.hint
    assert read_skill(f"skills/{name}", [main]).problem is not None


def test_a_colon_in_a_description_gets_the_quoted_form_as_a_hint() -> None:
    text = "---\nname: x\ndescription: Use when: deploying, or rolling back\n---\n"
    (found,) = judge(("x/SKILL.md", text), select=SPEC)
    assert (found.line, found.check) == (3, "HG201")
    assert found.column > 1
    assert found.hint == 'write description: "Use when: deploying, or rolling back"'


@pytest.mark.parametrize("name", ["Foo", "-foo", "foo-", "foo--bar", "a" * 65, "naïve", "技能", "a.b", "a_b"])
def test_bad_names_warn(name: str) -> None:
    found = judge((f"{name}/SKILL.md", f"---\nname: {name}\ndescription: Does x.\n---\n"), select=("HG204",))
    assert [finding.severity for finding in found] == [WARNING]


@pytest.mark.parametrize("name", ["foo", "a" * 64, "a-1-b", "x"])
def test_good_names_pass(name: str) -> None:
    assert judge((f"{name}/SKILL.md", f"---\nname: {name}\ndescription: Does x.\n---\n"), select=SPEC) == ()


def test_a_name_given_twice_names_both_paths() -> None:
    page = "---\nname: foo\ndescription: Does x.\n---\n"
    found = judge(("a/foo/SKILL.md", page), ("b/foo/SKILL.md", page), select=("HG206",))
    assert [finding.path for finding in found] == ["a/foo/SKILL.md", "b/foo/SKILL.md"]
    assert "b/foo/SKILL.md" in found[0].message
    assert "a/foo/SKILL.md" in found[1].message


def test_a_name_unlike_its_folder_names_both() -> None:
    (found,) = judge(("a/foo/SKILL.md", "---\nname: bar\ndescription: Does x.\n---\n"), select=("HG205",))
    assert "bar" in found.message
    assert "a/foo" in found.message


def test_only_unreadable_or_missing_name_and_description_block() -> None:
    page = "---\nname: Bad Name\ndescription: Does x.\nodd: 1\ncompatibility: [a]\n---\n"
    assert {finding.severity for finding in judge(("x/SKILL.md", page), select=SPEC)} == {WARNING}


def test_the_umlaut_skill_passes_whatever_the_locale() -> None:
    text = "---\nname: uebersicht\ndescription: Übersicht — prüft Links → Bericht ⚠️\n---\nText „ok“\n"
    assert serious(("uebersicht/SKILL.md", text)) == []


def test_real_skills_are_read_or_refused_with_a_way_out(data: Path) -> None:
    import gzip
    import json

    seen = 0
    with gzip.open(data / "guard" / "benign.jsonl.gz", "rt", encoding="utf-8") as stream:
        lines = stream.readlines()
    for line in lines:
        skill = json.loads(line)
        root = skill["id"].rsplit("/", 1)[-1]
        mains = [file["text"] for file in skill["files"] if file["path"] == "SKILL.md" and "text" in file]
        for text in mains:
            seen += 1
            found = scan([Document(f"{root}/SKILL.md", text.encode())], select=("HG201", "HG202", "HG203")).findings
            assert all(finding.line > 0 and finding.hint for finding in found)
    assert seen > 100
