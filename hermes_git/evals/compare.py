"""Two policies at equal cost: ratio and difference of recall with paired intervals, and who wins which questions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hermes_git.evals import matched, numbers
from hermes_git.evals.exam import Paper, Result, recall
from hermes_git.evals.grade import FULL

MOST_TIMES = 999.0
"""What stands for a ratio to nothing."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One policy against a rival over the same questions; kept tokens and recall are in percent.

    `equal` is the same comparison over those of the `transcripts` alone of which both keep equally many tokens.
    """

    policy: str
    rival: str
    budget: str
    kept: float
    rival_kept: float
    recall: float
    rival_recall: float
    difference: tuple[float, float]
    ratio: tuple[float, float]
    wins: int
    losses: int
    ties: int
    transcripts: int = 0
    equal: Comparison | None = None

    @property
    def times(self) -> float:
        """Return the ratio of the recalls: 1 where both recall nothing, `MOST_TIMES` where only the rival does."""
        if self.rival_recall:
            return min(MOST_TIMES, self.recall / self.rival_recall)
        return MOST_TIMES if self.recall else 1.0

    def as_json(self) -> dict[str, object]:
        """Return the published form."""
        return {
            "policy": self.policy,
            "rival": self.rival,
            "budget": self.budget,
            "kept_percent": [round(self.kept, 2), round(self.rival_kept, 2)],
            "is_equal_kept": matched.is_equal(self.rival_kept, self.kept),
            "recall": [round(self.recall, 1), round(self.rival_recall, 1)],
            "difference": round(self.recall - self.rival_recall, 1),
            "difference_interval": [round(100 * end, 1) for end in self.difference],
            "ratio": round(self.times, 2),
            "ratio_interval": [round(min(end, MOST_TIMES), 2) for end in self.ratio],
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "transcripts": self.transcripts,
            "equal_pairs": self._equal(),
        }

    def _equal(self) -> dict[str, object] | None:
        if self.equal is None:
            return None
        names = (
            "transcripts",
            "kept_percent",
            "recall",
            "difference",
            "difference_interval",
            "ratio",
            "ratio_interval",
        )
        whole = self.equal.as_json()
        return {name: whole[name] for name in names}


Grouped = Mapping[tuple[str, str], Sequence[Result]]


def comparisons(grouped: Grouped, papers: Mapping[str, Paper], policy: str) -> list[Comparison]:
    """Hold one policy against each other one at each budget they share."""
    return [
        _compared(grouped[policy, budget], found, papers)
        for (rival, budget), found in grouped.items()
        if rival != policy and (policy, budget) in grouped
    ]


def _compared(
    ours: Sequence[Result], theirs: Sequence[Result], papers: Mapping[str, Paper], *, is_part: bool = False
) -> Comparison:
    pairs = [
        (one, other)
        for one, other in zip(ours, theirs, strict=True)
        if matched.is_equal(other.tokens_after, one.tokens_after)
    ]
    equal = None
    if pairs and not is_part:
        equal = _compared([one for one, _ in pairs], [other for _, other in pairs], papers, is_part=True)
    mine, other = by_family(ours, papers), by_family(theirs, papers)
    flat, against = (list(itertools.chain.from_iterable(groups)) for groups in (mine, other))
    wins, losses = (sum(a > b for a, b in zip(*pair, strict=True)) for pair in ((flat, against), (against, flat)))
    return Comparison(
        policy=ours[0].policy,
        rival=theirs[0].policy,
        budget=ours[0].budget,
        kept=kept(ours),
        rival_kept=kept(theirs),
        recall=100 * numbers.mean(flat),
        rival_recall=100 * numbers.mean(against),
        difference=numbers.paired(mine, other),
        ratio=numbers.ratio(mine, other),
        wins=wins,
        losses=losses,
        ties=len(flat) - wins - losses,
        transcripts=len(ours),
        equal=equal,
    )


def kept(found: Sequence[Result]) -> float:
    """Return the share of all tokens that is kept, in percent."""
    return 100 * sum(one.tokens_after for one in found) / max(1, sum(one.tokens_before for one in found))


def by_family(found: Sequence[Result], papers: Mapping[str, Paper]) -> list[list[float]]:
    """Return the points of all questions but the negatives, one list for each family of transcripts."""
    groups: dict[str, list[float]] = {}
    for result in found:
        paper = papers[result.transcript]
        groups.setdefault(paper.family, []).extend(recall(result, paper))
    return [groups[name] for name in sorted(groups)]


def of_ceiling(found: Sequence[Result], ceiling: Sequence[Result], papers: Mapping[str, Paper], kind: str) -> float:
    """Return which share of the questions of one kind that the whole transcript answers is still answered fully."""
    full = {one.transcript: one.grades for one in ceiling}
    kept_of = [
        mine == FULL
        for result in found
        for mine, best, question in zip(
            result.grades, full[result.transcript], papers[result.transcript].questions, strict=True
        )
        if question.kind == kind and best == FULL
    ]
    return numbers.mean([float(one) for one in kept_of])


def targets(rows: Sequence[Mapping[str, Any]], shares: Mapping[str, float]) -> list[dict[str, object]]:
    """Say of each aim whether it is reached, and with what figure.

    `rows` are comparisons as published, `shares` the artefact questions of the ceiling that are kept, by budget. An
    aim must be reached over all transcripts and over those pairs alone that keep equally many tokens.
    """
    found: list[dict[str, object]] = []
    for row in rows:
        where = f"{row['rival']} at {row['budget']}"
        both = [row, *([row["equal_pairs"]] if row["equal_pairs"] else [])]
        if row["rival"] in ("six-step-placeholder", "six-step-truncated", "head-tail"):
            found.append(_target(f"1.5 times {where}", min(one["ratio"] for one in both), 1.5))
        elif row["rival"] == "recency":
            found.append(_target(f"10 points over {where}", min(one["difference"] for one in both), 10))
    if "50%" in shares:
        found.append(_target("0.85 of the ceiling's artefact questions at 50%", round(shares["50%"], 3), 0.85))
    return found


def _target(name: str, value: float, least: float) -> dict[str, object]:
    return {"target": name, "value": value, "is_reached": value >= least}
