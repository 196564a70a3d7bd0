"""`skill check` and `skill matrix`: skills as they are on disk, each reason with its line, mends that are safe."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from tests.commands.skills import SKILLS, page, run

Writer = Callable[[str, str], Path]
LONG = (
    "# X\n\n## When to Use\n\n" + "- deploy the web shop to the staging host and look at every page of it in turn\n" * 3
)


def test_is_about_the_files_on_disk(repo: Repository, write: Writer) -> None:
    write(f"{SKILLS}/web/links/SKILL.md", page("links", body="# X\n\n[a](references/no.md)\n"))
    write(f"{SKILLS}/other/x/SKILL.md", page("x", body="# X\n\n[a](references/no.md)\n"))
    done = run(repo, "skill", "check", "links")
    assert done.code == 0
    assert f"{SKILLS}/web/links/SKILL.md:8:1: warning HG236" in done.out
    assert "other/x" not in done.out
    assert run(repo, "skill", "check", "links", "--strict").code == 1


def test_a_refused_skill_names_file_line_and_fix(repo: Repository, write: Writer) -> None:
    write(f"{SKILLS}/x/SKILL.md", page("x", description="Use when: now"))
    done = run(repo, "skill", "check")
    assert done.code == 1
    assert f"{SKILLS}/x/SKILL.md:3:22: error HG201: a value with a colon in it must be quoted" in done.out
    assert 'write description: "Use when: now"' in done.out


def test_relations_need_every_skill(repo: Repository, write: Writer) -> None:
    related = page("one").replace("\n---\n", "\nmetadata:\n  hermes:\n    related_skills: [two, gone]\n---\n", 1)
    write(f"{SKILLS}/one/SKILL.md", related)
    write(f"{SKILLS}/two/SKILL.md", page("two", body=LONG))
    write(f"{SKILLS}/three/SKILL.md", page("three", body=LONG))
    out = run(repo, "skill", "check").out
    assert "HG239: the related skill 'gone' does not exist" in out
    assert "'two'" not in out
    assert f"{SKILLS}/three/SKILL.md:1:1: note HG240: says nearly the same as {SKILLS}/two/SKILL.md" in out


def test_fix_mends_on_disk_and_says_what_each_host_gains(repo: Repository, write: Writer) -> None:
    target = write(f"{SKILLS}/x/SKILL.md", page("x").replace("\n---\n", "\ntags: [Git]\nversion: 1.0.0\n---\n", 1))
    before = target.read_bytes()
    shown = run(repo, "skill", "check", "--fix", "--dry-run")
    assert target.read_bytes() == before
    assert "+    tags:" in shown.out
    done = run(repo, "skill", "check", "--fix")
    assert "agentskills gains: refused -> loads" in done.err
    assert "openclaw loses: ClawHub no longer finds a version" in done.err
    assert "metadata:\n  version: 1.0.0\n  hermes:\n    tags:\n      - Git\n---\n" in target.read_text(encoding="utf-8")
    again = run(repo, "skill", "check", "--fix")
    assert "mended" not in again.err


def test_fix_leaves_out_what_a_host_would_refuse(repo: Repository, write: Writer) -> None:
    text = page("x").replace("\n---\n", "\nplatforms: [linux]\n---\n", 1)
    target = write(f"{SKILLS}/x/SKILL.md", text + "a" * (100_000 - len(text)))
    before = target.read_bytes()
    done = run(repo, "skill", "check", "--fix")
    assert "not mended, because hermes would refuse the result" in done.err
    assert target.read_bytes() == before


def test_matrix_says_for_each_host_what_it_does(repo: Repository, write: Writer) -> None:
    write(f"{SKILLS}/x/SKILL.md", page("x", description="a" * 61).replace("\n---\n", "\nplatforms: [linux]\n---\n", 1))
    done = run(repo, "skill", "matrix", "x")
    assert done.code == 0
    rows = done.out.split("\n")
    assert "  agentskills  refused" in rows
    assert "      refused: line 4: lists and tables in brackets are not allowed" in rows
    assert "  hermes       cut" in rows
    assert "      cut: line 3: the index shows 57 of 61 characters" in rows
    assert "      ignored: line 4: platforms is not read" in rows
    (found,) = run(repo, "skill", "matrix", "x", "--host", "gh", "--json").json
    assert found["hosts"] == {"gh": {"verdict": "loads", "remarks": []}}


def test_matrix_of_all_counts(repo: Repository, write: Writer) -> None:
    for name in ("a", "b"):
        write(f"{SKILLS}/{name}/SKILL.md", page(name))
    out = run(repo, "skill", "matrix", "--all").out
    assert [row.split() for row in out.split("\n") if row.startswith("hermes")] == [["hermes", "2", "0", "0", "0", "0"]]


@pytest.mark.parametrize("args", [("matrix",), ("matrix", "x", "--all"), ("check", "nothing"), ("chek",)])
def test_mistakes_are_told(repo: Repository, args: tuple[str, ...]) -> None:
    done = run(repo, "skill", *args)
    assert done.code == 2
    assert "hermes-git skill" in done.err


def test_links_are_seen_and_not_followed(repo: Repository, write: Writer) -> None:
    write(f"{SKILLS}/x/SKILL.md", page("x"))
    folder = repo.work_tree() / SKILLS / "x"
    (folder / "outside.md").symlink_to("../../../../etc/passwd")
    (folder / "abs.md").symlink_to("/etc/hostname")
    (folder / "loop").symlink_to(".")
    (folder / "inside.md").symlink_to("SKILL.md")
    done = run(repo, "skill", "check")
    assert done.code == 1
    blocked = {row.split(":")[0] for row in done.out.split("\n") if "HG106" in row}
    assert blocked == {f"{SKILLS}/x/outside.md", f"{SKILLS}/x/abs.md"}
