"""The lives of skills, followed through renames, moves, restores, bulk commits and squashes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo import create, read
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.provenance.history import BULK_ROOTS, Past, history
from hermes_git.provenance.log import commits

Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
BODY = "---\nname: x\ndescription: y\n---\n" + "".join(f"line {number} of it\n" for number in range(20))


def life(repo: Repository, root: str) -> Past:
    return history(repo, str(read.head(repo))).skills[root]


def kinds(past: Past) -> list[str]:
    return [event.kind for event in past.events]


def test_a_rename_keeps_age_and_names(repo: Repository, write: Write, commit: Commit) -> None:
    write("skills/a/SKILL.md", BODY)
    first = commit("add")
    repo.git("mv", "skills/a", "skills/b")
    commit("rename")
    (repo.work_tree() / "skills/c").mkdir()
    repo.git("mv", "skills/b", "skills/c/d")
    write("skills/c/d/SKILL.md", BODY + "one more\n")
    commit("move and edit")
    past = life(repo, "skills/c/d")
    assert past.created.commit == first
    assert past.roots == ("skills/a", "skills/b", "skills/c/d")
    assert kinds(past) == ["create", "move", "move", "edit"]


def test_a_rewritten_move_is_recognised_by_its_other_files(repo: Repository, write: Write, commit: Commit) -> None:
    write("skills/a/SKILL.md", BODY)
    write("skills/a/scripts/run.sh", "echo one\necho two\necho three\n")
    first = commit("add")
    repo.git("mv", "skills/a", "skills/b")
    write("skills/b/SKILL.md", "entirely new words, nothing of the old text is here at all\n" * 9)
    commit("rewrite")
    assert life(repo, "skills/b").created.commit == first


def test_a_file_that_became_a_skill_keeps_its_age(repo: Repository, write: Write, commit: Commit) -> None:
    write("skills/notes/bash.md", BODY)
    first = commit("add")
    write("other.md", "x")
    commit("between")
    (repo.work_tree() / "skills/bash").mkdir()
    repo.git("mv", "skills/notes/bash.md", "skills/bash/SKILL.md")
    commit("standard layout")
    assert life(repo, "skills/bash").created.commit == first


def test_a_skill_that_became_a_reference_is_gone(repo: Repository, write: Write, commit: Commit) -> None:
    write("skills/a/SKILL.md", BODY)
    write("skills/b/SKILL.md", BODY.replace("line", "row"))
    commit("add")
    (repo.work_tree() / "skills/b/references").mkdir()
    repo.git("mv", "skills/a/SKILL.md", "skills/b/references/a.md")
    commit("demote")
    assert set(history(repo, str(read.head(repo))).skills) == {"skills/b"}


def test_a_revert_of_a_removal_is_a_restore(repo: Repository, write: Write, commit: Commit) -> None:
    write("skills/a/SKILL.md", BODY)
    first = commit("add")
    repo.git("rm", "-qr", "skills/a")
    commit("remove")
    repo.git("revert", "--no-edit", "HEAD")
    past = life(repo, "skills/a")
    assert past.created.commit == first
    assert kinds(past) == ["create", "restore"]


def test_a_copy_out_of_the_archive_is_a_restore(repo: Repository, write: Write, commit: Commit) -> None:
    write("skills/a/SKILL.md", BODY)
    first = commit("add")
    (repo.work_tree() / "archive").mkdir()
    repo.git("mv", "skills/a", "archive/a@20260101-abcdef0")
    commit("archive")
    write("skills/a/SKILL.md", BODY)
    commit("back\n\nHermes-Change: restore a -..- actor=person:kim")
    past = life(repo, "skills/a")
    assert past.created.commit == first
    assert kinds(past) == ["create", "move", "restore"]


def test_a_new_skill_under_an_old_name_is_new(repo: Repository, write: Write, commit: Commit) -> None:
    write("skills/a/SKILL.md", BODY)
    commit("add")
    repo.git("rm", "-qr", "skills/a")
    commit("remove")
    write("skills/a/SKILL.md", "quite another text\n")
    second = commit("add another")
    assert life(repo, "skills/a").created.commit == second


AUTHORS = [
    ("plain", "person"),
    ("x\n\nCo-authored-by: Claude <noreply@anthropic.com>", "agent"),
    ("x\n\nHermes-Change: create dev/a -..abc actor=agent:hermes session=s1", "agent"),
    (
        "squash\n\n* Hermes-Change: edit dev/other a..b actor=agent:hermes\n"
        "* Hermes-Change: create dev/a -..c actor=person:kim",
        "person",
    ),
    ("x\n\nCo-authored-by: Claude Dupont <claude.d@example.invalid>", "person"),
]


@pytest.mark.parametrize(("message", "kind"), AUTHORS)
def test_the_message_says_who_wrote_it(repo: Repository, write: Write, commit: Commit, message: str, kind: str) -> None:
    write("skills/dev/a/SKILL.md", BODY)
    commit(message)
    assert life(repo, "skills/dev/a").created.author.kind == kind


def test_bulk_commits_are_marked(repo: Repository, write: Write, commit: Commit) -> None:
    for number in range(BULK_ROOTS):
        write(f"skills/s{number}/SKILL.md", BODY.replace("of it", f"of {number}"))
    commit("import")
    for number in range(BULK_ROOTS):
        write(f"skills/s{number}/SKILL.md", BODY.replace("of it", f"of {number}") + "License: MIT\n")
    commit("sweep")
    write("skills/s1/SKILL.md", BODY)
    commit("edit")
    assert [event.is_bulk for event in life(repo, "skills/s1").events] == [False, True, False]


def test_a_shallow_clone_says_so(repo: Repository, write: Write, commit: Commit, tmp_path: Path) -> None:
    write("skills/a/SKILL.md", BODY)
    commit("add")
    commit("more")
    repo.git("clone", "-q", "--depth=1", f"file://{repo.work_tree()}", str(tmp_path / "clone"))
    clone = require(tmp_path / "clone")
    assert history(clone, str(read.head(clone))).is_shallow
    assert not history(repo, str(read.head(repo))).is_shallow


def test_a_damaged_cache_is_made_again(repo: Repository, write: Write, commit: Commit) -> None:
    write("skills/ü b/SKILL.md", BODY)
    tip = commit("add\n\nbody with \x1f odd characters")
    first = commits(repo, tip)
    cache = repo.state / "cache" / f"log-{tip}.json"
    assert commits(repo, tip) == first
    for damage in (b"", b"{", b'{"version":1,"commits":[[1]]}', b'{"version":0}'):
        cache.write_bytes(damage)
        assert commits(repo, tip) == first


REAL = ["skills-jk", "hermes-agent-skills", "trailofbits-skills"]


@pytest.mark.parametrize("name", REAL)
def test_real_histories_yield_a_life_for_every_skill(data: Path, tmp_path: Path, name: str) -> None:
    here = create.create(tmp_path / "here")
    here.git("clone", "-q", "-b", "main", str(data / "knowledge" / f"{name}-md.bundle"), str(tmp_path / "clone"))
    repo = require(tmp_path / "clone", clean=True)
    roots = {path.removesuffix("/SKILL.md") for path in read.tree(repo, "HEAD") if path.endswith("/SKILL.md")}
    lives = history(repo, str(read.head(repo))).skills
    assert set(lives) == roots
    assert sum(len(past.roots) > 1 for past in lives.values()) >= 10
    assert any(event.is_bulk for past in lives.values() for event in past.events)
