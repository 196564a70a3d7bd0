"""What may reach a terminal: text from a repository is shown, never obeyed."""

from __future__ import annotations

import re

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return text with control and direction characters as escapes; newlines and tabs stay."""
    return CONTROL.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
