"""Another program's compressed rows as a policy: hermes-agent's compressor, run in the interpreter the user names.

No model is asked, so the summary is the fixed sentence which that program writes when its model cannot be reached.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence

from hermes_git.errors import UserError
from hermes_git.evals.exam import Budget, Elsewhere, Row, Seat
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.policy import POLICIES

NAME = "hermes-agent"
VARIABLE = "HERMES_GIT_PEER_PYTHON"
TIMEOUT = 600
SCRIPT = """
import json, logging, sys
from trajectory_compressor import CompressionConfig, TrajectoryCompressor, TrajectoryMetrics
logging.disable(logging.CRITICAL)
class Known(dict):
    def encode(self, text):
        return range(self.get(text, len(text) // 4))
for line in sys.stdin:
    job = json.loads(line)
    made = TrajectoryCompressor.__new__(TrajectoryCompressor)
    made.config = CompressionConfig(target_max_tokens=job["budget"], max_retries=1)
    made.tokenizer, made.client, made._use_call_llm = Known(job["counts"]), None, False
    made.logger = logging.getLogger("peer")
    turns, _ = made.compress_trajectory(job["turns"])
    print("ROW " + json.dumps(turns), flush=True)
"""


def rows(seats: Sequence[Seat], budgets: Sequence[Budget], match: str, counter: Counter) -> Elsewhere:
    """Return what the other program makes of each transcript at each budget, or at the tokens `match` keeps of it."""
    python = os.environ.get(VARIABLE, "")
    if not python:
        raise UserError(
            f"policy {NAME} needs an interpreter that has hermes-agent",
            hint=f"set {VARIABLE} to it, or leave the policy out of --policies",
        )
    jobs = [(seat, budget, _tokens(seat, budget, match, counter)) for seat in seats for budget in budgets]
    lines = [json.dumps(_job(seat, tokens, counter)) for seat, _, tokens in jobs]
    found = _run(python, "\n".join(lines) + "\n", len(jobs))
    return {(NAME, budget.label, seat.paper.digest): _written(seat, turns)
            for (seat, budget, _), turns in zip(jobs, found, strict=True)}  # fmt: skip


def _tokens(seat: Seat, budget: Budget, match: str, counter: Counter) -> int:
    tokens = budget.of(seat.paper.tokens)
    if not match:
        return tokens
    options = Options(tokens, POLICIES[match], metrics=False)
    return Compressor(options, counter)(seat.transcript.row)[1].compressed_tokens


def _job(seat: Seat, tokens: int, counter: Counter) -> dict[str, object]:
    """Return a row as that program takes it, with the tokens of its turns, so that both count alike."""
    view = seat.transcript.view
    if (view.layout.turns, view.layout.text) != ("conversations", "value"):
        raise UserError(f"policy {NAME} takes rows of the style hermes only", where=seat.paper.name)
    turns = [dict(raw) for turn in view.turns for raw in turn.raw]
    counts = {turn["value"]: counter.count(turn["value"]) for turn in turns}
    return {"budget": tokens, "turns": turns, "counts": counts}


def _written(seat: Seat, turns: object) -> Row:
    return {**seat.transcript.row, seat.transcript.view.layout.turns: turns}


def _run(python: str, jobs: str, count: int) -> list[object]:
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HERMES_HOME": home, "HF_HUB_OFFLINE": "1", "PYTHONIOENCODING": "utf-8"}
        try:
            done = subprocess.run([python, "-c", SCRIPT], input=jobs, env=env, cwd=home, capture_output=True,
                                  encoding="utf-8", timeout=TIMEOUT, check=False)  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UserError(f"{VARIABLE} cannot be run: {error}", where=python) from error
    found = [json.loads(line[4:]) for line in done.stdout.split("\n") if line.startswith("ROW ")]
    if len(found) != count:
        said = (done.stderr or done.stdout).strip().split("\n")[-1][:300]
        raise UserError(f"hermes-agent's compressor failed: {said}", where=python, hint=f"look at {VARIABLE}")
    return found
