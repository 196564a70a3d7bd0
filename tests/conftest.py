"""Shared fixtures: a pinned git environment, throw-away repositories, and the optional folder of real data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.commands import hook_files
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository

GIT_ENVIRONMENT = {
    "GIT_AUTHOR_NAME": "Test Author",
    "GIT_AUTHOR_EMAIL": "author@example.invalid",
    "GIT_COMMITTER_NAME": "Test Author",
    "GIT_COMMITTER_EMAIL": "author@example.invalid",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ALLOW_PROTOCOL": "file",
    "GIT_TERMINAL_PROMPT": "0",
    "HERMES_GIT_ACTOR": "person:tester",
}


@pytest.fixture(autouse=True)
def git_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pin who commits and shut out the configuration and the agent marks of the machine the tests run on."""
    from hermes_git.provenance.actor import AGENT_VARIABLES, SESSION_VARIABLES

    for name in [*os.environ]:
        if name.startswith("GIT_") or name in AGENT_VARIABLES or name in SESSION_VARIABLES:
            monkeypatch.delenv(name)
    for name, value in GIT_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """Return an empty repository on branch main, without any commit."""
    return create.create(tmp_path / "repo")


@pytest.fixture
def write(repo: Repository) -> Callable[[str, str | bytes], Path]:
    """Return a function that writes a file below the top of the repository."""

    def write_file(path: str, content: str | bytes) -> Path:
        target = repo.work_tree() / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return target

    return write_file


@pytest.fixture
def commit(repo: Repository) -> Callable[..., str]:
    """Return a function that stages everything and commits it without hooks."""

    def commit_all(message: str = "change") -> str:
        repo.git("add", "-A")
        repo.git("-c", f"core.hooksPath={os.devnull}", "commit", "-q", "--allow-empty", "-m", message)
        return repo.git("rev-parse", "HEAD").decode().strip()

    return commit_all


@dataclass(frozen=True)
class Ran:
    """What a command line did: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Parse what was printed on standard output as JSON."""
        return json.loads(self.out)


@pytest.fixture
def hg(repo: Repository, capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Return a function that runs the command line in the repository and returns exit code and output."""

    def run_command(*args: str, folder: Path | None = None) -> Ran:
        capfd.readouterr()
        code = main(["-C", str(folder or repo.work_tree()), *args])
        out, err = capfd.readouterr()
        return Ran(code, out, err)

    return run_command


@pytest.fixture
def hooked(repo: Repository) -> Repository:
    """Return the repository with our hooks installed, run by the interpreter of the tests."""
    create.configure(repo, {"hermes-git.python": sys.executable})
    hook_files.install(repo)
    return repo


@pytest.fixture
def git_commit(repo: Repository) -> Callable[..., Ran]:
    """Return a function that runs `git commit` with hooks and returns exit code and output."""

    def run_commit(*args: str, env: dict[str, str] | None = None, folder: Path | None = None) -> Ran:
        done = subprocess.run(
            ["git", "commit", "-q", *args],
            cwd=folder or repo.work_tree(),
            env={**os.environ, **(env or {})},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run_commit


@pytest.fixture(scope="session")
def data() -> Iterator[Path]:
    """Return the folder of real data named by HERMES_GIT_DATA; tests that need it skip, saying so, without it."""
    named = os.environ.get("HERMES_GIT_DATA")
    if not named or not Path(named).is_dir():
        pytest.skip("HERMES_GIT_DATA is not set to a folder of real data (see CONTRIBUTING.md)")
    yield Path(named)
