"""The same job on a Ray cluster gives the same result; without Ray the extra is named."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from tests.conftest import Ran

SCRIPT = {"format": 1, "scripts": [{"match": "", "replies": [{"reasoning": "Hm.", "text": "Answer to {prompt}."}]}]}


@pytest.fixture
def place(repo: Repository) -> Path:
    folder = repo.work_tree()
    rows = (json.dumps({"prompt": f"Question {number}"}) for number in range(12))
    (folder / "prompts.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (folder / "demo.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
    return folder


def run(hg: Callable[..., Ran], name: str, engine: str) -> Ran:
    options = ["--dataset", "prompts.jsonl", "--run-name", name, "--model", "script:demo.json", "--workers", "2"]
    return hg("batch", "run", *options, "--engine", engine, "--now", "2026-11-29", "--json")


def test_without_ray_the_extra_is_named(place: Path, hg: Callable[..., Ran]) -> None:
    if importlib.util.find_spec("ray"):
        pytest.skip("ray is installed")
    done = run(hg, "x", "ray")
    assert done.code == 2 and "pip install 'hermes-git[ray]'" in done.err


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_trajectories(place: Path, hg: Callable[..., Ran]) -> None:
    pytest.importorskip("ray")
    done = run(hg, "qxray", "ray")
    assert done.code == 0, done.err
    assert run(hg, "qxone", "inline").code == 0
    one, other = (place / "data" / name / "trajectories.jsonl" for name in ("qxray", "qxone"))
    assert one.read_bytes().replace(b"qxray", b"qxone") == other.read_bytes()
