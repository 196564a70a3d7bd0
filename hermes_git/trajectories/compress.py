"""Bring one row within a budget of tokens: measure, choose what to leave out, summarise it, measure again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from hermes_git.tokens.counter import Counter
from hermes_git.trajectories import row, stand_in
from hermes_git.trajectories.extract import Region
from hermes_git.trajectories.metrics import RowMetrics
from hermes_git.trajectories.plan import SummaryTurn, plan
from hermes_git.trajectories.policy import DEFAULT, POLICIES, Policy
from hermes_git.trajectories.row import RowTurn, View
from hermes_git.trajectories.segments import PREFIX
from hermes_git.trajectories.summaries import BUILT_IN, PLACEHOLDER, Summarise, SummaryFailed, checked

LEAST_SUMMARY = 24
"""Tokens below which a summary says nothing; a row that has no room even for these is marked over the limit."""

ATTEMPTS = 4
SummaryChoice = Literal["auto", "human", "fold"]


@dataclass(frozen=True, slots=True)
class Options:
    """How rows are compressed. `notice` is appended to a row's system turn when the row was compressed.

    `falls_back` lets the built-in summariser stand in for one that failed, which is counted as an error all the same.
    """

    budget: int
    policy: Policy = POLICIES[DEFAULT]
    summary_turn: SummaryChoice = "auto"
    notice: str = ""
    metrics: bool = True
    falls_back: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """The turns of a row while it is being compressed, with the tokens of each and of the row's other columns."""

    turns: tuple[RowTurn, ...]
    tokens: tuple[int, ...]
    overhead: int
    regions: tuple[tuple[int, int], ...] = ()
    summary_tokens: int = 0
    errors: int = 0

    @property
    def total(self) -> int:
        """Return the tokens of the whole row."""
        return sum(self.tokens) + self.overhead


