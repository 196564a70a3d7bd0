"""tau2-bench results: one JSON object with `tasks` and `simulations`; each simulation is a session.

A row is the object, each simulation, and each of its messages. Policy and tools of the environment are the system
prompt and tools of every session. What the simulated user does with tools of its own, and what these answer, the agent
never sees. The end reason says what the reward was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, finish
from hermes_git.sessions.formats import chat_messages
from hermes_git.sessions.loss import BOOKKEEPING, UNKNOWN, Tally, reason
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Head, RowDigest, Source, safe_id

NAME = "tau2"


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    keys = head.keys
    return 90 if "simulations" in keys or {"timestamp", "info", "tasks"} <= keys else 0


@dataclass(frozen=True)
class Setting:
    """What all simulations of a file have in common."""

    prompt: str
    tools: str
    model: str


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the sessions of a file, one for each simulation that says anything."""
    value = values.mapping(source.document(tally))
    if not value:
        return
    tally.row()
    tally.merge()
    info = values.mapping(value.get("info"))
    place, agent = values.mapping(info.get("environment_info")), values.mapping(info.get("agent_info"))
    tools = place.get("tool_defs")
    setting = Setting(
        values.text(place.get("policy")),
        values.dump(tools) if values.items(tools) else "",
        values.text(agent.get("llm")),
    )
    for number, item in enumerate(values.items(value.get("simulations")), start=1):
        if isinstance(item, dict):
            tally.row()
            yield from _simulation(item, setting, source, tally)
        else:
            tally.damage(number, "a simulation that is no object")


def _simulation(record: dict[str, Any], setting: Setting, source: Source, tally: Tally) -> Iterator[Session]:
    pairing = Pairing(tally)
    drafts: list[Draft] = []
    for number, item in enumerate(values.items(record.get("messages")), start=1):
        tally.row()
        message = values.mapping(item)
        made = _message(message, pairing)
        if made is None:
            tally.drop(reason(UNKNOWN, "role", message.get("role") or "none"))
        elif message.get("requestor") == "user" or (made.is_empty and message.get("role") == "user"):
            tally.drop(reason(BOOKKEEPING, "user-tool"))
        elif made.is_empty:
            tally.drop(reason("empty", made.role))
        else:
            made.source_ids = [f"message {number}"]
            drafts.append(made)
            tally.keep()
    if not drafts:
        tally.drop(reason("empty", "session"))
        return
    tally.merge()
    yield _session(record, drafts, setting, source)


def _message(message: dict[str, Any], pairing: Pairing) -> Draft | None:
    if message.get("requestor") == "user":
        return Draft("tool", [values.text(message.get("content"))])
    asked = message.get("id") if message.get("role") == "tool" else None
    made = chat_messages.draft({**message, "tool_call_id": asked}, pairing)
    if made is not None and message.get("error") is True:
        made.is_error = True
    return made


def _session(record: dict[str, Any], drafts: list[Draft], setting: Setting, source: Source) -> Session:
    own, digest = values.text(record.get("id")), RowDigest(values.dump(record).encode("utf-8")).hex
    return Session(
        id=safe_id(own, source.shown) if own else f"tau2-{digest[:16]}",
        agent=NAME,
        source_format=NAME,
        source_path=source.stored,
        source_id=own,
        digest=digest,
        title=f"task {record['task_id']}" if record.get("task_id") else "",
        started_at=values.moment(record.get("start_time")),
        ended_at=values.moment(record.get("end_time")),
        end_reason=_end(record),
        model=setting.model,
        system_prompt=setting.prompt,
        tools=setting.tools,
        messages=finish(drafts),
    )


def _end(record: dict[str, Any]) -> str:
    reward = values.verdict(values.mapping(record.get("reward_info")).get("reward"))
    return ": ".join(part for part in (values.text(record.get("termination_reason")), reward) if part)
