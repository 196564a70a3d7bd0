"""The styles a trajectory can be written in; in all of them turns alternate, since every trainer wants that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hermes_git.trajectories import atif_steps, style_atif, style_hermes, style_messages, style_sharegpt
from hermes_git.trajectories.convert import as_marks, counted, for_trainers
from hermes_git.trajectories.model import Trajectory

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Style:
    """A way to write a trajectory, and the trainer whose rules its rows must obey."""

    name: str
    about: str
    render: Callable[[Trajectory], Row]
    trainer: str = "llamafactory"
    has_thoughts: bool = True

    def row(self, trajectory: Trajectory) -> tuple[Trajectory, Row]:
        """Return the trajectory in alternating order, and its row with where it comes from; raise `Drop`."""
        ordered = for_trainers(trajectory)
        if not self.has_thoughts:
            ordered = without_thoughts(ordered)
        rendered = self.render(ordered)
        if atif_steps.is_document(rendered):
            return ordered, {**rendered, **atif_steps.with_extra(rendered, {"metadata": metadata(ordered)})}
        return ordered, {**rendered, "metadata": metadata(ordered)}


def without_thoughts(trajectory: Trajectory) -> Trajectory:
    """Return the trajectory without its thoughts, and the mark that says how many there were."""
    count = sum(bool(turn.reasoning) for turn in trajectory.turns)
    turns = tuple(replace(turn, reasoning="") for turn in trajectory.turns)
    marks = as_marks(counted(trajectory.marks) + Counter({"thoughts-left-out": count}))
    return replace(trajectory, turns=turns, marks=marks)


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
        Style("axolotl", "messages for axolotl's chat_template", style_messages.axolotl, "axolotl"),
        Style("trl", "messages for TRL's trainers", style_messages.trl, "trl"),
        Style("openai", "messages for OpenAI's fine-tuning", style_messages.openai, "openai", has_thoughts=False),
        Style("atif", "agent trajectory interchange format, one document a line", style_atif.render, ""),
    )
}
