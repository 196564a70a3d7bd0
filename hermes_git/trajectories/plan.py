"""Which turns of a row a policy replaces: pure arithmetic over token counts, calls never parted from their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_git.trajectories.model import Role
from hermes_git.trajectories.policy import Policy

SummaryTurn = Literal["human", "fold"]
"""How a summary enters the row: as one human turn of its own, or in place of the turn where the region begins."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Regions to be replaced as `(start, end)` with `end` exclusive, ascending, and the turns that are protected."""

    regions: tuple[tuple[int, int], ...]
    protected: frozenset[int]

    @property
    def removed(self) -> tuple[int, ...]:
        """Return the indices of all turns that are replaced."""
        return tuple(place for start, end in self.regions for place in range(start, end))


def plan(
    roles: Sequence[Role], tokens: Sequence[int], policy: Policy, *, need: int, budget: int, summary_turn: SummaryTurn
) -> Plan:
    """Choose the regions that free at least `need` tokens of a row, or as many as protection allows.

    `tokens[i]` counts turn i, `budget` is the whole row's. The last run of unprotected turns is used first, from its
    front; earlier runs only when it does not suffice.
    """
    protected = protect(roles, tokens, policy, budget)
    if need > 0 and _tail_tokens(policy, budget):
        need = sum(tokens)  # a policy that fixes the recent past replaces all that lies before it
    regions: list[tuple[int, int]] = []
    for run in reversed(_runs(len(roles), protected)):
        if need <= 0:
            break
        region = _region(roles, tokens, run, need, summary_turn)
        if region:
            regions.append(region)
            need -= sum(tokens[region[0] : region[1]])
    return Plan(tuple(sorted(regions)), frozenset(protected))


def protect(roles: Sequence[Role], tokens: Sequence[int], policy: Policy, budget: int) -> set[int]:
    """Return the indices that must stay, each tool turn together with the gpt turn that it answers."""
    count = len(roles)
    protected = {roles.index(role) for role in policy.protect_first if role in roles}
    protected |= set(range(max(0, count - policy.protect_last), count))
    protected |= set(_tail(tokens, _tail_tokens(policy, budget), protected))
    protected |= set(_head(tokens, int(policy.head_share * budget)))
    for place in sorted(protected, reverse=True):
        if roles[place] == "tool" and place:
            protected.add(place - 1)
    return protected


def _tail_tokens(policy: Policy, budget: int) -> int:
    return policy.tail_tokens or int(policy.tail_share * budget)


def _tail(tokens: Sequence[int], limit: int, protected: set[int]) -> list[int]:
    """Return the newest turns whose sum stays within a limit."""
    found: list[int] = []
    left = limit
    for place in range(len(tokens) - 1, -1, -1):
        left -= tokens[place]
        if left < 0 and place not in protected:
            break
        found.append(place)
    return found if limit else []


def _head(tokens: Sequence[int], limit: int) -> list[int]:
    """Return the oldest turns whose sum stays within a limit."""
    found: list[int] = []
    left = limit
    for place, cost in enumerate(tokens):
        left -= cost
        if left < 0:
            break
        found.append(place)
    return found if limit else []


def _runs(count: int, protected: set[int]) -> list[tuple[int, int]]:
    """Return the maximal runs of unprotected turns as `(start, end)`."""
    runs: list[tuple[int, int]] = []
    start = 0
    for place in range(count + 1):
        if place == count or place in protected:
            if start < place:
                runs.append((start, place))
            start = place + 1
    return runs


def _region(
    roles: Sequence[Role], tokens: Sequence[int], run: tuple[int, int], need: int, summary_turn: SummaryTurn
) -> tuple[int, int] | None:
    """Return the shortest legal region at the front of a run that frees `need` tokens, else the longest legal one."""
    legal = _human_bounds if summary_turn == "human" else _fold_bounds
    starts, ends = legal(roles, run)
    if not starts:
        return None
    start = starts[0]
    freed, best = 0, None
    for place in range(start, run[1]):
        freed += tokens[place]
        if place + 1 in ends:
            best = (start, place + 1)
            if freed >= need:
                break
    return best


def _human_bounds(roles: Sequence[Role], run: tuple[int, int]) -> tuple[list[int], set[int]]:
    """Allow a region wherever neither it nor what follows it begins with a tool turn."""
    free = [place for place in range(run[0], run[1] + 1) if place == len(roles) or roles[place] != "tool"]
    return [place for place in free if place < run[1]], {place for place in free if place > run[0]}


def _fold_bounds(roles: Sequence[Role], run: tuple[int, int]) -> tuple[list[int], set[int]]:
    """Allow a region that begins on a human or tool turn and is followed by a gpt turn, so that roles alternate."""
    starts = [place for place in range(*run) if roles[place] in ("human", "tool")]
    return starts, {place for place in range(run[0] + 1, run[1] + 1) if place < len(roles) and roles[place] == "gpt"}
