"""How much of a message goes into an answer, so that no answer is larger than a reader can take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hermes_git.recall.snippet import CLOSE, GAP, OPEN, plain
from hermes_git.sessions.model import Message

MESSAGE_CAP, BOOKEND_CAP, FLOOR = 4000, 1200, 400
TOTAL = 40_000
"""Characters of message text in one answer, after which every further message is cut to `FLOOR`."""


@dataclass
class Budget:
    """What is left of the characters of one answer."""

    left: int = TOTAL

    def take(self, wanted: int, cap: int) -> int:
        """Return how many characters a text of a length may have, and count them."""
        allowed = min(wanted, cap if self.left > 0 else FLOOR)
        self.left -= allowed
        return allowed


def message_row(
    message: Message, budget: Budget, *, anchor: bool = False, bookend: bool = False, near: str = ""
) -> dict[str, Any]:
    """Return a message as a row of an answer; `near` is the snippet that a cut must keep in sight."""
    content = plain(message.content)
    allowed = budget.take(len(content), BOOKEND_CAP if bookend else MESSAGE_CAP)
    row: dict[str, Any] = {
        "id": message.id,
        "role": message.role,
        "content": _cut(content, allowed, near if anchor else ""),
        "timestamp": message.timestamp,
    }
    if allowed < len(content):
        row |= {"content_truncated": True, "original_content_chars": len(message.content)}
    if message.tool_name:
        row["tool_name"] = message.tool_name
    if message.tool_calls:
        row["tool_calls"] = [_call(call.id, call.name, call.arguments, budget) for call in message.tool_calls]
    if message.tool_call_id:
        row["tool_call_id"] = message.tool_call_id
    if message.state != "active":
        row["state"] = message.state
    if anchor:
        row["anchor"] = True
    return row


def _call(call_id: str, name: str, arguments: str, budget: Budget) -> dict[str, Any]:
    allowed = budget.take(len(arguments), BOOKEND_CAP)
    shown = arguments if allowed == len(arguments) else arguments[:allowed] + "…"
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": shown}}


def _cut(text: str, allowed: int, near: str) -> str:
    if allowed >= len(text):
        return text
    wanted = next((part for part in _marked(near) if part in text), "")
    start = max(0, text.index(wanted) - allowed // 2) if wanted else 0
    start = min(start, len(text) - allowed)
    return ("…" if start else "") + text[start : start + allowed] + ("…" if start + allowed < len(text) else "")


def _marked(near: str) -> list[str]:
    """Return the marked words of a snippet, the longest first."""
    pieces = [piece.split(CLOSE, 1)[0] for piece in near.replace(GAP, " ").split(OPEN)[1:]]
    return sorted((piece for piece in pieces if piece), key=len, reverse=True)
