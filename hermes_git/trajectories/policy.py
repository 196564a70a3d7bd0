"""Compression policies as data: what is protected, how much of the recent past stays, and what stands for the rest."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

from hermes_git.errors import UserError
from hermes_git.trajectories.model import Role

SummaryKind = Literal["extractive", "identifiers", "placeholder", "head-tail", "model"]
FIRST: tuple[Role, ...] = ("system", "human", "gpt", "tool")


@dataclass(frozen=True, slots=True)
class Policy:
    """How a row is brought within a budget of tokens.

    `protect_first` names the roles whose first turn stays; `protect_last` is a number of turns. `tail_tokens` limits
    the recent past that stays (0: as much as the budget allows, which is to compress only as much as needed);
    `tail_share` does the same as a share of the budget; `head_share` keeps that share of the budget from the front.
    `summary_tokens` is what is planned for the summary, `summary_share` the same as a share of the budget, of which
    `summary_ratio` allows only so much as a share of what the summary stands for: more would find nothing to say.
    `fills` lets the summary use what the budget leaves. `stubs` first shortens old tool results, oldest first.
    """

    name: str
    about: str
    protect_first: tuple[Role, ...] = FIRST
    protect_last: int = 4
    tail_tokens: int = 0
    tail_share: float = 0.0
    head_share: float = 0.0
    summary: SummaryKind = "extractive"
    summary_tokens: int = 750
    summary_share: float = 0.0
    summary_ratio: float = 0.2
    fills: bool = True
    stubs: bool = False


POLICIES = {
    policy.name: policy
    for policy in (
        Policy("six-step", "protect the first and last turns, replace only as much of the middle as needed",
               summary_share=0.6),
        Policy("aggressive-tail", "keep a short recent past and give the rest of the budget to the summary",
               protect_last=2, tail_share=0.25, summary_share=0.5),
        Policy("codex-style", "the last three turns within 2,000 tokens, everything before them in the summary",
               protect_first=("system", "human"), protect_last=3, tail_tokens=2000, summary_share=0.2),
        Policy("drop-old-tool-output", "keep every word said, shorten tool results from the oldest on",
               protect_first=("system", "human"), stubs=True, summary="placeholder", summary_tokens=60, fills=False),
        Policy("recency", "the newest turns that fit", protect_first=("system", "human"), protect_last=1,
               summary="placeholder", summary_tokens=60, fills=False),
        Policy("head-tail", "the oldest and the newest turns that fit", protect_first=("system", "human"),
               protect_last=1, head_share=0.5, summary="placeholder", summary_tokens=60, fills=False),
        Policy("six-step-placeholder", "the six steps with a fixed sentence for a summary", summary="placeholder",
               summary_tokens=60, fills=False),
        Policy("six-step-truncated", "the six steps with the middle's first and last characters for a summary",
               summary="head-tail", summary_share=0.6),
        Policy("identifier-list", "the six steps with a bare list of identifiers: a control for evals",
               summary="identifiers", summary_share=0.6),
    )
}  # fmt: skip
DEFAULT = "six-step"


def policy(name: str) -> Policy:
    """Return a policy by name, or an error that lists the names and the nearest one."""
    if name not in POLICIES:
        near = difflib.get_close_matches(name, POLICIES, n=1, cutoff=0.0)
        raise UserError(
            f"no policy called {name!r}", hint=f"did you mean {near[0]}? there are: {', '.join(sorted(POLICIES))}"
        )
    return POLICIES[name]
