"""Where a repository is, and what is said where there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.errors import UserError
from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.repository import Repository, require


def test_no_repository_says_how_to_start_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="hermes-git init"):
        require(tmp_path)


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_OBJECT_DIRECTORY"])
def test_a_variable_that_leads_nowhere_is_named(repo: Repository, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "/nowhere")
    with pytest.raises(UserError, match=f"unset {name}"):
        require(repo.work_tree())
    assert require(repo.work_tree(), clean=True).top == repo.top


def test_no_commit_yet_is_said_as_such(repo: Repository, commit: Callable[..., str]) -> None:
    with pytest.raises(UserError, match="there is no commit yet"):
        read.resolve(repo, "HEAD~1")
    commit()
    with pytest.raises(UserError, match="no commit called 'HEAD~1'"):
        read.resolve(repo, "HEAD~1")


def test_the_advice_of_git_is_repeated_whole(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name)
    monkeypatch.delenv("EMAIL", raising=False)
    repo.git("config", "user.useConfigOnly", "true")
    with pytest.raises(run.GitError) as caught:
        repo.git("commit", "--allow-empty", "-m", "x")
    assert "git config --global user.email" in caught.value.hint and "user.name" in caught.value.hint


@pytest.mark.parametrize(
    ("damage", "said", "hint"),
    [
        ("HEAD", "no repository that git can read", "HEAD"),
        ("index", "index file", "git reset"),
        ("config", "bad config line", "correct that line"),
    ],
)
def test_damage_is_named_with_a_way_out(
    repo: Repository, commit: Callable[..., str], damage: str, said: str, hint: str
) -> None:
    commit()
    (repo.git_dir / damage).write_bytes(b"[garbage")
    with pytest.raises(UserError) as caught:
        require(repo.work_tree()).git("ls-files")
    assert said in str(caught.value) and hint in caught.value.hint
