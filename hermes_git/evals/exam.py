"""The exam: every policy compresses every transcript to every budget; each result is asked the same questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from hermes_git.errors import UserError
from hermes_git.evals import bank, matched, split
from hermes_git.evals.grade import FULL, grade
from hermes_git.evals.question import Answer, Question
from hermes_git.evals.reader import ExtractiveReader, Reader
from hermes_git.evals.transcript import Transcript, context
from hermes_git.names import whole_number
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories import row
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.policy import DEFAULT, POLICIES
from hermes_git.trajectories.summaries import Summarise

UNCOMPRESSED, CLOSED_BOOK, SHUFFLED = "uncompressed", "closed-book", "shuffled"
CONTROLS = (UNCOMPRESSED, CLOSED_BOOK, SHUFFLED)
"""The whole transcript (ceiling), nothing at all (floor), and another transcript, far away in the list."""

MODEL_SUMMARY = "six-step-model"
"""The default policy with summaries by a model; at the budget named, since each try would cost."""

MakeReader = Callable[[Sequence[str]], Reader]
Grader = Callable[[Question, Answer], int]
Clock = Callable[[], float]


class Paper(msgspec.Struct, frozen=True):
    """One transcript with its questions and its length in tokens; `family` is told by how it begins (see `split`)."""

    name: str
    digest: str
    tokens: int
    questions: tuple[Question, ...]
    family: str = ""


class Result(msgspec.Struct, frozen=True):
    """How one policy did on one transcript at one budget: a grade from 0 to 2 for each question, in order.

    `left_out` holds the numbers of the questions whose turn a summary replaced.
    """

    policy: str
    budget: str
    transcript: str
    tokens_before: int
    tokens_after: int
    grades: tuple[int, ...]
    is_over: bool = False
    seconds: float = 0.0
    left_out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Budget:
    """A number of tokens, or a share of each transcript; `label` is as the user wrote it."""

    label: str
    tokens: int = 0
    share: float = 0.0

    def of(self, total: int) -> int:
        """Return the tokens for a transcript of `total` tokens."""
        return self.tokens or max(1, int(total * self.share))


def parse_budgets(text: str) -> tuple[Budget, ...]:
    """Parse `4000,8000,50%`."""
    found = []
    for word in (part.strip() for part in text.split(",")):
        number = whole_number(word.removesuffix("%"))
        if not number or (word.endswith("%") and number > 100):
            raise UserError(f"{word!r} is not a budget", hint="for example --budgets 4000,8000,50%")
        is_share = word.endswith("%")
        found.append(Budget(word, 0 if is_share else number, number / 100 if is_share else 0.0))
    return tuple(found)


def papers(
    transcripts: Sequence[Transcript], asked: Sequence[tuple[Question, ...]], counter: Counter, *, negatives: int
) -> list[Paper]:
    """Set the exam: the questions of each transcript, and `negatives` of other ones that it cannot answer."""
    made = []
    for place, one in enumerate(transcripts):
        others = [*asked[place + 1 :], *asked[:place]]
        questions = (*asked[place], *bank.negatives(one, others, negatives))
        made.append(Paper(one.name, one.digest, tokens_of(one.row, counter), questions, split.family(one.view)))
    return made


def tokens_of(source: object, counter: Counter) -> int:
    """Count the tokens of a row."""
    view = row.read(source)
    return sum(counter.count_all(turn.text for turn in view.turns)) + counter.count(view.overhead)


Row = Mapping[str, Any]
Regions = tuple[tuple[int, int], ...]
Elsewhere = Mapping[tuple[str, str, str], Row]
"""Rows that other programs compressed, by policy, budget label and the digest of the transcript."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One transcript with its paper, and the row of another one, for a control."""

    transcript: Transcript
    paper: Paper
    foreign: Row | None = None


