"""The agent: ask, carry out calls, append, until the model answers in plain words; its messages are the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from hermes_git.batch.kit import Kit, Result
from hermes_git.llm.protocol import Chat, ChatError, Message, Reply, Sampling, ToolCall, Usage
from hermes_git.sessions.model import Message as Said
from hermes_git.sessions.model import Role
from hermes_git.sessions.model import ToolCall as Called

MAX_INVALID = 3
"""Turns in a row whose calls were all invalid, after which the agent is stopped."""

MAX_CALLS = 32
"""Calls of one turn that are carried out; the rest is answered with an error."""

FINISHED = "finished"
MAX_TURNS = "max_turns exhausted"
INVALID = "stopped: invalid calls"
NO_ANSWER = "error: the model said nothing"
USUAL = Sampling()


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an agent is to do: prompt, system prompt, bounds, and what the model sees without it being recorded."""

    prompt: str
    system: str = ""
    max_turns: int = 10
    sampling: Sampling = USUAL
    ephemeral: str = ""
    prefill: tuple[Message, ...] = ()


@dataclass(slots=True)
class Tally:
    """What was counted on the way."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    tools: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    thoughts: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: the messages, why it ended, and what was counted; `error` when the model failed."""

    messages: tuple[Said, ...]
    end_reason: str
    tally: Tally
    model: str = ""
    error: ChatError | None = None

    @property
    def is_partial(self) -> bool:
        """Say whether the agent was stopped because of its calls."""
        return self.end_reason == INVALID


def run(chat: Chat, kit: Kit, work: Assignment, *, watch: Callable[[Message], None] = lambda _: None) -> Run:
    """Let a model work on a prompt with a kit of tools. A failing model ends the run; it is not an exception."""
    heard = [*_opening(work), Message("user", work.prompt)]
    said: list[Message] = [Message("user", work.prompt)]
    finishes: list[str] = [""]
    tally, model, invalid = Tally(), chat.model, 0

    def finish(reason: str, error: ChatError | None = None) -> Run:
        return Run(_recorded(said, finishes, model), reason, tally, model, error)

    for _ in range(work.max_turns):
        try:
            reply = chat.complete(heard, tools=kit.tools, sampling=work.sampling)
        except ChatError as error:
            tally.calls += error.attempts
            return finish(f"error: {error.kind}", error)
        reply = named(reply, tally.turns)
        _count(tally, reply)
        model = reply.model or model
        results = [_carried_out(kit, call, place) for place, call in enumerate(reply.tool_calls)]
        for message, ended in _turn(reply, results):
            said.append(message)
            heard.append(message)
            finishes.append(ended)
            watch(message)
        _count_results(tally, reply.tool_calls, results)
        if not results:
            return finish(FINISHED if reply.text.strip() else NO_ANSWER)
        invalid = invalid + 1 if all(result.is_invalid for result in results) else 0
        if invalid >= MAX_INVALID:
            return finish(INVALID)
    return finish(MAX_TURNS)


def _opening(work: Assignment) -> list[Message]:
    """Return what stands before the prompt; the ephemeral part is used and never recorded."""
    system = "\n\n".join(part for part in (work.system, work.ephemeral) if part)
    return [*([Message("system", system)] if system else []), *work.prefill]


def named(reply: Reply, turn: int) -> Reply:
    """Give the calls of a reply ids of their own where two share one, so that each result finds its call."""
    ids = [call.id for call in reply.tool_calls]
    if len(set(ids)) == len(ids) and all(ids):
        return reply
    calls = tuple(replace(call, id=f"call_{turn}_{place}") for place, call in enumerate(reply.tool_calls))
    return replace(reply, tool_calls=calls)


def _carried_out(kit: Kit, call: ToolCall, place: int) -> Result:
    if place >= MAX_CALLS:
        return Result(f'{{"error": "only {MAX_CALLS} calls of one turn are carried out"}}', True)
    return kit.call(call)


def _turn(reply: Reply, results: Sequence[Result]) -> list[tuple[Message, str]]:
    """Return the messages of a turn, each with its finish reason."""
    answers = [
        (Message("tool", result.content, tool_call_id=call.id, name=call.name), "error" if result.is_error else "")
        for call, result in zip(reply.tool_calls, results, strict=True)
    ]
    return [(reply.message, reply.finish_reason), *answers]


def _count(tally: Tally, reply: Reply) -> None:
    tally.calls += reply.attempts
    tally.usage = tally.usage.plus(reply.usage)
    tally.turns += 1
    tally.thoughts += bool(reply.reasoning.strip()) or "<REASONING_SCRATCHPAD>" in reply.text


def _count_results(tally: Tally, calls: Sequence[ToolCall], results: Sequence[Result]) -> None:
    for call, result in zip(calls, results, strict=True):
        tally.tools[call.name] += 1
        tally.failures[call.name] += result.is_error


ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}


def _recorded(said: Sequence[Message], finishes: Sequence[str], model: str) -> tuple[Said, ...]:
    """Return messages as a session keeps them."""
    return tuple(
        Said(
            id=number,
            role=ROLES[message.role],
            content=message.content,
            reasoning=message.reasoning,
            tool_calls=tuple(Called(call.id, call.name, call.arguments) for call in message.tool_calls),
            tool_call_id=message.tool_call_id,
            tool_name=message.name,
            is_error=message.role == "tool" and ended == "error",
            model=model if message.role == "assistant" else "",
            finish_reason=ended if message.role == "assistant" else "",
        )
        for number, (message, ended) in enumerate(zip(said, finishes, strict=True), start=1)
    )
