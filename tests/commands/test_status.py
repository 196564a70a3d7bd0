"""Status and doctor: what is shown, and what doctor mends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
