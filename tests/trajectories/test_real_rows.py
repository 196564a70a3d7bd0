"""Rules kept on real transcripts: pairs, order, budgets, protected turns, and exact reading back."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_git.sessions.model import Message, Session
from hermes_git.tokens import choose
from hermes_git.trajectories import row, style_hermes, style_sharegpt, tags, validate
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.convert import convert, for_trainers
from hermes_git.trajectories.model import Drop, Trajectory
from hermes_git.trajectories.plan import protect
from tests.trajectories.sessions import message, session

COUNTER = choose.default()
BUDGETS = (2000, 4000, 8000, 16000, 32000)
STRIDE = int(os.environ.get("HERMES_GIT_STRIDE", "4"))
"""Each budget sees every fourth row, another fourth each time; HERMES_GIT_STRIDE=1 shows all rows to all budgets."""


def rows(data: Path) -> Iterator[dict[str, Any]]:
    for path in sorted((data / "trajectories/hermes-format").iterdir()):
        for line in path.read_bytes().splitlines():
            yield json.loads(line)


def responses(text: str) -> int:
    return len(tags.blocks(text, tags.RESPONSE))


@pytest.fixture(scope="module")
def real(data: Path) -> list[dict[str, Any]]:
    """Return all real rows in Hermes' format."""
    return list(rows(data))


@pytest.mark.parametrize("budget", BUDGETS)
def test_hermes_rows(real: list[dict[str, Any]], budget: int) -> None:
    options = Options(budget)
    for before in real[BUDGETS.index(budget) :: STRIDE]:
        after, metrics = Compressor(options, COUNTER)(before)
        turns = row.read(before).turns
        total = sum(COUNTER.count(turn.text) for turn in row.read(after).turns)
        assert total == metrics.compressed_tokens
        assert total <= budget or metrics.still_over_limit
        tokens = [COUNTER.count(turn.text) for turn in turns]
        kept = {id(raw) for turn in row.read(after).turns for raw in turn.raw}
        for place in protect([turn.role for turn in turns], tokens, options.policy, budget):
            assert all(id(raw) in kept for raw in turns[place].raw)
        for here, following in itertools.pairwise(after["conversations"]):
            if following["from"] == "tool":
                assert here["from"] in ("gpt", "tool")


def test_the_same_rows_give_the_same_bytes_in_every_process(data: Path, tmp_path: Path) -> None:
    for seed in ("1", "2"):  # the order of sets differs by it
        command = [sys.executable, "-m", "hermes_git", "compress", "-q", "--budget", "8000"]
        paths = [str(data / "trajectories/hermes-format/swe_agent.jsonl"), str(tmp_path / f"{seed}.jsonl")]
        subprocess.run([*command, *paths], env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def session_of(source: dict[str, Any], name: str) -> Session:
    """Return the session that a Hermes row was made from, as far as the row tells; results answer calls in order."""
    messages: list[Message] = []
    calls: list[str] = []
    for place, turn in enumerate(style_hermes.parse(source)):
        if turn.role == "human":
            messages.append(message("user", turn.text))
        elif turn.role == "gpt":
            made = tuple((f"{place}.{number}", call.name, call.arguments) for number, call in enumerate(turn.calls))
            calls = [identity for identity, *_ in made]
            messages.append(message("assistant", turn.text, reasoning=turn.reasoning, calls=made))
        else:
            ids = [*calls, *(f"unasked {number}" for number in range(len(turn.results)))]
            messages += [message("tool", row.content, answers=ids[n]) for n, row in enumerate(turn.results)]
    return session(*messages, id=name)


def as_trainers_read(real: list[dict[str, Any]]) -> Iterator[tuple[Trajectory, dict[str, Any]]]:
    for number, source in enumerate(real):
        try:
            made = for_trainers(convert(session_of(source, str(number))))
        except Drop as drop:
            assert drop.reason in ("no user message", "no answer to keep")
            continue
        yield made, style_sharegpt.render(made)


def test_every_row_becomes_one_that_llamafactory_loads_and_reads_back(real: list[dict[str, Any]]) -> None:
    made = list(as_trainers_read(real))
    assert len(made) >= len(real) - 2
    for trajectory, written in made:
        assert not list(validate.llamafactory(written))
        again = json.loads(json.dumps(written, ensure_ascii=False).encode("utf-8"))
        assert style_sharegpt.parse(again) == style_sharegpt.numbered(trajectory.turns)


@pytest.mark.parametrize("budget", BUDGETS)
def test_compressed_rows_still_load(real: list[dict[str, Any]], budget: int) -> None:
    for trajectory, written in as_trainers_read(real[BUDGETS.index(budget) :: STRIDE]):
        after, metrics = Compressor(Options(budget), COUNTER)(written)
        assert not list(validate.llamafactory(after))
        assert metrics.compressed_tokens <= budget or metrics.still_over_limit
        calls = sum(len(turn.calls) for turn in trajectory.turns)
        assert calls == sum(len(turn.results) for turn in trajectory.turns)
