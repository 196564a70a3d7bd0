"""Status and doctor: what is shown, and what doctor mends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from tests.conftest import Ran

Hg = Callable[..., Ran]
Write = Callable[[str, str | bytes], Path]


def test_status_shows_budget_drift_and_hooks(repo: Repository, hg: Hg, write: Write) -> None:
    hg("init")
    hg("memory", "add", "one fact")
    write("knowledge/memory/MEMORY.md", "one fact\n§\na foreign fact")
    found = hg("status", "--json").json
    assert found["memory"][0]["used"] == 8 and found["memory"][0]["limit"] == 2200
    assert found["drift"][0]["changes"] == [{"action": "add", "before": [], "after": ["a foreign fact"]}]
    assert {row["state"] for row in found["hooks"]} == {"installed"}
    shown = hg("status").out
    assert "add a foreign fact" in shown and "8 of 2,200 chars" in shown


def test_a_file_that_is_gone_from_disk_is_shown(repo: Repository, hg: Hg) -> None:
    hg("memory", "add", "one fact")
    (repo.work_tree() / "knowledge/memory/MEMORY.md").unlink()
    assert hg("status", "--json").json["drift"][0]["missing"] is True


def _link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def _in_latin_1(path: Path) -> None:
    path.write_bytes(b"one f\xe4ct")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "reason"), [(_link, "a symbolic link"), (_in_latin_1, "not UTF-8"), (_folder, "not a regular file")]
)
def test_a_memory_file_that_cannot_be_read_hides_nothing_else(
    repo: Repository, hg: Hg, write: Write, spoil: Callable[[Path], None], reason: str
) -> None:
    hg("init")
    hg("memory", "add", "one fact")
    hg("memory", "add", "--target", "user", "likes tea")
    write("knowledge/memory/USER.md", "likes coffee")
    assert hg("status").code == 0 and hg("status", "--json").json["not_understood"] == []
    spoil(repo.work_tree() / "knowledge/memory/MEMORY.md")
    shown = hg("status")
    (line,) = [line for line in shown.out.splitlines() if line.startswith("unread")]
    assert shown.code == 1 and reason in line and "knowledge/memory/MEMORY.md" in line
    assert "8 of 2,200 chars" in shown.out and "replace likes coffee" in shown.out and "hooks    installed" in shown.out
    found = hg("status", "--json")
    (row,) = found.json["not_understood"]
    assert found.code == 1 and reason in row["reason"] and row["hint"] and len(found.json["memory"]) == 2
    drift = hg("memory", "drift")
    assert drift.code == 2 and reason in drift.err and "likes coffee" in drift.out
    assert hg("memory", "drift", "--target", "user").code == 1
    assert hg("memory", "discard", "--target", "user").code == 0
    assert hg("status", "--json").json["drift"] == []


def test_a_linked_folder_of_memory_is_named_once(repo: Repository, hg: Hg) -> None:
    hg("memory", "add", "one fact")
    _link(repo.work_tree() / "knowledge/memory")
    found = hg("status", "--json")
    assert found.code == 1 and [row["path"] for row in found.json["not_understood"]] == ["knowledge/memory"]


def test_status_names_the_command_for_what_needs_somebody(repo: Repository, hg: Hg, write: Write) -> None:
    hg("init")
    quiet = hg("status").out
    assert not [word for word in ("hermes-git memory", "hermes-git curate", "hermes-git doctor") if word in quiet]
    write("knowledge/memory/MEMORY.md", "a foreign fact")
    (repo.common_dir / "hooks" / "pre-commit").unlink()
    repo.git("branch", "proposal/1f3b9ac012", repo.git("commit-tree", "-m", "x", "HEAD^{tree}").decode().strip())
    shown = hg("status").out
    wanted = ("hermes-git memory adopt", "hermes-git doctor --fix", "review --range HEAD..proposal/1f3b9ac012")
    assert not [word for word in wanted if word not in shown]


def test_status_calls_stale_what_the_curator_may_move(
    repo: Repository, hg: Hg, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    hg("init")
    monkeypatch.setenv("HERMES_GIT_ACTOR", "agent:claude-code")
    assert hg("skill", "new", "old-vpn", "--category", "devops", "--description", "Set up the old network.").code == 0
    found = hg("status", "--json", "--now", "2036-01-01").json
    assert found["stale"] == ["devops/old-vpn"], "the skill that init wrote is protected"
    assert hg("status", "--json").json["stale"] == []


def test_doctor_tries_the_interpreter_and_the_drivers(repo: Repository, hg: Hg, tmp_path: Path) -> None:
    hg("init")
    empty = tmp_path / "python"
    empty.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    empty.chmod(0o755)
    for python, said in ((tmp_path / "gone", "is not there"), (empty, "cannot import hermes_git")):
        repo.git("config", "hermes-git.python", str(python))
        sick = hg("doctor")
        assert sick.code == 1 and f"{python}, which {said}" in sick.out
        assert hg("doctor", "--fix").code == 0
    repo.git("config", "merge.hermes-skill.driver", f'"{tmp_path}/gone" -P -m hermes_git memory merge-skill-driver %O')
    sick = hg("doctor")
    assert sick.code == 1 and f"merge.hermes-skill.driver: its program {tmp_path}/gone is not there" in sick.out
    assert hg("doctor", "--fix").code == 0


def test_doctor_says_once_what_holds_for_several_hooks(repo: Repository, hg: Hg) -> None:
    hg("init")
    assert hg("doctor").out.count("hook") == 1
    for name in ("pre-commit", "commit-msg"):
        (repo.common_dir / "hooks" / name).unlink()
    sick = hg("doctor").out
    assert "hooks pre-commit, commit-msg: missing" in sick and sick.count("run: hermes-git hooks install") == 1


def test_doctor_finds_and_mends(repo: Repository, hg: Hg) -> None:
    hg("init")
    assert hg("doctor").code == 0
    hook = repo.common_dir / "hooks" / "pre-commit"
    hook.chmod(0o644)
    repo.git("config", "--unset", "merge.hermes-memory.driver")
    sick = hg("doctor")
    assert sick.code == 1 and "chmod +x" in sick.out and "merge.hermes-memory.driver" in sick.out
    assert hg("doctor", "--fix").code == 0 and hg("doctor").code == 0


def test_doctor_outside_a_repository_says_how_to_start(hg: Hg, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    refused = hg("doctor", folder=outside)
    assert refused.code == 2 and "hermes-git init" in refused.err
