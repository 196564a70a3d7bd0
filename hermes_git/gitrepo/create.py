"""Creating repositories, configuration, branches and work trees, through GitPython (imported only here)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_git.errors import UserError
from hermes_git.gitrepo.repository import Repository, find, require

if TYPE_CHECKING:
    import git


def _library() -> type[git.Repo]:
    """Import GitPython without letting it look for, or complain about, a git executable at import time."""
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    from git import Repo

    return Repo


def create(folder: Path, *, branch: str = "main") -> Repository:
    """Create a repository with a work tree in a folder, or return the one whose top it already is.

    Errors: `UserError` where the folder cannot be made.
    """
    found = find(folder) if folder.is_dir() else None
    if found is not None and found.top is not None and found.top.resolve() == folder.resolve():
        return found
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"cannot make {folder}: {error.strerror}", hint="name a folder that you may write to"
        ) from error
    _library().init(folder, initial_branch=branch, expand_vars=False).close()
    return require(folder)


def configure(repo: Repository, values: Mapping[str, str]) -> list[str]:
    """Set keys of the repository's own configuration; return the keys whose value changed.

    Git itself writes them: GitPython's own writer folds quoted values over lines.
    """
    changed = []
    with _library()(repo.cwd, expand_vars=False) as handle:
        for key, value in values.items():
            if repo.ask("config", "--local", "--get", key) != value:
                handle.git.config("--local", key, value)
                changed.append(key)
    return changed


def create_branch(repo: Repository, name: str, commit: str) -> None:
    """Create a local branch at a commit; an existing branch of that name is an error."""
    with _library()(repo.cwd, expand_vars=False) as handle:
        handle.create_head(name, commit)
