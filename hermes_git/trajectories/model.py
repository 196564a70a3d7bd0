"""A trajectory: one training example made from a session, in turns that no trainer's format has shaped yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "human", "gpt", "tool"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool; `arguments` is a JSON object in canonical text, or what the model wrote when that is not one.

    `is_broken` says that the arguments are kept as text because they are no strict JSON object.
    """

    id: str
    name: str
    arguments: str = "{}"
    is_broken: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool answered to the call of the same id."""

    id: str
    name: str
    content: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: a gpt turn may think and call, a tool turn holds the results of the calls before it, in their order."""

    role: Role
    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Turns and where they come from.

    `tools` is JSON text of a list of function schemas. `outcome` is a word of `outcome.OUTCOMES`; `marks` say what the
    conversion could not carry over unchanged, each with how often: `("broken-arguments:1",)`.
    """

    id: str
    turns: tuple[Turn, ...]
    system: str = ""
    tools: str = "[]"
    model: str = ""
    timestamp: str = ""
    outcome: str = "completed"
    marks: tuple[str, ...] = ()
    agent: str = ""
    family: str = ""
    source: str = ""

    @property
    def is_completed(self) -> bool:
        """Say whether the example may be trained on as a success."""
        return self.outcome == "completed"


class Drop(Exception):
    """A session or row that cannot become an example; the reason is counted in the manifest, nothing else happens."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
