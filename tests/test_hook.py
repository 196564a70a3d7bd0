"""The installed hooks, run by git itself: what commits they stop, what they leave alone, and how they are chained."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.commands import hook_files
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository, require
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
GitCommit = Callable[..., Ran]
Hg = Callable[..., Ran]
GOOD = "---\nname: {name}\ndescription: Checks links. Use when a page changes.\n---\n\n# Body\n\nText.\n"
BAD = "---\nname: {name}\n---\n\n# Body\n"
MEMORY = "knowledge/memory/MEMORY.md"


def skill(name: str) -> str:
    return f"knowledge/skills/web/{name}/SKILL.md"


def tree_digest(root: Path) -> str:
    rows = [
        f"{path.relative_to(root)}:{hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    ]
    return "\n".join(rows)


def test_first_commit_good_and_bad(hooked: Repository, write: Write, git_commit: GitCommit) -> None:
    write(skill("one"), BAD.format(name="one"))
    hooked.git("add", "-A")
    before = tree_digest(hooked.work_tree())
    refused = git_commit("-m", "bad")
    assert refused.code != 0 and f"{skill('one')}:1" in refused.err and "HG2" in refused.err
    assert tree_digest(hooked.work_tree()) == before
    write(skill("one"), GOOD.format(name="one"))
    hooked.git("add", "-A")
    assert git_commit("-m", "good").code == 0


@pytest.mark.parametrize("way", ["-a", "--only", "--amend"])
def test_the_index_that_is_committed_is_judged(
    hooked: Repository, write: Write, git_commit: GitCommit, way: str
) -> None:
    write(skill("one"), GOOD.format(name="one"))
    hooked.git("add", "-A")
    git_commit("-m", "good")
    write(skill("one"), BAD.format(name="one"))
    if way == "--amend":
        hooked.git("add", "-A")
    args = {"-a": ["-a", "-m", "bad"], "--only": ["-m", "bad", "--", skill("one")], "--amend": ["--amend", "--no-edit"]}
    assert git_commit(*args[way]).code != 0
    write(skill("one"), GOOD.format(name="one") + "\nMore.\n")
    if way == "--amend":
        hooked.git("add", "-A")
    assert git_commit(*args[way]).code == 0


def test_a_bad_file_that_is_not_committed_does_not_matter(
    hooked: Repository, write: Write, git_commit: GitCommit
) -> None:
    write("notes.md", "fine\n")
    hooked.git("add", "-A")
    write(skill("one"), BAD.format(name="one"))
    assert git_commit("-m", "only the notes").code == 0


def test_linked_worktree_and_subfolder(hooked: Repository, write: Write, git_commit: GitCommit) -> None:
    write("notes.md", "fine\n")
    hooked.git("add", "-A")
    git_commit("-m", "start")
    other = hooked.work_tree().parent / "other"
    hooked.git("worktree", "add", "-q", str(other), "-b", "side")
    (other / "deep").mkdir()
    target = other / skill("one")
    target.parent.mkdir(parents=True)
    target.write_text(BAD.format(name="one"), encoding="utf-8")
    require(other, clean=True).git("add", "-A")
    assert git_commit("-m", "bad", folder=other / "deep").code != 0
    target.write_text(GOOD.format(name="one"), encoding="utf-8")
    require(other, clean=True).git("add", "-A")
    assert git_commit("-m", "good", folder=other / "deep").code == 0
    hooked.git("fsck", "--strict")


def test_mode_changes_and_symlinks(hooked: Repository, write: Write, git_commit: GitCommit) -> None:
    write(skill("one"), GOOD.format(name="one"))
    hooked.git("add", "-A")
    git_commit("-m", "start")
    (hooked.work_tree() / "knowledge/skills/web/one/outside.md").symlink_to("/etc/passwd")
    hooked.git("add", "-A")
    refused = git_commit("-m", "link out")
    assert refused.code != 0 and "outside.md" in refused.err


def test_commit_msg_asks_an_agent_to_declare(hooked: Repository, write: Write, git_commit: GitCommit) -> None:
    write(MEMORY, "one fact\n§\nanother fact")
    hooked.git("add", "-A")
    git_commit("-m", "start")
    write(MEMORY, "one fact")
    agent = {"HERMES_GIT_ACTOR": "agent:claude-code"}
    refused = git_commit("-a", "-m", "tidy", env=agent)
    assert refused.code != 0 and "Hermes-Change: remove memory" in refused.err
    line = next(row for row in refused.err.split("\n") if "Hermes-Change:" in row).split("message: ", 1)[1]
    assert git_commit("-a", "-m", "tidy", "-m", line, env=agent).code == 0


def test_an_existing_hook_is_kept_and_runs_first(repo: Repository, write: Write, git_commit: GitCommit, hg: Hg) -> None:
    hook = repo.common_dir / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho mine >> ../ran\n", encoding="utf-8")
    hook.chmod(0o755)
    create.configure(repo, {"hermes-git.python": sys.executable})
    assert hg("hooks", "install").code == 0 and hg("hooks", "status").code == 0
    write("notes.md", "fine\n")
    repo.git("add", "-A")
    assert git_commit("-m", "x").code == 0
    assert (repo.work_tree().parent / "ran").read_text(encoding="utf-8") == "mine\n"
    hg("hooks", "uninstall")
    assert hook.read_text(encoding="utf-8").endswith("echo mine >> ../ran\n")


def test_installing_twice_changes_nothing(hooked: Repository) -> None:
    before = {path.name: path.read_bytes() for path in (hooked.common_dir / "hooks").iterdir()}
    hook_files.install(hooked)
    assert {path.name: path.read_bytes() for path in (hooked.common_dir / "hooks").iterdir()} == before


def test_a_foreign_hook_folder_is_respected_and_explained(repo: Repository, hg: Hg, tmp_path: Path) -> None:
    shared = tmp_path / "shared-hooks"
    shared.mkdir()
    repo.git("config", "core.hooksPath", str(shared))
    told = hg("hooks", "install")
    assert told.code == 1 and str(shared) in told.err and 'hermes-git hook pre-commit "$@"' in told.err
    assert list(shared.iterdir()) == []


def test_a_missing_interpreter_blocks_with_one_line(hooked: Repository, write: Write, git_commit: GitCommit) -> None:
    hooked.git("config", "hermes-git.python", "/nonexistent/python")
    write("notes.md", "fine\n")
    hooked.git("add", "-A")
    refused = git_commit("-m", "x", env={"PATH": "/usr/bin:/bin"})
    assert refused.code != 0 and len(refused.err.strip().split("\n")) == 1 and "pipx install" in refused.err


@pytest.mark.parametrize("name", [*hook_files.NAMES, *hook_files.OPTIONAL])
def test_hook_files_are_portable(name: str) -> None:
    data = (Path(__file__).parent.parent / "hooks" / name).read_bytes()
    assert data.startswith(b"#!/bin/sh\n") and b"\r" not in data and data.count(b"\n") <= 25
    assert b"\\" not in data.replace(b"'%s\\n'", b""), "no Windows path, whose backslashes sh would eat"
    assert data == (Path(__file__).parent.parent / "hooks" / "pre-commit").read_bytes(), "one text for all of them"


def test_an_unknown_hook_is_the_users_mistake(hg: Hg) -> None:
    assert hg("hook", "post-nothing").code == 2


def test_hook_start_up_is_light() -> None:
    code = (
        "import sys, hermes_git.hook, hermes_git.gate.making\n"
        "heavy = set('git whoosh tiktoken markdown_it httpx matplotlib tree_sitter rich msgspec'.split())\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"
