"""Thoughts that a model wrote into its answer, taken out of the text and put where thoughts belong."""

from __future__ import annotations

import re

OPENING = re.compile(r"\s*<(think|thinking|REASONING_SCRATCHPAD)>")
NEVER_CLOSED = "REASONING_SCRATCHPAD"


def split(content: str, reasoning: str = "") -> tuple[str, str, bool]:
    """Return `(text, reasoning, is_incomplete)`: the blocks a content opens with join the reasoning field.

    Only leading blocks are thoughts; a tag further on is something the text speaks about. A scratchpad that is opened
    and never closed makes the rest a thought and the turn incomplete.

    >>> split("<REASONING_SCRATCHPAD>look first</REASONING_SCRATCHPAD>Done.")
    ('Done.', 'look first', False)
    """
    thoughts = [reasoning] if reasoning else []
    while match := OPENING.match(content):
        closing = f"</{match.group(1)}>"
        end = content.find(closing, match.end())
        if end < 0:
            if match.group(1) != NEVER_CLOSED:
                break
            return "", _join([*thoughts, content[match.end() :].strip()]), True
        thoughts.append(content[match.end() : end].strip())
        content = content[end + len(closing) :].lstrip("\r\n")
    return content, _join(thoughts), False


def _join(thoughts: list[str]) -> str:
    """Join thoughts, each once: some sources carry the same one in a field and in the content."""
    return "\n".join(dict.fromkeys(thought for thought in thoughts if thought))
