"""`learn` and `skill refresh`: from sources to a prompt, and from recorded sources to what is behind them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import agentskills
from tests.commands.skills import SKILLS, page, run, run_in, status

Writer = Callable[[str, str | bytes], Path]
MAIN = f"{SKILLS}/web/links/SKILL.md"


@pytest.fixture
def shelf(repo: Repository, write: Writer, commit: Callable[..., str]) -> Repository:
    write(MAIN, page("links", "Checks links of web pages."))
    write(f"{SKILLS}/ops/deploy/SKILL.md", page("deploy", "Deploys the shop."))
    write("docs/links.md", "# Links\n\nCheck every link.\n")
    commit()
    return repo


def test_builds_a_prompt_from_files_and_names_close_skills(shelf: Repository) -> None:
    done = run(shelf, "learn", "docs/links.md", "--request", "checking links of pages")
    assert done.code == 0
    assert "| Check every link." in done.out
    assert "- `web/links`: Checks links of web pages." in done.out
    assert "ops/deploy" not in done.out
    assert "Categories there are: ops, web." in done.out
    assert status(shelf) == ""


def test_a_category_that_is_described_and_still_empty_is_offered(
    shelf: Repository, write: Writer, commit: Callable[..., str]
) -> None:
    write(f"{SKILLS}/media/DESCRIPTION.md", "---\ndescription: Pictures and sound.\n---\n")
    commit()
    assert "Categories there are: media, ops, web." in run(shelf, "learn", "docs/links.md").out


def test_reads_folders_and_standard_input_but_not_what_is_hidden_or_linked(shelf: Repository, write: Writer) -> None:
    write("docs/b/deep.md", "deep words\n")
    write("docs/.secret", "hidden words\n")
    write("docs/pic.png", b"\x89PNG\r\n\x1a\n" + bytes(64))
    (shelf.work_tree() / "docs/link.md").symlink_to("/etc/passwd")
    done = run(shelf, "learn", "docs", "-", stdin=b"typed words\n")
    assert "deep words" in done.out
    assert "typed words" in done.out
    assert "hidden words" not in done.out
    assert "root:" not in done.out
    assert "docs/pic.png: not quoted: image" in done.err


def test_a_link_out_of_the_repository_is_not_followed_even_when_named(shelf: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret words\n", encoding="utf-8")
    (shelf.work_tree() / "docs/link.md").symlink_to(tmp_path / "secret.md")
    (shelf.work_tree() / "docs/inside.md").symlink_to("links.md")
    done = run(shelf, "learn", "docs/link.md")
    assert done.code == 2 and "not followed" in done.err and "secret words" not in done.out
    assert run(shelf, "learn", "docs/inside.md").code == 0
    assert "secret words" in run(shelf, "learn", str(tmp_path / "secret.md")).out


def test_update_shows_the_skill_as_it_is(shelf: Repository) -> None:
    done = run(shelf, "learn", "--update", "links", "docs/links.md")
    assert done.out.startswith("# Update the skill `web/links`")
    assert "| description: Checks links of web pages." in done.out
    assert run(shelf, "learn", "--update", "nothing").code == 2


def test_the_prompt_goes_to_a_file(shelf: Repository) -> None:
    assert run(shelf, "learn", "docs/links.md", "--out", "prompt.md").out == ""
    assert "| Check every link." in (shelf.work_tree() / "prompt.md").read_text(encoding="utf-8")


def test_works_outside_any_repository(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n", encoding="utf-8")
    done = run_in(str(tmp_path), "learn", "notes.md", "https://example.invalid/x", "--json")
    assert done.code == 0
    assert [row["path"] for row in done.json["sources"]] == ["notes.md", "https://example.invalid/x"]


@pytest.mark.parametrize("args", [("no.md",), ("empty",)])
def test_a_source_that_is_not_there_is_an_error(shelf: Repository, args: tuple[str, ...]) -> None:
    (shelf.work_tree() / "empty").mkdir()
    assert run(shelf, "learn", *args).code == 2


def test_recorded_sources_show_what_is_behind(shelf: Repository, write: Writer) -> None:
    args = ["--record", "docs/links.md", "--record", "https://example.invalid/guide", "--now", "2026-11-29T12:00:00Z"]
    assert run(shelf, "skill", "refresh", "links", *args).code == 0
    text = (read.file_at(shelf, "HEAD", MAIN) or b"").decode()
    assert '      path: docs/links.md\n      read: "2026-11-29"\n      sha256: ' in text
    assert agentskills.judge("links", text.encode()) == ()
    same = run(shelf, "skill", "refresh", "--json").json
    assert {row["path"]: row["state"] for row in same["sources"]} == {
        "docs/links.md": "same",
        "https://example.invalid/guide": "unknown",
    }
    write("docs/links.md", "# Links\n\nChanged.\n")
    behind = run(shelf, "skill", "refresh", "--strict")
    assert behind.code == 1
    assert "changed  web/links  docs/links.md" in behind.out
    assert "1 skill behind: web/links" in behind.out
    (shelf.work_tree() / "docs/links.md").unlink()
    assert "gone     web/links" in run(shelf, "skill", "refresh", "links").out


def test_recording_again_replaces_the_row_and_keeps_the_others(shelf: Repository, write: Writer) -> None:
    write("docs/other.md", "other\n")
    run(shelf, "skill", "refresh", "links", "--record", "docs/links.md", "--now", "2026-01-01")
    run(shelf, "skill", "refresh", "links", "--record", "docs/other.md", "--now", "2026-01-02")
    write("docs/links.md", "# Changed\n")
    run(shelf, "skill", "refresh", "links", "--record", "docs/links.md", "--now", "2026-01-03")
    rows = run(shelf, "skill", "refresh", "links", "--json").json["sources"]
    assert [(row["path"], row["read"], row["state"]) for row in rows] == [
        ("docs/links.md", "2026-01-03", "same"),
        ("docs/other.md", "2026-01-02", "same"),
    ]


@pytest.mark.parametrize("args", [("--record", "docs/links.md"), ("links", "--record", "-")])
def test_recording_needs_one_skill_and_something_to_look_at_again(shelf: Repository, args: tuple[str, ...]) -> None:
    assert run(shelf, "skill", "refresh", *args, stdin=b"x").code == 2
