from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.evals import bank, exam
from hermes_git.evals.cycles import Cycle, Loop, summary
from hermes_git.evals.transcript import transcript
from hermes_git.tokens import choose
from hermes_git.trajectories.policy import policy
from tests.evals.transcripts import long_row

COUNTER = choose.default()


def ran(loop: Loop, name: str = "six-step") -> list[Cycle]:
    source = transcript("one", long_row())
    paper = exam.papers([source], [bank.questions(source, 20)], COUNTER, negatives=0)[0]
    return list(loop.run(source, paper, policy(name), COUNTER))


def test_each_time_the_threshold_is_crossed_the_row_is_brought_down() -> None:
    found = ran(Loop(3500, 2200, 60))
    assert len(found) >= 2
    assert [cycle.number for cycle in found] == list(range(1, len(found) + 1))
    assert all(cycle.before > 3500 and cycle.after < cycle.before for cycle in found)
    assert [cycle.turn for cycle in found] == sorted({cycle.turn for cycle in found})


def test_no_more_than_the_most_and_none_below_the_threshold() -> None:
    assert len(ran(Loop(3500, 2200, 1))) == 1
    assert ran(Loop(10**6, 500, 60)) == []


def test_a_compaction_that_frees_nothing_is_counted_and_tried_again_later() -> None:
    found = ran(Loop(300, 100, 60))
    assert all(cycle.after < cycle.before for cycle in found)
    assert found[0].blocked > 0
    assert summary(found)[0]["blocked"] == sum(cycle.blocked for cycle in found)


def test_the_command_writes_a_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.jsonl").write_bytes(json.dumps(long_row()).encode() + b"\n")
    arguments = ["--input", "rows.jsonl", "--threshold", "3500", "--policies", "six-step,recency", "--out", "out"]
    assert main(["eval", "cycles", "-C", str(tmp_path), *arguments]) == 0
    card: Any = json.loads((tmp_path / "out/cycles.json").read_bytes())
    assert [line["policy"] for line in card["lines"]] == ["six-step", "recency"]
    assert "recalls" in capsys.readouterr().out
    page = (tmp_path / "out/cycles.md").read_text(encoding="utf-8")
    assert "--input rows.jsonl --threshold 3500 --target 1750 --most 60 --questions 20 --policies six-step,rec" in page
    assert main(["eval", "cycles", "-C", str(tmp_path), *arguments[:2], "--out", "x", "--threshold", "999999"]) == 2
