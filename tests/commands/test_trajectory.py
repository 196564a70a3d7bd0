from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes_git.cli import main
from tests.trajectories.rows import hermes, sharegpt


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Return a file of two rows."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in (sharegpt(), hermes(3))))
    return path


def run(rows: Path, *args: str) -> int:
    return main(["trajectory", args[0], "-C", str(rows.parent), *args[1:]])


def test_show_tells_what_a_budget_would_replace(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(rows, "show", "rows.jsonl:1", "--budget", "3000", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    fates = [turn["fate"] for turn in shown["turns"]]
    assert fates[:3] == ["protected"] * 3
    assert "compressed" in fates
    assert fates[-4:] == ["protected"] * 4
    assert [turn["masked"] for turn in shown["turns"]] == [turn["role"] != "gpt" for turn in shown["turns"]]
    assert run(rows, "show", "rows.jsonl:2") == 0
    assert "call read: path: src/fc0_0.py" in capsys.readouterr().out


def test_stats_counts_calls_and_results(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(rows, "stats", "rows.jsonl", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rows"], found["calls"], found["results"]) == (2, 15, 15)


def test_validate_says_where_and_why(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(rows, "validate", "rows.jsonl", "--for", "llamafactory") == 0
    bad = sharegpt()
    bad["conversations"].pop()
    with rows.open("ab") as stream:
        stream.write(json.dumps(bad).encode() + b"\n")
    capsys.readouterr()
    assert run(rows, "validate", "rows.jsonl", "--for", "llamafactory") == 1
    assert "rows.jsonl:3: llamafactory: parity" in capsys.readouterr().out


def test_diff_shows_what_left_and_what_came(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compress", "-C", str(rows.parent), "-q", "rows.jsonl", "small.jsonl", "--budget", "3000"]) == 0
    assert run(rows, "diff", "rows.jsonl", "small.jsonl", "--json") == 0
    first = json.loads(capsys.readouterr().out)["rows"][0]["changes"]
    assert {change["fate"] for change in first} == {"left out", "put in"}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("show", "rows.jsonl:9"), "no row 9"),
        (("show", "gone.jsonl"), "no such file"),
        (("validate", "rows.jsonl", "--for", "nobody"), "no trainer called"),
        (("diff", "rows.jsonl", "one.jsonl"), "in one file only"),
    ],
)
def test_mistakes_are_named(rows: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str) -> None:
    (rows.parent / "one.jsonl").write_bytes(rows.read_bytes().splitlines(keepends=True)[0])
    assert run(rows, *args) == 2
    assert said in capsys.readouterr().err
