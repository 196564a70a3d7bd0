"""Who asks, who answers and who grades an exam: built in, or a model, as the options say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from hermes_git.commands.call import Call
from hermes_git.commands.eval_input import Asked, Decorator, remembering
from hermes_git.commands.local_model import MAX_CHARS as LOCAL_CHARS
from hermes_git.commands.local_model import local_model
from hermes_git.commands.model import Named, chat, model_options
from hermes_git.errors import UserError
from hermes_git.evals.exam import Budget, Elsewhere, Result, Seat, Sitting
from hermes_git.evals.grade import grade
from hermes_git.evals.judge import Judge
from hermes_git.evals.metered import Metered
from hermes_git.evals.model_bank import ModelBank
from hermes_git.evals.model_reader import MAX_CHARS, ModelReader
from hermes_git.evals.paper_cache import cached_questions
from hermes_git.evals.question import Question
from hermes_git.evals.reader import ExtractiveReader
from hermes_git.evals.transcript import Transcript
from hermes_git.export import workers as pool
from hermes_git.llm.cache import Cached
from hermes_git.trajectories.model_summary import ModelSummary
from hermes_git.trajectories.summaries import Summarise

READERS = ("extractive", "model", "local")


def reading_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say who asks, answers and grades."""
    options: tuple[Decorator, ...] = (
        click.option("--reader", type=click.Choice(READERS), default="extractive", show_default=True,
                     help="Who answers: built in, the --model, or a small model on this machine (extra `local`)."),
        click.option("--generator", type=click.Choice(("built-in", "model")), default="built-in", show_default=True,
                     help="model: half as many questions again, written by the --model and checked."),
        click.option("--judge", "is_judged", is_flag=True, help="The --model grades what does not match gold."),
        click.option("--context-chars", type=click.IntRange(min=500), default=MAX_CHARS, show_default=True,
                     help="The most of a context that a model is shown; of more, the lines nearest the question."),
        click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True,
                     help="Processes; with a model, questions asked at once."),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return model_options(function)


@dataclass(slots=True)
class Reading:
    """Who takes part in an exam; a model is built when it is first needed, and what it cost is counted."""

    call: Call
    asked: Asked
    named: Named
    reader: str = "extractive"
    generator: str = "built-in"
    is_judged: bool = False
    context_chars: int = MAX_CHARS
    workers: int = 1
    has_summaries: bool = False
    model: Metered | None = None
    writer: Metered | None = None
    judge: Judge | None = None
    bank: ModelBank | None = None

    def __post_init__(self) -> None:
        """Build what is asked for."""
        if self.generator == "model" and self.reader == "extractive":
            raise UserError("questions that a model writes need a reader that is a model", hint="add --reader model")
        if self.reader != "extractive" or self.generator == "model" or self.is_judged:
            self.model = Metered(self._chat(is_local=self.reader == "local"))
        if self.has_summaries:
            self.writer = Metered(self._chat(is_local=False))
        if self.is_judged and self.model:
            self.judge = Judge(self.model)
        if self.generator == "model" and self.model:
            self.bank = ModelBank(self.model)

    def _chat(self, *, is_local: bool) -> Any:
        store = self.asked.store(self.call, "replies")
        plain = local_model(self.call.folder, self.named.model) if is_local else chat(self.call, self.named)
        return Cached(plain, store, self.reader if is_local else self.named.endpoint) if store else plain

    def more_questions(self, found: Sequence[Transcript], count: int) -> list[tuple[Question, ...]]:
        """Return what the model asks about each transcript, kept like other exams."""
        if self.bank is None:
            return [() for _ in found]
        store = self.asked.store(self.call)
        watched = self.call.watch(found, "questions by the model", len(found))
        return [cached_questions(store, one, count, self.bank, self.bank.chat.model) for one in watched]

    def sit(
        self,
        seats: Sequence[Seat],
        policies: tuple[str, ...],
        budgets: tuple[Budget, ...],
        *,
        match: str = "",
        timed: bool = False,
        elsewhere: Elsewhere | None = None,
    ) -> Iterator[tuple[Result, ...]]:
        """Yield the results of each seat, in order: in processes, or with a model in threads."""
        job = SittingJob(policies, budgets, self.asked.tokenizer, match, timed, elsewhere or {})
        if self.model is None and self.writer is None:
            yield from pool.run(job, seats, self.workers, size=lambda _: pool.CHUNK_BYTES)
            return
        most = min(self.context_chars, LOCAL_CHARS) if self.reader == "local" else self.context_chars
        reads = self.model if self.reader != "extractive" else None
        asks = partial(ModelReader, chat=reads, max_chars=most) if reads else None
        sitting = job.build(asks, self.judge, ModelSummary(self.writer, 0.0) if self.writer else None)
        yield from pool.run_waiting(sitting, seats, self.workers)

    def described(self) -> dict[str, object]:
        """Return what a scorecard says about who took part, and what it cost."""
        found: dict[str, object] = {"reader": self.reader, "generator": self.generator}
        if self.model:
            found["model"] = self.model.as_json()
        if self.writer:
            found["summaries"] = self.writer.as_json()
        if self.judge:
            found["judge"] = {"asked": self.judge.asked, "unread": self.judge.unread}
        if self.bank:
            found["questions_refused"] = {name: count for name, count in sorted(self.bank.refused.items()) if count}
        return found


@dataclass(frozen=True, slots=True)
class SittingJob:
    """All that another process needs to sit exams; the tokenizer is named, since a vocabulary does not travel."""

    policies: tuple[str, ...]
    budgets: tuple[Budget, ...]
    tokenizer: str | None
    match: str
    timed: bool
    elsewhere: Elsewhere

    def build(self, make_reader: Any = None, grader: Any = None, summarise: Summarise | None = None) -> Sitting:
        """Return the step; what is left out is built in."""
        return Sitting(
            self.policies,
            self.budgets,
            remembering(self.tokenizer),
            make_reader=make_reader or ExtractiveReader,
            grader=grader or grade,
            clock=time.process_time if self.timed else None,
            match=self.match,
            elsewhere=self.elsewhere,
            summarise=summarise,
        )
