"""Replies kept by the digest of their request, so that the same question is paid for once. Pure: the store is given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from hermes_git.llm import wire
from hermes_git.llm.protocol import Chat, Message, Reply, Sampling, Tool, ToolCall, Usage

FORMAT = 1


class Store(Protocol):
    """Bytes by name."""

    def get(self, name: str) -> bytes | None:
        """Return what is kept under a name, or None."""

    def put(self, name: str, data: bytes) -> None:
        """Keep bytes under a name."""


@dataclass(frozen=True, slots=True)
class Cached:
    """A model whose replies are kept; `label` tells endpoints apart that serve models of one name.

    A kept reply that cannot be read is asked for again.
    """

    chat: Chat
    store: Store
    label: str = ""

    @property
    def model(self) -> str:
        """Return the name of the model."""
        return self.chat.model

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        sampling: Sampling = Sampling(),  # noqa: B008 - a frozen value
    ) -> Reply:
        """Return the kept reply, with `attempts` 0, or ask for one and keep it."""
        name = wire.digest(wire.request(self.model, messages, tools, sampling), self.label)
        kept = decode(self.store.get(name) or b"")
        if kept is not None:
            return kept
        found = self.chat.complete(messages, tools=tools, sampling=sampling)
        self.store.put(name, encode(found))
        return found


def encode(reply: Reply) -> bytes:
    """Write a reply as one JSON object."""
    return (json.dumps({"format": FORMAT, **asdict(reply)}, ensure_ascii=True, sort_keys=True) + "\n").encode("ascii")


def decode(data: bytes) -> Reply | None:
    """Read a reply back; None for anything that this module did not write."""
    try:
        row: dict[str, Any] = json.loads(data) if data else {}
        if row.pop("format", None) != FORMAT:
            return None
        calls = tuple(ToolCall(**call) for call in row.pop("tool_calls"))
        usage = Usage(**row.pop("usage"))
        return replace(Reply(**row), tool_calls=calls, usage=usage, attempts=0)
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return None
