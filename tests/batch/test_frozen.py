"""A run written by the first version loads for ever: resumed, it keeps what was done, byte for byte."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.batch import dataset, record, toolsets
from hermes_git.batch.run_folder import RunFolder
from hermes_git.errors import UserError
from hermes_git.gitrepo.repository import Repository
from hermes_git.llm import scripted
from tests.conftest import Ran

FROZEN = Path(__file__).parent / "frozen"


def test_a_frozen_run_is_read() -> None:
    found = RunFolder(FROZEN / "data" / "frozen")
    assert found.describe()["distribution"] == "mine"
    scan = found.scan()
    assert sorted(scan.statuses.values()) == ["done", "done", "failed"] and not scan.torn
    lines = enumerate((FROZEN / "prompts.jsonl").read_bytes().splitlines(), 1)
    assert {prompt.id for prompt in dataset.read(lines).prompts} == set(scan.statuses)
    assert toolsets.parse((FROZEN / "mine.toml").read_text(encoding="utf-8"), where="mine.toml").name == "mine"
    assert scripted.parse((FROZEN / "demo.json").read_bytes()).model == "scripted"


def test_a_frozen_run_is_resumed(repo: Repository, hg: Callable[..., Ran]) -> None:
    place = repo.work_tree()
    shutil.copytree(FROZEN, place, dirs_exist_ok=True)
    before = (place / "data" / "frozen" / "trajectories.jsonl").read_bytes()
    done = hg(
        "batch", "run", "--dataset", "prompts.jsonl", "--run-name", "frozen", "--model", "script:demo.json",
        "--distribution", "mine.toml", "--engine", "inline", "--resume", "--json",
    )  # fmt: skip
    assert done.code == 1 and (done.json["ran"], done.json["done_before"]) == (1, 2)
    assert (place / "data" / "frozen" / "trajectories.jsonl").read_bytes() == before


def test_a_newer_record_is_no_torn_line() -> None:
    line = json.dumps({"format": 2, "id": "x", "index": 0, "status": "done"}).encode()
    with pytest.raises(UserError, match="a record of format 2"):
        record.decode(line)
    assert record.decode(b'{"format": 1, "id": "x"') is None and record.decode(b"[]") is None
