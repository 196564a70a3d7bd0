"""Did it work? Rules that decide between `trajectory_samples` and `failed_trajectories`, each stated and testable."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hermes_git.sessions.model import Session
from hermes_git.trajectories.model import Turn

OUTCOMES = {
    "completed": "the agent had the last word, in text, or a benchmark's end reason says success; and nothing below",
    "stopped": "the session's end reason says error, interruption, time-out or an exhausted budget",
    "cut-off": "the last answer was cut by a length limit or a content filter",
    "broken-call": "a tool call's arguments are no strict JSON object",
    "incomplete-thought": "a scratchpad was opened and never closed",
    "corrected": "the user's last word, unanswered, says that the result is wrong or is to be undone",
    "no-answer": "the session ends on a tool result, a call or a user message",
    "reverted": "the commit that the session made was reverted later",
}

STOPPED = frozenset(
    "error errors errored failed failure interrupted interrupt cancelled canceled aborted abort timeout "
    "killed crashed crash exhausted overflow".split()
)
SUCCEEDED = "task succeeded"
"""What the reader of a benchmark's results writes; the last word is then the simulated user's."""

STOPPED_PHRASES = ("max_iterations", "max_turns", "max_steps", "max_tokens", "cost_limit", "budget")
CUT = frozenset(("length", "max_tokens", "content_filter", "refusal", "error"))
CORRECTION = re.compile(
    r"(?:\b(?:that|this|it)(?:'s| is| was)? (?:still )?(?:wrong|broken|incorrect|not (?:right|working|what i))"
    r"|\b(?:does|did)(?:n't| not) work|\bnot what i asked|\bundo (?:that|this|it)|\brevert (?:that|this|it|the)"
    r"|\broll (?:it|that|this) back|\byou broke|\[request interrupted by user"
    r"|不对|错了|撤销|回滚|違います|間違って)",
    re.IGNORECASE,
)


def judge(
    session: Session, turns: Sequence[Turn], marks: Mapping[str, int], *, reverted: frozenset[str] = frozenset()
) -> str:
    """Return the outcome of a session: the first rule that applies, `completed` when none does.

    `reverted` holds ids of sessions whose commit was reverted, as the caller found them in history.
    """
    if session.id in reverted:
        return "reverted"
    if _is_stopped(session.end_reason):
        return "stopped"
    if marks.get("broken-arguments"):
        return "broken-call"
    if marks.get("incomplete-thought"):
        return "incomplete-thought"
    if SUCCEEDED in session.end_reason:
        return "completed"
    return _last_word(session, turns)


def _is_stopped(end_reason: str) -> bool:
    reason = end_reason.lower()
    return bool(STOPPED & set(re.findall(r"[a-z]+", reason))) or any(phrase in reason for phrase in STOPPED_PHRASES)


def _last_word(session: Session, turns: Sequence[Turn]) -> str:
    last = turns[-1] if turns else Turn("human")
    if last.role == "human" and CORRECTION.search(last.text):
        return "corrected"
    if last.role != "gpt" or last.calls or not last.text.strip():
        return "no-answer"
    finish = next((row.finish_reason for row in reversed(session.messages) if row.role == "assistant"), "")
    return "cut-off" if finish in CUT else "completed"
