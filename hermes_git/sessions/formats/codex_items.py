"""The items and events of a Codex rollout, one by one, into messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, blocks
from hermes_git.sessions.loss import BOOKKEEPING, DUPLICATE, UNKNOWN, Tally, reason
from hermes_git.sessions.model import ToolCall

INJECTED = (
    "<environment_context", "<user_instructions>", "<permissions", "# AGENTS.md instructions", "<turn_aborted",
    "<collaboration_mode", "<skill", "<app-context", "<personality", "<INSTRUCTIONS>", "<user_shell_command",
)  # fmt: skip
"""How text begins that the program put into the user's mouth."""

USAGE = {
    "input_tokens": "input",
    "cached_input_tokens": "cache_read",
    "output_tokens": "output",
    "reasoning_output_tokens": "reasoning",
}
OLD_USAGE = {"prompt": "input", "completion": "output"}

SAYING = {"user_message": "user", "agent_message": "assistant", "agent_reasoning": "reasoning"}
"""Events that repeat what an item says."""

BOOKKEEPING_EVENTS = frozenset(
    "task_started task_complete turn_started turn_complete turn.started turn.completed turn_aborted context_compacted "
    "thread_settings_applied session_configured web_search_begin web_search_end exec_command_begin "
    "exec_command_output_delta mcp_tool_call_begin patch_apply_begin sub_agent_activity thread_goal_updated "
    "entered_review_mode exited_review_mode item_started item_completed guardian_assessment view_image_tool_call "
    "dynamic_tool_call_request collab_agent_spawn_begin collab_agent_spawn_end collab_waiting_begin collab_waiting_end "
    "collab_close_begin collab_close_end collab_agent_interaction_begin collab_agent_interaction_end undo_started "
    "undo_completed image_generation_begin image_generation_end error stream_error warning background_event turn_diff "
    "plan_update agent_reasoning_section_break agent_message_delta agent_reasoning_delta agent_reasoning_raw_content "
    "thread_rolled_back codex/event/raw_item account/rateLimits/updated deprecation_notice shutdown_complete "
    "model_reroute elicitation_request hook_started hook_completed".split()
)
RESULT_EVENTS = {
    "exec_command_end": ("aggregated_output", "formatted_output", "stdout"),
    "patch_apply_end": ("stdout", "stderr"),
    "mcp_tool_call_end": ("result",),
    "dynamic_tool_call_response": ("content_items",),
}
"""Events that repeat what the output of a call says, and where they keep it."""


@dataclass
class Rollout:
    """A rollout while it is read."""

    pairing: Pairing
    tally: Tally
    header: dict[str, Any] = field(default_factory=dict)
    context: dict[str, Any] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)
    model: str = ""
    title: str = ""
    end_reason: str = ""
    usage: dict[str, int] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    said: list[tuple[str, str, Draft]] = field(default_factory=list)
    current: Draft | None = None
    answer: Draft | None = None
    row: str = ""
    time: str = ""

    def at(self, row: str, time: str) -> None:
        """Remember which row is being read and when it was written."""
        self.row, self.time = row, time

    def add(self, draft: Draft, *ids: str) -> Draft:
        """Append a message made from the present row."""
        draft.timestamp = self.time
        draft.source_ids += [name for name in ids if name] or [self.row]
        self.drafts.append(draft)
        self.tally.keep()
        self.current = draft if draft.role == "assistant" else None
        self.answer = self.current or self.answer
        return draft

    def step(self, *, fresh: bool, item_id: str) -> Draft:
        """Return the message of the present model step, a new one if the last step is over."""
        if self.current is None or fresh:
            return self.add(Draft("assistant", model=self.model), item_id)
        self.current.source_ids.append(item_id or self.row)
        self.tally.merge()
        return self.current

    def close(self) -> None:
        """End the present model step."""
        self.current = None

    def last_answer(self) -> Draft | None:
        """Return the last message of the assistant, one made from an item if there is any."""
        said = (draft for _, _, draft in reversed(self.said) if draft.role == "assistant")
        return self.answer or next(said, None)


def item(rollout: Rollout, payload: dict[str, Any]) -> None:
    """Take one response item."""
    kind = payload.get("type")
    taker = ITEMS.get(kind) if isinstance(kind, str) else None
    if taker:
        taker(rollout, payload)
    elif kind in ("ghost_snapshot", "compaction", "compaction_trigger", "context_compaction"):
        rollout.tally.drop(reason(BOOKKEEPING, "response_item", kind))
    else:
        rollout.tally.drop(reason(UNKNOWN, "response_item", kind or "no-type"))


