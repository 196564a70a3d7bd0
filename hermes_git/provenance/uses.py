"""Uses recognised in sessions: skills that were loaded or read, memory entries that were quoted, and how it ended.

Claude Code loads a skill with its `Skill` tool or reads the file; Codex reads the file with a shell command; Hermes
calls `skill_view`; any of them may call `hermes-git skill view`. Writes and searches are work on a skill, not use of
it, and never count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hermes_git.errors import UserError
from hermes_git.provenance.ledger import Use, seconds
from hermes_git.sessions.model import Message, Session, ToolCall

SKILL_TOOLS = {"skill": ("skill", "command", "name"), "skill_view": ("name",), "load_skill": ("name", "skill")}
"""Tools that load a skill, lower-cased, and the arguments that may name it."""

READ_TOOLS = frozenset("read read_file view cat open_file view_file".split())
SHELL_TOOLS = frozenset("bash shell exec_command terminal run_shell_command local_shell container.exec exec".split())
READERS = re.compile(r"(?:^|[\s;&|('\"])(?:cat|sed -n|head|tail|less|more|nl|bat|type|Get-Content)\s", re.IGNORECASE)
SKILL_PATH = re.compile(r"(?:^|[\s'\"=/])((?:[\w.@+-]+/){0,6}[\w.@+-]+)/SKILL\.md(?![\w.])")
VIEW = re.compile(r"\bhermes[-_]git(?:[ \t]+-C[ \t]+\S+)?[ \t]+skill[ \t]+view((?:[ \t]+[^\s;&|]+)+)")
"""Our own command that prints a skill, with its arguments up to the end of the shell command."""

OPTIONS_WITH_VALUE = frozenset(("--rev", "--now", "-C"))
MAX_ARGUMENTS = 64 * 1024

CORRECTION = re.compile(
    r"\A\W*(?:no[,.! ]|nope\b|wrong\b|that'?s (?:wrong|not)|not what i|stop\b|don'?t\b|you should(?:n'?t| not)|"
    r"i (?:said|asked|told you)|actually[, ]|revert that|undo that|nein\b|falsch\b|不对|不是|错了|아니|違う)",
    re.IGNORECASE,
)
"""How people open a message that corrects an agent; a signal, never a proof."""


APPROVAL = re.compile(
    r"\A\W*(?:thanks?\b|thank you|thx\b|perfect\b|great\b|works?\b|(?:it|that) works|well done|lgtm\b|"
    r"nice\b|awesome\b|danke\b|super\b|谢谢|很好|可以了|고마워|감사|ありがとう)",
    re.IGNORECASE,
)
"""How people open a message that is content with what was done."""


@dataclass(frozen=True, slots=True)
class Load:
    """One loading of a skill found in a session: what it was called, in which message, by which call."""

    key: str
    message: int
    call: str


def from_session(session: Session, entries: Mapping[str, str] | None = None) -> tuple[Use, ...]:
    """Return the uses that a session shows, sorted; `entries` maps entry ids to texts to look for in it.

    A message without a time takes the one before it, then the session's start; a session without any time shows
    nothing, because a use without a time cannot age.
    """
    times = _times(session)
    found: list[Use] = []
    results = {message.tool_call_id: message for message in session.messages if message.role == "tool"}
    for load in loads(session):
        moment = times.get(load.message)
        if moment is None:
            continue
        outcome = _outcome(session.messages, load, results)
        found.append(Use(moment, "skill", load.key, outcome, "", session.id, load.message, session.agent))
    found += _mentions(session, entries or {}, times)
    return tuple(sorted(set(found)))


def loads(session: Session) -> Iterator[Load]:
    """Yield every loading of a skill in a session, in order."""
    for message in session.messages:
        if message.role == "assistant" and message.state != "rewound":
            for call in message.tool_calls:
                for key in _keys(call):
                    yield Load(key, message.id, call.id)


def _keys(call: ToolCall) -> list[str]:
    name = call.name.lower().rsplit("__", 1)[-1]
    if len(call.arguments) > MAX_ARGUMENTS:
        return []
    arguments = _arguments(call.arguments)
    if name in SKILL_TOOLS:
        named = next((arguments[key] for key in SKILL_TOOLS[name] if isinstance(arguments.get(key), str)), "")
        key = str(named).strip().lstrip("/").rsplit(":", 1)[-1]
        return [key] if key else []
    if name in READ_TOOLS:
        return _paths(" ".join(value for value in arguments.values() if isinstance(value, str)))
    command = _command(arguments) if name in SHELL_TOOLS else ""
    read = _paths(command) if READERS.search(command) else []
    return list(dict.fromkeys([*read, *_viewed(command)]))


def _viewed(command: str) -> Iterator[str]:
    """Yield the skills that `hermes-git skill view` was asked for; a look for maintenance is none."""
    for match in VIEW.finditer(command):
        words = [word.strip("'\"") for word in match.group(1).split()]
        named = (word for before, word in zip(["", *words], words, strict=False) if before not in OPTIONS_WITH_VALUE)
        key = next((word for word in named if word and not word.startswith("-")), "")
        if key and "--maintenance" not in words:
            yield key


def _arguments(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _command(arguments: Mapping[str, object]) -> str:
    value = arguments.get("command", arguments.get("cmd", ""))
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _paths(text: str) -> list[str]:
    """Return `category/name` of each SKILL.md path in a text, without the folders above the skills folder."""
    keys = []
    for match in SKILL_PATH.finditer(text):
        parts = match.group(1).split("/")
        for marker in ("skills", ".archive"):
            if marker in parts:
                parts = parts[len(parts) - parts[::-1].index(marker) :] or parts
        keys.append("/".join(parts[-3:]))
    return list(dict.fromkeys(keys))


def _outcome(messages: tuple[Message, ...], load: Load, results: Mapping[str, Message]) -> str:
    """Judge a load: failed by its result; corrected or succeeded by what the user says next; else applied."""
    result = results.get(load.call)
    if result is not None and result.is_error:
        return "failed"
    reply = next((message for message in messages if message.id > load.message and _is_said(message)), None)
    if reply is not None and CORRECTION.match(reply.content[:200]):
        return "corrected"
    return "succeeded" if reply is not None and APPROVAL.match(reply.content[:200]) else "applied"


def _is_said(message: Message) -> bool:
    return message.role == "user" and message.state == "active" and bool(message.content.strip())


def _mentions(session: Session, entries: Mapping[str, str], times: Mapping[int, int]) -> Iterator[Use]:
    """Yield a viewed use for each entry whose text stands whole in something the agent said or was told by a tool."""
    wanted = [(entry_id, " ".join(text.split())) for entry_id, text in sorted(entries.items()) if text.strip()]
    probes = [(entry_id, text, max(text.split(), key=len)) for entry_id, text in wanted]
    for message in session.messages:
        if message.role not in ("assistant", "tool") or message.id not in times:
            continue
        near = [(entry_id, text) for entry_id, text, probe in probes if probe in message.content]
        said = " ".join(message.content.split()) if near else ""
        for entry_id, text in near:
            if text in said:
                yield Use(
                    times[message.id], "entry", "memory", "viewed", entry_id, session.id, message.id, session.agent
                )


def _times(session: Session) -> dict[int, int]:
    found: dict[int, int] = {}
    last = _seconds(session.started_at)
    for message in session.messages:
        last = _seconds(message.timestamp) or last
        if last:
            found[message.id] = last
    return found


def _seconds(text: str) -> int:
    try:
        return seconds(text) if text else 0
    except UserError:
        return 0


def as_maintenance(uses: Iterable[Use]) -> tuple[Use, ...]:
    """Return the same uses marked as looks by a maintainer, which never count."""
    return tuple(replace(use, maintenance=True) for use in uses)