def seats(transcripts: Sequence[Transcript], papers: Sequence[Paper]) -> list[Seat]:
    """Pair transcripts with papers, and each with a transcript far away in the list."""
    count = len(transcripts)
    foreign = [transcripts[(place + count // 2) % count].row if count > 1 else None for place in range(count)]
    return [Seat(*one) for one in zip(transcripts, papers, foreign, strict=True)]


@dataclass(frozen=True, slots=True)
class Sitting:
    """All that is needed to sit the exam of one transcript.

    With `match`, the name of a policy, every other policy gets for each transcript the budget at which it keeps as
    many tokens as that one does. `elsewhere` holds the rows of policies that are not ours; `summarise` is the model of
    the policy that has one.
    """

    policies: tuple[str, ...]
    budgets: tuple[Budget, ...]
    counter: Counter
    make_reader: MakeReader = ExtractiveReader
    grader: Grader = grade
    clock: Clock | None = None
    match: str = ""
    elsewhere: Elsewhere = field(default_factory=dict)
    summarise: Summarise | None = None

    def __call__(self, seat: Seat) -> tuple[Result, ...]:
        """Return the results, policy by policy; controls that need no budget are sat once."""
        wanted = {budget: self._target(budget, seat) for budget in self.budgets}
        return tuple(
            self._sit(name, budget, seat, wanted.get(budget, 0))
            for name in self.policies
            for budget in (self.budgets if name not in CONTROLS else (Budget("-"),))
        )

    def _target(self, budget: Budget, seat: Seat) -> int:
        """Return the tokens that the policy to be matched keeps."""
        return self._compress(self.match, budget.of(seat.paper.tokens), seat)[0] if self.match else 0

    def _sit(self, name: str, budget: Budget, seat: Seat, wanted: int) -> Result:
        start = self.clock() if self.clock else 0.0
        given, is_over, regions = self._context(name, budget, seat, wanted)
        spent = self.clock() - start if self.clock else 0.0
        reader = self.make_reader(context(given) if given else ())
        grades = tuple(self.grader(question, reader.answer(question)) for question in seat.paper.questions)
        after = tokens_of(given, self.counter) if given else 0
        paper = seat.paper
        gone = tuple(
            number
            for number, question in enumerate(paper.questions)
            if any(start <= question.turn < end for start, end in regions)
        )
        return Result(name, budget.label, paper.name, paper.tokens, after, grades, is_over, round(spent, 4), gone)

    def _context(self, name: str, budget: Budget, seat: Seat, wanted: int) -> tuple[Row | None, bool, Regions]:
        """Return what a policy leaves of a transcript, whether that is more than the budget, and what is replaced."""
        if name in CONTROLS:
            return {UNCOMPRESSED: seat.transcript.row, SHUFFLED: seat.foreign}.get(name), False, ()
        tokens = budget.of(seat.paper.tokens)
        if name != MODEL_SUMMARY and name not in POLICIES:
            row = self.elsewhere[name, budget.label, seat.paper.digest]
            return row, tokens_of(row, self.counter) > (wanted or tokens), ()
        if not wanted or name in (self.match, MODEL_SUMMARY):
            return self._compress(name, tokens, seat)[1]
        return matched.nearest(lambda tried: self._compress(name, tried, seat), wanted)[1]

    def _compress(self, name: str, tokens: int, seat: Seat) -> tuple[int, tuple[Row, bool, Regions]]:
        """Return the tokens kept, and the row with whether it is still over its budget and what was replaced."""
        by_model = name == MODEL_SUMMARY
        options = Options(tokens, POLICIES[DEFAULT if by_model else name], metrics=False)
        compress = Compressor(options, self.counter, self.summarise if by_model else None)
        compressed, metrics = compress(seat.transcript.row)
        return metrics.compressed_tokens, (compressed, metrics.still_over_limit, metrics.regions)


def ordered(results: Iterable[Result], policies: Sequence[str], budgets: Sequence[Budget]) -> list[Result]:
    """Return results policy by policy, budget by budget, transcripts as they came."""
    labels = ["-", *(budget.label for budget in budgets)]
    return sorted(results, key=lambda one: (policies.index(one.policy), labels.index(one.budget)))


def leaks(source: Paper) -> list[str]:
    """Return the ids of questions whose own text gives the answer away."""
    return [one.id for one in source.questions if one.gold and not one.options and one.gold.lower() in one.text.lower()]


def recall(result: Result, paper: Paper, kind: str = "") -> list[float]:
    """Return the points, 0 to 1, of a result's questions of one kind, or of all kinds but negatives."""
    wanted = ((question.kind == kind) if kind else (question.kind != "negative") for question in paper.questions)
    return [points / FULL for points, is_wanted in zip(result.grades, wanted, strict=True) if is_wanted]
