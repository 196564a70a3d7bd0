"""ATIF, the Agent Trajectory Interchange Format 1.x: one JSON object with `steps`.

A row is the object, and each of its steps. Steps that repeat the context of an earlier trajectory
(`is_copied_context`) are kept as compacted, so that they are found and never trained on twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, blocks, finish, first_model, span
from hermes_git.sessions.loss import UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session, ToolCall
from hermes_git.sessions.source import Head, RowDigest, Source, derived_id, safe_id

NAME = "atif"
USAGE = {"prompt_tokens": "input", "completion_tokens": "output", "cached_tokens": "cache_read"}
TOTALS = {"total_prompt_tokens": "input", "total_completion_tokens": "output", "total_cached_tokens": "cache_read"}


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    first = head.records[0] if head.records else {}
    keys = head.keys | first.keys()
    return 95 if {"schema_version", "steps"} <= keys and '"ATIF-' in head.text[:4000] else 0


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the session of a trajectory, and those of the sub-agents it holds."""
    value = values.mapping(source.document(tally))
    if value:
        tally.row()
        yield from _trajectory(value, source, tally, "")


def _trajectory(value: dict[str, Any], source: Source, tally: Tally, parent: str) -> Iterator[Session]:
    pairing = Pairing(tally)
    drafts: list[Draft] = []
    prompt = ""
    for number, item in enumerate(values.items(value.get("steps")), start=1):
        tally.row()
        step = values.mapping(item)
        made = _step(step, pairing)
        if made and made[0].role == "system" and not drafts and not prompt:
            prompt = made[0].text
            tally.merge()
            continue
        _book(made, step, number, tally)
        drafts += made
    if not drafts:
        tally.drop(reason("empty", "session"))
        return
    tally.merge()
    session = _session(value, drafts, prompt, source, parent)
    yield session
    for inner in values.items(value.get("subagent_trajectories")):
        tally.row()
        yield from _trajectory(values.mapping(inner), source, tally, session.id)


def _book(made: list[Draft], step: dict[str, Any], number: int, tally: Tally) -> None:
    name = step.get("step_id", number)
    for draft in made:
        draft.source_ids = [f"step {name}" if draft is made[0] else f"step {name}:{draft.call_id}"]
        if step.get("is_copied_context") is True:
            draft.state = "compacted"
    if made:
        tally.keep()
    else:
        tally.drop(reason(UNKNOWN, "source") if step.get("source") not in SOURCES else reason("empty", "step"))


SOURCES = ("system", "user", "agent")


def _step(step: dict[str, Any], pairing: Pairing) -> list[Draft]:
    said = [part for part in blocks(step.get("message"), pairing.tally) if part]
    time = values.moment(step.get("timestamp"))
    source = step.get("source")
    if source in ("system", "user"):
        role = "system" if source == "system" else "user"
        return [Draft("system" if role == "system" else "user", said, timestamp=time)] if said else []
    if source != "agent":
        return []
    draft = Draft("assistant", said, timestamp=time, model=values.text(step.get("model_name")))
    draft.reasoning = [values.text(step.get("reasoning_content"))]
    draft.usage = values.counts(values.mapping(step.get("metrics")), USAGE)
    for call in values.items(step.get("tool_calls")):
        record = values.mapping(call)
        name = values.text(record.get("function_name"))
        call_id = pairing.call(record.get("tool_call_id"), name)
        draft.calls.append(ToolCall(call_id, name, values.dump(record.get("arguments", {}))))
    results = [_result(values.mapping(item), time, pairing) for item in _results(step)]
    return results if draft.is_empty else [draft, *results]


def _results(step: dict[str, Any]) -> list[Any]:
    return values.items(values.mapping(step.get("observation")).get("results"))


def _result(record: dict[str, Any], time: str, pairing: Pairing) -> Draft:
    call_id, name = pairing.result(record.get("source_call_id"))
    return Draft("tool", blocks(record.get("content"), pairing.tally), call_id=call_id, tool_name=name, timestamp=time)


def _session(value: dict[str, Any], drafts: list[Draft], prompt: str, source: Source, parent: str) -> Session:
    agent = values.mapping(value.get("agent"))
    messages = finish(drafts)
    began, ended = span(messages)
    own = values.text(value.get("session_id"))
    tools = agent.get("tool_definitions")
    return Session(
        id=safe_id(own, source.shown) if own else derived_id(source, messages[0].content),
        agent=values.text(agent.get("name")) or "atif",
        source_format=NAME,
        source_path=source.stored,
        source_id=own,
        digest=RowDigest(values.dump(value).encode("utf-8")).hex,
        started_at=began,
        ended_at=ended,
        model=values.text(agent.get("model_name")) or first_model(messages),
        parent=parent,
        parent_kind="subagent" if parent else "",
        system_prompt=prompt,
        tools=values.dump(tools) if values.items(tools) else "",
        messages=messages,
        agent_version=values.text(agent.get("version")),
        usage=values.counts(values.mapping(value.get("final_metrics")), TOTALS),
    )
