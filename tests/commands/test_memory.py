"""The memory command: one judged commit each, beside the user's own work; errors with a way out."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import entries
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
Hg = Callable[..., Ran]
MEMORY = "knowledge/memory/MEMORY.md"


def texts(repo: Repository, revision: str = "HEAD") -> list[str]:
    return list(entries.parse(repo.git("cat-file", "blob", f"{revision}:{MEMORY}").decode()).texts)


def on_disk(repo: Repository) -> bytes:
    return (repo.work_tree() / MEMORY).read_bytes()


def test_add_replace_remove(repo: Repository, hg: Hg) -> None:
    assert hg("memory", "add", "The host is alpha.").code == 0
    assert hg("memory", "add", "The user likes tea.").code == 0
    assert hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.").code == 0
    assert texts(repo) == ["The host is beta.", "The user likes tea."]
    assert hg("memory", "remove", "--old-text", "tea").code == 0
    assert texts(repo) == ["The host is beta."] and on_disk(repo) == b"The host is beta."
    message = repo.git("log", "-1", "--format=%B").decode()
    assert "Hermes-Change: remove memory" in message and "actor=person:tester" in message
    assert repo.git("status", "--porcelain") == b""


def test_list_json_is_the_contract(hg: Hg) -> None:
    hg("memory", "add", "好")
    found = hg("memory", "list", "--json").json
    assert found == {
        "target": "memory",
        "entries": [{"id": entries.entry_id("好"), "text": "好"}],
        "used": 1,
        "limit": 2200,
        "unit": "chars",
    }


def test_what_is_there_already_is_a_reported_no_op(repo: Repository, hg: Hg) -> None:
    hg("memory", "add", "The host is alpha.")
    before = repo.git("rev-parse", "HEAD")
    again = hg("memory", "add", "The  host is alpha")
    assert again.code == 0 and "already" in again.out and repo.git("rev-parse", "HEAD") == before


@pytest.mark.parametrize("old", ["nothing like it", "host"], ids=["no match", "two matches"])
def test_zero_and_several_matches_change_nothing(repo: Repository, hg: Hg, old: str) -> None:
    hg("memory", "add", "The host is alpha.")
    hg("memory", "add", "The old host was omega.")
    before = repo.git("rev-parse", "HEAD")
    first = hg("memory", "replace", "--old-text", old, "--new-text", "x y z")
    second = hg("memory", "replace", "--old-text", old, "--new-text", "x y z")
    assert first.code == second.code == 2 and first.err == second.err
    assert entries.entry_id("The host is alpha.") in first.err
    assert repo.git("rev-parse", "HEAD") == before


def test_over_budget_is_refused_with_exact_numbers(repo: Repository, hg: Hg) -> None:
    hg("memory", "add", "a" * 2000)
    refused = hg("memory", "add", "b" * 198)
    assert refused.code == 1 and "2,201 of 2,200 chars: 1 too many" in refused.err
    assert texts(repo) == ["a" * 2000]
    assert hg("memory", "add", "b" * 197).code == 0


def test_dry_run_writes_nothing(repo: Repository, hg: Hg) -> None:
    hg("memory", "add", "one")
    before = repo.git("rev-parse", "HEAD")
    assert "would add" in hg("memory", "add", "two", "--dry-run").out
    assert repo.git("rev-parse", "HEAD") == before and texts(repo) == ["one"]


@pytest.mark.parametrize(
    "text", ["Deploy:\n§\nrun it", "§\nleading", "trailing\n§", "a\r\n§\r\nb", "a\n § \nb", "```\n§\n```"]
)
def test_a_separator_inside_an_entry_is_refused_and_neighbours_stay(repo: Repository, hg: Hg, text: str) -> None:
    hg("memory", "add", "first")
    hg("memory", "add", "last")
    refused = hg("memory", "add", text)
    assert refused.code == 2 and "separator" in refused.err
    assert texts(repo) == ["first", "last"]
    assert hg("memory", "add", "law § 12 applies").code == 0
    assert texts(repo) == ["first", "last", "law § 12 applies"]


def test_a_crlf_file_changes_in_one_line(repo: Repository, write: Write, commit: Commit, hg: Hg) -> None:
    write(MEMORY, "\r\n§\r\n".join(["uses zsh", "timezone UTC+2", "never force-push"]))
    commit()
    assert hg("memory", "replace", "--old-text", "UTC+2", "--new-text", "timezone UTC+1").code == 0
    assert on_disk(repo) == b"uses zsh\r\n\xc2\xa7\r\ntimezone UTC+1\r\n\xc2\xa7\r\nnever force-push"
    assert b"1 insertion(+), 1 deletion(-)" in repo.git("diff", "--stat", "HEAD~1")


def test_a_plain_markdown_file_stays_readable(repo: Repository, write: Write, commit: Commit, hg: Hg) -> None:
    plain = "# Schedule\n- daily: site check\n\n## Projects\n" + "- project line\n" * 30
    write(MEMORY, plain)
    commit()
    assert "project line" in hg("memory", "list").out
    report = json.loads(hg("check", MEMORY, "--format", "json").out)
    assert len(report["findings"]) == 1 and report["findings"][0]["line"] == 1
    assert hg("memory", "add", "one more fact").code == 0
    assert on_disk(repo).startswith(plain.rstrip().encode())


def test_text_comes_from_standard_input_too(repo: Repository, hg: Hg, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(text: str, *words: str) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return hg("memory", *words)

    assert given("The host is alpha.\nPort 80.\n", "add", "-").code == 0
    assert given("The host is beta.\n", "replace", "--old-text", "alpha", "--new-text", "-").code == 0
    assert [row["text"] for row in hg("memory", "list", "--json").json["entries"]] == ["The host is beta."]


def test_the_same_command_at_the_same_time_gives_the_same_commit(repo: Repository, hg: Hg) -> None:
    def written(when: str) -> str:
        repo.git("update-ref", "-d", "HEAD")
        (repo.work_tree() / "knowledge/memory/MEMORY.md").unlink(missing_ok=True)
        repo.git("read-tree", "--empty")
        return str(hg("memory", "add", "one", "--now", when, "--json").json["commit"])

    first = written("2026-01-02T03:04:05Z")
    assert repo.git("log", "-1", "--format=%aI %cI").decode().split() == ["2026-01-02T03:04:05+00:00"] * 2
    assert written("2026-01-02T03:04:05Z") == first and written("2026-01-02T03:04:06Z") != first
    assert "GIT_AUTHOR_DATE" not in os.environ


def test_drift_in_another_entry_survives_uncommitted(repo: Repository, write: Write, hg: Hg) -> None:
    hg("memory", "add", "The host is alpha.")
    hg("memory", "add", "The user likes tea.")
    write(MEMORY, "The host is alpha.\n§\nThe user likes tea.\n§\na foreign fact")
    assert hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.").code == 0
    assert texts(repo) == ["The host is beta.", "The user likes tea."]
    assert on_disk(repo).decode() == "The host is beta.\n§\nThe user likes tea.\n§\na foreign fact"
    assert repo.git("diff", "--name-only").decode().split() == [MEMORY]


def test_drift_in_the_same_entry_is_refused_showing_both(repo: Repository, write: Write, hg: Hg) -> None:
    hg("memory", "add", "The host is alpha.")
    write(MEMORY, "The host is gamma.")
    before = repo.git("rev-parse", "HEAD")
    refused = hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.")
    assert refused.code == 2 and "alpha" in refused.err and "gamma" in refused.err
    assert repo.git("rev-parse", "HEAD") == before and on_disk(repo) == b"The host is gamma."


def test_what_is_staged_stays_staged(repo: Repository, write: Write, hg: Hg) -> None:
    hg("memory", "add", "The host is alpha.")
    write("other.txt", "mine\n")
    write(MEMORY, "The host is alpha.\n§\na staged fact")
    repo.git("add", "-A")
    assert hg("memory", "add", "The user likes tea.").code == 0
    assert texts(repo) == ["The host is alpha.", "The user likes tea."]
    assert repo.git("diff", "--cached", "--name-only").decode().split() == [MEMORY, "other.txt"]
    staged = entries.parse(repo.git("cat-file", "blob", f":{MEMORY}").decode()).texts
    assert set(staged) == {"The host is alpha.", "a staged fact", "The user likes tea."}


@pytest.mark.parametrize("touch", ["identical", "mtime", "checkout", "newline"])
def test_no_drift_where_nothing_changed(repo: Repository, write: Write, hg: Hg, touch: str) -> None:
    hg("memory", "add", "The host is alpha.")
    if touch == "identical":
        write(MEMORY, "The host is alpha.")
    elif touch == "mtime":
        os.utime(repo.work_tree() / MEMORY, (1, 1))
    elif touch == "checkout":
        (repo.work_tree() / MEMORY).unlink()
        repo.git("checkout", "-q", "--", MEMORY)
    else:
        write(MEMORY, "The host is alpha.\n")
    assert hg("status", "--json").json["drift"] == []
    assert hg("memory", "replace", "--old-text", "alpha", "--new-text", "The host is beta.").code == 0


def test_an_unreadable_file_is_an_error_never_empty(repo: Repository, write: Write, commit: Commit, hg: Hg) -> None:
    write(MEMORY, b"fine\n\xff\xfe broken")
    commit()
    refused = hg("memory", "add", "a fact")
    assert refused.code == 2 and f"{MEMORY}:2" in refused.err
    assert on_disk(repo) == b"fine\n\xff\xfe broken"


def test_users_hooks_are_honoured(repo: Repository, hooked: Repository, hg: Hg) -> None:
    hook = repo.common_dir / "hooks" / "post-commit"
    hook.write_text("#!/bin/sh\ngit log -1 --format=%s > ../seen\n", encoding="utf-8")
    hook.chmod(0o755)
    assert hg("memory", "add", "a fact").code == 0
    assert (repo.work_tree().parent / "seen").read_text(encoding="utf-8").startswith("MEMORY.md: add a fact")
    refuse = repo.common_dir / "hooks" / "pre-commit.before-hermes-git"
    refuse.write_text("#!/bin/sh\necho not today\nexit 1\n", encoding="utf-8")
    refuse.chmod(0o755)
    refused = hg("memory", "add", "another fact")
    assert refused.code == 2 and "not today" in refused.err and texts(repo) == ["a fact"]


def adder(repo: Repository, number: int, count: int) -> subprocess.Popen[bytes]:
    code = (
        "import sys; from hermes_git.cli import main\n"
        f"sys.exit(max(main(['-C', {str(repo.work_tree())!r}, 'memory', 'add', '-q', f'fact {number}-{{i}}'])"
        f" for i in range({count})))"
    )
    return subprocess.Popen([sys.executable, "-c", code])


def test_parallel_writers_lose_nothing(repo: Repository) -> None:
    writers = [adder(repo, number, 15) for number in (1, 2)]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert sorted(texts(repo)) == sorted(f"fact {number}-{i}" for number in (1, 2) for i in range(15))
    assert entries.parse(on_disk(repo).decode()).texts == tuple(texts(repo))


def test_a_killed_writer_leaves_old_or_new_and_no_lock(repo: Repository, hg: Hg) -> None:
    hg("memory", "add", "base fact")
    writer = adder(repo, 3, 40)
    time.sleep(0.8)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    repo.git("fsck", "--strict")
    assert hg("memory", "add", "after the crash").code == 0
    kept = texts(repo)
    assert kept[0] == "base fact" and kept[-1] == "after the crash"
    assert entries.parse(on_disk(repo).decode()).texts == tuple(kept), "the work tree followed"
    assert repo.git("status", "--porcelain") == b""


def test_over_budget_evicts_to_the_archive_where_policy_says_so(
    repo: Repository, write: Write, commit: Commit, hg: Hg
) -> None:
    write("hermes-git.toml", 'format = 1\n[memory]\nover_budget = "evict"\nevict_first = "oldest"\n')
    commit()
    for letter in "abc":
        assert hg("memory", "add", letter * 700).code == 0
    write(MEMORY, "\n§\n".join([letter * 700 for letter in "abc"] + ["by hand"]))
    assert hg("memory", "add", "d" * 700).code == 0
    assert texts(repo) == [letter * 700 for letter in "bcd"]
    archived = repo.git("cat-file", "blob", "HEAD:knowledge/archive/MEMORY.md").decode()
    assert archived == "a" * 700
    assert f"Hermes-Change: evict memory {entries.entry_id('a' * 700)}" in repo.git("log", "-1", "--format=%B").decode()
    assert entries.parse(on_disk(repo).decode()).texts == ("b" * 700, "c" * 700, "by hand", "d" * 700)
    refused = hg("memory", "add", "e" * 2300)
    assert refused.code == 1 and "oldest: " in refused.err and "least-used: " in refused.err


def test_a_budget_in_tokens(repo: Repository, write: Write, commit: Commit, hg: Hg) -> None:
    write("hermes-git.toml", 'format = 1\n[memory]\nunit = "tokens"\nmemory_limit = 10\n')
    commit()
    assert hg("memory", "add", "The staging host is alpha.").code == 0
    found = hg("memory", "list", "--json").json
    assert found["unit"] == "tokens" and 4 < found["used"] < 10
    assert hg("memory", "add", "Something longer than the rest of this budget can hold.").code == 1
