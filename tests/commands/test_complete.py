"""What a shell offers for a word: what the repository holds, quickly, and never an error amidst somebody's line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

import hermes_git
from hermes_git.cli import main_group
from hermes_git.commands import complete
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.entries import entry_id
from tests.conftest import Ran

Hg = Callable[..., Ran]
Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
SESSIONS = Path(hermes_git.__file__).parent / "data" / "tour" / "sessions" / "hermes"
ALPHA, TEA = entry_id("The host is alpha."), entry_id("likes tea")
SKILL = "---\nname: {}\ndescription: Checks links.\n---\n\n# One\n"
ARCHIVED = "old-vpn@20260101-0123456"
RUN = "2026-11-29-1f0c9aa"


@pytest.fixture
def full(repo: Repository, hg: Hg, write: Write, commit: Commit) -> Path:
    """Return a repository with something of everything that is offered."""
    write("knowledge/memory/MEMORY.md", "The host is alpha.")
    write("knowledge/memory/USER.md", "likes tea")
    for root in ("skills/web/link-check", "skills/devops/deploy", "skills/flat", f"archive/devops/{ARCHIVED}"):
        write(f"knowledge/{root}/SKILL.md", SKILL.format(root.rpartition("/")[2].partition("@")[0]))
    write(f"knowledge/curator/{RUN}.json", "{}")
    tip = commit()
    for branch in ("proposal/1f3b9ac012", f"curator/{RUN}", "topic"):
        repo.git("branch", branch, tip)
    assert hg("session", "import", str(SESSIONS)).code == 0
    return repo.work_tree()


def offered(folder: Path, line: str) -> list[str]:
    """Return what is offered for the last word of a command line."""
    *words, last = line.split(" ")
    found = ShellComplete(main_group, {}, "hermes-git", "_HERMES_GIT_COMPLETE")
    return [item.value for item in found.get_completions(["-C", str(folder), *words], last)]


EVERY = ["devops/deploy", "flat", "web/link-check"]
IDS = ["20261120_101500_4be9d1", "20261122_163000_91c07a", "20261124_220500_e03f5b"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("skill show ", EVERY),
        ("skill show web/l", ["web/link-check"]),
        ("skill show LINK", ["web/link-check"]),
        ("skill pin d", ["devops/deploy"]),
        ("skill check flat ", ["devops/deploy", "web/link-check"]),
        ("skill restore ", [f"devops/{ARCHIVED}"]),
        ("curate merge flat dep", ["devops/deploy"]),
        ("curate undo ", [RUN]),
        ("memory show ", [ALPHA]),
        ("memory show --target user ", [TEA]),
        (f"memory log {TEA[:5]}", [TEA]),
        ("memory replace --old-text ", [ALPHA]),
        ("memory approve ", ["1f3b9ac012"]),
        ("update-branch ", [f"curator/{RUN}", "proposal/1f3b9ac012"]),
        ("session show 20261122", IDS[1:2]),
        ("session forget ", IDS),
        ("search --session ", IDS),
        ("why ", [*IDS, ALPHA, TEA, *EVERY]),
        ("explain hg301", ["HG301"]),
        ("batch distributions show sci", ["science"]),
    ],
)
def test_what_the_repository_holds_is_offered(full: Path, line: str, words: list[str]) -> None:
    assert offered(full, line) == words


QUIET = ["skill new ", "memory add ", "skill show nothing-like-it", "session show zz"]


@pytest.mark.parametrize("line", QUIET)
def test_other_words_are_left_to_the_person(full: Path, line: str) -> None:
    assert offered(full, line) == []


def test_a_check_comes_with_its_title() -> None:
    found = complete.checks(click.Context(main_group), click.Argument(["id"]), "HG6")
    assert len(found) > 10 and all(item.value.startswith("HG6") and item.help for item in found)


BROKEN = {
    "no repository": lambda folder: folder.mkdir(),
    "no commit": lambda folder: subprocess.run(["git", "init", "-q", folder], check=True),
    "no settings that can be read": lambda folder: _commit(folder, "hermes-git.toml", "format = [\n"),
    "memory that cannot be read": lambda folder: _commit(folder, "knowledge/memory/MEMORY.md", "\udcff"),
}


def _commit(folder: Path, path: str, text: str) -> None:
    target = folder / path
    target.parent.mkdir(parents=True)
    target.write_bytes(text.encode("utf-8", "surrogateescape"))
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run(["git", *command], cwd=folder, check=True)


@pytest.mark.parametrize("state", BROKEN)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_where_nothing_can_be_offered_nothing_is_said(state: str, shell: str, tmp_path: Path) -> None:
    BROKEN[state](tmp_path / "place")
    for words in ("memory show", "skill show", "session show", "curate undo", "no-such-command xyz"):
        line = f"hermes-git {words} "
        env = {"_HERMES_GIT_COMPLETE": f"{shell}_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()))}
        done = subprocess.run(
            [sys.executable, "-m", "hermes_git"],
            cwd=tmp_path / "place",
            env={**os.environ, **env},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "") and (not done.stdout.strip() or "no-such" in words), words


def test_offering_loads_nothing_heavy(full: Path) -> None:
    code = (
        "import sys; from click.shell_completion import ShellComplete; from hermes_git.cli import main_group\n"
        "for words in (['skill', 'show'], ['memory', 'show'], ['session', 'show'], ['explain']):\n"
        "    asked = ['-C', sys.argv[1], *words]\n"
        "    found = ShellComplete(main_group, {}, 'hermes-git', 'X').get_completions(asked, '')\n"
        "    assert found, words\n"
        "heavy = set('git whoosh tiktoken markdown_it httpx yaml tree_sitter rich'.split())\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(full)], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"
