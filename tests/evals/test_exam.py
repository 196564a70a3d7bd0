from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.evals import exam, numbers
from hermes_git.evals.exam import Exam, parse_budgets
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
    assert card["checks"]["identifier_list_over_placeholder"] <= 10
    assert card["checks"]["leaks"] == 0
    assert all(line["kept_percent"] <= 100 for line in card["lines"])


def test_two_runs_write_the_same_bytes(rows: Path) -> None:
    for out in ("one", "two"):
        run(rows, out, "--policies", "six-step,recency")
    one, two = ({path.name: path.read_bytes() for path in (rows.parent / out).iterdir()} for out in ("one", "two"))
    assert one == two
    assert set(one) == {"scorecard.json", "scorecard.md", "scorecard.csv", "frontier.svg", "questions.jsonl"}


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
    low, high = numbers.interval(groups, "seed")
    assert (low, high) == numbers.interval(groups, "seed")
    assert low < numbers.mean([value for group in groups for value in group]) < high
    assert numbers.interval([[1.0], [1.0]], "seed") == (1.0, 1.0)
    assert numbers.interval([], "seed") == (0.0, 0.0)


def test_the_clock_is_an_argument() -> None:
    ticks = iter(range(100))
    made = transcript("one", long_row())
    papers = exam.papers([made], COUNTER, count=5, negatives=0)
    sat = Exam([made], papers, COUNTER, clock=lambda: float(next(ticks))).sit(["six-step"], parse_budgets("3000"))
    assert [result.seconds for result in sat] == [1.0]
