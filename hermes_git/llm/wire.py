"""The OpenAI-compatible chat format: requests as JSON values, responses as replies. Pure.

Endpoints differ in where they put reasoning (`reasoning_content`, `reasoning`, `<think>` in the text), in `arguments`
(text or object), in content (text, null or parts) and in how an error looks (a status, or a 200 with `error`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_git.llm.pace import RETRIED
from hermes_git.llm.protocol import ChatError, Failure, Message, Reply, Sampling, Tool, ToolCall, Usage
from hermes_git.names import whole_number

THINK = ("<think>", "</think>")
MAX_SAID = 300
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def request(model: str, messages: Sequence[Message], tools: Sequence[Tool], sampling: Sampling) -> dict[str, Any]:
    """Return the body of a request; what is unset is left out."""
    body: dict[str, Any] = {"model": model, "messages": [encode(message) for message in messages]}
    if tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
            }
            for tool in tools
        ]
    optional = {
        "max_tokens": sampling.max_tokens or None,
        "temperature": sampling.temperature,
        "seed": sampling.seed,
        "reasoning_effort": sampling.effort or None,
    }
    return body | {key: value for key, value in optional.items() if value is not None}


def encode(message: Message) -> dict[str, Any]:
    """Return one message as the format has it; reasoning is not sent back, as endpoints ask."""
    row: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        row["content"] = message.content or None
        row["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.role == "tool":
        row["tool_call_id"] = message.tool_call_id
    return row


def digest(body: Mapping[str, Any], endpoint: str = "") -> str:
    """Return the SHA-256 in hex under which the reply to a request is cached."""
    text = json.dumps([endpoint, body], ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def encode_body(body: Mapping[str, Any]) -> bytes:
    """Return a request as bytes; lone surrogates, which no endpoint takes, become U+FFFD."""
    return _whole(json.dumps(body, ensure_ascii=False)).encode("utf-8")


def _whole(text: str) -> str:
    """Return a text that can be written as UTF-8: half a surrogate pair becomes U+FFFD."""
    return LONE_SURROGATE.sub("\ufffd", text)


def reply(data: bytes) -> Reply:
    """Read a response; raise `ChatError`: `malformed` for anything that is none, for an error what its code says."""
    try:
        row = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ChatError("malformed", f"the endpoint answered with no JSON: {_shortened(data)}") from error
    if not isinstance(row, dict):
        raise ChatError("malformed", "the endpoint answered with JSON that is no object")
    if row.get("error") and not row.get("choices"):
        raise ChatError(_kind(row["error"]), said(data))
    choices = row.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise ChatError("malformed", f"the endpoint answered without a choice: {_shortened(data)}")
    text, reasoning = _thought(_text(message.get("content")), _reasoning(message))
    return Reply(
        _whole(text),
        _whole(reasoning),
        _calls(message),
        _whole(str(choice.get("finish_reason") or "")),
        _usage(row.get("usage")),
        _whole(str(row.get("model") or "")),
    )


def _kind(error: object) -> Failure:
    """Tell an error that may pass by its code: routers report those of the models behind them with status 200."""
    code = error.get("code") if isinstance(error, dict) else None
    status = whole_number(str(code)) or 0 if isinstance(code, int | str) else 0
    return kind_of(status) if status in RETRIED else "refused"


def kind_of(status: int) -> Failure:
    """Return what an HTTP status that may pass stands for."""
    return "rate-limit" if status == 429 else "timeout" if status in (408, 504, 524) else "server"


def said(data: bytes) -> str:
    """Return what an error response says, on one line and bounded."""
    try:
        row = json.loads(data)
    except (ValueError, RecursionError):
        return _shortened(data)
    error = row.get("error", row) if isinstance(row, dict) else row
    message = error.get("message") if isinstance(error, dict) else error
    return _one_line(message if isinstance(message, str) and message else json.dumps(error, ensure_ascii=False))


def _shortened(data: bytes) -> str:
    return _one_line(data[: 4 * MAX_SAID].decode("utf-8", "replace")) or "nothing"


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_SAID else f"{line[:MAX_SAID]}…"


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict) and part.get("type") in ("text", None))
    return "".join(text for text in texts if isinstance(text, str))


def _reasoning(message: Mapping[str, Any]) -> str:
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and message[key].strip():
            return str(message[key])
    return ""


def _thought(text: str, reasoning: str) -> tuple[str, str]:
    """Take a thought out of the text, where a model without a field for it begins with one."""
    start = text.lstrip()
    if reasoning or not start.startswith(THINK[0]) or THINK[1] not in start:
        return text, reasoning
    thought, _, rest = start.removeprefix(THINK[0]).partition(THINK[1])
    return rest.lstrip("\n"), thought.strip()


def _calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """Return the calls; one without an id gets a name by its place, and arguments given as an object become text."""
    rows = message.get("tool_calls")
    if not rows and isinstance(message.get("function_call"), dict):
        rows = [{"function": message["function_call"]}]
    if rows is not None and not isinstance(rows, list):
        raise ChatError("malformed", "the endpoint answered with tool_calls that are no list")
    found = []
    for number, row in enumerate(rows or []):
        function = row.get("function") if isinstance(row, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise ChatError("malformed", "the endpoint answered with a tool call that names no function")
        arguments = function.get("arguments")
        written = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
        words = (str(row.get("id") or f"call_{number}"), function["name"], written or "{}")
        found.append(ToolCall(*map(_whole, words)))
    return tuple(found)


def _usage(value: object) -> Usage:
    if not isinstance(value, dict):
        return Usage()
    written, read = value.get("completion_tokens_details"), value.get("prompt_tokens_details")
    cost = value.get("cost")
    return Usage(
        _count(value, "prompt_tokens"),
        _count(value, "completion_tokens"),
        _count(written, "reasoning_tokens"),
        _count(read, "cached_tokens"),
        float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < 1e9 else 0.0,
    )


def _count(value: object, key: str) -> int:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 < found < MOST_TOKENS else 0


MOST_TOKENS = 10**12
"""A count beyond this is no count."""
