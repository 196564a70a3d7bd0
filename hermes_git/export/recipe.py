"""What is asked of an export, and one session made into one row: a pure step that any worker can do."""

from __future__ import annotations

import hashlib
import json
from collections import Counter as Tally
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import msgspec

from hermes_git.export.select import Dedupe, HeldOut, Print, is_validation, print_of
from hermes_git.sessions.model import Session
from hermes_git.tokens import choose
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories import convert, redact, validate
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.metrics import RowMetrics
from hermes_git.trajectories.model import Drop
from hermes_git.trajectories.styles import STYLES, Row
from hermes_git.trajectories.summaries import Summarise

COMPLETED, FAILED = "trajectory_samples", "failed_trajectories"
VALIDATION, FAILED_VALIDATION = "validation_samples", "failed_validation"
GROUPS = {(True, False): COMPLETED, (False, False): FAILED, (True, True): VALIDATION, (False, True): FAILED_VALIDATION}
"""(completed, on the validation side) → the file of a row."""

NOTHING_HELD_OUT = HeldOut()


Families = Mapping[str, str]
"""Session id → the session its family goes back to, for sessions that have a parent."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Options of an export; budget 0 exports rows whole."""

    style: str = "sharegpt"
    budget: int = 0
    compression: Options | None = None
    redacts: bool = True
    format: str = "jsonl"
    dedupe: Dedupe = "exact"
    validation: float = 0.0
    held_out: HeldOut = NOTHING_HELD_OUT

    def describe(self) -> dict[str, object]:
        """Return what the manifest says about the options."""
        known: dict[str, object] = {
            "style": self.style,
            "format": self.format,
            "budget": self.budget,
            "redacts": self.redacts,
        }
        known |= {"dedupe": self.dedupe, "validation": self.validation, "held_out": self.held_out.describe()}
        if self.compression:
            known |= {"policy": self.compression.policy.name, "summary_turn": self.compression.summary_turn}
        return known

    @property
    def digest(self) -> str:
        """Return SHA-256 of the options, so that two manifests can be compared."""
        return hashlib.sha256(json.dumps(self.describe(), sort_keys=True).encode()).hexdigest()


def refused_by(recipe: Recipe) -> list[str]:
    """Name the trainers that refuse some rows by design: a human summary turn breaks the alternation they need."""
    if recipe.compression is None:
        return []
    choice = recipe.compression.summary_turn
    is_human = choice == "human" or (choice == "auto" and recipe.style == "hermes")
    return ["llamafactory", "axolotl"] if is_human else []


@dataclass(frozen=True, slots=True)
class Made:
    """One row: the file it belongs to, its bytes, and what was counted on the way."""

    group: str
    print: Print
    line: bytes
    outcome: str
    marks: Mapping[str, int]
    redactions: Mapping[str, int]
    metrics: RowMetrics


@dataclass(frozen=True, slots=True)
class Dropped:
    """A session that gave no row, and why."""

    session: str
    reason: str


def pack(made: Made | Dropped) -> bytes:
    """Write what became of a session as bytes."""
    return (b"D" if isinstance(made, Dropped) else b"M") + msgspec.msgpack.encode(made)


def unpack(data: bytes) -> Made | Dropped:
    """Read back what `pack` wrote."""
    return msgspec.msgpack.decode(data[1:], type=Dropped if data[:1] == b"D" else Made)


@dataclass(frozen=True, slots=True)
class KitchenJob:
    """All that another process needs to make rows."""

    recipe: Recipe
    tokenizer: str
    reverted: frozenset[str] = frozenset()
    source: str = ""
    families: Families = field(default_factory=dict)

    def build(self) -> Callable[[Session], Made | Dropped]:
        """Return the step, with a tokenizer of its own."""
        counter = choose.counter(self.tokenizer)
        return Kitchen(self.recipe, counter, self.reverted, self.source, self.families).make


@dataclass(frozen=True, slots=True)
class Kitchen:
    """A recipe with what it needs: the tokenizer, the summariser, and which sessions history has reverted."""

    recipe: Recipe
    counter: Counter
    reverted: frozenset[str] = frozenset()
    source: str = ""
    families: Families = field(default_factory=dict)
    summarise: Summarise | None = None

    @property
    def job(self) -> KitchenJob:
        """Return what another process builds its own kitchen from."""
        return KitchenJob(self.recipe, self.counter.name, self.reverted, self.source, self.families)

    def make(self, session: Session) -> Made | Dropped:
        """Make a row of a session, or say why there is none."""
        try:
            return self._make(session)
        except Drop as drop:
            return Dropped(session.id, drop.reason)

    def _make(self, session: Session) -> Made:
        trajectory = convert.convert(session, reverted=self.reverted, source=self.source)
        family = self.families.get(session.id)
        if family:
            trajectory = replace(trajectory, family=family)
        redactions: Tally[str] = Tally()
        if self.recipe.redacts:
            trajectory, redactions = redact.redact(trajectory)
        ordered, row = STYLES[self.recipe.style].row(trajectory)
        taken = print_of(row, dedupe=self.recipe.dedupe, held_out=self.recipe.held_out)
        row, metrics = self._compress(row)
        self._check(row)
        group = GROUPS[ordered.is_completed, is_validation(ordered.family, self.recipe.validation)]
        line = msgspec.json.encode(row) + b"\n"
        return Made(group, taken, line, ordered.outcome, convert.counted(ordered.marks), redactions, metrics)

    def _compress(self, row: Row) -> tuple[Row, RowMetrics]:
        if self.recipe.compression is None:
            return row, RowMetrics()
        compressed, metrics = Compressor(self.recipe.compression, self.counter, self.summarise)(row)
        return dict(compressed), metrics

    def _check(self, row: Row) -> None:
        trainer = STYLES[self.recipe.style].trainer
        objection = next(validate.TRAINERS[trainer](row), None) if trainer and not refused_by(self.recipe) else None
        if objection:
            raise Drop(f"{trainer} would refuse it: {objection.rule}")
