"""What in a session is worth saving: signals found in it, and Hermes' two counters, computed from the session alone.

Nothing is consumed by looking: an interrupted turn, a restart or a rejected write loses no signal. A signal is settled
only by a write to memory or to a skill that succeeded after it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hermes_git.provenance.uses import CORRECTION, from_session, loads
from hermes_git.sessions.model import Message, Session, ToolCall

MEMORY_INTERVAL = SKILL_INTERVAL = 10
"""Hermes' own intervals: user turns without a memory write, and tool iterations without a skill write."""

LOOP = 10
FAILURES = 2
SHOWN = 160

PREFERENCE = re.compile(
    r"\b(?:remember (?:that|this|to)|from now on|always (?:use|run|ask|do|write)|never (?:use|run|do|push|commit)|"
    r"i (?:prefer|always|never)|my (?:name|email|time ?zone|editor|team) is|next time)\b|"
    r"merke dir|ab jetzt|记住|以后都|今後は|기억해",
    re.IGNORECASE,
)
FAILED = re.compile(
    r"\A\s*(?:error\b|traceback|fatal:|command failed|exit(?:ed with)?(?: code| status)?:? *[1-9])|"
    r"\"(?:exit_code|returncode)\": *[1-9]|\bexit code:? [1-9]",
    re.IGNORECASE,
)
MEMORY_WRITE = re.compile(r"\bhermes-git memory (?:add|replace|remove)\b|(?:MEMORY|USER)\.md\"")
SKILL_WRITE = re.compile(r"\bhermes-git skill (?:new|edit|patch|write-file|rename)\b|SKILL\.md\"")
WRITERS = frozenset("write edit multiedit write_file edit_file create_file apply_patch str_replace".split())


@dataclass(frozen=True, order=True, slots=True)
class Signal:
    """One reason to save something: the message it stands in, its kind, what was seen, and what to do about it.

    Kinds: correction, preference, recovery, loop, wrong-skill, memory-counter, skill-counter.
    """

    message: int
    kind: str
    seen: str
    advice: str


def signals(
    session: Session, *, memory_interval: int = MEMORY_INTERVAL, skill_interval: int = SKILL_INTERVAL
) -> tuple[Signal, ...]:
    """Return the unsettled signals of a session, in order; an interval of 0 switches its counter off."""
    writes = _writes(session)
    found = [*_said(session), *_recoveries(session), *_loops(session), *_wrong_skills(session)]
    last = {"memory": max(writes["memory"], default=0), "skill": max(writes["skill"], default=0)}
    settled = max(last.values())
    fresh = [signal for signal in found if signal.message > settled]
    return tuple(sorted({*fresh, *_counters(session, last, memory_interval, skill_interval)}))


def _active(session: Session) -> list[Message]:
    return [message for message in session.messages if message.state in ("active", "compacted")]


def _results(session: Session) -> Mapping[str, Message]:
    return {message.tool_call_id: message for message in session.messages if message.role == "tool"}


def _writes(session: Session) -> dict[str, list[int]]:
    """Return the messages that wrote memory or a skill and whose result is there and is no failure."""
    results = _results(session)
    found: dict[str, list[int]] = {"memory": [], "skill": []}
    for message in _active(session):
        for call in message.tool_calls:
            kind = _write_kind(call)
            result = results.get(call.id)
            if kind and result is not None and not has_failed(result):
                found[kind].append(message.id)
    return found


def _write_kind(call: ToolCall) -> str:
    name = call.name.lower().rsplit("__", 1)[-1]
    if name in ("memory", "skill_manage"):
        return "memory" if name == "memory" else "skill"
    by_file = name in WRITERS
    if MEMORY_WRITE.search(call.arguments) and (by_file or "hermes-git" in call.arguments):
        return "memory"
    return "skill" if SKILL_WRITE.search(call.arguments) and (by_file or "hermes-git" in call.arguments) else ""


def has_failed(result: Message) -> bool:
    """Say whether a tool's result is a failure, by its mark or by how it begins."""
    return result.is_error or bool(FAILED.search(result.content[:400]))


def _said(session: Session) -> Iterator[Signal]:
    """Yield corrections and lasting wishes of the user; the first message corrects nothing."""
    answered = False
    for message in _active(session):
        if message.role == "assistant":
            answered = True
        elif message.role == "user" and message.content.strip():
            if answered and CORRECTION.match(message.content[:200]):
                yield Signal(message.id, "correction", _short(message.content), "save what was wrong and what is right")
            elif PREFERENCE.search(message.content[:2000]):
                yield Signal(message.id, "preference", _short(message.content), "save it to memory, target user")


def _recoveries(session: Session) -> Iterator[Signal]:
    """Yield each success of a tool that had failed at least twice on the same thing before."""
    results = _results(session)
    failures: dict[tuple[str, str], int] = {}
    for message in _active(session):
        for call in message.tool_calls:
            result = results.get(call.id)
            what = (call.name.lower(), _topic(call))
            if result is None or not what[1]:
                continue
            if has_failed(result):
                failures[what] = failures.get(what, 0) + 1
            elif failures.pop(what, 0) >= FAILURES:
                seen = f"{call.name} {what[1]} failed and then worked: {_short(call.arguments)}"
                yield Signal(message.id, "recovery", seen, "save what made it work, as a step of a skill")


def _topic(call: ToolCall) -> str:
    """Return what a call is about: the program of a command, or the path it works on."""
    try:
        values = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(values, dict):
        return ""
    command = values.get("command", values.get("cmd", ""))
    words = [str(word) for word in command] if isinstance(command, list) else str(command).split()
    if words:
        return " ".join(words[-1].split()[:1] if len(words) == 3 and words[1] in ("-c", "-lc") else words[:1])
    return str(values.get("file_path", values.get("path", "")))


def _loops(session: Session) -> Iterator[Signal]:
    """Yield each stretch of many tool calls without a word from the user, at its last message."""
    count, last = 0, 0
    for message in [*_active(session), Message(0, "user", "end")]:
        if message.role == "user":
            if count >= LOOP:
                advice = "if the way there will be needed again, write it as a skill"
                yield Signal(last, "loop", f"{count} rounds of tool calls in a row", advice)
            count = 0
        elif message.tool_calls:
            count, last = count + 1, message.id


def _wrong_skills(session: Session) -> Iterator[Signal]:
    known = {load.message: load.key for load in loads(session)}
    for use in from_session(session):
        if use.outcome in ("failed", "corrected") and use.message in known:
            seen = f"skill {use.key} was loaded and then {use.outcome}"
            yield Signal(use.message, "wrong-skill", seen, f"patch the skill: hermes-git skill show {use.key}")


def _counters(session: Session, last: Mapping[str, int], memory: int, skill: int) -> Iterator[Signal]:
    after = [message for message in _active(session) if message.id > last["memory"]]
    turns = [message for message in after if message.role == "user" and message.content.strip()]
    if memory and len(turns) >= memory:
        seen = f"{len(turns)} user turns since memory was written"
        yield Signal(turns[-1].id, "memory-counter", seen, "look whether something lasting was said")
    rounds = [message for message in _active(session) if message.id > last["skill"] and message.role == "assistant"]
    if skill and len(rounds) >= skill:
        seen = f"{len(rounds)} rounds since a skill was written"
        yield Signal(rounds[-1].id, "skill-counter", seen, "look whether a procedure was found")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
