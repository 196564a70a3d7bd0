from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.evals import bank, exam, numbers
from hermes_git.evals.exam import Paper, Sitting, parse_budgets, seats
from hermes_git.evals.transcript import transcript
from hermes_git.tokens import choose
from tests.evals.transcripts import long_row

COUNTER = choose.default()


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Return a file of three transcripts."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"".join(json.dumps(long_row(seed)).encode() + b"\n" for seed in (0, 7, 9)))
    return path


def run(rows: Path, out: str, *args: str) -> tuple[int, Any]:
    fixed = ["--input", "rows.jsonl", "--budgets", "3000,50%", "--out", out]
    status = main(["eval", "compression", "-C", str(rows.parent), "-q", *fixed, *args])
    card = rows.parent / out / "scorecard.json"
    return status, json.loads(card.read_bytes()) if card.exists() else None


def test_the_scorecard_orders_policies_as_they_deserve(rows: Path) -> None:
    status, card = run(rows, "out")
    assert status == 0
    recall = {(line["policy"], line["budget"]): line["recall"] for line in card["lines"]}
    assert recall["uncompressed", "-"] >= 90
    assert recall["closed-book", "-"] == 0
    assert recall["shuffled", "-"] <= 10
    assert recall["six-step", "3000"] > recall["recency", "3000"] + 10
    assert recall["six-step", "3000"] > recall["six-step-placeholder", "3000"] * 1.5
    assert card["checks"]["identifier_list_on_what_was_left_out"] <= card["checks"]["chance"] + 10
    left_out = {(line["policy"], line["budget"]): line["left_out"] for line in card["lines"]}
    assert left_out["uncompressed", "-"] is None
    assert left_out["six-step-placeholder", "3000"] <= 10 < left_out["six-step", "3000"]
    assert card["checks"]["leaks"] == 0
    assert all(line["kept_percent"] <= 100 for line in card["lines"])


def test_two_runs_write_the_same_bytes(rows: Path) -> None:
    for out in ("one", "two"):
        run(rows, out, "--policies", "six-step,recency")
    one, two = ({path.name: path.read_bytes() for path in (rows.parent / out).iterdir()} for out in ("one", "two"))
    assert one == two
    assert set(one) == {"scorecard.json", "scorecard.md", "scorecard.csv", "frontier.svg", "questions.jsonl"}


def test_processes_that_hash_otherwise_write_the_same_bytes(rows: Path) -> None:
    found = []
    for seed in ("1", "2"):
        arguments = ["--input", "rows.jsonl", "--budgets", "3000", "--policies", "six-step,codex-style", "--out", seed]
        command = [sys.executable, "-m", "hermes_git", "eval", "compression", "-q", *arguments]
        subprocess.run(command, cwd=rows.parent, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        found.append((rows.parent / seed / "scorecard.json").read_bytes())
    assert found[0] == found[1]


def test_a_fall_against_the_baseline_is_a_finding(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(rows, "base", "--policies", "six-step")
    assert run(rows, "same", "--policies", "six-step", "--baseline", "base/scorecard.json", "--fail-under", "1")[0] == 0
    path = rows.parent / "base/scorecard.json"
    card = json.loads(path.read_bytes())
    card["lines"][0]["recall"] += 5
    path.write_text(json.dumps(card), encoding="utf-8")
    assert (
        run(rows, "worse", "--policies", "six-step", "--baseline", "base/scorecard.json", "--fail-under", "1")[0] == 1
    )
    capsys.readouterr()
    assert main(["eval", "diff", "-C", str(rows.parent), "base/scorecard.json", "same/scorecard.json"]) == 0
    assert "-5.0" in capsys.readouterr().out


def test_scorecards_of_different_exams_are_not_compared(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(rows, "base", "--policies", "six-step")
    status, _ = run(rows, "other", "--policies", "six-step", "--questions", "5", "--baseline", "base/scorecard.json")
    assert status == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--policies", "six-steps"), "did you mean six-step"),
        (("--budgets", "many"), "not a budget"),
        (("--min-tokens", "999999"), "no transcript to examine"),
        (("--baseline", "rows.jsonl"), "not a scorecard"),
    ],
)
def test_mistakes_are_named(rows: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str) -> None:
    fixed = ["eval", "compression", "-C", str(rows.parent), "--input", "rows.jsonl", "--out", "out"]
    assert main([*fixed, *args]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "total", "tokens"), [("8000", 5, 8000), ("50%", 5000, 2500), ("100%", 7, 7), ("1%", 5, 1)]
)
def test_budgets(text: str, total: int, tokens: int) -> None:
    assert parse_budgets(text)[0].of(total) == tokens


