"""What every model looks like from inside: messages and tools in, one reply out; nothing here touches the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from hermes_git.errors import UserError

Role = Literal["system", "user", "assistant", "tool"]

Failure = Literal["unreachable", "timeout", "rate-limit", "server", "malformed", "refused", "too-large"]
"""Why a model gave no reply. `refused` is an answer of the endpoint to this request (a wrong key, an unknown model, a
context that is too long): asking again gives the same. All others may pass."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model asks for; `arguments` is what it wrote, which need not be JSON."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation; `tool_call_id` and `name` belong to the result of a tool."""

    role: Role
    content: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call; `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and US dollars of one reply, or of several; `cost` is 0 where the endpoint does not say."""

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cached: int = 0
    cost: float = 0.0

    def plus(self, other: Usage) -> Usage:
        """Return the sum."""
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.reasoning + other.reasoning,
            self.cached + other.cached,
            self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample; what is left unset is not sent, so that the endpoint's own defaults hold."""

    max_tokens: int = 0
    temperature: float | None = None
    seed: int | None = None
    effort: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `attempts` counts the requests it took; 0 when the reply came from a cache."""

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    usage: Usage = Usage()
    model: str = ""
    attempts: int = 1

    @property
    def message(self) -> Message:
        """Return the reply as the message that continues the conversation."""
        return Message("assistant", self.text, self.reasoning, self.tool_calls)


class ChatError(UserError):
    """No reply after all attempts; `kind` says why and `attempts` counts the requests that were made."""

    def __init__(self, kind: Failure, message: str, *, attempts: int = 1, hint: str = "", where: str = "") -> None:
        super().__init__(message, hint=hint, where=where)
        self.kind = kind
        self.attempts = attempts

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep all fields when an error is sent to another process."""
        return _rebuilt, (self.kind, self.message, self.attempts, self.hint, self.where)

    @property
    def is_transient(self) -> bool:
        """Say whether the same request may succeed later."""
        return self.kind not in ("refused", "too-large")


def _rebuilt(kind: Failure, message: str, attempts: int, hint: str, where: str) -> ChatError:
    return ChatError(kind, message, attempts=attempts, hint=hint, where=where)


class Chat(Protocol):
    """A model that holds a conversation; it may be called from several threads at once."""

    @property
    def model(self) -> str:
        """Return the name of the model."""

    def complete(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] = (), sampling: Sampling = Sampling()
    ) -> Reply:
        """Answer a conversation, or raise `ChatError`."""
