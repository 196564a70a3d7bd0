"""A session and its messages in one shape, whatever agent they came from."""

from __future__ import annotations

from typing import Literal

import msgspec

Role = Literal["system", "user", "assistant", "tool"]
State = Literal["active", "compacted", "rewound", "branch", "harness"]
"""Where a message stands: `active` in the conversation; `compacted` replaced by a summary but said; `rewound` undone
by the user; `branch` on an abandoned branch; `harness` text that the agent's program put into the user's mouth."""


class ToolCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call of a tool: its id, the tool's name, and the arguments exactly as the model wrote them."""

    id: str
    name: str
    arguments: str = "{}"


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of a session.

    `id` counts from 1 in source order and never changes when the source grows. `timestamp` is ISO-8601 in UTC with a
    final Z, or "" when the source has none. `source_ids` name the source rows that this message was made from.
    """

    id: int
    role: Role
    content: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    tool_name: str = ""
    is_error: bool = False
    timestamp: str = ""
    model: str = ""
    finish_reason: str = ""
    usage: dict[str, int] = {}
    state: State = "active"
    source_ids: tuple[str, ...] = ()


class Session(msgspec.Struct, frozen=True, omit_defaults=True):
    """One session: where it came from, what it was about, and its messages in source order.

    `id` is the source's own id where it is a safe file name, else a digest of it. `digest` is SHA-256 over the bytes
    of the source, so that a re-import is a no-op and a grown source is recognised. `tools` is the JSON text of a list
    of function schemas, or "". `channel` is where it was held (cli, telegram, cron, …), `usage` the source's own
    totals where it keeps them.
    """

    id: str
    agent: str
    source_format: str = ""
    source_path: str = ""
    source_id: str = ""
    digest: str = ""
    title: str = ""
    started_at: str = ""
    ended_at: str = ""
    end_reason: str = ""
    model: str = ""
    cwd: str = ""
    repository: str = ""
    branch: str = ""
    commit: str = ""
    parent: str = ""
    parent_kind: Literal["", "fork", "compaction", "subagent", "resume"] = ""
    system_prompt: str = ""
    tools: str = ""
    messages: tuple[Message, ...] = ()
    channel: str = ""
    agent_version: str = ""
    usage: dict[str, int] = {}


class LossReport(msgspec.Struct, frozen=True):
    """What became of every source row: `rows_in == kept + merged + sum(dropped.values())`, always.

    `damaged` lists `path:line: reason` of rows that could not be read; they are counted in `dropped` too. `notes`
    counts what was decided on the way and is no loss: results paired by position, naive times read as UTC.
    """

    rows_in: int = 0
    kept: int = 0
    merged: int = 0
    dropped: dict[str, int] = {}
    damaged: tuple[str, ...] = ()
    notes: dict[str, int] = {}

    @property
    def unaccounted(self) -> int:
        """Return how many rows are neither kept, merged nor dropped with a reason; anything but 0 is our bug."""
        return self.rows_in - self.kept - self.merged - sum(self.dropped.values())

    def plus(self, other: LossReport) -> LossReport:
        """Return the sum of two reports."""
        return LossReport(
            self.rows_in + other.rows_in,
            self.kept + other.kept,
            self.merged + other.merged,
            _sum(self.dropped, other.dropped),
            self.damaged + other.damaged,
            _sum(self.notes, other.notes),
        )


def _sum(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in sorted({*one, *other})}
