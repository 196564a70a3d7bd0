"""`skill show` and `skill view`: what there is to know, the text on demand, and the use recorded beside the tree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.spool import spooled
from tests.commands.skills import SKILLS, page, run, status

Writer = Callable[[str, str | bytes], Path]
BODY = "# Links\n\nSee [all](references/all.md) and run `scripts/run.py`.\n\n## When to Use\n\n- now\n"


@pytest.fixture
def shelf(repo: Repository, write: Writer, commit: Callable[..., str]) -> Repository:
    write(f"{SKILLS}/web/links/SKILL.md", page("links", body=BODY))
    write(f"{SKILLS}/web/links/references/all.md", "# All\n")
    write(f"{SKILLS}/web/links/references/unnamed.md", "# Unnamed\n")
    write(f"{SKILLS}/web/links/scripts/run.py", "print(1)\n")
    write(f"{SKILLS}/web/links/assets/a.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (repo.work_tree() / SKILLS / "web/links/inside.md").symlink_to("references/all.md")
    write(f"{SKILLS}/other/links-2/SKILL.md", page("links"))
    commit()
    return repo


def test_show_knows_sections_files_and_costs(shelf: Repository) -> None:
    found = run(shelf, "skill", "show", "web/links", "--json").json
    assert [(row["title"], row["line"]) for row in found["sections"]] == [("Links", 6), ("When to Use", 10)]
    named = {row["path"]: row["named"] for row in found["files"]}
    assert named["references/all.md"]
    assert named["scripts/run.py"]
    assert not named["references/unnamed.md"]
    assert found["tokens"]["index"] < found["tokens"]["skill"] < found["tokens"]["all"]
    shown = run(shelf, "skill", "show", "web/links")
    assert "references/unnamed.md  (not named in SKILL.md)" in shown.out


def test_a_name_of_two_skills_lists_both(shelf: Repository) -> None:
    done = run(shelf, "skill", "show", "links")
    assert done.code == 2
    assert f"web/links  ({SKILLS}/web/links/SKILL.md)" in done.err
    assert f"other/links-2  ({SKILLS}/other/links-2/SKILL.md)" in done.err


def test_an_unknown_name_gets_the_nearest(shelf: Repository) -> None:
    done = run(shelf, "skill", "show", "web/lnks")
    assert done.code == 2
    assert "did you mean: web/links" in done.err


def test_view_prints_the_bytes_and_records_a_use_without_touching_the_tree(shelf: Repository) -> None:
    done = run(shelf, "skill", "view", "web/links", "--now", "2026-11-29T12:00:00Z")
    assert done.out == page("links", body=BODY)
    assert "references/all.md" in done.err
    (use,) = spooled(shelf).uses
    assert (use.subject, use.key, use.outcome, use.iso) == ("skill", "web/links", "viewed", "2026-11-29T12:00:00Z")
    assert use.subject_id == shelf.git("rev-parse", f"HEAD:{SKILLS}/web/links").decode().strip()
    assert status(shelf) == ""


def test_a_reviewers_look_is_marked(shelf: Repository) -> None:
    run(shelf, "skill", "view", "web/links", "references/all.md", "--maintenance")
    (use,) = spooled(shelf).uses
    assert use.maintenance


def test_a_binary_file_is_named_and_not_printed(shelf: Repository) -> None:
    done = run(shelf, "skill", "view", "web/links", "assets/a.png")
    assert done.code == 0
    assert "image, 264 bytes, not shown" in done.out


@pytest.mark.parametrize("name", ["inside.md", "../../../secret", "nothing.md", "/etc/passwd"])
def test_links_and_paths_that_are_not_the_skills_own_are_not_followed(shelf: Repository, name: str) -> None:
    done = run(shelf, "skill", "view", "web/links", name)
    assert done.code == 2
    assert done.out == ""
    assert spooled(shelf).uses == ()
