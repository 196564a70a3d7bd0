"""Archive, restore, rename, delete, pin: whole packages move, nothing is overwritten, what is pinned stays."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.history import history
from tests.commands.skills import SKILLS, log, page, run, status

Writer = Callable[[str, str | bytes], Path]
FOO = f"{SKILLS}/web/foo"
ARCHIVE = "knowledge/archive"
NOW = "2026-11-29T12:00:00Z"


@pytest.fixture
def shelf(repo: Repository, write: Writer, commit: Callable[..., str]) -> Repository:
    write(f"{FOO}/SKILL.md", page("foo", body="# Foo\n\nSee [all](references/all.md), [bar](../bar/SKILL.md).\n"))
    write(f"{FOO}/references/all.md", "# All\n\nBack to [foo](../SKILL.md).\n")
    write(f"{FOO}/scripts/run.sh", "#!/bin/sh\necho ok\n").chmod(0o755)
    (repo.work_tree() / FOO / "inside.md").symlink_to("references/all.md")
    write(f"{SKILLS}/web/bar/SKILL.md", page("bar", body="# Bar\n\nUse the skill `foo` first.\n"))
    write(f"{SKILLS}/web/DESCRIPTION.md", "---\ndescription: Pages.\n---\n")
    commit()
    return repo


def tree_of(repo: Repository, folder: str, rev: str = "HEAD") -> str:
    return repo.git("rev-parse", f"{rev}:{folder}").decode().strip()


def files_of(repo: Repository, folder: str) -> dict[str, tuple[str, str]]:
    found = read.tree(repo, "HEAD", folder)
    return {path[len(folder) + 1 :]: (entry.mode, entry.id) for path, entry in found.items()}


def labels(repo: Repository) -> list[str]:
    return [row["name"] for row in run(repo, "skill", "archived", "--json").json]


def test_a_link_that_stays_inside_follows_one_rule_everywhere(shelf: Repository) -> None:
    """It is kept as the link it is, named as not followed, and its content is never read through it."""
    link = f"{FOO}/inside.md"
    before = files_of(shelf, FOO)
    assert [row["name"] for row in run(shelf, "skill", "list", "--json").json["skills"]].count("foo") == 1
    assert run(shelf, "skill", "check", "foo").code == 0
    scanned = run(shelf, "check", FOO, "--format", "json")
    assert (link, "link, not followed") in {(row["path"], row["reason"]) for row in scanned.json["not_scanned"]}
    assert link not in {row["path"] for row in scanned.json["findings"] if row["severity"] == "error"}
    assert run(shelf, "skill", "view", "foo", "inside.md").code == 2
    assert run(shelf, "skill", "archive", "foo", "--now", NOW).code == 0
    assert run(shelf, "skill", "restore", labels(shelf)[0]).code == 0
    assert files_of(shelf, FOO) == before
    assert before["inside.md"][0] == "120000"


def test_archive_moves_the_package_whole(shelf: Repository) -> None:
    before, tree = files_of(shelf, FOO), tree_of(shelf, FOO)
    done = run(shelf, "skill", "archive", "foo", "--reason", "replaced by bar", "--now", NOW)
    assert done.code == 0
    label = f"web/foo@20261129-{tree[:7]}"
    assert label in done.out
    assert tree_of(shelf, f"{ARCHIVE}/{label}") == tree
    assert files_of(shelf, f"{ARCHIVE}/{label}") == before
    assert "Hermes-Change: archive web/foo " in log(shelf)
    assert 'reason="replaced by bar"' in log(shelf)
    assert not (shelf.work_tree() / FOO).exists()
    moved = shelf.work_tree() / ARCHIVE / label
    assert (moved / "inside.md").readlink() == Path("references/all.md")
    assert os.access(moved / "scripts/run.sh", os.X_OK)
    assert status(shelf) == ""
    assert f"{SKILLS}/web/bar/SKILL.md:8 (skill)" in done.err


def test_every_printed_name_restores_exactly_that_version(shelf: Repository, write: Writer) -> None:
    first = tree_of(shelf, FOO)
    run(shelf, "skill", "archive", "foo", "--now", NOW)
    body = "# Another foo\n"
    run(
        shelf,
        "skill",
        "new",
        "foo",
        "--category",
        "web",
        "--description",
        "Another.",
        "--body",
        "-",
        stdin=body.encode(),
    )
    second = tree_of(shelf, FOO)
    run(shelf, "skill", "archive", "foo", "--now", NOW)
    printed = labels(shelf)
    assert len(printed) == 2
    for label in printed:
        assert run(shelf, "skill", "restore", label).code == 0
        assert tree_of(shelf, FOO) == next(tree for tree in (first, second) if tree.startswith(label.split("-")[-1]))
        refused = run(shelf, "skill", "restore", label)
        assert refused.code == 2
        assert "exists and is in use" in refused.err
        assert labels(shelf) == printed
        assert run(shelf, "skill", "delete", "foo", "--reason", "next").code == 0
    ambiguous = run(shelf, "skill", "restore", "foo")
    assert ambiguous.code == 2
    assert all(label in ambiguous.err for label in printed)
    assert status(shelf) == ""


def test_the_same_version_twice_on_one_day_gets_a_name_of_its_own(shelf: Repository) -> None:
    run(shelf, "skill", "archive", "foo", "--now", NOW)
    run(shelf, "skill", "restore", "foo")
    run(shelf, "skill", "archive", "foo", "--now", NOW)
    assert len(set(labels(shelf))) == 2


def test_restore_starts_the_clock_anew_and_brings_back_the_category(shelf: Repository) -> None:
    run(shelf, "skill", "archive", "foo", "--now", NOW)
    run(shelf, "skill", "archive", "bar", "--now", NOW)
    assert not (shelf.work_tree() / SKILLS / "web/bar").exists()
    assert run(shelf, "skill", "restore", "foo").code == 0
    found = run(shelf, "skill", "list", "--json").json
    assert [(row["name"], row["category"]) for row in found["skills"]] == [("foo", "web")]
    assert found["categories"][0]["description"] == "Pages."
    past = history(shelf, read.head(shelf) or "").skills[FOO]
    assert past.events[-1].kind == "restore"


def test_restore_as_another_name_beside_an_active_one(shelf: Repository) -> None:
    run(shelf, "skill", "archive", "foo", "--now", NOW)
    run(shelf, "skill", "new", "foo", "--category", "web", "--description", "Another.")
    assert run(shelf, "skill", "restore", labels(shelf)[0]).code == 2
    assert run(shelf, "skill", "restore", labels(shelf)[0], "--as", "foo-old").code == 0
    text = (read.file_at(shelf, "HEAD", f"{SKILLS}/web/foo-old/SKILL.md") or b"").decode()
    assert text.startswith("---\nname: foo-old\n")
    assert run(shelf, "skill", "restore", labels(shelf)[0], "--as", "foo-old").code == 2


def test_only_archived_skills_are_restored(shelf: Repository) -> None:
    run(shelf, "skill", "archive", "foo", "--now", NOW)
    for name in ("references", "scripts", "web", "nothing", "../foo"):
        assert run(shelf, "skill", "restore", name).code == 2


def test_files_that_are_not_committed_stop_a_move(shelf: Repository, write: Writer) -> None:
    target = write(f"{FOO}/notes.md", "mine\n")
    for args in (("archive", "foo"), ("rename", "foo", "fu"), ("delete", "foo", "--reason", "x")):
        done = run(shelf, "skill", *args)
        assert done.code == 2
        assert f"{FOO}/notes.md" in done.err
    assert target.read_text(encoding="utf-8") == "mine\n"


def test_rename_moves_folder_and_name_and_keeps_paths_right(shelf: Repository) -> None:
    done = run(shelf, "skill", "rename", "foo", "fu", "--category", "net/http")
    assert done.code == 0
    text = (read.file_at(shelf, "HEAD", f"{SKILLS}/net/http/fu/SKILL.md") or b"").decode()
    assert text.startswith("---\nname: fu\n")
    assert "[all](references/all.md), [bar](../../../web/bar/SKILL.md)" in text
    entry = read.tree(shelf, "HEAD")[f"{SKILLS}/net/http/fu/scripts/run.sh"]
    assert entry.mode == "100755"
    assert "Hermes-Change: rename web/foo " in log(shelf)
    assert "to=net/http/fu" in log(shelf)
    assert "named in 1 place " in done.err
    assert status(shelf) == ""
    past = history(shelf, read.head(shelf) or "").skills[f"{SKILLS}/net/http/fu"]
    assert past.roots == (FOO, f"{SKILLS}/net/http/fu")


@pytest.mark.parametrize("args", [("foo", "bar"), ("foo", "Foo"), ("foo", "x", "--category", "web/bar"), ("no", "x")])
def test_rename_refuses_names_that_are_taken_or_not_allowed(shelf: Repository, args: tuple[str, ...]) -> None:
    assert run(shelf, "skill", "rename", *args).code == 2


def test_delete_says_why_or_where_the_content_is(shelf: Repository) -> None:
    assert run(shelf, "skill", "delete", "foo").code == 2
    assert run(shelf, "skill", "delete", "foo", "--absorbed-into", "foo").code == 2
    assert run(shelf, "skill", "delete", "foo", "--absorbed-into", "nothing").code == 2
    assert run(shelf, "skill", "delete", "foo", "--absorbed-into", "bar").code == 0
    assert "into=web/bar" in log(shelf)
    assert not (shelf.work_tree() / FOO).exists()
    assert run(shelf, "undo").code == 0
    assert (shelf.work_tree() / FOO / "inside.md").readlink() == Path("references/all.md")
    assert status(shelf) == ""


def test_what_is_pinned_stays_whatever_it_is_called(
    shelf: Repository, write: Writer, commit: Callable[..., str]
) -> None:
    write("hermes-git.toml", "format = 1\n\n[curator]\n# ours\nmax_steps = 3\n")
    write(f"{SKILLS}/web/odd/SKILL.md", page("name-of-old"))
    commit()
    for name in ("foo", "web/odd"):
        assert run(shelf, "skill", "pin", name).code == 0
    assert "nothing to do" in run(shelf, "skill", "pin", "foo").out
    text = (shelf.work_tree() / "hermes-git.toml").read_text(encoding="utf-8")
    assert text == 'format = 1\n\n[curator]\npinned = ["web/foo", "web/odd"]\n# ours\nmax_steps = 3\n'
    for name in ("foo", "web/odd", "name-of-old"):
        for args in (("archive", name), ("rename", name, "fu"), ("delete", name, "--reason", "x")):
            done = run(shelf, "skill", *args)
            assert done.code == 2
            assert "pinned" in done.err


def test_a_pin_in_the_header_holds_too(shelf: Repository) -> None:
    assert run(shelf, "skill", "edit", "foo", "--set", "metadata.pinned=true").code == 0
    done = run(shelf, "skill", "archive", "foo")
    assert done.code == 2
    assert "pinned by its header" in done.err
    assert run(shelf, "skill", "edit", "foo", "--unset", "metadata.pinned").code == 0
    assert run(shelf, "skill", "archive", "foo", "--now", NOW).code == 0


def test_an_agent_cannot_take_a_pin_off_alone(shelf: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(shelf, "skill", "pin", "foo").code == 0
    monkeypatch.setenv("HERMES_GIT_ACTOR", "agent:hermes")
    done = run(shelf, "skill", "unpin", "foo")
    assert done.code == 1
    assert "HG720" in done.err
    monkeypatch.setenv("HERMES_GIT_ACTOR", "person:tester")
    assert run(shelf, "skill", "unpin", "foo").code == 0
    assert run(shelf, "skill", "archive", "foo", "--now", NOW).code == 0


def test_an_agents_moves_pass_the_gate_because_they_are_declared(
    shelf: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_GIT_ACTOR", "agent:hermes")
    for args in (("rename", "foo", "fu"), ("archive", "fu", "--now", NOW), ("delete", "bar", "--reason", "x")):
        done = run(shelf, "skill", *args)
        assert done.code == 0, done.err
        assert "actor=agent:hermes" in log(shelf)
