"""Messages in the shape of OpenAI's chat interface, which Hermes and many logs share."""

from __future__ import annotations

import json
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, blocks
from hermes_git.sessions.model import Role, ToolCall

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
PACKED = "\0json:"
"""How Hermes marks a content that is JSON text of several parts."""
USAGE = {"prompt_tokens": "input", "completion_tokens": "output", "input_tokens": "input", "output_tokens": "output"}


def draft(record: dict[str, Any], pairing: Pairing) -> Draft | None:
    """Return the message that a record holds, or None for a role that is none."""
    role = ROLES.get(values.text(record.get("role")))
    if role is None:
        return None
    content = unpacked(record.get("content"))
    made = Draft(role, [part for part in blocks(content, pairing.tally) if part])
    made.timestamp = values.moment(next((record[key] for key in TIMES if record.get(key)), None))
    made.finish_reason = values.text(record.get("finish_reason"))
    made.usage = values.counts(values.mapping(record.get("usage")), USAGE)
    if role == "assistant":
        made.reasoning = [part for part in (_reasoning(record),) if part]
        made.model = values.text(record.get("model"))
        made.calls = _calls(record, pairing)
        made.content += [values.text(record["refusal"])] if values.text(record.get("refusal")) else []
    elif role == "tool":
        made.call_id, made.tool_name = pairing.result(
            record.get("tool_call_id"), values.first_text(record, "tool_name", "name")
        )
        made.is_error = is_failure(made.text)
    return made


TIMES = ("timestamp", "created_at", "created", "time")


def unpacked(content: object) -> object:
    """Return a content whose parts were written as JSON text behind a NUL in its parts again."""
    if not (isinstance(content, str) and content.startswith(PACKED)):
        return content
    try:
        found: object = json.loads(content[len(PACKED) :])
    except (ValueError, RecursionError):
        return content[len(PACKED) :]
    return found


def _reasoning(record: dict[str, Any]) -> str:
    told = values.first_text(record, "reasoning", "reasoning_content", "thinking")
    if told:
        return told
    for key in ("reasoning_details", "codex_reasoning_items"):
        details = decoded(record.get(key))
        readable = [
            item for item in values.items(details) if values.first_text(values.mapping(item), "text", "summary")
        ]
        parts = [values.first_text(values.mapping(item), "text", "summary") for item in readable]
        if parts:
            return "\n".join(parts)
    return ""


def decoded(value: object) -> object:
    """Return a list or object that may have been written as JSON text."""
    if not isinstance(value, str):
        return value
    try:
        found: object = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return found


def _calls(record: dict[str, Any], pairing: Pairing) -> list[ToolCall]:
    listed = [values.mapping(item) for item in values.items(decoded(record.get("tool_calls")))]
    old = values.mapping(record.get("function_call"))
    if old and not listed:
        listed = [{"function": old}]
    return [_call(item, pairing) for item in listed]


def _call(item: dict[str, Any], pairing: Pairing) -> ToolCall:
    function = values.mapping(item.get("function")) or item
    name = values.first_text(function, "name", "function_name")
    arguments = next((function[key] for key in ("arguments", "args", "input") if function.get(key) is not None), "{}")
    call_id = pairing.call(values.first_text(item, "id", "call_id", "tool_call_id"), name)
    return ToolCall(call_id, name, values.dump(arguments))


def is_failure(text: str) -> bool:
    """Say whether the result of a tool, as JSON text, reports that it failed."""
    if not text.startswith("{") or not text.rstrip().endswith("}"):
        return False
    record = values.mapping(decoded(text))
    code, error = record.get("exit_code", record.get("returncode")), record.get("error")
    return (
        (isinstance(code, int) and code != 0)
        or record.get("success") is False
        or bool(error and not record.get("output"))
    )
