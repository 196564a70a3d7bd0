"""The styles a trajectory can be written in; in all of them turns alternate, since every trainer wants that."""

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
    """A way to write a trajectory."""

    name: str
    about: str
    render: Callable[[Trajectory], Row]

    def row(self, trajectory: Trajectory) -> tuple[Trajectory, Row]:
        """Return the trajectory in alternating order, and its row with where it comes from; raise `Drop`."""
        ordered = for_trainers(trajectory)
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
        Style("hermes", "Hermes' own rows, thoughts and calls in tags", style_hermes.render),
        Style("sharegpt", "LLaMA-Factory's ShareGPT with its default tags", style_sharegpt.render),
    )
}
