"""The turn order that every trainer accepts: human first, then answer and question by turns, an answer last.

LLaMA-Factory empties a whole example when a human turn follows a tool turn, when two turns of one side meet, or when
their number is odd; it does so without an error, so the order is made here, and what that costs is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hermes_git.trajectories.model import Drop, Turn
from hermes_git.trajectories.pairing import merge

FOLD = "\n\n[user message]\n"


def alternate(turns: Sequence[Turn]) -> tuple[list[Turn], Counter[str]]:
    """Return turns in alternating order and the marks; raise `Drop` when no exchange remains."""
    marks: Counter[str] = Counter()
    first = next((place for place, turn in enumerate(turns) if turn.role == "human"), None)
    if first is None:
        raise Drop("no user message")
    marks["turns-before-first-user-message"] = first
    ordered: list[Turn] = []
    for turn in merge(turns[first:]):
        if turn.role == "human" and ordered and ordered[-1].role == "tool":
            ordered[-1] = _fold(ordered[-1], turn.text)
            marks["user-messages-folded-into-results"] += 1
        else:
            ordered.append(turn)
    return _end_on_answer(ordered, marks), marks


def _fold(tool: Turn, text: str) -> Turn:
    """Put words that the user said before the agent answered a result behind the last result."""
    last = tool.results[-1]
    return replace(tool, results=(*tool.results[:-1], replace(last, content=f"{last.content}{FOLD}{text}")))


def _end_on_answer(ordered: list[Turn], marks: Counter[str]) -> list[Turn]:
    """Cut what comes after the last answer; a last call ends on its words, else on its thought."""
    while ordered:
        turn = ordered[-1]
        if turn.role == "gpt" and not turn.calls and turn.text.strip():
            break
        if turn.role == "gpt" and turn.calls and (turn.text.strip() or turn.reasoning.strip()):
            marks["last-calls-left-out"] += len(turn.calls)
            ordered[-1] = _without_calls(turn, marks)
            break
        marks["turns-after-last-answer"] += 1
        ordered.pop()
    if len(ordered) < 2:
        raise Drop("no answer to keep")
    return ordered


def _without_calls(turn: Turn, marks: Counter[str]) -> Turn:
    if turn.text.strip():
        return replace(turn, calls=())
    marks["last-thought-as-answer"] += 1
    return replace(turn, text=turn.reasoning, reasoning="", calls=())
