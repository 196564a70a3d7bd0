"""A memory file that others write too: what they say survives, or is shown in a refusal; nothing goes unmentioned."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import entries
from tests.conftest import Ran

Hg = Callable[..., Ran]
Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
MEMORY = "knowledge/memory/MEMORY.md"
PAGE = "# Rota\n- weekdays: look at the mirror\n\n## Services\n" + "- a service to look after\n" * 300
HOST, TEA = "The host is alpha.", "The user likes tea."


def committed(repo: Repository) -> list[str]:
    return list(entries.parse(repo.git("cat-file", "blob", f"HEAD:{MEMORY}").decode()).texts)


def on_disk(repo: Repository) -> list[str]:
    return list(entries.parse((repo.work_tree() / MEMORY).read_text(encoding="utf-8")).texts)


@pytest.fixture
def two(repo: Repository, hg: Hg) -> Repository:
    assert hg("memory", "add", HOST).code == hg("memory", "add", TEA).code == 0
    return repo


def test_a_long_page_of_markdown_is_listed_searched_and_refused_with_a_way_out(
    repo: Repository, write: Write, commit: Commit, hg: Hg
) -> None:
    write(MEMORY, PAGE)
    commit()
    assert hg("memory", "list").out.count("a service to look after") == 300
    found = hg("search", "look at the mirror", "--json").json["knowledge"]
    assert [row["path"] for row in found] == [MEMORY]
    (format_finding,) = hg("check", MEMORY, "--format", "json").json["findings"]
    assert (format_finding["path"], format_finding["line"], format_finding["check"]) == (MEMORY, 1, "HG252")
    refused = hg("memory", "add", "one more fact")
    assert refused.code == 1 and "of 2,200 chars" in refused.err and "shorten or remove entries" in refused.err
    assert (repo.work_tree() / MEMORY).read_text(encoding="utf-8") == PAGE


def test_a_list_says_that_the_file_on_disk_holds_something_else(two: Repository, write: Write, hg: Hg) -> None:
    assert hg("memory", "list").err == ""
    write(MEMORY, PAGE)
    listed = hg("memory", "list")
    assert HOST in listed.out and f"{MEMORY} on disk says something else" in listed.err
    assert hg("memory", "list", "--target", "user").err == ""


def foreign(repo: Repository, old: str, new: str) -> None:
    path = repo.work_tree() / MEMORY
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("commits", [True, False], ids=["committed", "on disk only"])
@pytest.mark.parametrize("more", [" With milk.\nNever after six.", " Always."], ids=["two lines", "one"])
def test_what_another_program_says_in_another_entry_survives(
    two: Repository, commit: Commit, hg: Hg, commits: bool, more: str
) -> None:
    foreign(two, TEA, TEA + more)
    if commits:
        commit("by another program")
    assert hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.").code == 0
    assert on_disk(two) == ["The host is beta.", TEA + more]
    assert committed(two) == ["The host is beta.", TEA + more if commits else TEA]


def test_what_another_program_says_in_the_same_entry_is_shown_and_nothing_is_written(two: Repository, hg: Hg) -> None:
    foreign(two, HOST, "The host is gamma.\nSince May.")
    before = two.git("rev-parse", "HEAD"), two.git("status", "--porcelain"), on_disk(two)
    refused = [hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.") for _ in range(2)]
    assert [ran.code for ran in refused] == [2, 2] and "alpha" in refused[0].err and "gamma" in refused[0].err
    assert (two.git("rev-parse", "HEAD"), two.git("status", "--porcelain"), on_disk(two)) == before
    assert hg("memory", "adopt").code == 0, "the refusal is not the only outcome there can be"
    assert hg("memory", "replace", "--old-text", "gamma", "--new-text", "The host is beta.").code == 0


@pytest.mark.parametrize("ending", ["", "\n"], ids=["without a final newline", "with one"])
def test_a_final_newline_more_or_less_is_no_edit(
    repo: Repository, write: Write, commit: Commit, hg: Hg, ending: str
) -> None:
    write(MEMORY, f"{HOST}\n§\n{TEA}" + ("" if ending else "\n"))
    commit()
    write(MEMORY, f"{HOST}\n§\n{TEA}{ending}")
    assert hg("memory", "drift").code == 0
    assert hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.").code == 0


def test_a_file_restored_from_two_commits_ago_becomes_the_new_base_in_a_commit(two: Repository, hg: Hg) -> None:
    backup = (two.work_tree() / MEMORY).read_bytes()
    assert hg("memory", "add", "A later fact.").code == hg("memory", "add", "The latest fact.").code == 0
    (two.work_tree() / MEMORY).write_bytes(backup)
    assert hg("memory", "adopt").code == 0
    assert committed(two) == on_disk(two) == [HOST, TEA]
    assert b"Hermes-Change: remove memory" in two.git("log", "-1", "--format=%B")
    assert hg("memory", "drift").code == 0
    assert hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.").code == 0
    assert two.git("status", "--porcelain") == b""


SAME = [
    "server A runs Postgres 15", "server A  runs Postgres 15.", " server A runs Postgres 15\n", "Cafe\u0301 is closed",
]  # fmt: skip
OTHER = ["server B runs Postgres 15", "x²+1", "x2+1", "The Café opens late"]


def test_repeats_are_reported_and_everything_else_is_kept(repo: Repository, hg: Hg) -> None:
    start = ["server A runs Postgres 15", "Café is closed"]
    for text in start:
        assert hg("memory", "add", text).code == 0
    for text in SAME:
        ran = hg("memory", "add", text)
        assert ran.code == 0 and "says this already" in ran.out and committed(repo) == start
    for number, text in enumerate(OTHER, start=1):
        ran = hg("memory", "add", text)
        assert ran.code == 0 and "HG705" not in ran.err and committed(repo) == start + OTHER[:number]
    marked = hg("memory", "add", "server A runs Postgres 16")
    assert marked.code == 0 and "warning HG705" in marked.err and "15 there, 16 here" in marked.err
    assert committed(repo) == [*start, *OTHER, "server A runs Postgres 16"]


def test_line_ends_of_a_file_are_never_mixed(repo: Repository, write: Write, commit: Commit, hg: Hg) -> None:
    write(MEMORY, "\r\n§\r\n".join([HOST, TEA, "The build\r\nis slow."]))
    commit()
    assert hg("memory", "add", "Two lines\nof one fact.").code == 0
    assert hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host\nis beta.").code == 0
    data = (repo.work_tree() / MEMORY).read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") > 8
    subprocess.run(["git", "-C", str(repo.work_tree()), "diff", "--exit-code", "-q"], check=True)


def test_a_lock_that_a_killed_git_left_is_named_and_what_was_made_is_finished_later(two: Repository, hg: Hg) -> None:
    lock = two.git_dir / "index.lock"
    lock.touch()
    stuck = hg("memory", "add", "A third fact.")
    assert stuck.code == 2 and "index.lock" in stuck.err and "doctor --fix" in stuck.err
    assert committed(two) == [HOST, TEA, "A third fact."]
    lock.unlink()
    assert hg("doctor", "--fix").code in (0, 1)
    assert on_disk(two) == committed(two) and two.git("status", "--porcelain") == b""
    (two.common_dir / "refs/heads/main.lock").touch()
    stuck = hg("memory", "add", "A fourth fact.")
    assert stuck.code == 2 and "remove that file" in stuck.err and on_disk(two) == [HOST, TEA, "A third fact."]


def test_ten_kills_at_different_moments_leave_whole_entries_and_a_sound_repository(two: Repository, hg: Hg) -> None:
    code = (
        "import sys; from hermes_git.cli import main\n"
        "for i in range(15): main(['-C', sys.argv[1], 'memory', 'add', '-q', f'fact {sys.argv[2]}-{i}'])"
    )
    for turn in range(10):
        writer = subprocess.Popen([sys.executable, "-c", code, str(two.work_tree()), str(turn)])
        with contextlib.suppress(subprocess.TimeoutExpired):
            writer.wait(0.35 + turn * 0.05)
        writer.kill()
        writer.wait()
    assert two.git("fsck", "--strict", "--no-dangling") == b""
    (two.git_dir / "index.lock").unlink(missing_ok=True)
    assert hg("memory", "add", "The last fact.").code == 0
    kept = committed(two)
    assert kept[:2] == [HOST, TEA] and kept[-1] == "The last fact."
    assert all(re.fullmatch(r"fact \d-\d+", text) for text in kept[2:-1]) and len(set(kept)) == len(kept)
    assert on_disk(two) == kept
