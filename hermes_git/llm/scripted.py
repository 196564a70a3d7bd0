"""A model that follows a script: for demonstrations and tests, deterministic, without a network. Pure.

A script is a JSON object:

    {"format": 1, "model": "scripted", "scripts": [
        {"match": "date test", "replies": [
            {"reasoning": "Run it first.", "tool_calls": [{"name": "terminal", "arguments": {"command": "pytest"}}]},
            {"text": "It compares local time with UTC: {prompt}"}]}]}

The first script whose `match` is in the first user message answers ("" matches all); its n-th reply follows n-1
assistant messages, the last one repeats. In texts and arguments `{prompt}` stands for the first user message and
`{last}` for the newest message. A reply `{"error": "rate-limit"}` fails as an endpoint would.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from hermes_git.errors import UserError
from hermes_git.llm.protocol import ChatError, Failure, Message, Reply, Sampling, Tool, ToolCall, Usage

FORMAT = 1
REPLY_KEYS = frozenset(("text", "reasoning", "tool_calls", "finish_reason", "error"))
CHARACTERS_A_TOKEN = 4
WORD = re.compile(r"\{prompt\}|\{last\}")

Answer = Callable[[Sequence[Message]], Reply]
"""The messages so far → the next reply."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """A model made of a function of the conversation."""

    answer: Answer
    model: str = "scripted"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),  # noqa: ARG002 - a script knows what it calls
        sampling: Sampling = Sampling(),  # noqa: ARG002, B008 - and does not sample
    ) -> Reply:
        """Return the scripted reply, with tokens estimated from its length."""
        return self.answer(messages)


@dataclass(frozen=True, slots=True)
class Script:
    """One script: the part of a prompt that it answers to, and its replies in order."""

    match: str
    replies: tuple[Mapping[str, Any], ...]


def parse(data: bytes, *, where: str = "script") -> Scripted:
    """Read a script; `UserError` names what is wrong with it and where."""
    try:
        row = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UserError(f"not valid JSON: {error}", where=where, hint="a script is one JSON object") from error
    if not isinstance(row, dict) or row.get("format") != FORMAT:
        raise UserError(f"not a script of format {FORMAT}", where=where, hint=f'write {{"format": {FORMAT}, …}}')
    rows = row.get("scripts")
    if not isinstance(rows, list) or not rows:
        raise UserError("no scripts", where=where, hint='write "scripts": [{"match": "", "replies": […]}]')
    scripts = tuple(_script(item, f"{where}: script {number}") for number, item in enumerate(rows, start=1))
    return Scripted(_Player(scripts, where), str(row.get("model") or "scripted"))


def _script(row: object, where: str) -> Script:
    replies = row.get("replies") if isinstance(row, dict) else None
    if not isinstance(row, dict) or not isinstance(replies, list) or not replies:
        raise UserError("no replies", where=where, hint='write {"match": "…", "replies": [{"text": "…"}]}')
    for number, reply in enumerate(replies, start=1):
        unknown = sorted(reply.keys() - REPLY_KEYS) if isinstance(reply, dict) else ["not an object"]
        if unknown or (reply.get("error") and reply["error"] not in get_args(Failure)):
            raise UserError(
                f"reply {number} is not understood: {', '.join(unknown) or reply['error']}",
                where=where,
                hint=f"its keys are {', '.join(sorted(REPLY_KEYS))}; errors are {', '.join(get_args(Failure))}",
            )
    return Script(str(row.get("match") or ""), tuple(replies))


@dataclass(frozen=True, slots=True)
class _Player:
    scripts: tuple[Script, ...]
    where: str

    def __call__(self, messages: Sequence[Message]) -> Reply:
        prompt = next((message.content for message in messages if message.role == "user"), "")
        script = next((script for script in self.scripts if script.match in prompt), None)
        if script is None:
            hint = 'add one with "match": ""'
            raise ChatError("refused", "no script matches the prompt", where=self.where, hint=hint)
        turn = sum(message.role == "assistant" for message in messages)
        row = script.replies[min(turn, len(script.replies) - 1)]
        if row.get("error"):
            raise ChatError(row["error"], f"scripted: {row['error']}", where=self.where)
        return _reply(row, {"{prompt}": prompt, "{last}": messages[-1].content if messages else ""}, turn)


def _reply(row: Mapping[str, Any], words: Mapping[str, str], turn: int) -> Reply:
    text, reasoning = _filled(row.get("text", ""), words), _filled(row.get("reasoning", ""), words)
    calls = tuple(_call(item, words, f"call_{turn}_{number}") for number, item in enumerate(row.get("tool_calls", ())))
    size = len(text) + len(reasoning) + sum(len(call.arguments) for call in calls)
    usage = Usage(output=-(-size // CHARACTERS_A_TOKEN))
    return Reply(text, reasoning, calls, row.get("finish_reason", "tool_calls" if calls else "stop"), usage, "scripted")


def _call(row: Mapping[str, Any], words: Mapping[str, str], identity: str) -> ToolCall:
    """Make a call; arguments given as text are passed on as they are, so that broken ones can be played too."""
    arguments = row.get("arguments", {})
    written = arguments if isinstance(arguments, str) else json.dumps(_filled_all(arguments, words), ensure_ascii=False)
    return ToolCall(str(row.get("id") or identity), str(row.get("name", "")), written)


def _filled_all(value: object, words: Mapping[str, str]) -> object:
    if isinstance(value, str):
        return _filled(value, words)
    if isinstance(value, dict):
        return {key: _filled_all(item, words) for key, item in value.items()}
    return [_filled_all(item, words) for item in value] if isinstance(value, list) else value


def _filled(text: object, words: Mapping[str, str]) -> str:
    return WORD.sub(lambda match: words[match.group()], str(text))
