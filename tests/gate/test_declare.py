"""Filling in change lines: where they go in a message, what is stated for whom, and what never is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.gate import declare
from hermes_git.gate.doors import staged_proposal
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.entries import entry_id
from hermes_git.provenance.change import Actor, parse
from hermes_git.settings import DEFAULTS, GateSettings, Settings

Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
LINE = "Hermes-Change: write repository -..- actor=person:a"
PERSON, AGENT, UNKNOWN = Actor("person", "alice"), Actor("agent", "codex"), Actor()
MEMORY, ARCHIVE = "knowledge/memory/MEMORY.md", "knowledge/archive/MEMORY.md"
SKILL = "---\nname: one\ndescription: Checks links. Use when a page changes.\n---\n\n# Body\n"
A, B, C = (entry_id(text) for text in ("first fact", "second fact", "third fact"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("subject\n", f"subject\n\n{LINE}\n"),
        ("subject", f"subject\n\n{LINE}\n"),
        ("subject\n\nbody\n\n\n", f"subject\n\nbody\n\n{LINE}\n"),
        ("subject\n\nSigned-off-by: A <a@b>\n", f"subject\n\nSigned-off-by: A <a@b>\n{LINE}\n"),
        ("Fix: one thing\n", f"Fix: one thing\n\n{LINE}\n"),
        ("subject\n\n# Please enter\n#\n", f"subject\n\n{LINE}\n\n# Please enter\n#\n"),
        (
            "subject\n# ------------------------ >8 ------------------------\ndiff\n",
            f"subject\n\n{LINE}\n# ------------------------ >8 ------------------------\ndiff\n",
        ),
        (
            "subject\n; ------------------------ >8 ------------------------\ndiff\n",
            f"subject\n\n{LINE}\n; ------------------------ >8 ------------------------\ndiff\n",
        ),
    ],
    ids=[
        "short",
        "no newline",
        "body",
        "trailers",
        "a subject like a trailer",
        "comments",
        "scissors",
        "other scissors",
    ],
)
def test_lines_go_to_the_end_of_what_git_keeps(text: str, expected: str) -> None:
    assert declare.insert(text, [LINE]) == expected


@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_a_line_is_found_again_in_any_message_that_is_not_empty(text: str) -> None:
    after = declare.insert(text, [LINE])
    kept = [line for line in text.split("\n") if line.strip()]
    assert [line for line in after.split("\n") if line.strip() and line != LINE] == [row for row in kept if row != LINE]
    if declare.body_of(text).strip():
        assert [change.action for change in parse(declare.body_of(after))][-1:] == ["write"]


def lines(repo: Repository, actor: Actor, settings: Settings = DEFAULTS, message: str = "subject\n") -> list[str]:
    repo.git("add", "-A")
    proposal = staged_proposal(repo, read.head(repo), settings)
    after = declare.filled(message, proposal, settings, actor)
    return [f"{row.action} {row.target} {row.before or '-'}..{row.after or '-'}" for row in parse(after)]


def test_what_is_new_is_stated_for_persons_and_agents(repo: Repository, write: Write, commit: Commit) -> None:
    write(MEMORY, "first fact")
    commit()
    write(MEMORY, "first fact\n§\nsecond fact")
    write("knowledge/skills/web/one/SKILL.md", SKILL)
    blob = repo.git("hash-object", "--stdin", stdin=SKILL.encode()).decode()[:12]
    expected = [f"add memory -..{B}", f"create web/one -..{blob}"]
    assert lines(repo, PERSON) == expected and lines(repo, AGENT) == expected
    assert lines(repo, UNKNOWN) == []


def test_what_is_taken_away_is_stated_for_persons_only(repo: Repository, write: Write, commit: Commit) -> None:
    write(MEMORY, "first fact\n§\nsecond fact")
    write("knowledge/skills/web/one/SKILL.md", SKILL)
    commit()
    write(MEMORY, "first fact")
    (repo.work_tree() / "knowledge/skills/web/one/SKILL.md").unlink()
    taken = lines(repo, PERSON)
    assert taken[0] == f"remove memory {B}..-" and taken[1].startswith("delete web/one ")
    assert lines(repo, AGENT) == ["write repository -..-"], "an agent must write it itself"
    always = Settings(gate=GateSettings(intent="always"))
    assert lines(repo, PERSON, always) == ["write repository -..-"], "policy asks persons too"


def test_a_rewritten_entry_is_one_line(repo: Repository, write: Write, commit: Commit) -> None:
    write(MEMORY, "first fact\n§\nsecond fact")
    commit()
    write(MEMORY, "first fact\n§\nthird fact")
    assert lines(repo, PERSON) == [f"replace memory {B}..{C}"]
    assert lines(repo, AGENT) == ["write repository -..-"]


def test_archiving_is_no_loss_and_says_where(repo: Repository, write: Write, commit: Commit) -> None:
    write(MEMORY, "first fact\n§\nsecond fact")
    commit()
    write(MEMORY, "first fact")
    write(ARCHIVE, "second fact")
    for actor in (PERSON, AGENT):
        assert lines(repo, actor) == [f"archive memory {B}..{B}"]
    commit("archived")
    write(MEMORY, "first fact\n§\nsecond fact")
    write(ARCHIVE, "")
    assert lines(repo, AGENT) == [f"restore memory {B}..{B}"]


def test_a_moved_skill_is_a_rename(repo: Repository, write: Write, commit: Commit) -> None:
    write("knowledge/skills/web/one/SKILL.md", SKILL)
    commit()
    (repo.work_tree() / "knowledge/skills/net").mkdir()
    (repo.work_tree() / "knowledge/skills/web/one").rename(repo.work_tree() / "knowledge/skills/net/one")
    assert [row.split(" ")[:2] for row in lines(repo, AGENT)] == [["rename", "net/one"]]


def test_many_new_things_are_one_line_but_every_loss_has_its_own(
    repo: Repository, write: Write, commit: Commit
) -> None:
    write(MEMORY, "\n§\n".join(f"old entry number {number}" for number in range(50)))
    commit()
    write(MEMORY, "")
    assert len(lines(repo, PERSON)) == 50
    commit("gone")
    write(MEMORY, "\n§\n".join(f"new entry number {number}" for number in range(50)))
    assert lines(repo, PERSON) == ["write repository -..-"]


@pytest.mark.parametrize("message", ["", "\n\n", "# only a comment\n", "# c\n# --- >8 ---\n"])
def test_an_empty_message_stays_empty(repo: Repository, write: Write, message: str) -> None:
    write(MEMORY, "first fact")
    repo.git("add", "-A")
    proposal = staged_proposal(repo, None, DEFAULTS)
    assert declare.filled(message, proposal, DEFAULTS, PERSON) == message


def test_a_message_that_declares_gets_no_second_line(repo: Repository, write: Write, commit: Commit) -> None:
    write(MEMORY, "first fact\n§\nsecond fact")
    commit()
    write(MEMORY, "first fact\n§\nthird fact")
    said = f"tidy\n\nHermes-Change: replace memory {B}..{C} actor=person:alice\n"
    assert lines(repo, PERSON, message=said) == [f"replace memory {B}..{C}"]
    assert lines(repo, PERSON, message=f"tidy\n\nHermes-Change: add memory -..{C} actor=person:alice\n") == [
        f"add memory -..{C}",
        f"replace memory {B}..{C}",
    ]


@pytest.mark.parametrize(
    ("text", "adopted"),
    [("patch\n", True), ("", False), (f"patch\n\n{LINE}\n", False)],
    ids=["a plain patch", "an empty message", "one that says who wrote it"],
)
def test_a_patch_says_who_takes_it_in(text: str, adopted: bool) -> None:
    after = declare.adopted(text, PERSON)
    assert after.count("Hermes-Change: adopt repository -..- actor=person:alice") == adopted
    assert declare.adopted(text, UNKNOWN) == text
