"""Where a repository is: its work tree, its git folder, and the folder that all its work trees share."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from hermes_git.errors import UserError
from hermes_git.gitrepo import run

STATE_FOLDER = "hermes-git"


@dataclass(frozen=True, slots=True)
class Repository:
    """One work tree of one repository, or a bare repository (`top` is None)."""

    top: Path | None
    git_dir: Path
    common_dir: Path
    object_format: str = "sha1"
    clean: bool = False

    @property
    def cwd(self) -> Path:
        """Return the folder git is started in."""
        return self.top or self.git_dir

    @property
    def state(self) -> Path:
        """Return the folder of our projections, locks and spool, shared by all work trees."""
        return self.common_dir / STATE_FOLDER

    @property
    def empty_tree(self) -> str:
        """Return the id of the empty tree in this repository's object format."""
        import hashlib

        return hashlib.new(self.object_format, b"tree 0\0").hexdigest()

    @property
    def null_id(self) -> str:
        """Return the id that stands for no object."""
        return "0" * (64 if self.object_format == "sha256" else 40)

    def work_tree(self) -> Path:
        """Return the top of the work tree; a bare repository has none and that is the user's mistake."""
        if self.top is None:
            raise UserError(f"{self.git_dir} is a bare repository", hint="run this in a clone with a work tree")
        return self.top

    def git(
        self, *args: str, stdin: bytes = b"", env: dict[str, str] | None = None, accept: tuple[int, ...] = (0,)
    ) -> bytes:
        """Run git here and return its output."""
        return run.run(args, cwd=self.cwd, stdin=stdin, env=env, clean=self.clean, accept=accept)

    def ask(self, *args: str, stdin: bytes = b"") -> str | None:
        """Run git here and return its output as text, or None where git says no."""
        status, out, _ = run.attempt(args, cwd=self.cwd, stdin=stdin, clean=self.clean)
        return run.text(out) if status == 0 else None


QUESTIONS = ("--git-dir", "--git-common-dir", "--is-bare-repository", "--show-object-format", "--show-toplevel")


def find(folder: Path, *, clean: bool = False) -> Repository | None:
    """Find the repository that a folder belongs to, or None; ownership and damage are errors, not None.

    `clean` ignores inherited GIT_* variables, for repositories other than the one a hook runs for.
    """
    args = ["rev-parse", "--path-format=absolute", *QUESTIONS]
    status, out, err = run.attempt(args, cwd=folder, clean=clean)
    answers = run.text(out).split("\n")
    if len(answers) < 4:
        message = err.decode("utf-8", "replace")
        if "not a git repository" in message:
            return None
        raise run.GitError(args, status, message)
    git_dir, common_dir, bare, object_format, *top = answers
    if bare != "true" and not top:  # started inside the git folder of a repository with a work tree
        found = run.attempt(["rev-parse", "--show-toplevel"], cwd=Path(git_dir).parent, clean=clean)
        top = [run.text(found[1])] if found[0] == 0 else []
    return Repository(Path(top[0]) if top else None, Path(git_dir), Path(common_dir), object_format, clean)


def require(folder: Path, *, clean: bool = False) -> Repository:
    """Find the repository that a folder belongs to, or say how to start one."""
    found = find(folder, clean=clean)
    if found is not None:
        return found
    misled = [name for name in ("GIT_DIR", "GIT_OBJECT_DIRECTORY") if name in os.environ and not clean]
    if misled:
        where = os.environ[misled[0]]
        raise UserError(f"{misled[0]} names no repository: {where}", hint=f"run this without it: unset {misled[0]}")
    there = next((place / ".git" for place in (folder, *folder.parents) if (place / ".git").exists()), None)
    if there is not None:
        raise UserError(
            f"{there} is no repository that git can read",
            hint=f"look at {there}/HEAD, which names the branch: ref: refs/heads/main",
        )
    raise UserError(f"{folder} is not in a git repository", hint="start one here with: hermes-git init")
