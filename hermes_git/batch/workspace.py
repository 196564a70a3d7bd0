"""A copy of a repository at one commit for an agent to work on, and the patch that came of it.

The copy gets a history of one commit, so that no later solution can be found in it. The patch is made by a git folder
that the agent never sees: what it does to its own `.git`, its configuration or hooks has no effect on us.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hermes_git.batch.task import Task
from hermes_git.errors import UserError
from hermes_git.gitrepo import fetch, run
from hermes_git.gitrepo.repository import Repository

MAX_PATCH = 8 * 1024 * 1024
SAFE = (
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "core.autocrlf=false",
    "-c", "core.attributesFile=/dev/null",
    "-c", "core.excludesFile=/dev/null",
    "-c", "commit.gpgsign=false",
    "-c", "gc.auto=0",
)  # fmt: skip
ALONE = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
"""No configuration of the user: a filter that it defines would run on the agent's files."""

AUTHOR = {
    "GIT_AUTHOR_NAME": "hermes-git", "GIT_AUTHOR_EMAIL": "batch@hermes-git.invalid",
    "GIT_COMMITTER_NAME": "hermes-git", "GIT_COMMITTER_EMAIL": "batch@hermes-git.invalid",
    "GIT_AUTHOR_DATE": "2000-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2000-01-01T00:00:00Z",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Origin:
    """The repository of a task at its commit, in a bare repository of ours."""

    repo: Repository
    commit: str

    @classmethod
    def of(cls, task: Task, folder: Path, *, may_fetch: bool) -> Origin:
        """Get a task's commit; an URL is only followed where that is allowed."""
        if task.is_remote and not may_fetch:
            raise UserError(f"{task.repository} is on a network", hint="give --fetch to get repositories from there")
        return cls(*fetch.fetch(task.repository, task.commit, folder))

    def check_out(self, folder: Path) -> None:
        """Write the files of the commit into an empty folder."""
        self._git(folder, "read-tree", self.commit)
        self._git(folder, "checkout-index", "--all", "--force", "--quiet")

    def give_history(self, folder: Path) -> None:
        """Make the folder a repository of its own with one commit, for the agent's `git diff`."""
        for arguments in (
            ("init", "--quiet", "--initial-branch=main", "."),
            ("add", "--all", "--force"),
            ("commit", "--quiet", "--allow-empty", "--message", "base"),
        ):
            run.run([*SAFE, *arguments], cwd=folder, env={**ALONE, **AUTHOR}, clean=True)

    def patch(self, folder: Path) -> bytes:
        """Return what a folder changes against the commit; files that its own .gitignore names are left out."""
        self._git(folder, "read-tree", self.commit)
        self._git(folder, "add", "--all")
        found = self._git(
            folder, "diff", "--cached", "--binary", "--no-ext-diff", "--no-textconv", "--no-renames",
            "--no-color", self.commit,
        )  # fmt: skip
        if len(found) > MAX_PATCH:
            raise UserError(f"the patch is larger than {MAX_PATCH:,} bytes", hint="the agent left large files behind")
        return found

    def apply(self, folder: Path, patch: bytes) -> None:
        """Apply a patch to a folder that holds the commit."""
        if patch.strip():
            env = {**ALONE, **self._places(folder)}
            run.run([*SAFE, "apply", "--whitespace=nowarn", "-"], cwd=folder, stdin=patch, env=env, clean=True)

    def overrule(self, folder: Path, patch: bytes) -> None:
        """Apply a patch whose files win: those it touches are first put back as the commit has them."""
        if not patch.strip():
            return
        env = {**ALONE, **self._places(folder)}
        try:
            said = run.run([*SAFE, "apply", "--numstat", "-z", "-"], cwd=folder, stdin=patch, env=env, clean=True)
        except run.GitError as error:
            raise UserError(
                f"test_patch cannot be used: {error.message}", hint="give it as git diff writes it"
            ) from error
        paths = {row.split("\t", 2)[-1] for row in run.fields(said)} - {""}
        for path in paths:
            clear(folder, path)
        listed = run.fields(self._git(folder, "ls-files", "-z"))
        known = "".join(f"{path}\0" for path in listed if path in paths).encode("utf-8", "surrogateescape")
        run.run([*SAFE, "checkout-index", "--force", "--stdin", "-z"], cwd=folder, stdin=known, env=env, clean=True)
        self.apply(folder, patch)

    def _git(self, folder: Path, *arguments: str) -> bytes:
        return run.run([*SAFE, *arguments], cwd=folder, env={**ALONE, **self._places(folder)}, clean=True)

    def _places(self, folder: Path) -> dict[str, str]:
        """Name our git folder, the work tree, and an index of its own."""
        git_dir = self.repo.git_dir
        return {
            "GIT_DIR": str(git_dir),
            "GIT_WORK_TREE": str(folder),
            "GIT_INDEX_FILE": str(git_dir / "index"),
        }


def clear(folder: Path, path: str) -> None:
    """Remove a file, and a link or file that stands where one of its folders has to be; never through a link."""
    here = folder
    for part in PurePosixPath(path).parts:
        here /= part
        if here.is_symlink() or here.is_file():
            here.unlink()
            return
