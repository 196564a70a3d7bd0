"""Skills in every layout: a Hermes home, and the folders of other agents."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import require
from tests.commands.skills import run, run_in, status

FOLDERS = {"hermes": "skills", "claude": ".claude/skills", "agents": ".agents/skills", "knowledge": "knowledge/skills"}
ARCHIVES = {
    "hermes": "skills/.archive",
    "claude": ".claude/archive",
    "agents": ".agents/archive",
    "knowledge": "knowledge/archive",
}


@pytest.mark.parametrize("layout", FOLDERS)
def test_the_whole_life_of_a_skill(tmp_path: Path, layout: str) -> None:
    top = tmp_path / "home"
    top.mkdir()
    assert run_in(str(top), "init", "--layout", layout).code == 0
    repo = require(top)
    before = run(repo, "skill", "list", "--json").json["count"]
    assert run(repo, "skill", "new", "deploy", "--category", "ops", "--description", "Ships the shop.").code == 0
    assert (top / FOLDERS[layout] / "ops/deploy/SKILL.md").is_file()
    assert run(repo, "skill", "check", "deploy").code == 0
    assert run(repo, "skill", "rename", "deploy", "ship").code == 0
    done = run(repo, "skill", "archive", "ship", "--now", "2026-11-29")
    assert done.code == 0, done.err
    (label,) = [row["name"] for row in run(repo, "skill", "archived", "--json").json]
    assert label.startswith("ops/ship@20261129-")
    assert (top / ARCHIVES[layout] / label / "SKILL.md").is_file()
    assert run(repo, "skill", "list", "--json").json["count"] == before
    assert run(repo, "skill", "restore", label).code == 0
    assert run(repo, "skill", "list", "--json").json["count"] == before + 1
    assert status(repo) == ""


@pytest.mark.parametrize("layout", FOLDERS)
def test_the_host_of_a_layout_finds_the_skill_that_init_writes(tmp_path: Path, layout: str) -> None:
    run_in(str(tmp_path), "init", "--layout", layout)
    category = "software-development/" if layout in ("hermes", "knowledge") else ""
    assert (tmp_path / FOLDERS[layout] / f"{category}hermes-git/SKILL.md").is_file()
    repo = require(tmp_path)
    hosts = run(repo, "skill", "matrix", "hermes-git", "--json").json[0]["hosts"]
    assert not [host for host, row in hosts.items() if row["verdict"] == "refused"]
    assert (run_in(str(tmp_path), "init", "--categories").code == 2) is (not category)


def test_claude_code_does_not_look_into_categories(tmp_path: Path) -> None:
    run_in(str(tmp_path), "init", "--layout", "claude")
    repo = require(tmp_path)
    made = run(repo, "skill", "new", "deploy", "--category", "ops", "--description", "Ships the shop.")
    assert made.code == 0 and "leave out --category" in made.err
    hosts = run(repo, "skill", "matrix", "deploy", "--json").json[0]["hosts"]
    assert hosts["claude-code"]["verdict"] == "refused" and hosts["hermes"]["verdict"] != "refused"


@pytest.mark.parametrize("layout", ["hermes"])
def test_the_lock_lies_with_the_skills_and_is_no_skill(tmp_path: Path, layout: str) -> None:
    top, source = tmp_path / "home", tmp_path / "source" / "pdf"
    source.mkdir(parents=True)
    (source / "SKILL.md").write_text("---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n", encoding="utf-8")
    top.mkdir()
    run_in(str(top), "init", "--layout", layout)
    repo = require(top)
    assert run(repo, "skill", "install", "../source/pdf").code == 0
    assert (top / FOLDERS[layout] / "skills.lock.json").is_file()
    assert run(repo, "skill", "verify").code == 0
    assert run(repo, "check", "--all").code == 0
