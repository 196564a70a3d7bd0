"""Secrets out of a trajectory, at the edge where it leaves the repository; sessions were redacted once already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from hermes_git.patterns import secrets
from hermes_git.trajectories import strict_json
from hermes_git.trajectories.model import Call, Trajectory, Turn

Text = Callable[[str], str]
MARK = "[REDACTED:{kind}]"


def redact(trajectory: Trajectory) -> tuple[Trajectory, Counter[str]]:
    """Return the trajectory with each secret replaced by a typed placeholder, and how many of each kind there were."""
    found: Counter[str] = Counter()

    def clean(text: str) -> str:
        return _clean(text, found)

    turns = tuple(_turn(turn, clean) for turn in trajectory.turns)
    return replace(
        trajectory, turns=turns, system=clean(trajectory.system), tools=_json(trajectory.tools, clean)
    ), found


def _clean(text: str, found: Counter[str]) -> str:
    parts, position = [], 0
    for match in secrets.find(text):
        parts += [text[position : match.start], MARK.format(kind=match.kind)]
        position = match.end
        found[match.kind] += 1
    return "".join([*parts, text[position:]]) if parts else text


def _turn(turn: Turn, clean: Text) -> Turn:
    return replace(
        turn,
        text=clean(turn.text),
        reasoning=clean(turn.reasoning),
        calls=tuple(_call(call, clean) for call in turn.calls),
        results=tuple(replace(result, content=clean(result.content)) for result in turn.results),
    )


def _call(call: Call, clean: Text) -> Call:
    return replace(call, arguments=clean(call.arguments) if call.is_broken else _json(call.arguments, clean))


def _json(text: str, clean: Text) -> str:
    """Redact JSON as text, where a key may say that its value is secret; string by string if that would break it."""
    cleaned = clean(text)
    if cleaned == text:
        return text
    try:
        value = strict_json.parse(cleaned)
    except strict_json.NotStrict:
        value = _strings(strict_json.parse(text), clean)
    return strict_json.dump(value)


def _strings(value: object, clean: Text) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _strings(item, clean) for key, item in value.items()}
    return [_strings(item, clean) for item in value] if isinstance(value, list) else value
