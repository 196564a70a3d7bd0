"""The engine `ray` on a local runtime of two workers, where Ray is installed."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.export import formats
from tests.export.test_compress_files import lines
from tests.trajectories.rows import hermes, sharegpt

pytest.importorskip("ray.data", reason="the extra ray is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")


def run(folder: Path, *args: str) -> Any:
    code = main(["compress", "-C", str(folder), *args, "--budget", "4000", "-q"])
    return code, json.loads((folder / f"{args[1]}/compression_metrics.json").read_bytes())


def parquet(folder: Path) -> list[Any]:
    return [row for path in sorted(folder.glob("rows-*")) for row in formats.whole_rows(path)]


def local(folder: Path) -> list[Any]:
    return [json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_bytes().splitlines()]


def test_the_rows_are_those_of_one_machine_in_the_same_order(tmp_path: Path) -> None:
    rows = [{**hermes(2 + number % 9, size=10 + 40 * (number % 8)), "number": number} for number in range(200)]
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.jsonl").write_bytes(b"\xef\xbb\xbf" + lines(*rows[:120]) + b'{"cut\n\n' + lines({"text": "none"}))
    (tmp_path / "in/b.jsonl.gz").write_bytes(gzip.compress(lines(*rows[120:], sharegpt())))
    code, here = run(tmp_path, "in", "here")
    there_code, there = run(tmp_path, "in", "there", "--engine", "ray", "--workers", "2")
    assert code == there_code == 1
    assert parquet(tmp_path / "there") == local(tmp_path / "here")
    assert len(local(tmp_path / "here")) == 201
    changing = {"files"}
    assert {key: value for key, value in there.items() if key not in changing} == {
        key: value for key, value in here.items() if key not in changing
    }
    assert sum(item["rows"] for item in there["files"]) == 201
    again, once_more = run(tmp_path, "there", "again", "--engine", "ray", "--workers", "2")
    assert (again, once_more["rows_out"]) == (0, 201)
    assert [row["number"] for row in parquet(tmp_path / "again") if "number" in row] == list(range(200))
