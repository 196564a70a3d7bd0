"""SWE-agent and mini-swe-agent: `.traj` and `.traj.json`, one JSON object with `history` or `messages`.

A row is the object, and each item of its history (of its trajectory, where there is no history). An action becomes a
call of the tool `shell`, the observation that follows it the call's result. Demonstrations are text of the harness.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, finish
from hermes_git.sessions.formats import chat_messages
from hermes_git.sessions.loss import UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session, ToolCall
from hermes_git.sessions.source import Head, RowDigest, Source, derived_id

NAME = "swe-agent"
TOOL = "shell"


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    first = head.records[0] if head.records else {}
    keys = head.keys | first.keys()
    if "trajectory_format" in keys or ("messages" in keys and head.name.endswith(".traj.json")):
        return 90
    return 85 if "trajectory" in keys and ({"history", "environment"} & keys or head.name.endswith(".traj")) else 0


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the one session of a file, if it says anything."""
    value = values.mapping(source.document(tally))
    if not value:
        return
    tally.row()
    pairing = Pairing(tally)
    drafts: list[Draft] = []
    prompt = ""
    for number, item in enumerate(_history(value), start=1):
        tally.row()
        made = _message(values.mapping(item), pairing, drafts)
        if made is None:
            tally.drop(reason(UNKNOWN, "role", values.mapping(item).get("role") or "none"))
        elif made.is_empty:
            tally.drop(reason("empty", made.role))
        elif made.role == "system" and not drafts and not prompt:
            prompt = made.text
            tally.merge()
        else:
            made.source_ids = [f"message {number}"]
            drafts.append(made)
            tally.keep()
    if drafts:
        tally.merge()
        yield _session(value, drafts, prompt, source)
    else:
        tally.drop(reason("empty", "session"))


def _history(value: dict[str, Any]) -> list[Any]:
    """Return the messages of a run; where only steps were kept, each step as an answer and an observation."""
    told = values.items(value.get("history")) or values.items(value.get("messages"))
    if told:
        return told
    found: list[Any] = []
    for item in values.items(value.get("trajectory")):
        step = values.mapping(item)
        found.append({**step, "role": "assistant", "content": step.get("response")})
        found.append({"role": "user", "content": step.get("observation"), "message_type": "observation"})
    return found


def _message(record: dict[str, Any], pairing: Pairing, before: list[Draft]) -> Draft | None:
    record = {
        **record,
        "tool_call_id": next(iter(values.items(record.get("tool_call_ids"))), record.get("tool_call_id")),
    }
    made = chat_messages.draft(record, pairing)
    if made is None:
        return None
    if record.get("is_demo") is True:
        made.state = "harness"
    elif made.role == "assistant" and not made.calls:
        _act(made, record, pairing)
    elif made.role == "user" and before and before[-1].role == "assistant" and before[-1].calls:
        made.role = "tool"
        made.call_id, made.tool_name = before[-1].calls[-1].id, before[-1].calls[-1].name
        made.is_error = chat_messages.is_failure(made.text)
    return made


def _act(made: Draft, record: dict[str, Any], pairing: Pairing) -> None:
    """Turn an action in text into a call, the thought before it into what was said."""
    listed = values.items(values.mapping(record.get("extra")).get("actions"))
    commands = [values.text(values.mapping(item).get("command")) for item in listed] or [
        values.text(record.get("action"))
    ]
    for command in commands:
        if command.strip():
            call_id = pairing.call(f"call-{len(pairing.names) + 1}", TOOL)
            made.calls.append(ToolCall(call_id, TOOL, values.dump({"command": command})))
    thought = values.text(record.get("thought"))
    if made.calls and thought:
        made.content = [thought]


def _session(value: dict[str, Any], drafts: list[Draft], prompt: str, source: Source) -> Session:
    info = values.mapping(value.get("info"))
    messages = finish(drafts)
    config = values.mapping(values.mapping(info.get("config")).get("model"))
    return Session(
        id=derived_id(source, messages[0].content),
        agent="mini-swe-agent" if "trajectory_format" in value else "swe-agent",
        source_format=NAME,
        source_path=source.stored,
        source_id=source.stem,
        digest=RowDigest(values.dump(value).encode("utf-8")).hex,
        end_reason=values.text(info.get("exit_status")),
        model=values.first_text(config, "model_name", "name"),
        repository=values.text(value.get("environment")),
        system_prompt=prompt,
        messages=messages,
        channel="batch",
    )