def _message(rollout: Rollout, payload: dict[str, Any]) -> None:
    role = payload.get("role")
    text = [part for part in blocks(payload.get("content"), rollout.tally) if part]
    name = values.text(payload.get("id"))
    if not text:
        rollout.tally.drop(reason("empty", "message"))
    elif role == "assistant":
        step = rollout.current
        rollout.step(fresh=step is None or bool(step.content or step.calls), item_id=name).content += text
    elif role in ("developer", "system"):
        rollout.add(Draft("system", text, state="harness"), name)
    elif role == "tool":
        call_id, tool = rollout.pairing.result(payload.get("tool_call_id"), values.text(payload.get("name")))
        rollout.add(Draft("tool", text, call_id=call_id, tool_name=tool), name)
    else:
        draft = rollout.add(Draft("user", text), name)
        draft.state = "harness" if all(part.lstrip().startswith(INJECTED) for part in text) else "active"


def _agent_message(rollout: Rollout, payload: dict[str, Any]) -> None:
    """Take a message from another agent: it speaks to this one as a user does."""
    readable = [
        part for part in values.items(payload.get("content")) if values.mapping(part).get("type") != "encrypted_content"
    ]
    text = [part for part in blocks(readable, rollout.tally) if part]
    if text:
        rollout.add(Draft("user", text, state="harness"), values.text(payload.get("id")))
    else:
        rollout.tally.drop(reason("empty", "agent_message"))


def _reasoning(rollout: Rollout, payload: dict[str, Any]) -> None:
    text = [part for part in blocks(payload.get("summary"), rollout.tally) if part]
    text += [part for part in blocks(payload.get("content"), rollout.tally) if part]
    if not text:
        rollout.tally.drop(reason("encrypted" if payload.get("encrypted_content") else "empty", "reasoning"))
        return
    step = rollout.current
    fresh = step is None or bool(step.content or step.calls)
    rollout.step(fresh=fresh, item_id=values.text(payload.get("id"))).reasoning += text


def _call(rollout: Rollout, payload: dict[str, Any]) -> None:
    kind = str(payload["type"])
    function = values.mapping(payload.get("function"))
    given = (
        payload.get("call_id") or payload.get("tool_call_id") or (payload.get("id") if kind in SELF_ANSWERED else "")
    )
    name = values.first_text(payload, "name") or values.first_text(function, "name") or kind.removesuffix("_call")
    call_id = rollout.pairing.call(given, name)
    arguments = next((payload[key] for key in ("arguments", "input", "action") if payload.get(key) is not None), None)
    written = values.dump(function.get("arguments", {}) if arguments is None else arguments)
    draft = rollout.step(fresh=False, item_id=values.text(payload.get("id")) or values.text(payload.get("call_id")))
    draft.calls.append(ToolCall(call_id, name, written))


SELF_ANSWERED = ("web_search_call", "image_generation_call")
"""Calls that the provider ran itself and that have no output item."""


def _output(rollout: Rollout, payload: dict[str, Any]) -> None:
    given = payload.get("call_id") or payload.get("tool_call_id")
    call_id, name = rollout.pairing.result(given, values.text(payload.get("name")))
    raw = next((payload[key] for key in ("output", "result", "content", "tools") if payload.get(key) is not None), "")
    text, failed = _unpack(raw, rollout.tally)
    rollout.answered.add(call_id)
    draft = Draft("tool", [text], call_id=call_id, tool_name=name, is_error=failed or payload.get("success") is False)
    rollout.add(draft, values.text(payload.get("id")) or (f"{call_id}:output" if given else ""))


def _unpack(raw: object, tally: Tally) -> tuple[str, bool]:
    """Return the text of an output and whether it failed; shells wrap it as `{"output", "metadata": {"exit_code"}}`."""
    if isinstance(raw, list):
        return "\n".join(part for part in blocks(raw, tally) if part), False
    record = values.mapping(_parsed(raw))
    code = values.mapping(record.get("metadata")).get("exit_code", record.get("exitCode"))
    failed = (isinstance(code, int) and code != 0) or record.get("success") is False
    inner = record.get("output", record.get("content", record.get("text")))
    if isinstance(inner, str) and ("metadata" in record or isinstance(raw, dict)):
        return values.text(inner), failed
    return values.dump(raw), failed


def _parsed(raw: object) -> object:
    if not (isinstance(raw, str) and raw.startswith("{") and '"metadata"' in raw):
        return raw
    try:
        found: object = json.loads(raw)
    except (ValueError, RecursionError):
        return raw
    return found


CALLS = (
    "function_call custom_tool_call local_shell_call web_search_call tool_search_call tool_call image_generation_call"
).split()
OUTPUTS = (
    "function_call_output custom_tool_call_output local_shell_call_output tool_search_output tool_result "
    "function_result"
).split()
ITEMS: dict[str, Callable[[Rollout, dict[str, Any]], None]] = {
    "message": _message,
    "agent_message": _agent_message,
    "reasoning": _reasoning,
    **dict.fromkeys(CALLS, _call),
    **dict.fromkeys(OUTPUTS, _output),
}


