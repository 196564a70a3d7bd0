"""The ids for users of the pre-commit framework, run by the framework itself (offline, with this installation)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from hermes_git.commands import hook_files
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository
from hermes_git.hook import HOOKS
from hermes_git.provenance.change import parse
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
GitCommit = Callable[..., Ran]
MANIFEST = Path(__file__).parent.parent / ".pre-commit-hooks.yaml"
SKILL = "knowledge/skills/web/one/SKILL.md"
GOOD = "---\nname: one\ndescription: Checks links. Use when a page changes.\n---\n\n# Body\n\nText.\n"
BAD = "---\nname: one\n---\n\n# Body\n"
KINDS = ("pre-commit", "prepare-commit-msg", "commit-msg", "pre-push")
AGENT = {"HERMES_GIT_ACTOR": "agent:codex"}

needs_framework = pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is not installed")


def manifest() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
    return rows


def test_every_id_runs_a_hook_or_command_that_exists() -> None:
    for row in manifest():
        words = row["entry"].split()
        assert words[0] == "hermes-git" and (words[1] == "check" or words[2] in HOOKS)
        assert row["language"] == "python" and row["stages"]


@pytest.fixture
def framework(repo: Repository, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Ran]:
    """Return a function that runs the framework in a repository configured with all our ids."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    hooks = [
        {**row, "language": "system", "entry": row["entry"].replace("hermes-git", f"{sys.executable} -m hermes_git", 1)}
        for row in manifest()
    ]
    write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]}))
    repo.git("add", "-A")

    def run(*args: str) -> Ran:
        done = subprocess.run([sys.executable, "-m", "pre_commit", *args], cwd=repo.work_tree(), capture_output=True,
                              encoding="utf-8", check=False)  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@needs_framework
def test_all_files_are_judged_when_all_are_asked_for(
    repo: Repository, write: Write, commit: Callable[..., str], framework: Callable[..., Ran]
) -> None:
    write(SKILL, BAD)
    commit("already there")
    refused = framework("run", "--all-files")
    assert refused.code == 1 and SKILL in refused.out
    write(SKILL, GOOD)
    commit("mended")
    assert framework("run", "--all-files").code == 0


@needs_framework
def test_commits_are_judged_and_signed_through_the_framework(
    repo: Repository, write: Write, framework: Callable[..., Ran], git_commit: GitCommit
) -> None:
    assert framework("install", *(word for kind in KINDS for word in ("-t", kind))).code == 0
    write(SKILL, BAD)
    repo.git("add", "-A")
    assert SKILL in git_commit("-m", "bad").err
    refused = git_commit("-m", "bad", "--no-verify")
    assert refused.code != 0 and SKILL in refused.err, "prepare-commit-msg is not skipped"
    write(SKILL, GOOD)
    repo.git("add", "-A")
    assert git_commit("-m", "good", env=AGENT).code == 0
    said = [str(change.actor) for change in parse(repo.git("log", "-1", "--format=%B").decode())]
    assert said and set(said) == {"agent:codex"}


@needs_framework
def test_a_push_is_judged_through_the_framework(
    repo: Repository, write: Write, commit: Callable[..., str], framework: Callable[..., Ran], tmp_path: Path
) -> None:
    commit("start")
    repo.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    repo.git("push", "-q", "origin", "main")
    framework("install", "-t", "pre-push")
    write(SKILL, BAD)
    commit("bad")
    push = ["git", "push", "-q", "origin", "main"]
    refused = subprocess.run(push, cwd=repo.work_tree(), capture_output=True, encoding="utf-8", check=False)
    assert refused.returncode != 0 and SKILL in refused.stdout + refused.stderr


@needs_framework
@pytest.mark.skipif("HERMES_GIT_TRY_REPO" not in os.environ, reason="installs by pip: set HERMES_GIT_TRY_REPO=1")
def test_try_repo_installs_and_judges(
    repo: Repository, write: Write, commit: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    ours = str(tmp_path / "hermes_git")
    repo.git("clone", "-q", str(MANIFEST.parent), ours)
    command = [sys.executable, "-m", "pre_commit", "try-repo", ours, "hermes-git", "--all-files"]
    for text, code in ((BAD, 1), (GOOD, 0)):
        write(SKILL, text)
        commit("change")
        done = subprocess.run(command, cwd=repo.work_tree(), capture_output=True, encoding="utf-8", check=False)
        assert (done.returncode, SKILL in done.stdout) == (code, bool(code)), done.stdout + done.stderr


@needs_framework
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_both_may_be_installed_in_either_order(
    repo: Repository, write: Write, framework: Callable[..., Ran], git_commit: GitCommit, first: str
) -> None:
    create.configure(repo, {"hermes-git.python": sys.executable})
    theirs = {"id": "theirs", "name": "theirs", "entry": "false", "language": "system", "files": r"\.txt$"}
    write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": [theirs]}]}))
    steps = [lambda: hook_files.install(repo), lambda: framework("install")]
    for step in steps if first == "ours" else reversed(steps):
        step()
    states = {row.name: row for row in hook_files.status(repo)}
    assert states["pre-commit"].is_good, states["pre-commit"]
    write("a.txt", "x\n")
    repo.git("add", "-A")
    assert "theirs" in git_commit("-m", "their hook still runs").err
    repo.git("rm", "-q", "--cached", "a.txt")
    write(SKILL, BAD)
    repo.git("add", "knowledge")
    assert SKILL in git_commit("-m", "and ours").err
    assert os.access(repo.common_dir / "hooks" / "pre-commit", os.X_OK)