@dataclass(frozen=True, slots=True)
class Compressor:
    """What compresses rows: the options, the tokenizer, and who writes the summaries (by default the policy's own)."""

    options: Options
    counter: Counter
    summarise: Summarise | None = None

    def __call__(self, source: object) -> tuple[Mapping[str, Any], RowMetrics]:
        """Return the row within the budget, or as near as protection allows and marked, and what was done to it.

        A row under the budget comes back as it is. If the summariser fails, the row comes back as it was, marked over
        the limit, and the error is counted. Raises `Drop` for what is no row at all.
        """
        view = row.read(source)
        before = self._measure(view)
        metrics = RowMetrics(
            before.total, before.total, len(view.turns), len(view.turns), policy=self.options.policy.name
        )
        if before.total <= self.options.budget:
            return view.row, replace(metrics, skipped_under_target=True)
        try:
            after = self._reduce(view, self._stub(view, before))
        except (SummaryFailed, TimeoutError, OSError):
            failed = replace(metrics, still_over_limit=True, summarization_api_calls=1, summarization_errors=1)
            return self._written(view, view.turns, failed), failed
        metrics = self._account(metrics, before, after)
        if metrics.regions:
            metrics = replace(metrics, summary_turn=summary_turn(view, self.options))
        return self._written(view, after.turns if metrics.was_compressed else view.turns, metrics), metrics

    def _measure(self, view: View) -> Draft:
        tokens = self.counter.count_all(turn.text for turn in view.turns)
        return Draft(view.turns, tuple(tokens), self.counter.count(view.overhead))

    def _account(self, metrics: RowMetrics, before: Draft, after: Draft) -> RowMetrics:
        if after.total >= before.total:
            return replace(metrics, still_over_limit=True)
        kept = {id(turn) for turn in before.turns}
        return replace(
            metrics,
            compressed_tokens=after.total,
            compressed_turns=len(after.turns),
            regions=after.regions,
            stubbed_turns=sum(id(turn) not in kept for turn in after.turns) - len(after.regions),
            was_compressed=True,
            still_over_limit=after.total > self.options.budget,
            summarization_api_calls=len(after.regions) if self.summarise else 0,
            summarization_errors=after.errors,
            summary_tokens=after.summary_tokens,
        )

    def _written(self, view: View, turns: Sequence[RowTurn], metrics: RowMetrics) -> dict[str, Any]:
        if self.options.notice and metrics.was_compressed:
            turns = with_notice(turns, self.options.notice, view)
        return view.write(turns, **({"compression_metrics": metrics.as_json()} if self.options.metrics else {}))

    def _stub(self, view: View, draft: Draft) -> Draft:
        """Shorten tool turns, the oldest first, until the budget is met; the protected last turns stay."""
        if not self.options.policy.stubs:
            return draft
        turns, tokens = list(draft.turns), list(draft.tokens)
        excess = draft.total - self.options.budget
        for place, turn in enumerate(draft.turns[: len(turns) - self.options.policy.protect_last]):
            if excess <= 0:
                break
            if turn.role == "tool":
                short = stand_in.stub(turn, view.layout)
                cost = self.counter.count(short.text)
                if cost < tokens[place]:
                    excess -= tokens[place] - cost
                    turns[place], tokens[place] = short, cost
        return replace(draft, turns=tuple(turns), tokens=tuple(tokens))

    def _reduce(self, view: View, draft: Draft) -> Draft:
        """Replace turns by summaries; if what a summary is wrapped in breaks the budget, leave out that much more."""
        if draft.total <= self.options.budget:
            return draft
        mode = summary_turn(view, self.options)
        notice = self.counter.count(self.options.notice) if self.options.notice else 0
        margin, best = notice, draft
        for _ in range(ATTEMPTS):
            done = self._replace(view, draft, mode, margin)
            excess = done.total + notice - self.options.budget
            if excess <= 0 or done.total >= best.total:
                return min(best, done, key=lambda one: one.total)
            best = done
            margin += excess
        return best

    def _replace(self, view: View, draft: Draft, mode: SummaryTurn, margin: int) -> Draft:
        policy, budget = self.options.policy, self.options.budget
        excess = draft.total - budget + margin
        told = zip(draft.turns, draft.tokens, strict=True)
        planned = _planned(policy, budget, excess, sum(cost for turn, cost in told if turn.text.startswith(PREFIX)))
        roles = [turn.role for turn in draft.turns]
        chosen = plan(roles, draft.tokens, policy, need=excess + planned, budget=budget, summary_turn=mode)
        kept = draft.total - sum(draft.tokens[place] for place in chosen.removed)
        room = budget - kept - margin
        limit = room if policy.fills else min(planned, room)
        return self._substituted(view, draft, chosen.regions, max(LEAST_SUMMARY, limit), mode)

    def _substituted(
        self, view: View, draft: Draft, regions: Sequence[tuple[int, int]], limit: int, mode: SummaryTurn
    ) -> Draft:
        sizes = [sum(draft.tokens[start:end]) for start, end in regions]
        turns: list[RowTurn] = []
        tokens: list[int] = []
        position = spent = errors = 0
        for (start, end), size in zip(regions, sizes, strict=True):
            room = max(LEAST_SUMMARY, limit * size // max(1, sum(sizes)))
            region = Region(draft.turns[start:end], start, draft.turns[end:])
            text, failed = self._summary(region, room)
            errors += failed
            stands = stand_in.stand_in(draft.turns[start], text, view.layout, mode)
            cost = self.counter.count(stands.text)
            turns += [*draft.turns[position:start], stands]
            tokens += [*draft.tokens[position:start], cost]
            position, spent = end, spent + cost
        turns += draft.turns[position:]
        tokens += draft.tokens[position:]
        return Draft(tuple(turns), tuple(tokens), draft.overhead, tuple(regions), spent, errors)

    def _summary(self, region: Region, limit: int) -> tuple[str, bool]:
        """Return a summary, and whether the built-in one had to stand in for one that failed.

        The policy's own keeps to its room; what is written elsewhere is held to it. What stands in quotes, whatever the
        policy: a sentence that says nothing never takes the place of turns because a summariser failed.
        """
        room, count = max(1, limit - self.counter.count(PREFIX)), self.counter.count
        if self.summarise is None:
            text = BUILT_IN[self.options.policy.summary](region, room, count).strip()
            return PREFIX + (text or PLACEHOLDER.format(label=region.label)), False
        try:
            return PREFIX + checked(self.summarise(region, room, count), room, count), False
        except (SummaryFailed, TimeoutError, OSError):
            text = BUILT_IN["extractive"](region, room, count).strip() if self.options.falls_back else ""
            if not text:
                raise
            return PREFIX + text, True


def _planned(policy: Policy, budget: int, excess: int, held: int) -> int:
    """Return the tokens to plan for a summary when `excess` tokens must go.

    The `held` tokens of an earlier summary are not shortened again by the ratio: they were, when it was written.
    """
    ratio = policy.summary_ratio
    share = min(int(policy.summary_share * budget), held + int(excess * ratio / (1 - ratio)))
    return max(LEAST_SUMMARY, share, min(policy.summary_tokens, budget // 2))


def summary_turn(view: View, options: Options) -> SummaryTurn:
    """Decide how the summary enters a row: Hermes rows take a human turn, trainers' rows must alternate."""
    if options.summary_turn != "auto":
        return options.summary_turn
    is_hermes = view.layout.role == "from" and any(raw.get("from") == "tool" for turn in view.turns for raw in turn.raw)
    return "human" if is_hermes else "fold"


def with_notice(turns: Sequence[RowTurn], notice: str, view: View) -> list[RowTurn]:
    """Append the notice to the first system turn; a row without one goes without."""
    if not turns or turns[0].role != "system":
        return list(turns)
    raw = dict(turns[0].raw[0])
    raw[view.layout.text] = f"{raw.get(view.layout.text) or ''}{notice}"
    return [row.read_turn([raw], view.layout), *turns[1:]]
