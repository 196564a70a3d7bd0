"""From messages to turns: neighbours of one role joined, every call with its one result, by id."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from hermes_git.sessions.model import Message, ToolCall
from hermes_git.trajectories import reasoning, strict_json
from hermes_git.trajectories.model import Call, Result, Turn

SAID = ("active", "compacted")
"""States of messages that were really said; replayed, undone, abandoned and harness text is left out and counted."""


@dataclass(slots=True)
class Builder:
    """Collects turns from messages in source order; `marks` counts what could not be carried over as it was."""

    answers: dict[str, deque[tuple[int, Message]]]
    turns: list[Turn] = field(default_factory=list)
    marks: Counter[str] = field(default_factory=Counter)
    group: list[tuple[int, Message]] = field(default_factory=list)
    is_answered: bool = False
    system: str = ""


def turns(messages: Sequence[Message]) -> tuple[list[Turn], str, Counter[str]]:
    """Return the turns of a session, the system prompt found among its messages, and the marks."""
    said = [message for message in messages if message.state in SAID]
    builder = Builder(_answers(said))
    builder.marks.update(f"left-out-{message.state}" for message in messages if message.state not in SAID)
    for place, message in enumerate(said):
        _add(builder, place, message)
    _close(builder)
    orphans = sum(len(queue) for queue in builder.answers.values())
    builder.marks["results-without-call"] += orphans
    return merge(builder.turns), builder.system, builder.marks


def _answers(said: Sequence[Message]) -> dict[str, deque[tuple[int, Message]]]:
    found: dict[str, deque[tuple[int, Message]]] = defaultdict(deque)
    for place, message in enumerate(said):
        if message.role == "tool":
            found[message.tool_call_id].append((place, message))
    return found


def _add(builder: Builder, place: int, message: Message) -> None:
    if message.role == "tool":
        builder.is_answered = True
    elif message.role == "assistant":
        if builder.is_answered:
            _close(builder)
        builder.group.append((place, message))
    elif message.role == "user":
        _close(builder)
        if message.content.strip():
            builder.turns.append(Turn("human", clean(message.content, builder.marks)))
    elif builder.system or builder.turns or builder.group:
        builder.marks["system-messages-left-out"] += 1
    else:
        builder.system = clean(message.content, builder.marks)


def _close(builder: Builder) -> None:
    """Turn the open group of assistant messages into a gpt turn and the tool turn that answers its calls."""
    if not builder.group:
        builder.is_answered = False
        return
    texts, thoughts = [], []
    calls: list[Call] = []
    results: list[Result] = []
    for place, message in builder.group:
        text, thought, is_incomplete = reasoning.split(message.content, message.reasoning)
        builder.marks["incomplete-thought"] += is_incomplete
        texts.append(clean(text, builder.marks))
        thoughts.append(clean(thought, builder.marks))
        for source in message.tool_calls:
            _pair(builder, place, source, calls, results)
    builder.group, builder.is_answered = [], False
    turn = Turn("gpt", _joined(texts), _joined(thoughts), tuple(calls))
    if not turn.calls and not turn.text.strip():
        builder.marks["turns-without-words"] += 1
        return
    builder.turns.append(turn)
    if results:
        builder.turns.append(Turn("tool", results=tuple(results)))


def _pair(builder: Builder, place: int, source: ToolCall, calls: list[Call], results: list[Result]) -> None:
    """Take the first result after a call that carries its id, or, for a result without id, the next in line."""
    found = _take(builder.answers.get(source.id, deque()), place) if source.id else None
    if found is None:
        found = _take(builder.answers.get("", deque()), place)
        builder.marks["paired-by-position"] += found is not None
    if found is None:
        builder.marks["calls-without-result"] += 1
        return
    call = as_call(source, len(calls))
    builder.marks["broken-arguments"] += call.is_broken
    calls.append(call)
    results.append(Result(call.id, call.name, clean(found.content, builder.marks)))


def _take(queue: deque[tuple[int, Message]], place: int) -> Message | None:
    for index, (when, message) in enumerate(queue):
        if when > place:
            del queue[index]
            return message
    return None


def as_call(source: ToolCall, number: int) -> Call:
    """Make a call with canonical arguments; arguments that are no strict JSON object are kept as text."""
    name = strict_json.encodable(source.name) or "unknown"
    identity = strict_json.encodable(source.id) or f"call_{number}"
    try:
        return Call(identity, name, strict_json.dump(strict_json.parse_object(source.arguments)))
    except strict_json.NotStrict:
        return Call(identity, name, strict_json.encodable(source.arguments), is_broken=True)


def clean(text: str, marks: Counter[str]) -> str:
    """Make text that a UTF-8 file can hold, and count the repair."""
    repaired = strict_json.encodable(text)
    marks["lone-surrogates"] += repaired != text
    return repaired


def merge(sequence: Iterable[Turn]) -> list[Turn]:
    """Join neighbouring turns of one speaker, which a lost answer or a dropped turn can leave behind."""
    merged: list[Turn] = []
    for turn in sequence:
        last = merged[-1] if merged else None
        if last is not None and last.role == turn.role and turn.role in ("human", "gpt") and not last.calls:
            merged[-1] = replace(
                turn, text=_joined([last.text, turn.text]), reasoning=_joined([last.reasoning, turn.reasoning])
            )
        else:
            merged.append(turn)
    return merged


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part)
