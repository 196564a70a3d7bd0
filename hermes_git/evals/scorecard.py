"""The scorecard: recall against retained tokens by policy and budget, with intervals, and what the exam is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hermes_git.evals.exam import CLOSED_BOOK, SHUFFLED, UNCOMPRESSED, Paper, Result, leaks, recall
from hermes_git.evals.numbers import interval, mean
from hermes_git.evals.question import KINDS
from hermes_git.trajectories.policy import DEFAULT

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Line:
    """One policy at one budget over all transcripts; shares and points are in percent."""

    policy: str
    budget: str
    recall: float
    low: float
    high: float
    kinds: Mapping[str, float]
    kept: float
    tokens: float
    over: int
    seconds: float
    against: Mapping[str, int]

    def as_json(self) -> dict[str, object]:
        """Return the published form."""
        return {
            "policy": self.policy,
            "budget": self.budget,
            "recall": round(self.recall, 1),
            "interval": [round(self.low, 1), round(self.high, 1)],
            "kinds": {kind: round(value, 1) for kind, value in self.kinds.items()},
            "kept_percent": round(self.kept, 2),
            "tokens_mean": round(self.tokens, 1),
            "over_budget": self.over,
            "seconds_per_compaction": round(self.seconds, 4),
            "against_default": dict(self.against),
        }


def lines(results: Sequence[Result], papers: Mapping[str, Paper]) -> list[Line]:
    """Sum up results, in the order in which policies and budgets appear."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.policy, result.budget), []).append(result)
    return [_line(policy, budget, found, groups, papers) for (policy, budget), found in groups.items()]


def _line(
    policy: str,
    budget: str,
    found: Sequence[Result],
    groups: Mapping[tuple[str, str], Sequence[Result]],
    papers: Mapping[str, Paper],
) -> Line:
    points = [recall(result, papers[result.transcript]) for result in found]
    low, high = interval(points, f"{policy} {budget}")
    kinds: dict[str, float] = {}
    for kind in KINDS:
        values = [value for result in found for value in recall(result, papers[result.transcript], kind)]
        if values:
            kinds[kind] = 100 * mean(values)
    before, after = sum(one.tokens_before for one in found), sum(one.tokens_after for one in found)
    return Line(
        policy=policy,
        budget=budget,
        recall=100 * mean([value for group in points for value in group]),
        low=100 * low,
        high=100 * high,
        kinds=kinds,
        kept=100 * after / max(1, before),
        tokens=after / max(1, len(found)),
        over=sum(one.is_over for one in found),
        seconds=mean([one.seconds for one in found]),
        against=_against(found, groups.get((DEFAULT, budget), ())),
    )


def _against(found: Sequence[Result], others: Sequence[Result]) -> dict[str, int]:
    """Count the questions a policy answers better than, worse than, and like the default policy."""
    counts = {"wins": 0, "losses": 0, "ties": 0}
    by_name = {one.transcript: one.grades for one in others}
    for result in found:
        for mine, theirs in zip(result.grades, by_name.get(result.transcript, ()), strict=False):
            counts["wins" if mine > theirs else "losses" if mine < theirs else "ties"] += 1
    return counts


def checks(found: Sequence[Line], papers: Sequence[Paper]) -> dict[str, Any]:
    """Say what the exam itself is worth: floor, ceiling, a foreign context, leaks, and the identifier control."""
    by_policy = {line.policy: line for line in found}
    control = max((line.recall for line in found if line.policy == "identifier-list"), default=None)
    placeholder = {line.budget: line.recall for line in found if line.policy == "six-step-placeholder"}
    gains = [
        line.recall - placeholder[line.budget]
        for line in found
        if line.policy == "identifier-list" and line.budget in placeholder
    ]
    return {
        "closed_book": by_policy[CLOSED_BOOK].recall if CLOSED_BOOK in by_policy else None,
        "uncompressed": round(by_policy[UNCOMPRESSED].recall, 1) if UNCOMPRESSED in by_policy else None,
        "shuffled": round(by_policy[SHUFFLED].recall, 1) if SHUFFLED in by_policy else None,
        "leaks": sum(len(leaks(paper)) for paper in papers),
        "identifier_list": round(control, 1) if control is not None else None,
        "identifier_list_over_placeholder": round(max(gains), 1) if gains else None,
        "fewest_questions": min((len(paper.questions) for paper in papers), default=0),
    }


def scorecard(
    results: Sequence[Result], papers: Sequence[Paper], *, options: Mapping[str, Any], tokenizer: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the whole scorecard as published."""
    by_name = {paper.name: paper for paper in papers}
    found = lines(results, by_name)
    counts = {kind: sum(question.kind == kind for paper in papers for question in paper.questions) for kind in KINDS}
    return {
        "format": FORMAT,
        "kind": "compression",
        "options": dict(options),
        "tokenizer": dict(tokenizer),
        "transcripts": [
            {"name": paper.name, "digest": paper.digest, "tokens": paper.tokens, "questions": len(paper.questions)}
            for paper in papers
        ],
        "questions": {kind: count for kind, count in counts.items() if count},
        "checks": checks(found, papers),
        "lines": [line.as_json() for line in found],
    }
