from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from hermes_git.cli import main
from tests.evals.test_guard_exam import HARMLESS, HOSTILE, line


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    folder = tmp_path / "sets"
    folder.mkdir()
    rows = {
        "malicious": [line("a", HOSTILE, "first"), line("b", HARMLESS, "second")],
        "benign": [line("c", HARMLESS), b"broken"],
    }
    for name, lines in rows.items():
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(b"\n".join(lines) + b"\n", mtime=0))
    return tmp_path


def run(folder: Path, *args: str) -> int:
    return main(["eval", "guard", "-C", str(folder), "sets", *args])


def test_it_tells_what_passed_and_what_could_not_be_read(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(sets, "--list", "--out", "scores") == 0
    told = capsys.readouterr()
    assert "passed: set/b" in told.out
    assert "benign.jsonl.gz:2 is no labelled skill" in told.err
    card = json.loads((sets / "scores/guard.json").read_bytes())
    assert card["sets"]["malicious"]["blocked"] == 1
    assert card["figures"]["macro_recall"] == 50.0
    assert card["unread"] == 1


def test_floors_are_a_gate_that_an_unread_line_does_not_pass(sets: Path) -> None:
    assert run(sets, "--floors", "-q") == 1
    assert run(sets, "--floors", "-q", "--only", "first") == 1
    (sets / "sets/benign.jsonl.gz").write_bytes(gzip.compress(line("c", HARMLESS)))
    assert run(sets, "--floors", "-q") == 0
    assert run(sets, "--floors", "-q", "--only", "second") == 1


def test_two_workers_find_the_same(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards = []
    for workers in ("1", "2"):
        run(sets, "--json", "--workers", workers)
        cards.append(json.loads(capsys.readouterr().out))
    assert cards[0] == cards[1]


@pytest.mark.parametrize(
    ("data", "said"), [(b"no gzip", "not a gzip file"), (gzip.compress(b"{}", mtime=0)[:-9], "not a gzip file")]
)
def test_a_damaged_set_is_named(sets: Path, capsys: pytest.CaptureFixture[str], data: bytes, said: str) -> None:
    (sets / "sets/benign.jsonl.gz").write_bytes(data)
    assert run(sets) == 2
    assert said in capsys.readouterr().err


def test_an_empty_folder_is_no_exam(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path) == 2
    assert "no labelled skills" in capsys.readouterr().err


def test_real_hard_negatives_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: Path) -> None:
    (tmp_path / "sets").mkdir()
    for name in ("benign-hard-ours", "mutation"):
        source = (data / "guard" / f"{name}.jsonl.gz").read_bytes()
        (tmp_path / f"sets/{name}.jsonl.gz").write_bytes(source)
    assert run(tmp_path, "--json", "--floors") == 0
    card = json.loads(capsys.readouterr().out)
    assert card["figures"]["hard_negatives"] == 0
    assert card["figures"]["mutations"] >= 90
