"""The loss of a range, whoever made it: moves seen through, declared losses told from silent ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes_git import cli
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import require
from hermes_git.knowledge.entries import entry_id
from tests.curator.conftest import Garden
from tests.curator.test_run import STEPS, curate, plant

MEMORY = "knowledge/memory/MEMORY.md"


def measure(
    garden: Garden, capsys: pytest.CaptureFixture[str], span: str = "HEAD~1..HEAD"
) -> tuple[int, dict[str, int]]:
    status = cli.main(["-C", str(garden.repo.work_tree()), "loss", span, "--json"])
    table = json.loads(capsys.readouterr().out)
    return status, {**table["units"], "undeclared": table["undeclared"]}


def test_a_curator_run_drops_nothing(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    plant(garden)
    made = curate(garden)
    status, counts = measure(garden, capsys, f"main..{made.plan.branch}")
    assert (status, counts["dropped"]) == (0, 0)
    assert counts["moved"] > 0


def test_a_silent_loss_is_found_and_a_move_is_not_one(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    garden.skill("dev/a", STEPS + "\n\nSee [x](x.md).\n", 20)
    garden.write("knowledge/skills/dev/a/x.md", "Words in x.\n")
    garden.commit(19)
    garden.repo.git("mv", "knowledge/skills/dev", "knowledge/skills/ops")
    garden.commit(18)
    assert measure(garden, capsys) == (0, {"verbatim": 0, "moved": 13, "duplicate": 0, "dropped": 0, "undeclared": 0})
    garden.skill("ops/a", STEPS.replace("Roll back at once when the rate doubles.", ""), 17)
    status, counts = measure(garden, capsys)
    assert (status, counts["undeclared"]) == (1, counts["dropped"])
    assert cli.main(["-C", str(garden.repo.work_tree()), "loss", "HEAD~1..HEAD"]) == 1
    assert "dropped (undeclared) item: Roll back at once when the rate doubles." in capsys.readouterr().out


def test_a_declared_loss_is_no_finding(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    garden.write(MEMORY, "keep this\n§\nold fact about port 80\n§\nlast")
    garden.commit(20)
    garden.write(MEMORY, "keep this\n§\nlast")
    gone = entry_id("old fact about port 80")
    garden.commit(19, f"x\n\nHermes-Change: remove memory {gone}..- actor=agent:x", agent=False)
    assert measure(garden, capsys)[0] == 0
    garden.write(MEMORY, "keep this")
    garden.commit(18, f"x\n\nHermes-Change: remove memory {gone}..- actor=agent:x", agent=False)
    assert measure(garden, capsys)[0] == 1


def test_what_stands_elsewhere_is_a_duplicate(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    garden.write(MEMORY, "one fact\n§\nanother fact")
    garden.write("knowledge/archive/MEMORY.md", "another fact")
    garden.commit(20)
    garden.write(MEMORY, "one fact")
    garden.commit(19)
    status, counts = measure(garden, capsys)
    assert (status, counts["duplicate"], counts["dropped"]) == (0, 1, 0)


def test_code_beside_the_knowledge_is_not_measured(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    garden.write("src/x.py", "print(1)\n")
    garden.commit(20)
    garden.write("src/x.py", "print(2)\n")
    garden.commit(19)
    assert measure(garden, capsys)[1]["dropped"] == 0


@pytest.mark.parametrize("span", ["HEAD", "..HEAD", "HEAD...HEAD", "nope..HEAD"])
def test_what_is_no_range_is_told(garden: Garden, span: str) -> None:
    garden.commit(20)
    assert cli.main(["-C", str(garden.repo.work_tree()), "loss", span]) == 2


def test_a_real_consolidation_by_hand_is_measured(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = create.create(tmp_path / "here")
    here.git("clone", "-q", "-b", "main", str(data / "knowledge/hermes-agent-skills-md.bundle"), str(tmp_path / "c"))
    repo = require(tmp_path / "c", clean=True)
    commit = (repo.ask("log", "--format=%H", "--grep=consolidate mlops redundancies") or "").split()[0]
    (tmp_path / "c/hermes-git.toml").write_text('[paths]\nskills = "skills"\n', encoding="utf-8")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "settings")
    status = cli.main(["-C", str(tmp_path / "c"), "loss", f"{commit}~1..{commit}", "--json"])
    table = json.loads(capsys.readouterr().out)
    assert status == 1
    assert table["units"]["dropped"] > 100 and table["units"]["verbatim"] > 100
