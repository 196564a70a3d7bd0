"""Steps of an ATIF document seen as messages, and written back, so that a step that is kept is kept as it was.

An agent's step holds its calls and their results; as messages these are a turn and the tool turns after it. Each
message remembers its step. Only `step_id`, which must count from 1 without gaps, changes in steps that are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hermes_git.trajectories import strict_json
from hermes_git.trajectories.model import Drop

Message = Mapping[str, Any]
Step = Mapping[str, Any]

SOURCES = {"system": "system", "user": "user", "agent": "assistant"}
NOTE = "{count} of {total} steps are left out; a summary stands for them, so totals speak of more steps than there are."


def is_document(row: Mapping[str, Any]) -> bool:
    """Say whether a row is an ATIF document."""
    return isinstance(row.get("steps"), list) and str(row.get("schema_version", "")).startswith("ATIF")


def overhead(row: Mapping[str, Any]) -> str:
    """Return the text of a document that a trainer puts before its steps: the definitions of its tools."""
    agent = row.get("agent")
    tools = agent.get("tool_definitions") if isinstance(agent, Mapping) else None
    return strict_json.dump(tools) if tools else ""


def messages(row: Mapping[str, Any]) -> list[Message]:
    """Return the messages of a document; raise `Drop` when its steps are not what the format says."""
    return [message for place, step in enumerate(row["steps"]) for message in _messages(place, step)]


def _messages(place: int, step: object) -> Iterator[Message]:
    if not isinstance(step, Mapping):
        raise Drop("a step is not a JSON object")
    said = {"role": SOURCES.get(str(step.get("source")), "?"), "content": step.get("message"), "step": place}
    calls = [call for call in step.get("tool_calls") or () if isinstance(call, Mapping)]
    if step.get("reasoning_content"):
        said["reasoning_content"] = step["reasoning_content"]
    if calls:
        said["tool_calls"] = [
            {
                "id": call.get("tool_call_id"),
                "type": "function",
                "function": {"name": call.get("function_name"), "arguments": call.get("arguments")},
            }
            for call in calls
        ]
    yield said
    names = {call.get("tool_call_id"): call.get("function_name") for call in calls}
    for number, result in enumerate(_results(step)):
        asked = result.get("source_call_id")
        told = {"role": "tool", "tool_call_id": asked, "name": names.get(asked) or "", "content": result.get("content")}
        yield {**told, "step": place, "result": number}


def _results(step: Step) -> list[Mapping[str, Any]]:
    observation = step.get("observation")
    found = observation.get("results") if isinstance(observation, Mapping) else None
    return [result for result in found if isinstance(result, Mapping)] if isinstance(found, list) else []


def document(row: Mapping[str, Any], kept: Sequence[Message], about: Mapping[str, object]) -> dict[str, Any]:
    """Return the document with other messages; `about` goes where the format lets strangers add to it."""
    before: Sequence[Step] = row["steps"]
    steps: list[dict[str, Any]] = []
    last = -1
    for message in kept:
        place = message.get("step", -1)
        if place < 0:
            steps.append({"step_id": 0, "source": "user", "message": message["content"]})
        else:
            if place != last:
                steps.append(dict(before[place]))
            _put_back(steps[-1], before[place], message)
        last = place
    written = [{**step, "step_id": number} for number, step in enumerate(steps, 1)]
    left_out = len(before) - len({message["step"] for message in kept if "step" in message})
    notes = {"notes": _noted(row, left_out)} if left_out else {}
    return {**row, "steps": written, **notes, **with_extra(row, about)}


def _put_back(step: dict[str, Any], before: Step, message: Message) -> None:
    """Write into a step what has changed of one of its messages."""
    content, number = message["content"], message.get("result", -1)
    if number < 0:
        if content != before.get("message"):
            step["message"] = content
    elif content != (result := _results(before)[number]).get("content"):
        results = _results(step)
        results[number] = {**result, "content": content}
        step["observation"] = {**step["observation"], "results": results}


def _noted(row: Mapping[str, Any], left_out: int) -> str:
    note = NOTE.format(count=left_out, total=len(row["steps"]))
    return f"{row['notes']} {note}" if row.get("notes") else note


def with_extra(row: Mapping[str, Any], about: Mapping[str, object]) -> dict[str, object]:
    """Return the document's `extra` with further members, or nothing where there are none."""
    extra = row.get("extra")
    return {"extra": {**(extra if isinstance(extra, Mapping) else {}), **about}} if about else {}
