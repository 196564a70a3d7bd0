"""ShareGPT: `{"conversations": [{"from", "value"}]}` as JSONL or a JSON array, with Hermes' tags inside or plain.

A row is the object, and each of its turns. `<think>`, `<tool_call>` and `<tool_response>` tags become reasoning,
calls and results; a tag whose JSON does not parse stays in the text, and that is noted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from hermes_git.sessions import values
from hermes_git.sessions.drafts import Draft, Pairing, finish
from hermes_git.sessions.loss import UNKNOWN, Tally, reason
from hermes_git.sessions.model import Role, Session, ToolCall
from hermes_git.sessions.source import Head, RowDigest, Source, safe_id

NAME = "sharegpt"
ROLES: dict[str, Role] = {
    "system": "system",
    "human": "user",
    "user": "user",
    "gpt": "assistant",
    "assistant": "assistant",
    "model": "assistant",
    "function_call": "assistant",
    "tool": "tool",
    "observation": "tool",
    "function_response": "tool",
}
THINK = re.compile(r"\A\s*<think>(.*?)</think>\s*", re.DOTALL)
CALL = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>\s*", re.DOTALL)
RESPONSE = re.compile(r"<tool_response>\s*(\{.*?\})\s*</tool_response>\s*", re.DOTALL)
TOOLS = re.compile(r"<tools>\s*(\[.*?\])\s*</tools>", re.DOTALL)


def sniff(head: Head) -> int:
    """Return how sure it is that a file is in this format, 0 to 100."""
    if head.records:
        return 85 if all(isinstance(record.get("conversations"), list) for record in head.records) else 0
    return 80 if "conversations" in head.keys and '"from"' in head.text else 0


def read(source: Source, tally: Tally) -> Iterator[Session]:
    """Yield the sessions of a file, one for each object."""
    if source.is_lines:
        for row in source.rows(tally):
            yield from _conversation(row.value, source, tally)
        return
    value = source.document(tally)
    for number, item in enumerate(value if isinstance(value, list) else [value] if value else [], start=1):
        if isinstance(item, dict):
            tally.row()
            yield from _conversation(item, source, tally)
        else:
            tally.damage(number, "an array item where an object is expected")


def _conversation(record: dict[str, Any], source: Source, tally: Tally) -> Iterator[Session]:
    pairing = Pairing(tally)
    drafts: list[Draft] = []
    prompt = ""
    for number, item in enumerate(values.items(record.get("conversations")), start=1):
        tally.row()
        turn = values.mapping(item)
        made = _turn(turn, pairing, drafts)
        if not made:
            known = values.first_text(turn, "from", "role") in ROLES
            tally.drop(reason("empty", "turn") if known else reason(UNKNOWN, "from", turn.get("from") or "none"))
        elif made[0].role == "system" and not drafts and not prompt:
            prompt = made[0].text
            tally.merge()
        else:
            for draft in made:
                draft.source_ids = [f"message {number}" if draft is made[0] else f"message {number}:{draft.call_id}"]
            drafts += made
            tally.keep()
    if drafts:
        tally.merge()
        yield _session(record, drafts, prompt, source)
    else:
        tally.drop(reason("empty", "session"))


def _turn(turn: dict[str, Any], pairing: Pairing, before: list[Draft]) -> list[Draft]:
    kind = values.first_text(turn, "from", "role")
    text = values.first_text(turn, "value", "content")
    role = ROLES.get(kind)
    if role is None or not text:
        return []
    if role == "assistant":
        return _answer(text, kind, pairing)
    if role == "tool":
        return _results(text, pairing, before)
    return [Draft(role, [text])]


def _answer(text: str, kind: str, pairing: Pairing) -> list[Draft]:
    draft = Draft("assistant")
    thought = THINK.match(text)
    if thought:
        draft.reasoning, text = [thought.group(1).strip()], text[thought.end() :]
    if kind == "function_call":
        listed = _parsed(text)
        calls = listed if isinstance(listed, list) else [listed] if isinstance(listed, dict) else []
        draft.calls = [_call(values.mapping(item), pairing) for item in calls]
        text = "" if draft.calls else text
    else:
        text = CALL.sub(lambda match: _take_call(match, draft, pairing), text)
    draft.content = [text.strip()]
    return [] if draft.is_empty else [draft]


def _take_call(match: re.Match[str], draft: Draft, pairing: Pairing) -> str:
    record = _parsed(match.group(1))
    if not isinstance(record, dict):
        pairing.tally.note("calls that are not JSON, kept as text")
        return match.group()
    draft.calls.append(_call(record, pairing))
    return ""


def _call(record: dict[str, Any], pairing: Pairing) -> ToolCall:
    name = values.text(record.get("name"))
    call_id = pairing.call(record.get("id") or f"call-{len(pairing.names) + 1}", name)
    return ToolCall(call_id, name, values.dump(record.get("arguments", {})))


def _results(text: str, pairing: Pairing, before: list[Draft]) -> list[Draft]:
    """Return one message for each response; they answer the calls of the last answer, in order."""
    asked = next((draft.calls for draft in reversed(before) if draft.role == "assistant"), [])
    records = [_parsed(found) for found in RESPONSE.findall(text)]
    wrapped = [record for record in records if isinstance(record, dict)]
    if len(wrapped) != len(records) or not wrapped:
        wrapped = [{"content": text}]
    made = []
    for place, record in enumerate(wrapped):
        call = asked[place] if place < len(asked) else None
        content = record.get("content", record)
        draft = Draft("tool", [values.dump(content)])
        draft.call_id = call.id if call else values.text(record.get("tool_call_id"))
        draft.tool_name = values.text(record.get("name")) or (call.name if call else "")
        made.append(draft)
        if call is None:
            pairing.tally.note("results without a call")
    return made


def _parsed(text: str) -> object:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _session(record: dict[str, Any], drafts: list[Draft], prompt: str, source: Source) -> Session:
    digest = RowDigest(values.dump(record).encode("utf-8")).hex
    own = values.first_text(record, "id", "session_id")
    tools = record.get("tools")
    listed = TOOLS.search(prompt)
    completed = record.get("completed")
    return Session(
        id=safe_id(own, source.shown) if own else f"sharegpt-{digest[:16]}",
        agent="sharegpt",
        source_format=NAME,
        source_path=source.stored,
        source_id=own,
        digest=digest,
        started_at=values.moment(record.get("timestamp")),
        end_reason="completed" if completed is True else "failed" if completed is False else "",
        model=values.text(record.get("model")),
        system_prompt=prompt or values.text(record.get("system")),
        tools=values.dump(tools) if tools else listed.group(1) if listed else "",
        messages=finish(drafts),
        channel="batch",
    )
