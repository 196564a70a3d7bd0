from __future__ import annotations

from collections.abc import Sequence

from hermes_git.evals.metered import Metered
from hermes_git.llm.cache import Cached
from hermes_git.llm.protocol import Message, Reply, Usage
from hermes_git.llm.scripted import Scripted


class Kept(dict[str, bytes]):
    """Replies in memory."""

    def put(self, name: str, data: bytes) -> None:
        self[name] = data


def test_what_was_paid_is_counted_and_what_was_kept_is_free() -> None:
    def say(messages: Sequence[Message]) -> Reply:
        return Reply("7", usage=Usage(100, 3, cost=0.25), attempts=2)

    store = Kept()
    for requests, kept, cost in ((4, 1, 0.5), (0, 3, 0.0)):
        metered = Metered(Cached(Scripted(say), store))
        for text in ("one", "two", "one"):
            metered.complete((Message("user", text),))
        told = metered.as_json()
        assert (told["requests"], told["from_cache"], told["cost_usd"]) == (requests, kept, cost)
        assert told["input_tokens"] == 400 * cost
    assert metered.model == Scripted(say).model
