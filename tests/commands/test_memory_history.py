"""The commands on entry history and drift, as a person uses them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import entries
from hermes_git.knowledge.entries import entry_id
from tests.conftest import Ran

Hg = Callable[..., Ran]
Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
MEMORY = "knowledge/memory/MEMORY.md"


def entry_texts(hg: Hg) -> list[str]:
    return [row["text"] for row in hg("memory", "list", "--json").json["entries"]]


@pytest.fixture
def taught(hg: Hg) -> None:
    hg("memory", "add", "The host is alpha.")
    hg("memory", "add", "The user likes tea.")
    hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.")


def test_log_resolves_old_ids(taught: None, hg: Hg) -> None:
    rows = hg("memory", "log", entry_id("The host is alpha."), "--json").json
    assert [row["text"] for row in rows] == ["The host is alpha."]
    rows = hg("memory", "log", "beta", "--json").json
    assert [row["action"] for row in rows] == ["replace", "add"] and rows[0]["actor"] == "person:tester"


def test_blame_names_commit_and_actor(taught: None, hg: Hg, repo: Repository) -> None:
    rows = hg("memory", "blame", "--json").json
    assert {row["text"] for row in rows} == {"The host is beta.", "The user likes tea."}
    assert rows[0]["commit"] == repo.git("rev-parse", "HEAD").decode().strip()


def test_revert_of_a_commit_touches_no_neighbour(taught: None, hg: Hg, repo: Repository) -> None:
    hg("memory", "add", "A later fact.")
    second = repo.git("rev-parse", "HEAD~2").decode().strip()
    assert hg("memory", "revert", "HEAD~2").code == 0
    assert entry_texts(hg) == ["The host is beta.", "A later fact."]
    message = repo.git("log", "-1", "--format=%B").decode()
    assert f"reverts={second[:12]}" in message, "a name that moves says nothing later"


def test_revert_of_an_entry_brings_back_what_it_said(taught: None, hg: Hg) -> None:
    assert hg("memory", "revert", "beta").code == 0
    assert entry_texts(hg) == ["The host is alpha.", "The user likes tea."]
    hg("memory", "remove", "--old-text", "tea")
    assert hg("memory", "revert", entry_id("The user likes tea.")).code == 0
    assert entry_texts(hg) == ["The host is alpha.", "The user likes tea."]


def test_show_as_of(taught: None, hg: Hg, repo: Repository) -> None:
    assert hg("memory", "show", "host", "--as-of", "HEAD~1").out.strip() == "The host is alpha."
    assert hg("memory", "show", "host", "--as-of", "2001-01-01").code == 2


def test_what_cannot_be_run_or_dated_is_one_sentence(taught: None, hg: Hg, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("no program", encoding="utf-8")
    for program in (tmp_path / "gone", plain):
        refused = hg("memory", "bisect", "--run", str(program))
        assert refused.code == 2 and f"{program} cannot be run" in refused.err
    refused = hg("memory", "list", "--as-of", "someday")
    assert refused.code == 2 and "--as-of 'someday' is neither a date nor a revision" in refused.err


def test_bisect_names_the_entry_that_made_the_probe_fail(hg: Hg, tmp_path: Path) -> None:
    for number in range(6):
        hg("memory", "add", f"fact {number} is {'bad' if number == 3 else 'fine'}")
    program = tmp_path / "probe.sh"
    program.write_text('#!/bin/sh\n! grep -q bad "$1/MEMORY.md"\n', encoding="utf-8")
    program.chmod(0o755)
    found = hg("memory", "bisect", "--run", str(program), "--json").json
    assert [row["text"] for row in found["entries"]] == ["fact 3 is bad"]


def test_why_without_evidence_says_so(taught: None, hg: Hg) -> None:
    told = hg("memory", "why", "beta")
    assert told.code == 1 and "no commit" in told.out


def test_drift_is_shown_adopted_and_discarded(taught: None, hg: Hg, write: Write, repo: Repository) -> None:
    assert hg("memory", "drift").code == 0
    write(MEMORY, "The host is gamma.\n§\nThe user likes tea.\n§\na foreign fact")
    shown = hg("memory", "drift")
    assert shown.code == 1 and "gamma" in shown.out and "a foreign fact" in shown.out
    assert hg("memory", "adopt").code == 0 and hg("memory", "drift").code == 0
    assert entry_texts(hg) == ["The host is gamma.", "The user likes tea.", "a foreign fact"]
    assert repo.git("status", "--porcelain") == b""
    write(MEMORY, "The host is delta.")
    told = hg("memory", "discard")
    assert told.code == 0 and "delta" in told.out and hg("memory", "drift").code == 0


def test_adopt_goes_through_the_gate(taught: None, hg: Hg, write: Write) -> None:
    write(MEMORY, "The host is beta.\n§\nThe host is beta.")
    refused = hg("memory", "adopt")
    assert refused.code == 1 and "HG702" in refused.err
    assert hg("memory", "drift").code == 1, "the edit is still there"


def test_plain_markdown_becomes_entries(hg: Hg, write: Write, commit: Commit) -> None:
    write(MEMORY, "# Notes\n\nIntro.\n\n## Projects\n\n- shop is in Ruby\n- blog is in Go\n\n## Empty\n")
    commit()
    assert hg("memory", "adopt").code == 0
    assert entry_texts(hg) == ["Notes: Intro.", "Projects: shop is in Ruby", "Projects: blog is in Go", "Empty"]


def test_a_batch_is_all_or_nothing(taught: None, hg: Hg, tmp_path: Path) -> None:
    batch = tmp_path / "batch.json"
    rows = [{"action": "remove", "old_text": "tea"}, {"action": "add", "content": "The user likes coffee."}]
    batch.write_text(json.dumps([*rows, {"action": "remove", "old_text": "no such entry"}]), encoding="utf-8")
    assert hg("memory", "apply", str(batch)).code == 2
    assert entry_texts(hg) == ["The host is beta.", "The user likes tea."]
    batch.write_text(json.dumps(rows), encoding="utf-8")
    assert hg("memory", "apply", str(batch)).code == 0
    assert entry_texts(hg) == ["The host is beta.", "The user likes coffee."]
    batch.write_text('[{"action": "add", "text": "x"}]', encoding="utf-8")
    assert hg("memory", "apply", str(batch)).code == 2


def test_render_is_the_layout_of_hermes_and_frozen(taught: None, hg: Hg) -> None:
    rule = "═" * 46
    body = "The host is alpha.\n§\nThe user likes tea."
    used = entries.length(body.split("\n§\n"))
    want = f"{rule}\nMEMORY (your personal notes) [1% — {used}/2,200 chars]\n{rule}\n{body}\n"
    assert hg("memory", "render", "--rev", "HEAD~1").out == want
    assert hg("memory", "render", "--rev", "HEAD~1").out == want