def test_intervals_are_repeatable_and_hold_the_mean() -> None:
    groups = [[1.0, 0.0, 1.0], [0.0, 0.0], [1.0, 1.0, 1.0, 0.0]]
    low, high = numbers.interval(groups)
    assert (low, high) == numbers.interval(groups)
    assert low < numbers.mean([value for group in groups for value in group]) < high
    assert numbers.interval([[1.0], [1.0]]) == (1.0, 1.0)
    assert numbers.interval([]) == (0.0, 0.0)


def test_paired_intervals_are_narrow_where_both_share_their_fate() -> None:
    ours = [[1.0] * place + [0.0] * (9 - place) for place in range(1, 9)]
    theirs = [[1.0] * (place - 1) + [0.0] * (10 - place) for place in range(1, 9)]
    low, high = numbers.paired(ours, theirs)
    assert low == pytest.approx(high) == pytest.approx(1 / 9)
    low, high = numbers.ratio(ours, theirs)
    assert 1 < low < 36 / 28 < high
    assert numbers.ratio([], []) == (0.0, 0.0)


def papers(rows: list[Any], count: int) -> list[Paper]:
    found = [transcript(str(number), row) for number, row in enumerate(rows)]
    return exam.papers(found, [bank.questions(one, count) for one in found], COUNTER, negatives=0)


def test_the_clock_is_an_argument() -> None:
    ticks = iter(range(100))
    sitting = Sitting(("six-step",), parse_budgets("3000"), COUNTER, clock=lambda: float(next(ticks)))
    seat = seats([transcript("0", long_row())], papers([long_row()], 5))[0]
    assert [result.seconds for result in sitting(seat)] == [1.0]


def test_matched_policies_keep_as_many_tokens() -> None:
    rows = [long_row(seed) for seed in (0, 7, 9)]
    names = ("six-step", "recency", "six-step-placeholder", "head-tail")
    sitting = Sitting(names, parse_budgets("3500"), COUNTER, match="six-step")
    for seat in seats([transcript(str(number), row) for number, row in enumerate(rows)], papers(rows, 5)):
        wanted, *others = (result.tokens_after for result in sitting(seat))
        assert all(abs(after - wanted) <= 0.15 * wanted for after in others)


def test_two_workers_write_what_one_does(rows: Path) -> None:
    for out, workers in (("one", "1"), ("two", "2")):
        run(rows, out, "--policies", "six-step,recency,shuffled", "--match", "six-step", "--workers", workers)
    one, two = ((rows.parent / out / "scorecard.json").read_bytes() for out in ("one", "two"))
    assert one == two


def test_the_scorecard_tells_the_parts_apart(rows: Path) -> None:
    card = run(rows, "out", "--policies", "uncompressed,six-step,recency,six-step-placeholder", "--match", "six-step")[
        1
    ]
    assert {one["part"] for one in card["transcripts"]} == set(card["parts"])
    assert sum(part["tokens"] for part in card["parts"].values()) == card["tokens"]
    assert {row["rival"] for row in card["comparisons"]} == {"recency", "six-step-placeholder"}
    assert card["artefacts_of_ceiling"].keys() == {"3000", "50%"}
    assert {"value", "target", "is_reached"} == set(card["targets"][0])
    assert card["checks"]["same_policy_twice"] == 0
    page = (rows.parent / "out/scorecard.md").read_text(encoding="utf-8")
    assert "--match six-step" in page
    other = run(rows, "none", "--part", "tuning" if "held-out" in card["parts"] else "held-out")
    assert other[0] == 2


def test_timed_compactions_are_told(rows: Path) -> None:
    card = run(rows, "timed", "--policies", "uncompressed,six-step", "--timed")[1]
    assert all(line["seconds_per_compaction"] > 0 for line in card["lines"] if line["policy"] == "six-step")
    assert "CPU seconds" in (rows.parent / "timed/scorecard.md").read_text(encoding="utf-8")
    run(rows, "plain", "--policies", "six-step")
    assert "CPU seconds" not in (rows.parent / "plain/scorecard.md").read_text(encoding="utf-8")
    heads = [(rows.parent / out / "scorecard.csv").read_text("utf-8").split("\n")[0] for out in ("timed", "plain")]
    assert all(head.endswith(",seconds_per_compaction") for head in heads)


def test_an_unknown_peer_is_named(
    rows: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HERMES_GIT_PEER_PYTHON", raising=False)
    assert run(rows, "out", "--policies", "hermes-agent")[0] == 2
    assert "HERMES_GIT_PEER_PYTHON" in capsys.readouterr().err
    monkeypatch.setenv("HERMES_GIT_PEER_PYTHON", "/nowhere/python")
    assert run(rows, "out", "--policies", "hermes-agent")[0] == 2
    monkeypatch.setenv("HERMES_GIT_PEER_PYTHON", sys.executable)
    assert run(rows, "out", "--policies", "hermes-agent")[0] == 2
    assert "compressor failed" in capsys.readouterr().err
