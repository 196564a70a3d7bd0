"""Ways into a branch: git operations that can bring a change in, and what is expected to stop a bad one.

`python -m tests.ways_in` prints the table of docs/hooks.md; `test_ways_in.py` holds every row to what git does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hermes_git.gitrepo.repository import Repository

GOOD = "---\nname: one\ndescription: Checks links. Use when a page changes.\n---\n\n# Body\n\nText.\n"
BAD = "---\nname: one\n---\n\n# Body\n"
SKILL = "knowledge/skills/web/one/SKILL.md"
OFF = ("-c", f"core.hooksPath={os.devnull}")


@dataclass(frozen=True)
class Play:
    """One operation played in a fresh repository with one commit on main: the change is a file of the given text."""

    repo: Repository
    text: str
    hooks: bool = True
    said: list[str] = field(default_factory=list)

    def git(self, *args: str, env: dict[str, str] | None = None, stdin: str = "") -> int:
        """Run git as a user does and return its exit status."""
        words = ["git", *(() if self.hooks else OFF), *args]
        done = subprocess.run(words, cwd=self.repo.work_tree(), env={**os.environ, "GIT_EDITOR": "true", **(env or {})},
                              input=stdin, capture_output=True, encoding="utf-8", check=False)  # fmt: skip
        self.said.append(done.stderr)
        return done.returncode

    def quietly(self, *args: str) -> str:
        """Run git without any hook, as part of the setting; it must work."""
        return self.repo.git(*OFF, *args).decode().strip()

    def write(self, text: str | None = None, path: str = SKILL) -> None:
        """Write the changed file into the work tree."""
        target = self.repo.work_tree() / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(self.text if text is None else text, encoding="utf-8")

    def stage(self) -> None:
        """Write the change and add it."""
        self.write()
        self.quietly("add", "-A")

    def side(self, *, main_moves: bool = True) -> None:
        """Put the change on branch side, made elsewhere, and let main move on unless told otherwise."""
        self.quietly("checkout", "-q", "-b", "side")
        self.stage()
        self.quietly("commit", "-q", "-m", "side")
        self.quietly("checkout", "-q", "main")
        if main_moves:
            self.write("on main\n", "main.md")
            self.quietly("add", "-A")
            self.quietly("commit", "-q", "-m", "main moves")


def commit(play: Play) -> None:
    play.stage()
    play.git("commit", "-m", "x")


def commit_all(play: Play) -> None:
    play.write(GOOD.replace("Text.", "Old text."))
    play.quietly("add", "-A")
    play.quietly("commit", "-q", "-m", "earlier")
    play.write()
    play.git("commit", "-a", "-m", "x")


def commit_path(play: Play) -> None:
    play.write()
    play.quietly("add", "-N", SKILL)
    play.git("commit", "-m", "x", "--", SKILL)


def commit_include(play: Play) -> None:
    play.stage()
    play.write("more\n", "notes.md")
    play.git("commit", "-m", "x", "-i", "notes.md")


def commit_editor(play: Play) -> None:
    play.stage()
    play.git("commit", env={"GIT_EDITOR": "printf 'in the editor\\n' >"})


def amend(play: Play) -> None:
    play.stage()
    play.git("commit", "--amend", "--no-edit")


def no_verify(play: Play) -> None:
    play.stage()
    play.git("commit", "--no-verify", "-m", "x")


def hooks_off(play: Play) -> None:
    play.stage()
    play.git(*OFF, "commit", "-m", "x")


def merge(play: Play) -> None:
    play.side()
    play.git("merge", "--no-edit", "side")


def merge_no_verify(play: Play) -> None:
    play.side()
    play.git("merge", "--no-edit", "--no-verify", "side")


def merge_conflict(play: Play) -> None:
    play.side()
    play.write(GOOD.replace("Text.", "Mine."))
    play.quietly("add", "-A")
    play.quietly("commit", "-q", "-m", "mine")
    play.git("merge", "side")
    play.stage()
    play.git("commit", "--no-edit")


def fast_forward(play: Play) -> None:
    play.side(main_moves=False)
    play.git("merge", "--ff-only", "side")


def squash(play: Play) -> None:
    play.side()
    play.git("merge", "--squash", "side")
    play.git("commit", "-m", "squashed")


def cherry_pick(play: Play) -> None:
    play.side()
    play.git("cherry-pick", "side")


def cherry_pick_edit(play: Play) -> None:
    play.side()
    play.git("cherry-pick", "--edit", "side")


def cherry_pick_commit(play: Play) -> None:
    play.side()
    play.git("cherry-pick", "--no-commit", "side")
    play.git("commit", "-m", "picked")


def revert(play: Play) -> None:
    play.stage()
    play.quietly("commit", "-q", "-m", "first")
    play.write("---\nname: one\ndescription: Fixed. Use when fixed.\n---\n\n# Body\n\nFixed.\n")
    play.quietly("commit", "-q", "-a", "-m", "fix")
    play.quietly("tag", "-f", "start")
    play.git("revert", "--no-edit", "HEAD")


def rebase(play: Play) -> None:
    play.side()
    play.quietly("checkout", "-q", "side")
    play.git("rebase", "main")


def rebase_apply(play: Play) -> None:
    play.side()
    play.quietly("checkout", "-q", "side")
    play.git("rebase", "--apply", "main")


def autosquash(play: Play) -> None:
    play.side()
    play.quietly("checkout", "-q", "side")
    play.write("more\n", "notes.md")
    play.quietly("add", "-A")
    play.quietly("commit", "-q", "--fixup", "HEAD")
    play.git("rebase", "-i", "--autosquash", "main", env={"GIT_SEQUENCE_EDITOR": "true"})


def am(play: Play) -> None:
    play.side()
    patch = play.quietly("format-patch", "-1", "--stdout", "side")
    play.git("am", stdin=patch + "\n")


def stash(play: Play) -> None:
    play.stage()
    play.git("stash", "--include-untracked")
    play.git("stash", "pop", "--index")
    play.git("commit", "-m", "from the stash")


def pull(play: Play) -> None:
    play.side(main_moves=False)
    play.git("pull", "--ff-only", ".", "side")


def reset(play: Play) -> None:
    play.side(main_moves=False)
    play.git("reset", "--hard", "side")


def plumbing(play: Play) -> None:
    play.stage()
    tree = play.quietly("write-tree")
    made = play.quietly("commit-tree", tree, "-p", "HEAD", "-m", "by hand")
    play.git("update-ref", "refs/heads/main", made)


def fast_import(play: Play) -> None:
    data = play.text
    stream = (
        "commit refs/heads/main\ncommitter t <t@example.invalid> 1700000000 +0000\ndata 8\nimported\n"
        f"from refs/heads/main^0\nM 100644 inline {SKILL}\ndata {len(data.encode())}\n{data}\n\n"
    )
    play.git("fast-import", "--quiet", stdin=stream)


def new_branch(play: Play) -> None:
    play.side(main_moves=False)
    tip = play.quietly("rev-parse", "side")
    play.quietly("branch", "-D", "side")
    play.git("branch", "incoming", tip)


def pushed_here(play: Play) -> None:
    play.side(main_moves=False)
    clone = play.repo.work_tree().parent / "clone"
    play.quietly("clone", "-q", str(play.repo.work_tree()), str(clone))
    play.quietly("branch", "-D", "side")
    words = ("push", "-q", "origin", "refs/remotes/origin/side:refs/heads/incoming")
    if not play.hooks:
        play.quietly("config", "core.hooksPath", os.devnull)
    elsewhere = Repository(clone, clone / ".git", clone / ".git", clean=True)
    Play(elsewhere, play.text, said=play.said).git(*words)


@dataclass(frozen=True)
class Way:
    """One way in: the command, how to play it, the branch it moves, and which hook stops a bad change.

    `stops` is the hook that stops it with the plain installation, `strict` the one that stops it with `--strict`,
    each "" where no hook does.
    """

    command: str
    play: Callable[[Play], None]
    stops: str
    strict: str = "reference-transaction"
    branch: str = "main"

    @property
    def id(self) -> str:
        """Return a name for test ids."""
        return self.play.__name__


WAYS = (
    Way("git commit", commit, "pre-commit"),
    Way("git commit -a", commit_all, "pre-commit"),
    Way("git commit -- PATH", commit_path, "pre-commit"),
    Way("git commit -i PATH", commit_include, "pre-commit"),
    Way("git commit (editor)", commit_editor, "pre-commit"),
    Way("git commit --amend", amend, "pre-commit"),
    Way("git commit --no-verify", no_verify, "prepare-commit-msg"),
    Way("git commit after git stash pop", stash, "pre-commit"),
    Way("git merge (no conflict)", merge, "pre-merge-commit"),
    Way("git merge --no-verify", merge_no_verify, "prepare-commit-msg"),
    Way("git merge (conflict), git commit", merge_conflict, "pre-commit"),
    Way("git merge --squash, git commit", squash, "pre-commit"),
    Way("git merge (fast-forward)", fast_forward, ""),
    Way("git pull (fast-forward)", pull, ""),
    Way("git cherry-pick", cherry_pick, "prepare-commit-msg"),
    Way("git cherry-pick --edit", cherry_pick_edit, "prepare-commit-msg"),
    Way("git cherry-pick --no-commit, git commit", cherry_pick_commit, "pre-commit"),
    Way("git revert (of a fix)", revert, "prepare-commit-msg"),
    Way("git rebase", rebase, "prepare-commit-msg", branch="side"),
    Way("git rebase --apply", rebase_apply, "pre-applypatch", branch="side"),
    Way("git rebase -i --autosquash", autosquash, "prepare-commit-msg", branch="side"),
    Way("git am", am, "pre-applypatch"),
    Way("git reset --hard OTHER", reset, ""),
    Way("git branch NEW COMMIT", new_branch, "", branch="incoming"),
    Way("git commit-tree, git update-ref", plumbing, ""),
    Way("git fast-import", fast_import, ""),
    Way("git push from elsewhere into this repository", pushed_here, "", branch="incoming"),
    Way("git -c core.hooksPath=/dev/null commit", hooks_off, "", strict=""),
)


def table() -> str:
    """Return the ways as the Markdown table of docs/hooks.md."""
    rows = ["| way into a branch | stopped by | with `--strict` | `check --range` |", "|---|---|---|---|"]
    for way in WAYS:
        strict = way.stops or way.strict
        cells = (f"`{way.command}`", *(f"`{name}`" if name else "nothing" for name in (way.stops, strict)), "caught")
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


DOCS = Path(__file__).parent.parent / "docs" / "hooks.md"

if __name__ == "__main__":
    sys.stdout.write(table())
