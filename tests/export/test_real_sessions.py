"""All real sessions, imported and exported in each style: rows that trainers load, and every session accounted for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.gitrepo import create
from hermes_git.trajectories import validate
from tests.conftest import GIT_ENVIRONMENT


@pytest.fixture(scope="module")
def imported(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a repository that holds all sessions of the data folder."""
    root = tmp_path_factory.mktemp("real")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in GIT_ENVIRONMENT.items():
            patch.setenv(name, value)
        create.create(root)
        main(["session", "import", "-C", str(root), "-q", str(data / "sessions")])
        yield root


def test_every_session_is_a_row_that_loads_or_a_drop_with_a_reason(imported: Path) -> None:
    for style, budget in (("sharegpt", 0), ("sharegpt", 8000), ("hermes", 0)):  # one import serves all
        check(imported, style, budget)


def check(imported: Path, style: str, budget: int) -> None:
    out = imported / f"{style}-{budget}"
    arguments = ["--out", str(out), "--style", style, "--budget", str(budget)]
    assert main(["export", "-C", str(imported), "-q", *arguments]) == 0
    manifest: Any = json.loads((out / "manifest.json").read_bytes())
    counts = manifest["counts"]
    assert counts["sessions"] > 100
    assert counts["sessions"] == counts["rows"] + sum(counts["dropped"].values())
    assert set(counts["dropped"]) <= {"no user message", "no assistant message", "no answer to keep", "duplicate"}
    rows = [json.loads(line) for item in manifest["files"] for line in (out / item["name"]).read_bytes().splitlines()]
    assert len(rows) == counts["rows"]
    assert not [found for row in rows for found in validate.llamafactory(row)]
    over = [row for row in rows if row.get("compression_metrics", {}).get("still_over_limit")]
    if budget:
        assert len(over) == manifest["compression"]["summary"]["trajectories_still_over_limit"]
