"""The exam: every policy compresses every transcript to every budget; each result is asked the same questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from hermes_git.errors import UserError
from hermes_git.evals import bank
from hermes_git.evals.grade import FULL, grade
from hermes_git.evals.question import Question
from hermes_git.evals.reader import ExtractiveReader, Reader
from hermes_git.evals.transcript import Transcript, context
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories import row
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.policy import POLICIES

UNCOMPRESSED, CLOSED_BOOK, SHUFFLED = "uncompressed", "closed-book", "shuffled"
CONTROLS = (UNCOMPRESSED, CLOSED_BOOK, SHUFFLED)
"""The whole transcript (ceiling), nothing at all (floor), and another transcript, far away in the list."""

MakeReader = Callable[[Sequence[str]], Reader]
Clock = Callable[[], float]


class Paper(msgspec.Struct, frozen=True):
    """One transcript with its questions and its length in tokens."""

    name: str
    digest: str
    tokens: int
    questions: tuple[Question, ...]


class Result(msgspec.Struct, frozen=True):
    """How one policy did on one transcript at one budget: a grade from 0 to 2 for each question, in order."""

    policy: str
    budget: str
    transcript: str
    tokens_before: int
    tokens_after: int
    grades: tuple[int, ...]
    is_over: bool = False
    seconds: float = 0.0


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
        number = word.removesuffix("%")
        if not number.isdigit() or int(number) == 0 or (word.endswith("%") and int(number) > 100):
            raise UserError(f"{word!r} is not a budget", hint="for example --budgets 4000,8000,50%")
        is_share = word.endswith("%")
        found.append(Budget(word, 0 if is_share else int(number), int(number) / 100 if is_share else 0.0))
    return tuple(found)


def papers(transcripts: Sequence[Transcript], counter: Counter, *, count: int, negatives: int) -> list[Paper]:
    """Set the exam: `count` questions a transcript, and `negatives` about other transcripts that it cannot answer."""
    asked = [bank.questions(one, count) for one in transcripts]
    made = []
    for place, one in enumerate(transcripts):
        others = [*asked[place + 1 :], *asked[:place]]
        questions = (*asked[place], *bank.negatives(one, others, negatives))
        made.append(Paper(one.name, one.digest, tokens_of(one.row, counter), questions))
    return made


def tokens_of(source: object, counter: Counter) -> int:
    """Count the tokens of a row."""
    view = row.read(source)
    return sum(counter.count_all(turn.text for turn in view.turns)) + counter.count(view.overhead)


@dataclass(frozen=True, slots=True)
class Exam:
    """Transcripts and papers in the same order, with all that is needed to sit the exam."""

    transcripts: Sequence[Transcript]
    papers: Sequence[Paper]
    counter: Counter
    make_reader: MakeReader = ExtractiveReader
    clock: Clock | None = None

    def sit(self, policies: Iterable[str], budgets: Sequence[Budget]) -> Iterator[Result]:
        """Yield the results, policy by policy; controls that need no budget are sat once."""
        for name in policies:
            for budget in budgets if name not in CONTROLS else (Budget("-"),):
                for place in range(len(self.transcripts)):
                    yield self._sit(name, budget, place)

    def _sit(self, name: str, budget: Budget, place: int) -> Result:
        paper = self.papers[place]
        start = self.clock() if self.clock else 0.0
        compressed, is_over = self._compress(name, budget, place)
        spent = self.clock() - start if self.clock else 0.0
        reader = self.make_reader(context(compressed) if compressed else ())
        grades = tuple(grade(question, reader.answer(question)) for question in paper.questions)
        after = tokens_of(compressed, self.counter) if compressed else 0
        return Result(name, budget.label, paper.name, paper.tokens, after, grades, is_over, round(spent, 4))

    def _compress(self, name: str, budget: Budget, place: int) -> tuple[Any, bool]:
        source = self.transcripts[place].row
        if name == CLOSED_BOOK:
            return None, False
        if name == SHUFFLED:
            count = len(self.transcripts)
            return (self.transcripts[(place + count // 2) % count].row if count > 1 else None), False
        if name == UNCOMPRESSED:
            return source, False
        options = Options(budget.of(self.papers[place].tokens), POLICIES[name], metrics=False)
        compressed, metrics = Compressor(options, self.counter)(source)
        return compressed, metrics.still_over_limit


def leaks(source: Paper) -> list[str]:
    """Return the ids of questions whose own text gives the answer away."""
    return [one.id for one in source.questions if one.gold and not one.options and one.gold.lower() in one.text.lower()]


def recall(result: Result, paper: Paper, kind: str = "") -> list[float]:
    """Return the points, 0 to 1, of a result's questions of one kind, or of all kinds but negatives."""
    wanted = ((question.kind == kind) if kind else (question.kind != "negative") for question in paper.questions)
    return [points / FULL for points, is_wanted in zip(result.grades, wanted, strict=True) if is_wanted]
