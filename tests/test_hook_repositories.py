"""The hooks in every kind of repository and staging that git knows, and what they leave behind: nothing."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.commands import hook_files
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository, require
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
GitCommit = Callable[..., Ran]
GOOD = "---\nname: {name}\ndescription: Checks links. Use when a page changes.\n---\n\n# Body\n\nText.\n"
BAD = "---\nname: {name}\n---\n\n# Body\n"


def skill(name: str) -> str:
    return f"knowledge/skills/web/{name}/SKILL.md"


@pytest.fixture
def started(hooked: Repository, write: Write, git_commit: GitCommit) -> Repository:
    """Return a repository with hooks and one good skill."""
    write(skill("one"), GOOD.format(name="one"))
    hooked.git("add", "-A")
    assert git_commit("-m", "start").code == 0
    return hooked


def refused(ran: Ran, path: str = skill("two")) -> bool:
    return ran.code != 0 and path in ran.err


def test_sha256(tmp_path: Path, git_commit: GitCommit) -> None:
    folder = tmp_path / "other"
    subprocess.run(["git", "init", "-q", "--object-format=sha256", "-b", "main", str(folder)], check=True)
    repo = require(folder)
    create.configure(repo, {"hermes-git.python": sys.executable})
    hook_files.install(repo)
    target = folder / skill("two")
    target.parent.mkdir(parents=True)
    target.write_text(BAD.format(name="two"), encoding="utf-8")
    repo.git("add", "-A")
    assert refused(git_commit("-m", "bad", folder=folder))
    target.write_text(GOOD.format(name="two"), encoding="utf-8")
    repo.git("add", "-A")
    assert git_commit("-m", "good", folder=folder).code == 0
    assert len(repo.git("rev-parse", "HEAD").strip()) == 64


def test_detached_head(started: Repository, write: Write, git_commit: GitCommit) -> None:
    started.git("checkout", "-q", "--detach")
    write(skill("two"), BAD.format(name="two"))
    started.git("add", "-A")
    assert refused(git_commit("-m", "bad"))
    write(skill("two"), GOOD.format(name="two"))
    started.git("add", "-A")
    assert git_commit("-m", "good").code == 0


def test_partial_hunks(started: Repository, write: Write, git_commit: GitCommit) -> None:
    good, bad = GOOD.format(name="two"), BAD.format(name="two")
    write(skill("two"), good)
    started.git("add", "-A")
    write(skill("two"), bad)
    assert git_commit("-m", "the staged half is good").code == 0
    started.git("add", "-A")
    write(skill("two"), good)
    before = diffs(started)
    assert refused(git_commit("-m", "the staged half is bad"))
    assert diffs(started) == before


def diffs(repo: Repository) -> tuple[bytes, bytes, bytes, str]:
    """Return everything that partial staging consists of, and a digest of the work tree."""
    rows = [
        f"{path.relative_to(repo.work_tree())} {path.lstat().st_mode} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted(repo.work_tree().rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(repo.work_tree()).parts
    ]
    return repo.git("diff"), repo.git("diff", "--cached"), repo.git("ls-files", "-s", "--debug"), "\n".join(rows)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_a_killed_hook_leaves_everything_as_it_was(
    started: Repository, write: Write, git_commit: GitCommit, sent: signal.Signals
) -> None:
    write(skill("one"), GOOD.format(name="one") + "\nstaged\n")
    started.git("add", "-A")
    write(skill("one"), GOOD.format(name="one") + "\nstaged\nnot staged\n")
    write(skill("two"), GOOD.format(name="two"))
    started.git("add", "-N", skill("two"))
    before = diffs(started)
    env = {**os.environ, "GIT_INDEX_FILE": str(started.git_dir / "index")}
    for pause in (0.02, 0.08, 0.2):
        with subprocess.Popen([sys.executable, "-m", "hermes_git", "hook", "pre-commit"], cwd=started.work_tree(),
                              env=env, stderr=subprocess.DEVNULL, start_new_session=True) as hook:  # fmt: skip
            time.sleep(pause)
            hook.send_signal(sent)
        assert diffs(started) == before
    assert started.git("fsck", "--no-dangling") == b""
    assert git_commit("-m", "afterwards it works").code == 0


def test_sparse_work_tree(started: Repository, write: Write, git_commit: GitCommit) -> None:
    write("docs/a.md", "a\n")
    started.git("add", "-A")
    git_commit("-m", "docs")
    started.git("sparse-checkout", "set", "docs")
    assert not (started.work_tree() / skill("one")).exists()
    write("docs/a.md", "b\n")
    assert git_commit("-a", "-m", "good").code == 0, "a skill that is not checked out is not gone"
    started.git(
        "update-index", "--add", "--cacheinfo", f"100644,{blob(started, BAD.format(name='two'))},{skill('two')}"
    )
    assert refused(git_commit("-m", "bad, and not on disk"))


def blob(repo: Repository, text: str) -> str:
    return repo.git("hash-object", "-w", "--stdin", stdin=text.encode()).decode().strip()


def test_gitlink_in_a_skill_and_submodule_elsewhere(
    started: Repository, write: Write, git_commit: GitCommit, tmp_path: Path
) -> None:
    write("hermes-git.toml", 'format = 1\n[gate]\nscope = "knowledge"\n')
    started.git("add", "-A")
    assert git_commit("-m", "leave code alone").code == 0
    inner = create.create(tmp_path / "inner")
    (tmp_path / "inner" / "a.md").write_text("a\n", encoding="utf-8")
    inner.git("add", "-A")
    inner.git("commit", "-q", "-m", "inner")
    started.git("submodule", "--quiet", "add", str(tmp_path / "inner"), "vendor/inner")
    assert git_commit("-m", "a submodule outside the knowledge").code == 0
    head = inner.git("rev-parse", "HEAD").decode().strip()
    started.git("update-index", "--add", "--cacheinfo", f"160000,{head},knowledge/skills/web/one/inner")
    assert refused(git_commit("-m", "in a skill"), "knowledge/skills/web/one/inner")


def test_inside_a_submodule(started: Repository, git_commit: GitCommit, tmp_path: Path) -> None:
    create.create(tmp_path / "outer")
    outer = require(tmp_path / "outer", clean=True)
    outer.git("submodule", "--quiet", "add", str(started.work_tree()), "sub", env={"GIT_ALLOW_PROTOCOL": "file"})
    inner = require(tmp_path / "outer" / "sub", clean=True)
    assert (tmp_path / "outer" / "sub" / ".git").is_file()
    create.configure(inner, {"hermes-git.python": sys.executable})
    hook_files.install(inner)
    target = tmp_path / "outer" / "sub" / skill("two")
    target.parent.mkdir(parents=True)
    target.write_text(BAD.format(name="two"), encoding="utf-8")
    inner.git("add", "-A")
    assert refused(git_commit("-m", "bad", folder=tmp_path / "outer" / "sub"))


@pytest.mark.parametrize(
    ("attributes", "encoding"),
    [("*.md working-tree-encoding=UTF-16LE-BOM eol=crlf\n", "utf-16"), ("*.md text eol=crlf\n", "utf-8")],
    ids=["UTF-16 on disk", "CRLF on disk"],
)
def test_what_is_committed_counts_not_how_it_lies_on_disk(
    started: Repository, write: Write, git_commit: GitCommit, attributes: str, encoding: str
) -> None:
    write(".gitattributes", attributes)
    write(skill("two"), GOOD.format(name="two").replace("\n", "\r\n").encode(encoding))
    started.git("add", ".gitattributes", skill("two"))
    assert git_commit("-m", "good").code == 0
    assert started.git("show", f"HEAD:{skill('two')}") == GOOD.format(name="two").encode()
    write(skill("two"), BAD.format(name="two").replace("\n", "\r\n").encode(encoding))
    assert refused(git_commit("-m", "bad", "--", skill("two")))


def test_a_clean_filter_is_not_bypassed(started: Repository, write: Write, git_commit: GitCommit) -> None:
    started.git("config", "filter.drop.clean", "sed -e /^secret/d")
    write(".gitattributes", "*.md filter=drop\n")
    write(skill("two"), "secret: x\n" + GOOD.format(name="two"))
    started.git("add", "-A")
    assert git_commit("-m", "what is committed is good").code == 0


@pytest.mark.parametrize("name", ["notiz-ü.md", "a b.md", "-n.md", "new\nline.md", ":(top)x.md", "tab\tx.md", 'q"u.md'])
def test_odd_names(started: Repository, write: Write, git_commit: GitCommit, name: str) -> None:
    write(f"knowledge/skills/web/one/references/{name}", "\x00binary under a text name\x00\x01\x02" * 20)
    started.git("add", "-A")
    assert git_commit("-m", "bad").code != 0
    write(f"knowledge/skills/web/one/references/{name}", "fine\n")
    started.git("add", "-A")
    assert git_commit("-m", "good").code == 0


def test_renames_copies_and_type_changes(started: Repository, write: Write, git_commit: GitCommit) -> None:
    started.git("mv", "knowledge/skills/web/one", "knowledge/skills/web/two")
    write(skill("two"), GOOD.format(name="two"))
    started.git("add", "-A")
    assert git_commit("-m", "renamed").code == 0
    target = started.work_tree() / skill("two")
    target.unlink()
    target.symlink_to("/etc/passwd")
    started.git("add", "-A")
    assert refused(git_commit("-m", "a link now"))


def test_a_client_without_path_or_profile(started: Repository, write: Write) -> None:
    write(skill("two"), BAD.format(name="two"))
    started.git("add", "-A")
    env = {key: value for key, value in os.environ.items() if key.startswith(("GIT_", "HERMES_"))}
    done = subprocess.run(
        [shutil.which("git") or "git", "commit", "-q", "-m", "bad"],
        cwd=started.work_tree(),
        env={**env, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode != 0 and skill("two") in done.stderr


def test_a_hook_run_for_one_repository_does_not_disturb_another(
    started: Repository, write: Write, git_commit: GitCommit, tmp_path: Path
) -> None:
    other = create.create(tmp_path / "bystander")
    (tmp_path / "bystander" / "x.md").write_text("x\n", encoding="utf-8")
    other.git("add", "-A")
    other.git("commit", "-q", "-m", "x")
    before = other.git("rev-parse", "HEAD"), other.git("status", "--porcelain")
    write("notes.md", "n\n")
    started.git("add", "-A")
    assert git_commit("-m", "n").code == 0
    assert (other.git("rev-parse", "HEAD"), other.git("status", "--porcelain")) == before


def test_a_repository_of_another_owner_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = create.create(tmp_path / "theirs")
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    for path in [repo.work_tree(), *repo.work_tree().rglob("*")]:
        os.chown(path, 65534, 65534)
    done = subprocess.run(
        [sys.executable, "-m", "hermes_git", "hook", "pre-commit"],
        cwd=repo.work_tree(),
        env={**os.environ, "SUDO_UID": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2 and "safe.directory" in done.stderr
