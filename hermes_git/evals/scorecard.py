"""The scorecard: recall against retained tokens by policy and budget, with intervals, and what the exam is worth."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hermes_git.evals import split
from hermes_git.evals.compare import Grouped, by_family, comparisons, kept, of_ceiling, targets
from hermes_git.evals.exam import CLOSED_BOOK, SHUFFLED, UNCOMPRESSED, Paper, Result, leaks, recall
from hermes_git.evals.grade import FULL
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
    interval: tuple[float, float]
    kinds: Mapping[str, float]
    kept: float
    tokens: float
    over: int
    seconds: float
    against: Mapping[str, int]
    left_out: float | None = None

    def as_json(self) -> dict[str, object]:
        """Return the published form."""
        return {
            "policy": self.policy,
            "budget": self.budget,
            "recall": round(self.recall, 1),
            "interval": [round(100 * end, 1) for end in self.interval],
            "kinds": {kind: round(value, 1) for kind, value in self.kinds.items()},
            "kept_percent": round(self.kept, 2),
            "tokens_mean": round(self.tokens, 1),
            "over_budget": self.over,
            "seconds_per_compaction": round(self.seconds, 4),
            "against_default": dict(self.against),
            "left_out": None if self.left_out is None else round(self.left_out, 1),
        }


Papers = Mapping[str, Paper]


def grouped(results: Sequence[Result]) -> Grouped:
    """Return results by policy and budget, in the order in which they appear."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.policy, result.budget), []).append(result)
    return groups


def lines(results: Sequence[Result], papers: Papers) -> list[Line]:
    """Sum up results by policy and budget."""
    groups = grouped(results)
    return [_line(found, groups.get((DEFAULT, budget), ()), papers) for (_, budget), found in groups.items()]


def _line(found: Sequence[Result], default: Sequence[Result], papers: Papers) -> Line:
    points = by_family(found, papers)
    kinds: dict[str, float] = {}
    for kind in KINDS:
        values = [value for result in found for value in recall(result, papers[result.transcript], kind)]
        if values:
            kinds[kind] = 100 * mean(values)
    return Line(
        policy=found[0].policy,
        budget=found[0].budget,
        recall=100 * mean([value for group in points for value in group]),
        interval=interval(points),
        kinds=kinds,
        kept=kept(found),
        tokens=mean([float(one.tokens_after) for one in found]),
        over=sum(one.is_over for one in found),
        seconds=mean([one.seconds for one in found]),
        against=_against(found, default),
        left_out=_left_out(found),
    )


def _left_out(found: Sequence[Result]) -> float | None:
    """Return the recall of questions whose turn was replaced, None where none was."""
    points = [result.grades[number] / FULL for result in found for number in result.left_out]
    return 100 * mean(points) if points else None


def _against(found: Sequence[Result], others: Sequence[Result]) -> dict[str, int]:
    """Count the questions a policy answers better than, worse than, and like the default policy."""
    counts = {"wins": 0, "losses": 0, "ties": 0}
    by_name = {one.transcript: one.grades for one in others}
    for result in found:
        for mine, theirs in zip(result.grades, by_name.get(result.transcript, ()), strict=False):
            counts["wins" if mine > theirs else "losses" if mine < theirs else "ties"] += 1
    return counts


def checks(found: Sequence[Line], papers: Sequence[Paper]) -> dict[str, Any]:
    """Say what the exam itself is worth: floor, ceiling, a foreign context, leaks, and the identifier control.

    The control may recall no more of what was left out than `chance`, a guess among the distractors of each question,
    and ten points: a list of names must not do as a summary.
    """
    by_policy = {line.policy: line for line in found}
    control = [line.left_out for line in found if line.policy == "identifier-list" and line.left_out is not None]
    guesses = [1 / (1 + one.distractors) for paper in papers for one in paper.questions if one.kind != "negative"]
    return {
        "closed_book": by_policy[CLOSED_BOOK].recall if CLOSED_BOOK in by_policy else None,
        "uncompressed": round(by_policy[UNCOMPRESSED].recall, 1) if UNCOMPRESSED in by_policy else None,
        "shuffled": round(by_policy[SHUFFLED].recall, 1) if SHUFFLED in by_policy else None,
        "leaks": sum(len(leaks(paper)) for paper in papers),
        "chance": round(100 * mean(guesses), 1),
        "identifier_list_on_what_was_left_out": round(max(control), 1) if control else None,
        "fewest_questions": min((len(paper.questions) for paper in papers), default=0),
    }


def sheet(results: Sequence[Result], papers: Sequence[Paper]) -> dict[str, Any]:
    """Return the figures of some transcripts: counts, lines, and the default policy against each other one."""
    by_name = {paper.name: paper for paper in papers}
    mine = [result for result in results if result.transcript in by_name]
    groups = grouped(mine)
    compared = [one.as_json() for one in comparisons(groups, by_name, DEFAULT)]
    counts = {kind: sum(question.kind == kind for paper in papers for question in paper.questions) for kind in KINDS}
    ceiling = groups.get((UNCOMPRESSED, "-"), ())
    shares = {
        budget: of_ceiling(found, ceiling, by_name, "artefact")
        for (policy, budget), found in groups.items()
        if policy == DEFAULT and ceiling
    }
    return {
        "families": len({paper.family for paper in papers}),
        "tokens": sum(paper.tokens for paper in papers),
        "questions": {kind: count for kind, count in counts.items() if count},
        "lines": [line.as_json() for line in lines(mine, by_name)],
        "comparisons": compared,
        "artefacts_of_ceiling": {budget: round(share, 3) for budget, share in shares.items()},
        "targets": targets(compared, shares),
    }


def scorecard(
    results: Sequence[Result], papers: Sequence[Paper], *, options: Mapping[str, Any], tokenizer: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the whole scorecard as published: all transcripts, then those held out and those used for tuning."""
    by_name = {paper.name: paper for paper in papers}
    sides = {
        name: [paper for paper in papers if split.part(paper.family) == name]
        for name in split.PARTS
        if name != split.ALL
    }
    return {
        "format": FORMAT,
        "kind": "compression",
        "options": dict(options),
        "tokenizer": dict(tokenizer),
        "transcripts": [_described(paper) for paper in papers],
        "checks": checks(lines(results, by_name), papers),
        **sheet(results, papers),
        "parts": {name: sheet(results, found) for name, found in sides.items() if found},
    }


def _described(paper: Paper) -> dict[str, object]:
    return {
        "name": paper.name,
        "digest": paper.digest,
        "family": paper.family[:12],
        "part": split.part(paper.family),
        "tokens": paper.tokens,
        "questions": len(paper.questions),
        "exam": hashlib.sha256(" ".join(one.id for one in paper.questions).encode()).hexdigest()[:16],
    }
