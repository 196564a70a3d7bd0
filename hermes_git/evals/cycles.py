"""Repeated compaction: a long transcript is fed turn by turn and compressed each time it outgrows a threshold.

What one compaction loses is asked by the exam; here it is whether many of them still free room, and what becomes of
facts that have been through all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hermes_git.evals.exam import Paper
from hermes_git.evals.grade import FULL, grade
from hermes_git.evals.numbers import mean
from hermes_git.evals.reader import ExtractiveReader
from hermes_git.evals.transcript import Transcript, context
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories import row
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.policy import Policy
from hermes_git.trajectories.row import RowTurn


@dataclass(frozen=True, slots=True)
class Cycle:
    """One compaction: where in the transcript, tokens before and after, and recall of all asked about so far.

    `blocked` counts the turns before it at which a compaction was due and freed nothing: what is protected was larger.
    """

    transcript: str
    policy: str
    number: int
    turn: int
    before: int
    after: int
    recall: float
    questions: int
    blocked: int = 0

    @property
    def freed(self) -> float:
        """Return the share of tokens that the compaction freed, in percent."""
        return 100 * (self.before - self.after) / max(1, self.before)


@dataclass(frozen=True, slots=True)
class Loop:
    """The rules of a run: compress when a row holds more than `threshold` tokens, to `target`, at most `most` times."""

    threshold: int
    target: int
    most: int

    def run(self, source: Transcript, paper: Paper, policy: Policy, counter: Counter) -> Iterator[Cycle]:
        """Yield the compactions of one transcript that freed something."""
        compress = Compressor(Options(self.target, policy, metrics=False), counter)
        held: tuple[RowTurn, ...] = ()
        number = blocked = 0
        for place, turn in enumerate(source.view.turns):
            held = (*held, turn)
            following = source.view.turns[place + 1 : place + 2]
            if number == self.most or (following and following[0].role == "tool"):
                continue
            total = _tokens(held, counter)
            if total <= self.threshold:
                continue
            after, metrics = compress(source.view.write(held))
            if not metrics.was_compressed:
                blocked += 1
                continue
            number += 1
            held = row.read(after).turns
            left = _tokens(held, counter)
            points = _points(after, paper, place)
            yield Cycle(source.name, policy.name, number, place, total, left, 100 * mean(points), len(points), blocked)
            blocked = 0


def _tokens(turns: Iterable[RowTurn], counter: Counter) -> int:
    return sum(counter.count(turn.text) for turn in turns)


def _points(after: Mapping[str, Any], paper: Paper, place: int) -> list[float]:
    """Return the points on the questions about turns up to a place."""
    reader = ExtractiveReader(context(after))
    asked = (question for question in paper.questions if question.kind != "negative" and question.turn <= place)
    return [grade(question, reader.answer(question)) / FULL for question in asked]


def summary(found: Sequence[Cycle]) -> list[dict[str, Any]]:
    """Sum up by policy: how many cycles, what the first and the last freed, and what is recalled after the last."""
    rows = []
    for name in dict.fromkeys(cycle.policy for cycle in found):
        runs: dict[str, list[Cycle]] = {}
        for cycle in found:
            if cycle.policy == name:
                runs.setdefault(cycle.transcript, []).append(cycle)
        firsts, lasts = ([run[place] for run in runs.values()] for place in (0, -1))
        rows.append(
            {
                "policy": name,
                "transcripts": len(runs),
                "cycles_mean": round(mean([float(len(run)) for run in runs.values()]), 1),
                "cycles_most": max(len(run) for run in runs.values()),
                "blocked": sum(cycle.blocked for run in runs.values() for cycle in run),
                "freed_first": round(mean([cycle.freed for cycle in firsts]), 1),
                "freed_last": round(mean([cycle.freed for cycle in lasts]), 1),
                "floor_first": round(mean([float(cycle.after) for cycle in firsts])),
                "floor_last": round(mean([float(cycle.after) for cycle in lasts])),
                "recall_first": round(mean([cycle.recall for cycle in firsts]), 1),
                "recall_last": round(mean([cycle.recall for cycle in lasts]), 1),
            }
        )
    return rows


COLUMNS = ("policy", "transcripts", "cycles_mean", "cycles_most", "blocked", "freed_first", "freed_last", "floor_first",
           "floor_last", "recall_first", "recall_last")  # fmt: skip


def markdown(card: Mapping[str, Any], command: str) -> str:
    """Write the sums as a page, with the command that repeats them."""
    head = f"| {' | '.join(name.replace('_', ' ') for name in COLUMNS)} |\n|{'---|' * len(COLUMNS)}"
    rows = [f"| {' | '.join(str(line[name]) for name in COLUMNS)} |" for line in card["lines"]]
    options = card["options"]
    return "\n".join(
        (
            "# Repeated compaction",
            "",
            f"Each transcript is fed turn by turn and compressed to {options['target']:,} tokens whenever it holds "
            f"more than {options['threshold']:,}, at most {options['most']} times ({card['tokenizer']['name']}).",
            "",
            head,
            *rows,
            "",
            "`freed` is the share of tokens that a compaction frees, `floor` what is left after it, `recall` the share "
            "of points on questions about everything before it; `blocked` counts turns where one was due and freed "
            "nothing.",
            "",
            f"Repeat it with:\n\n```sh\n{command}\n```",
            "",
        )
    )
