"""Secrets out of a trajectory, at the edge where it leaves the repository; sessions were redacted once already."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hermes_git.sessions.redact import Redactor
from hermes_git.trajectories.model import Trajectory, Turn


def redact(trajectory: Trajectory) -> tuple[Trajectory, Counter[str]]:
    """Return the trajectory with each secret replaced by a typed placeholder, and how many of each kind there were."""
    redactor = Redactor()
    turns = tuple(_turn(turn, redactor) for turn in trajectory.turns)
    system, tools = redactor.text(trajectory.system), redactor.arguments(trajectory.tools)
    return replace(trajectory, turns=turns, system=system, tools=tools), redactor.counts


def _turn(turn: Turn, redactor: Redactor) -> Turn:
    return replace(
        turn,
        text=redactor.text(turn.text),
        reasoning=redactor.text(turn.reasoning),
        calls=tuple(replace(call, arguments=redactor.arguments(call.arguments)) for call in turn.calls),
        results=tuple(replace(result, content=redactor.text(result.content)) for result in turn.results),
    )