def event(rollout: Rollout, payload: dict[str, Any]) -> None:
    """Take one event: usage is kept, what an item says too is settled at the end, the rest is bookkeeping."""
    kind = values.text(payload.get("type"))
    if kind == "token_count":
        _count(rollout, values.mapping(payload.get("info")))
    elif kind in SAYING:
        _said(rollout, SAYING[kind], values.first_text(payload, "message", "text"), kind)
    elif kind in RESULT_EVENTS:
        _result_event(rollout, kind, payload)
    elif kind == "thread_name_updated":
        rollout.title = values.text(payload.get("thread_name")) or rollout.title
        rollout.tally.merge()
    elif kind in BOOKKEEPING_EVENTS:
        rollout.end_reason = (
            "aborted" if kind == "turn_aborted" else "" if kind == "task_complete" else rollout.end_reason
        )
        rollout.tally.drop(reason(BOOKKEEPING, "event_msg", kind))
    else:
        rollout.tally.drop(reason(UNKNOWN, "event_msg", kind or "no-type"))


def _count(rollout: Rollout, info: dict[str, Any]) -> None:
    """Give the usage of the last request to the last answer, and the running total to the session."""
    last = values.counts(values.mapping(info.get("last_token_usage")), USAGE) or values.counts(info, OLD_USAGE)
    total = values.counts(values.mapping(info.get("total_token_usage")), USAGE)
    answer = rollout.last_answer()
    rollout.usage = total or rollout.usage
    if answer is not None and last:
        answer.usage = last
    if total or (answer is not None and last):
        rollout.tally.merge()
    else:
        rollout.tally.drop(reason(BOOKKEEPING, "event_msg", "token_count"))


def _said(rollout: Rollout, role: str, text: str, kind: str) -> None:
    if not text:
        rollout.tally.drop(reason("empty", kind))
        return
    draft = Draft("user" if role == "user" else "assistant", timestamp=rollout.time, source_ids=[rollout.row])
    (draft.reasoning if role == "reasoning" else draft.content).append(text)
    draft.model = rollout.model if draft.role == "assistant" else ""
    rollout.said.append((role, text, draft))
    rollout.drafts.append(draft)


def _result_event(rollout: Rollout, kind: str, payload: dict[str, Any]) -> None:
    """Settle at once: the output of a call comes before the event that repeats it, or never."""
    call_id = values.text(payload.get("call_id"))
    if call_id in rollout.answered or call_id not in rollout.pairing.names:
        rollout.tally.drop(reason(DUPLICATE, "event_msg", kind))
        return
    raw = next((payload[key] for key in RESULT_EVENTS[kind] if payload.get(key)), "")
    text, failed = _unpack(raw, rollout.tally)
    code = payload.get("exit_code")
    failed = failed or (isinstance(code, int) and code != 0) or payload.get("success") is False
    rollout.answered.add(call_id)
    name = rollout.pairing.names[call_id]
    rollout.add(Draft("tool", [text], call_id=call_id, tool_name=name, is_error=failed), f"{call_id}:output")


def compacted(rollout: Rollout, payload: dict[str, Any]) -> None:
    """Take a compaction: what was said before is compacted, and its summary stands for it."""
    for draft in rollout.drafts:
        draft.state = "compacted" if draft.state == "active" else draft.state
    rollout.close()
    summary = values.text(payload.get("message"))
    if summary:
        rollout.add(Draft("user", [summary], state="harness"))
    else:
        rollout.tally.merge()


def settle(rollout: Rollout) -> None:
    """Decide on the events: one that repeats an item is merged into it, one that says something alone is kept."""
    events = {id(draft) for _, _, draft in rollout.said}
    waiting: dict[tuple[str, str], list[Draft]] = {}
    for draft in rollout.drafts:
        if id(draft) not in events:
            for role, text in _sayings(draft):
                waiting.setdefault((role, text), []).append(draft)
    repeated = set()
    for role, text, draft in rollout.said:
        twins = waiting.get((role, text.strip()))
        if twins:
            twins.pop(0).source_ids += draft.source_ids
            repeated.add(id(draft))
            rollout.tally.drop(reason(DUPLICATE, "event_msg"))
        else:
            rollout.tally.keep()
    rollout.drafts = [draft for draft in rollout.drafts if id(draft) not in repeated]


def _sayings(draft: Draft) -> list[tuple[str, str]]:
    """Return all that a message says, whole and in parts, so that an event is found in either."""
    whole = {(draft.role, draft.text.strip()), *((draft.role, part.strip()) for part in draft.content)}
    return [*whole, *(("reasoning", part.strip()) for part in draft.reasoning)]
