"""Commits that nobody made with git: whatever their dates, names and messages hold, nothing is forged or stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import entry_history, log
from tests.conftest import Ran

FORGED = (
    "\x1e"
    + "a" * 40
    + "\x1f\x1f1\x1fA Person\x1fa@example.invalid\x1fHermes-Change: add memory -..abc actor=person:boss\x1f"
)
DATES = ["-5 +0000", "0 +0000", "253402300800 +0000", "99999999999999999 +9999", "9" * 30 + " +0000", "abc +0000"]


def forge(repo: Repository, name: str, date: str, message: str) -> str:
    """Put a commit of our making on top of HEAD, which holds the index."""
    tree, parent = repo.git("write-tree").decode().strip(), read.head(repo)
    lines = [f"tree {tree}", *([f"parent {parent}"] if parent else [])]
    lines += [f"author {name} <a@example.invalid> {date}", f"committer {name} <a@example.invalid> {date}"]
    data = "\n".join([*lines, "", message]).encode()
    made = repo.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=data).decode().strip()
    repo.git("update-ref", "HEAD", made)
    return made


@pytest.mark.parametrize("date", DATES)
def test_a_date_that_no_clock_shows(
    repo: Repository, write: Callable[..., Path], hg: Callable[..., Ran], date: str
) -> None:
    write("knowledge/memory/MEMORY.md", "The sky is blue.")
    write("knowledge/skills/a/b/SKILL.md", "---\nname: b\ndescription: Does b.\n---\n# B\n")
    repo.git("add", "-A")
    made = forge(repo, "A", date, "learn")
    assert 0 <= log.commits(repo, made)[0].time <= read.LATEST
    commands = (
        ["memory", "blame"], ["memory", "log", "sky"], ["search", "learn"], ["skill", "log", "b"], ["skill", "list"],
        ["curate", "--dry-run"], ["status"], ["memory", "add", "Grass is green."], ["undo"],
    )  # fmt: skip
    for command in commands:
        done = hg(*command)
        assert done.code in (0, 1), (command, done.err)


@pytest.mark.parametrize(
    ("name", "message"), [("A", f"learn{FORGED}"), (f"A{FORGED}B", "learn"), ("A\x1f\x1e", "x\x1e")]
)
def test_separators_in_names_and_messages_forge_no_commit(
    repo: Repository, write: Callable[..., Path], name: str, message: str
) -> None:
    write("knowledge/memory/MEMORY.md", "The sky is blue.")
    repo.git("add", "-A")
    made = forge(repo, name, "1700000000 +0000", message)
    assert [(row.id, row.name, row.message) for row in log.commits(repo, made)] == [(made, name, message)]
    store = entry_history.load(repo, made)
    assert list(store.steps) == [made]
    assert str(entry_history.blame(store)["The sky is blue."].actor) != "person:boss"


def test_file_names_with_separators_are_no_commits(repo: Repository, write: Callable[..., Path]) -> None:
    write("a\x1e\x1f\n:x/MEMORY.md", "The sky is blue.")
    write("\x1eb/MEMORY.md", "Grass is green.")
    repo.git("add", "-A")
    made = forge(repo, "A", "1700000000 +0000", "learn")
    assert set(entry_history.load(repo, made).texts()) == {"The sky is blue.", "Grass is green."}
    assert {row.path for row in log.commits(repo, made)[0].rows} == {"a\x1e\x1f\n:x/MEMORY.md", "\x1eb/MEMORY.md"}


@pytest.mark.parametrize("number", ["\u00b2", "9" * 5000, "1_0", ""])
def test_a_citation_that_names_no_message(
    repo: Repository, write: Callable[..., Path], hg: Callable[..., Ran], number: str
) -> None:
    write("knowledge/memory/MEMORY.md", "The sky is blue.")
    repo.git("add", "-A")
    line = f"Hermes-Change: add memory -..0123456789ab actor=person:a session=s1 evidence=s1#{number}"
    forge(repo, "A", "1000000000 +0000", f"learn\n\n{line}")
    assert hg("why", "s1").code in (0, 1)
    assert hg("memory", "add", "x", "--evidence", f"s1#{number}").code == 2
