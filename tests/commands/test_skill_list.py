"""`skill list`: the prompt index, category by category, with its cost, from the commit and not the work tree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.listing import cut
from tests.commands.skills import SKILLS, page, run

Writer = Callable[[str, str], Path]
LONG = "Checks every link of every page and says which of them lead nowhere at all."


@pytest.fixture
def shelf(repo: Repository, write: Writer, commit: Callable[..., str]) -> Repository:
    write(f"{SKILLS}/devops/DESCRIPTION.md", "---\ndescription: Servers and such.\n---\n")
    write(f"{SKILLS}/devops/deploy/SKILL.md", page("deploy", "Deploy."))
    write(f"{SKILLS}/devops/cloud/links/SKILL.md", page("links", LONG))
    write(f"{SKILLS}/flat/SKILL.md", page("flat"))
    write(f"{SKILLS}/flat/references/SKILL.md", page("inner"))
    write(f"{SKILLS}/broken/SKILL.md", "---\nname: broken\ndescription: Use when: now\n---\n")
    write("knowledge/archive/devops/old@20260101-0000000/SKILL.md", page("old"))
    commit()
    return repo


def test_is_the_index_per_category(shelf: Repository) -> None:
    done = run(shelf, "skill", "list")
    assert done.code == 0
    rows = done.out.split("\n")
    assert rows[0].startswith("(no category):")
    assert "  - flat: Checks links. Use when a page changes." in rows
    assert any(row.startswith("devops: Servers and such.  [1, ") for row in rows)
    assert f"  - links: {LONG[:57]}..." in rows
    assert "old" not in done.out
    assert "inner" not in done.out
    assert rows[-2].startswith("4 skills in 3 categories; the index costs ")
    assert "estimate" in rows[-2]


def test_a_skill_that_cannot_be_read_is_listed_and_named(shelf: Repository) -> None:
    done = run(shelf, "skill", "list")
    assert "  - broken: " in done.out
    assert f"cannot be read: {SKILLS}/broken/SKILL.md: line 3: a value with a colon" in done.err


def test_json_holds_everything(shelf: Repository) -> None:
    found = run(shelf, "skill", "list", "--json").json
    assert found["count"] == 4
    row = next(row for row in found["skills"] if row["name"] == "links")
    assert row["key"] == "devops/cloud/links"
    assert row["category"] == "devops/cloud"
    assert row["description"] == LONG
    assert row["shown"] == LONG[:57] + "..."
    assert found["tokens"] == sum(category["tokens"] for category in found["categories"])


def test_one_category_takes_in_those_below_it(shelf: Repository) -> None:
    found = run(shelf, "skill", "list", "--category", "devops", "--json").json
    assert [row["name"] for row in found["skills"]] == ["deploy", "links"]
    assert run(shelf, "skill", "list", "--category", "dev").code == 2


def test_the_work_tree_is_not_read(shelf: Repository, write: Writer) -> None:
    write(f"{SKILLS}/new/SKILL.md", page("new"))
    assert "new" not in run(shelf, "skill", "list").out


def test_the_second_listing_reads_no_file_and_says_the_same(shelf: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(shelf, "skill", "list", "--json").out
    from hermes_git.gitrepo import read

    def refuse(*_: object) -> None:
        raise AssertionError("a blob was read again")

    monkeypatch.setattr("hermes_git.knowledge.listing._read", refuse)
    assert run(shelf, "skill", "list", "--json").out == first
    (cache,) = (shelf.state / "cache").glob("skills-*.json")
    cache.write_bytes(cache.read_bytes()[:-10])
    with pytest.raises(AssertionError):
        read_again(shelf)
    monkeypatch.undo()
    assert run(shelf, "skill", "list", "--json").out == first
    assert read.head(shelf)


def read_again(repo: Repository) -> None:
    from hermes_git.gate.policy import settings_at
    from hermes_git.knowledge.listing import listing

    listing(repo, settings_at(repo), "HEAD")


def test_nothing_that_a_terminal_obeys_is_printed(repo: Repository, write: Writer, commit: Callable[..., str]) -> None:
    write(f"{SKILLS}/x/SKILL.md", '---\nname: x\ndescription: "a\\e[31mred\\u202e"\n---\n')
    commit()
    out = run(repo, "skill", "list").out
    assert "\x1b" not in out
    assert "\\u001b[31mred\\u202e" in out


def test_no_commit_yet_is_an_empty_list(repo: Repository) -> None:
    done = run(repo, "skill", "list")
    assert done.code == 0
    assert done.out.startswith("0 skills")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("short", "short"), ("a" * 60, "a" * 60), ("a" * 61, "a" * 57 + "..."), ("two\n  lines", "two lines"), ("", "")],
)
def test_cut(text: str, shown: str) -> None:
    assert cut(text) == shown


def test_real_skills_are_all_listed(data: Path, tmp_path: Path) -> None:
    from hermes_git.gitrepo.repository import require
    from tests.knowledge.real_skills import git

    git(str(tmp_path), "clone", "-q", "-b", "main", str(data / "knowledge/skills-jk-md.bundle"), "r")
    top = tmp_path / "r"
    (top / "hermes-git.toml").write_text('format = 1\n[paths]\nskills = ".hermes/skills"\n', encoding="utf-8")
    git(str(top), "add", "-A")
    git(str(top), "commit", "-q", "-m", "settings")
    found = run(require(top), "skill", "list", "--json").json
    on_disk = sum(1 for path in (top / ".hermes/skills").rglob("SKILL.md"))
    assert 200 < found["count"] <= on_disk
    assert not [row for row in found["skills"] if row["problem"]]
