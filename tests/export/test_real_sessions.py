"""All real sessions and trajectories, whatever agent wrote them, in each style and at each budget.

Rows load, calls keep their results, budgets are met or the row says so, what is protected stays as it was, and every
session is accounted for.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.gitrepo import create
from hermes_git.tokens import choose
from hermes_git.trajectories import row, tags, validate
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.plan import protect
from hermes_git.trajectories.styles import STYLES
from tests.conftest import GIT_ENVIRONMENT

COUNTER = choose.default()
BUDGETS = (2000, 4000, 8000, 16000, 32000)
STRIDE = int(os.environ.get("HERMES_GIT_STRIDE", "24"))
"""Each budget sees every so manieth row, others each time; HERMES_GIT_STRIDE=1 shows all rows of all styles to all."""
SEEN = STYLES if STRIDE == 1 else ("hermes", "sharegpt", "trl")
REASONS = {"no user message", "no assistant message", "no answer to keep", "duplicate"}
Row = dict[str, Any]


@pytest.fixture(scope="module")
def imported(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a repository that holds all sessions and trajectories of the data folder."""
    root = tmp_path_factory.mktemp("real")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in GIT_ENVIRONMENT.items():
            patch.setenv(name, value)
        create.create(root)
        for name in ("sessions", "trajectories"):
            main(["session", "import", "-C", str(root), "-q", str(data / name)])
        yield root


@pytest.mark.parametrize("style", SEEN)
def test_every_session_is_a_row_that_loads_or_a_drop_with_a_reason(imported: Path, style: str) -> None:
    out = imported / style
    assert main(["export", "-C", str(imported), "-q", "--out", str(out), "--style", style, "--budget", "0"]) == 0
    manifest: Any = json.loads((out / "manifest.json").read_bytes())
    counts = manifest["counts"]
    assert counts["sessions"] > 400
    assert counts["sessions"] == counts["rows"] + sum(counts["dropped"].values())
    assert set(counts["dropped"]) <= REASONS
    rows = [json.loads(line) for item in manifest["files"] for line in (out / item["name"]).read_bytes().splitlines()]
    assert len(rows) == counts["rows"]
    rule = validate.TRAINERS.get(STYLES[style].trainer, lambda _: iter(()))
    assert not [found for made in rows for found in rule(made)]
    for place, budget in enumerate(BUDGETS):
        for before in rows[place::STRIDE]:
            check(style, before, budget, rule)


def check(style: str, before: Row, budget: int, rule: Callable[[Row], Iterator[validate.Objection]]) -> None:
    options = Options(budget)
    after, metrics = Compressor(options, COUNTER)(before)
    view = row.read(after)
    total = sum(COUNTER.count(turn.text) for turn in view.turns) + COUNTER.count(view.overhead)
    assert total == metrics.compressed_tokens
    assert total <= budget or metrics.still_over_limit
    assert style == "hermes" or not list(rule(dict(after)))
    assert_paired(style, view.turns)
    turns = row.read(before).turns
    tokens = [COUNTER.count(turn.text) for turn in turns]
    kept = [raw for turn in view.turns for raw in turn.raw]
    for place in protect([turn.role for turn in turns], tokens, options.policy, budget) if style != "atif" else ():
        assert all(raw in kept for raw in turns[place].raw)


def assert_paired(style: str, turns: Sequence[row.RowTurn]) -> None:
    """Hold calls against results: as many, and by their ids where a style has ids."""
    for here, following in itertools.pairwise([*turns, row.RowTurn("human", "", ())]):
        answers = [raw for raw in following.raw if following.role == "tool"]
        if style in ("trl", "axolotl", "openai", "atif"):
            calls = [call["id"] for raw in here.raw for call in raw.get("tool_calls") or () if here.role == "gpt"]
            assert calls == [raw["tool_call_id"] for raw in answers]
        elif style == "hermes":
            asked = sum(len(tags.blocks(raw["value"], tags.CALL)) for raw in here.raw if here.role == "gpt")
            assert asked == sum(len(tags.blocks(raw["value"], tags.RESPONSE)) for raw in answers)
        else:
            assert any(raw["from"] == "function_call" for raw in here.raw) == bool(answers)
