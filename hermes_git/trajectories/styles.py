"""The styles a trajectory can be written in: for each its renderer, and whether turns must alternate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hermes_git.trajectories import style_hermes, style_sharegpt
from hermes_git.trajectories.convert import for_trainers
from hermes_git.trajectories.model import Trajectory

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Style:
    """A way to write a trajectory; `is_for_trainers` styles need strictly alternating turns."""

    name: str
    about: str
    render: Callable[[Trajectory], Row]
    is_for_trainers: bool = True

    def row(self, trajectory: Trajectory) -> tuple[Trajectory, Row]:
        """Return the trajectory in the turn order of the style, and its row with where it comes from; raise `Drop`."""
        ordered = for_trainers(trajectory) if self.is_for_trainers else trajectory
        return ordered, {**self.render(ordered), "metadata": metadata(ordered)}


def metadata(trajectory: Trajectory) -> dict[str, str]:
    """Return where a row comes from, as text fields that every row has, so that columns keep one type."""
    return {
        "session": trajectory.id,
        "family": trajectory.family,
        "agent": trajectory.agent,
        "commit": trajectory.source,
        "outcome": trajectory.outcome,
        "marks": " ".join(trajectory.marks),
    }


STYLES = {
    style.name: style
    for style in (
        Style("hermes", "Hermes' own rows, thoughts and calls in tags", style_hermes.render, is_for_trainers=False),
        Style("sharegpt", "LLaMA-Factory's ShareGPT with its default tags", style_sharegpt.render),
    )
}
