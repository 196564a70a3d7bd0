"""Preference pairs and judgements through the trainers' own code, where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_git.cli import main
from hermes_git.export import llamafactory
from hermes_git.gitrepo.repository import Repository
from hermes_git.sessions.store import open_store, session_files
from hermes_git.settings import DEFAULTS
from tests.export.test_review import history as history  # noqa: PLC0414 - a fixture
from tests.trajectories import trainers
from tests.trajectories.sessions import FLAKY

pytestmark = pytest.mark.filterwarnings("ignore")


def exported(repo: Repository, style: str, form: str = "jsonl") -> Path:
    open_store(repo, DEFAULTS).write(session_files(FLAKY), message="import")
    out = repo.work_tree() / "out"
    options = ["--out", str(out), "--style", style, "--format", form, "--review"]
    assert main(["export", "-C", str(repo.work_tree()), "-q", *options]) == 0
    return out


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize(("group", "stage"), [("preferences", "rm"), ("judgements", "kto")])
def test_llamafactory_loads_and_encodes_them(
    history: Repository, tmp_path: Path, group: str, stage: str, form: str
) -> None:
    trainers.module("llamafactory.data.loader")
    path = exported(history, "sharegpt", form) / f"{group}.{form}"
    rows = trainers.llamafactory_rows(path, llamafactory.entry("sharegpt", group), tmp_path / "cache")
    assert len(rows) > 1
    assert all(row["_prompt"] and row["_response"] for row in rows)
    found = trainers.llamafactory_processor("qwen3", stage).preprocess_dataset(rows[:])
    wanted = ("chosen_labels", "rejected_labels") if stage == "rm" else ("labels",)
    for name in wanted:
        assert len(found[name]) == len(rows)
        assert all(any(label != -100 for label in labels) for labels in found[name])


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize(("group", "kind"), [("preferences", "DPO"), ("judgements", "KTO")])
def test_trl_trains_a_step_on_them(history: Repository, tmp_path: Path, group: str, kind: str, form: str) -> None:
    trainers.module("trl.data_utils")
    path = exported(history, "trl", form) / f"{group}.{form}"
    rows = trainers.load(path, tmp_path / "cache")
    assert len(rows) > 1
    made = trainers.trl_train(kind, rows, tmp_path / "model")
    assert made.state.global_step == 1
    assert len(made.train_dataset) == len(rows)
