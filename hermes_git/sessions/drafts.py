"""Drafts: messages while their source is still being read, before they are numbered."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.loss import Tally
from hermes_git.sessions.model import Message, Role, State, ToolCall


@dataclass(eq=False)
class Draft:
    """A message to be; text arrives in parts, in the order of the source."""

    role: Role
    content: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    call_id: str = ""
    tool_name: str = ""
    is_error: bool = False
    timestamp: str = ""
    model: str = ""
    finish_reason: str = ""
    usage: dict[str, int] = field(default_factory=dict)
    state: State = "active"
    source_ids: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return the content so far."""
        return "\n".join(part for part in self.content if part)

    @property
    def is_empty(self) -> bool:
        """Say whether there is nothing to keep; the result of a tool counts even when it says nothing."""
        return not (self.calls or self.text or any(self.reasoning) or self.role == "tool")

    def finish(self, number: int) -> Message:
        """Return the message under its number."""
        return Message(
            id=number,
            role=self.role,
            content=self.text,
            reasoning="\n".join(part for part in self.reasoning if part),
            tool_calls=tuple(self.calls),
            tool_call_id=self.call_id,
            tool_name=self.tool_name,
            is_error=self.is_error,
            timestamp=self.timestamp,
            model=self.model,
            finish_reason=self.finish_reason,
            usage=dict(sorted(self.usage.items())),
            state=self.state,
            source_ids=tuple(dict.fromkeys(self.source_ids)),
        )


def finish(drafts: Iterable[Draft]) -> tuple[Message, ...]:
    """Number drafts from 1 in their order."""
    return tuple(draft.finish(number) for number, draft in enumerate(drafts, start=1))


def span(messages: Iterable[Message]) -> tuple[str, str]:
    """Return the earliest and the latest time of messages, "" where they have none; clocks may go back."""
    times = sorted(message.timestamp for message in messages if message.timestamp)
    return (times[0], times[-1]) if times else ("", "")


def first_model(messages: Iterable[Message]) -> str:
    """Return the model of the first message that names one."""
    return next((message.model for message in messages if message.model), "")


@dataclass
class Pairing:
    """Pairs results with calls: by id, and by position only where a source gives no ids.

    An id that a source uses for a second call becomes `<id>.2`, so that within a session each call has its own.
    """

    tally: Tally
    names: dict[str, str] = field(default_factory=dict)
    _unanswered: dict[str, list[str]] = field(default_factory=dict)
    _without_id: list[str] = field(default_factory=list)
    _made: int = 0

    def call(self, call_id: object, name: str) -> str:
        """Register a call and return its id; one without gets `call-<n>`."""
        given = values.text(call_id)
        if not given:
            self._made += 1
            given = f"call-{self._made}"
            self._without_id.append(given)
        unique = given
        if given in self.names:
            unique = next(found for n in itertools.count(2) if (found := f"{given}.{n}") not in self.names)
            self.tally.note("ids used for more than one call")
        self.names[unique] = name
        self._unanswered.setdefault(given, []).append(unique)
        return unique

    def result(self, call_id: object, name: str = "") -> tuple[str, str]:
        """Return the id of the call that a result answers and the tool's name."""
        given = values.text(call_id)
        if not given and self._without_id:
            given = self._without_id.pop(0)
            self.tally.note("results paired by position")
        elif not given:
            self.tally.note("results without a call")
        waiting = self._unanswered.get(given)
        unique = waiting.pop(0) if waiting else given
        return unique, name or self.names.get(unique, "")


def blocks(content: object, tally: Tally) -> list[str]:
    """Return the text of a content that is a string or a list of blocks; what is no text becomes `[kind]`."""
    if isinstance(content, str):
        return [values.text(content)]
    return [_block(item, tally) for item in values.items(content)]


def _block(item: Any, tally: Tally) -> str:
    if isinstance(item, str):
        return values.text(item)
    block = values.mapping(item)
    kind = values.text(block.get("type"))
    found = values.first_text(block, "text", "content", "output", "refusal", "input_text", "output_text")
    if found:
        return found
    if kind in ("text", "input_text", "output_text"):
        return ""
    tally.note("parts that are not text")
    return f"[{kind[:40] or 'unknown part'}]"
