"""Rows described for people: turns with their tokens, statistics of a file, and what changed between two files."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hermes_git.tokens.counter import Counter
from hermes_git.trajectories import row
from hermes_git.trajectories.plain import pieces
from hermes_git.trajectories.plan import plan
from hermes_git.trajectories.policy import Policy
from hermes_git.trajectories.row import RowTurn, View
from hermes_git.trajectories.segments import PREFIX


@dataclass(frozen=True, slots=True)
class Line:
    """One turn as shown: its place, speaker, tokens, what happens to it, how it begins, and whether it is learnt.

    `is_masked` says that trainers read the turn and compute no loss on it: all but the agent's, and those of the agent
    that carry a weight of 0.
    """

    turn: int
    role: str
    tokens: int
    fate: str
    text: str
    is_masked: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the published form."""
        told = {"turn": self.turn, "role": self.role, "tokens": self.tokens, "fate": self.fate, "text": self.text}
        return told | {"masked": self.is_masked}


def lines(source: object, counter: Counter, policy: Policy, budget: int, *, width: int = 100) -> list[Line]:
    """Describe the turns of a row; with a budget also which are protected and which would be replaced."""
    view = row.read(source)
    tokens = counter.count_all(turn.text for turn in view.turns)
    fates = _fates(view, tokens, policy, budget, counter) if budget else {}
    return [
        Line(
            place,
            turn.role,
            tokens[place],
            fates.get(place, _written_fate(turn)),
            _beginning(turn, width),
            _masked(turn),
        )
        for place, turn in enumerate(view.turns)
    ]


def _masked(turn: RowTurn) -> bool:
    return turn.role != "gpt" or any(raw.get("weight") == 0 or raw.get("training") is False for raw in turn.raw)


def _fates(view: View, tokens: list[int], policy: Policy, budget: int, counter: Counter) -> dict[int, str]:
    total = sum(tokens) + counter.count(view.overhead)
    need = total - budget + policy.summary_tokens if total > budget else 0
    roles = [turn.role for turn in view.turns]
    chosen = plan(roles, tokens, policy, need=need, budget=budget, summary_turn="fold")
    fates = dict.fromkeys(chosen.protected, "protected")
    return fates | dict.fromkeys(chosen.removed, "compressed")


def _written_fate(turn: RowTurn) -> str:
    return "summary" if PREFIX.strip() in turn.text[:400] else ""


def _beginning(turn: RowTurn, width: int) -> str:
    told = " ".join(f"{piece.kind} {piece.tool}: {piece.text}" if piece.tool else piece.text for piece in pieces(turn))
    text = " ".join(told[: width * 4].split())
    return text if len(text) <= width else text[: width - 1] + "…"


@dataclass(slots=True)
class Stats:
    """Statistics of a file of rows."""

    rows: int = 0
    dropped: Tally[str] = field(default_factory=Tally)
    roles: Tally[str] = field(default_factory=Tally)
    tokens: list[int] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    completed: int = 0
    calls: int = 0
    results: int = 0
    compressed: int = 0

    def add(self, source: Any, counter: Counter) -> None:
        """Take in one row."""
        view = row.read(source)
        self.rows += 1
        self.completed += source.get("completed") is True
        self.compressed += "compression_metrics" in source
        self.tokens.append(sum(counter.count(turn.text) for turn in view.turns) + counter.count(view.overhead))
        self.turns.append(len(view.turns))
        for turn in view.turns:
            self.roles[turn.role] += 1
            kinds = Tally(piece.kind for piece in pieces(turn)) if turn.role in ("gpt", "tool") else Tally()
            self.calls += kinds["call"]
            self.results += kinds["result"]

    def as_json(self) -> dict[str, object]:
        """Return the published form."""
        return {
            "rows": self.rows,
            "dropped": dict(sorted(self.dropped.items())),
            "completed": self.completed,
            "compressed": self.compressed,
            "turns": {"total": sum(self.turns), **quantiles(self.turns)},
            "tokens": {"total": sum(self.tokens), **quantiles(self.tokens)},
            "roles": dict(sorted(self.roles.items())),
            "calls": self.calls,
            "results": self.results,
        }


def quantiles(values: list[int]) -> dict[str, int]:
    """Return the median, the 95th percentile and the largest of some numbers, zeros for none."""
    ordered = sorted(values) or [0]
    return {
        "p50": ordered[len(ordered) // 2],
        "p95": ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)],
        "max": ordered[-1],
    }


def difference(before: object, after: object, counter: Counter) -> Iterator[Line]:
    """Yield the turns of one row that the other lacks (fate `left out`), and those that it has instead (`put in`)."""
    old, new = row.read(before).turns, row.read(after).turns
    front = _shared(old, new)
    back = _shared(old[front:][::-1], new[front:][::-1])
    for fate, turns in (("left out", old), ("put in", new)):
        for place in range(front, len(turns) - back):
            turn = turns[place]
            yield Line(place, turn.role, counter.count(turn.text), fate, _beginning(turn, 100))


def _shared(one: tuple[RowTurn, ...], other: tuple[RowTurn, ...]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left.text != right.text or left.role != right.role:
            break
        count += 1
    return count
