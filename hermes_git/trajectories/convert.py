"""From a session to a trajectory, and from a trajectory to the turn order that a style needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from hermes_git.sessions.model import Session
from hermes_git.trajectories import outcome, pairing, schemas, strict_json, tags
from hermes_git.trajectories.alternate import alternate
from hermes_git.trajectories.model import Drop, Trajectory, Turn


def convert(session: Session, *, reverted: frozenset[str] = frozenset(), source: str = "") -> Trajectory:
    """Make a trajectory of a session; raise `Drop` when it holds no exchange.

    `source` names the commit that the session was read from; it is written into the row.
    """
    turns, system, marks = pairing.turns(session.messages)
    if not any(turn.role == "gpt" for turn in turns):
        raise Drop("no assistant message")
    marks["escaped-tags"] += sum(_speaks_of_tags(turn) for turn in turns)
    tools, derived = schemas.schemas(session.tools, (call for turn in turns for call in turn.calls))
    marks["schemas-derived-from-calls"] += derived
    return Trajectory(
        id=session.id,
        turns=tuple(turns),
        system=strict_json.encodable(session.system_prompt or system),
        tools=strict_json.encodable(tools),
        model=session.model or next((row.model for row in reversed(session.messages) if row.model), ""),
        timestamp=session.started_at or next((row.timestamp for row in session.messages if row.timestamp), ""),
        outcome=outcome.judge(session, turns, marks, reverted=reverted),
        marks=as_marks(marks),
        agent=session.agent,
        family=session.parent or session.id,
        source=source,
    )


def for_trainers(trajectory: Trajectory) -> Trajectory:
    """Return the trajectory in strictly alternating order, its marks grown by what that cost; raise `Drop`."""
    turns, cost = alternate(trajectory.turns)
    return replace(trajectory, turns=tuple(turns), marks=as_marks(counted(trajectory.marks) + cost))


def _speaks_of_tags(turn: Turn) -> bool:
    return any(tags.has_tag(text) for text in (turn.text, turn.reasoning)) or any(
        tags.has_tag(result.content) for result in turn.results
    )


def as_marks(marks: Mapping[str, int]) -> tuple[str, ...]:
    """Write counted marks as `name:count`, sorted, zeros left out."""
    return tuple(f"{name}:{count}" for name, count in sorted(marks.items()) if count)


def counted(marks: Iterable[str]) -> Counter[str]:
    """Read marks back into counts."""
    pairs = (mark.rpartition(":") for mark in marks)
    return Counter({name: int(count) for name, _, count in pairs})
