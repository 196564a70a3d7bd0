"""ATIF, the agent trajectory interchange format: steps of system, user and agent, results beside their calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hermes_git.trajectories.model import Call, Trajectory, Turn

VERSION = "ATIF-v1.6"
RAW = "raw_arguments"


def render(trajectory: Trajectory) -> dict[str, object]:
    """Write a trajectory as one ATIF document; thoughts and texts are fields of their own, so nothing is escaped."""
    agent = {
        "name": trajectory.agent or "unknown",
        "version": "unknown",
        "model_name": trajectory.model or "unknown",
        "tool_definitions": [{"type": "function", "function": row} for row in json.loads(trajectory.tools)],
    }
    steps: list[dict[str, Any]] = [{"source": "system", "message": trajectory.system}] if trajectory.system else []
    for place, turn in enumerate(trajectory.turns):
        if turn.role == "human":
            steps.append({"source": "user", "message": turn.text})
        elif turn.role == "gpt":
            steps.append(_agent(turn, trajectory.turns[place + 1 :]))
    numbered = [{"step_id": number, **step} for number, step in enumerate(steps, 1)]
    return {"schema_version": VERSION, "session_id": trajectory.id, "agent": agent, "steps": numbered}


def _agent(turn: Turn, following: Sequence[Turn]) -> dict[str, Any]:
    step: dict[str, Any] = {"source": "agent", "message": turn.text}
    if turn.reasoning:
        step["reasoning_content"] = turn.reasoning
    if turn.calls:
        step["tool_calls"] = [
            {"tool_call_id": call.id, "function_name": call.name, "arguments": _arguments(call)} for call in turn.calls
        ]
        results = following[0].results if following and following[0].role == "tool" else ()
        step["observation"] = {
            "results": [{"source_call_id": result.id, "content": result.content} for result in results]
        }
    return step


def _arguments(call: Call) -> object:
    return {RAW: call.arguments} if call.is_broken else json.loads(call.arguments)
