"""What a provider of memory is: asked for what matters to an utterance, told what happened; all but two are optional.

Names and order of the calls are those of Hermes' memory providers, so that one can be wrapped as the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Recollection:
    """One thing a provider remembers: its text, and where it comes from.

    `key` is the identity under which several providers' answers meet; `kind` is memory, skill, session, commit or a
    word of the provider's own; `cite` says how to open it.
    """

    key: str
    kind: str
    text: str
    cite: str
    score: float = 0.0

    def as_json(self) -> dict[str, object]:
        """Return the published JSON form."""
        return {"key": self.key, "kind": self.kind, "text": self.text, "cite": self.cite, "score": round(self.score, 4)}


@runtime_checkable
class Provider(Protocol):
    """The two things every provider can do."""

    name: str

    def is_available(self) -> bool:
        """Say whether the provider can be asked; never goes to the network."""

    def prefetch(self, query: str, *, session_id: str = "") -> Sequence[Recollection]:
        """Return what matters to an utterance, best first."""


class Quiet:
    """The optional calls, as no-ops; a provider inherits those that mean nothing to it."""

    def initialize(self, session_id: str, **options: Any) -> None:
        """Take note of the session that begins."""

    def system_prompt_block(self) -> str:
        """Return text for the system prompt, "" for none."""
        return ""

    def get_tool_schemas(self) -> Sequence[dict[str, Any]]:
        """Return the schemas of the tools that the provider adds."""
        return ()

    def queue_prefetch(self, query: str, *, session_id: str = "") -> None:
        """Prepare for a query that will probably come."""

    def sync_turn(self, user: str, assistant: str, *, session_id: str = "") -> None:
        """Take note of a finished turn."""

    def on_turn_start(self, number: int, message: str) -> None:
        """Take note of a turn that begins."""

    def on_session_end(self, messages: Sequence[Any]) -> None:
        """Take note of a session that ends."""

    def on_memory_write(self, action: str, target: str, content: str) -> None:
        """Take note of a written memory entry."""

    def shutdown(self) -> None:
        """Let go of everything."""
