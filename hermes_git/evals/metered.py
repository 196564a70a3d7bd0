"""What asking a model cost: requests, replies that were kept already, tokens and dollars."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from hermes_git.llm.protocol import Chat, Message, Reply, Sampling, Tool, Usage


@dataclass(slots=True)
class Metered:
    """A model whose replies are counted; several threads may ask it at once."""

    chat: Chat
    requests: int = 0
    kept: int = 0
    usage: Usage = field(default_factory=Usage)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

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
        """Return the reply; one that comes from a cache costs nothing and is counted apart."""
        reply = self.chat.complete(messages, tools=tools, sampling=sampling)
        with self._lock:
            self.requests += reply.attempts
            self.kept += reply.attempts == 0
            if reply.attempts:
                self.usage = self.usage.plus(reply.usage)
        return reply

    def as_json(self) -> dict[str, object]:
        """Return the published form."""
        return {
            "model": self.model,
            "requests": self.requests,
            "from_cache": self.kept,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "cost_usd": round(self.usage.cost, 6),
        }
