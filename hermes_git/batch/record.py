"""One prompt's result as it is written: what became of it, and the training row made of its session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec

from hermes_git.batch.agent import Run
from hermes_git.batch.dataset import Prompt
from hermes_git.errors import UserError
from hermes_git.sessions.model import Session
from hermes_git.sessions.redact import Redactor
from hermes_git.trajectories import convert, redact, validate
from hermes_git.trajectories.model import Drop
from hermes_git.trajectories.styles import STYLES

FORMAT = 1
AGENT = "hermes-git-batch"

Status = Literal["done", "failed", "dropped"]
"""`done` has a row. `failed` has none and is tried again by a resumed run: the model, the time or the worker gave out.
`dropped` has none and never will: what was said cannot become a row."""


class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="format", tag=FORMAT):
    """One line of a batch file.

    `seconds` is wall time; `usage` counts tokens and US dollars; `row` is the training row of a done prompt.
    """

    id: str
    index: int
    status: Status
    reason: str = ""
    message: str = ""
    seconds: float = 0.0
    api_calls: int = 0
    usage: dict[str, float] = {}
    tools: dict[str, int] = {}
    tool_failures: dict[str, int] = {}
    turns: int = 0
    thoughts: int = 0
    toolsets: tuple[str, ...] = ()
    redactions: dict[str, int] = {}
    row: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Recipe:
    """What all rows of a run share: style, names of all tools (so that every row has the same columns), the start."""

    run: str
    style: str = "hermes"
    started_at: str = ""
    commit: str = ""
    tools: tuple[str, ...] = ()
    requires_reasoning: bool = False


@dataclass(frozen=True, slots=True)
class Extra:
    """What a procedure adds to a row: the outcome it found by itself, and columns of its own."""

    outcome: str = ""
    columns: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)


NOTHING = Extra()


def session_of(prompt: Prompt, found: Run, recipe: Recipe, *, system: str, tools: str) -> Session:
    """Return the session of a run, in the one shape that all sessions have."""
    usage = found.tally.usage
    return Session(
        id=f"{recipe.run}-{prompt.id}",
        agent=AGENT,
        source_format=AGENT,
        started_at=recipe.started_at,
        end_reason=found.end_reason,
        model=found.model,
        system_prompt=system,
        tools=tools,
        messages=found.messages,
        usage={"input": usage.input, "output": usage.output},
    )


def failed(prompt: Prompt, reason: str, message: str = "", seconds: float = 0.0, *, api_calls: int = 0) -> Record:
    """Return the record of a prompt that gave no session."""
    return Record(prompt.id, prompt.index, "failed", reason, message, seconds=round(seconds, 3), api_calls=api_calls)


def of_run(
    prompt: Prompt, found: Run, session: Session, recipe: Recipe, *, toolsets: tuple[str, ...], extra: Extra = NOTHING
) -> Record:
    """Return the record of a run of our own agent; a model that failed is a failure, whatever was said before."""
    tally, usage = found.tally, found.tally.usage
    counted: dict[str, Any] = {
        "api_calls": tally.calls,
        "usage": {"input": usage.input, "output": usage.output, "reasoning": usage.reasoning, "cost": usage.cost},
        "tools": dict(sorted(tally.tools.items())),
        "tool_failures": dict(sorted((+tally.failures).items())),
        "turns": tally.turns,
        "thoughts": tally.thoughts,
        "toolsets": toolsets,
    }
    if found.error is not None:
        said = Redactor().text(found.error.message)
        return Record(prompt.id, prompt.index, "failed", found.error.kind, said, **counted)
    columns = {"partial": found.is_partial, "api_calls": tally.calls, "toolsets_used": list(toolsets)}
    columns |= tool_columns(recipe.tools, tally.tools, tally.failures)
    return of_session(prompt, session, recipe, columns=columns, counted=counted, extra=extra)


def tool_columns(names: Iterable[str], calls: Counter[str], failures: Counter[str]) -> dict[str, Any]:
    """Return `tool_stats` and `tool_error_counts`, zeros included, so that all rows have the same columns.

    Calls of tools that do not exist are counted under `unknown`.
    """
    listed = (*names, "unknown")
    of = {name: name if name in listed else "unknown" for name in calls}
    total: Counter[str] = Counter()
    failed_: Counter[str] = Counter()
    for name, count in calls.items():
        total[of[name]] += count
        failed_[of[name]] += failures[name]
    return {
        "tool_stats": {
            name: {"count": total[name], "success": total[name] - failed_[name], "failure": failed_[name]}
            for name in listed
        },
        "tool_error_counts": {name: failed_[name] for name in listed},
    }


def of_session(
    prompt: Prompt,
    session: Session,
    recipe: Recipe,
    *,
    columns: Mapping[str, Any],
    counted: Mapping[str, Any],
    extra: Extra = NOTHING,
) -> Record:
    """Turn a session into a record: converted, redacted, and held against the trainer's rules."""
    if recipe.requires_reasoning and not any(message.reasoning.strip() for message in session.messages):
        return Record(prompt.id, prompt.index, "dropped", "no reasoning", **counted)
    try:
        row, redactions = _row(prompt, session, recipe, columns, extra)
    except Drop as drop:
        return Record(prompt.id, prompt.index, "dropped", drop.reason, **counted)
    return Record(prompt.id, prompt.index, "done", redactions=redactions, row=row, **counted)


def _row(
    prompt: Prompt, session: Session, recipe: Recipe, columns: Mapping[str, Any], extra: Extra
) -> tuple[dict[str, Any], dict[str, int]]:
    trajectory, redactions = redact.redact(convert.convert(session, source=recipe.commit))
    if extra.outcome and trajectory.is_completed:
        trajectory = replace(trajectory, outcome=extra.outcome)
    style = STYLES[recipe.style]
    ordered, row = style.row(trajectory)
    objection = next(validate.TRAINERS[style.trainer](row), None) if style.trainer else None
    if objection:
        raise Drop(f"{style.trainer} would refuse it: {objection.rule}")
    metadata = {**row.pop("metadata"), "run": recipe.run, "prompt": prompt.id, **extra.fields}
    row.setdefault("completed", ordered.is_completed)
    return {
        **row,
        "prompt_index": prompt.index,
        **columns,
        **extra.columns,
        "dataset": prompt.extra,
        "metadata": metadata,
    }, dict(sorted(redactions.items()))


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Record)


def encode(record: Record) -> bytes:
    """Return a record as one line without its end."""
    return _ENCODER.encode(record)


def decode(line: bytes) -> Record | None:
    """Read a line back; None for one that is torn, `UserError` for one that a newer version wrote."""
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        if _format_of(line) > FORMAT:
            raise UserError(
                f"a record of format {_format_of(line)}, this tool reads format {FORMAT}",
                hint="upgrade: pip install --upgrade hermes-git",
            ) from None
        return None


def _format_of(line: bytes) -> int:
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return 0
    value = found.get("format") if isinstance(found, dict) else None
    return value if isinstance(value, int) else 0


def encode_row(record: Record) -> bytes:
    """Return the training row of a record as one line with its end."""
    return _ENCODER.encode(record.row) + b"\n"
