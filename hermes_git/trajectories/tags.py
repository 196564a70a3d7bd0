"""The tags of Hermes' rows: written around thoughts, calls and results, and never mistaken for what a text says.

A text may itself speak of `<tool_call>`. In prose such a tag is written as `&lt;tool_call>` and one that was already
written so gets another `amp;`, so that reading undoes writing exactly; inside JSON the `<` is an escape of JSON's own.
"""

from __future__ import annotations

import re

NAMES = "think|tool_call|tool_response|tools|REASONING_SCRATCHPAD"
PLAIN = re.compile(rf"(?:<|&(?:amp;)*lt;)(?=/?(?:{NAMES})>)")
WRITTEN = re.compile(rf"&((?:amp;)*)lt;(?=/?(?:{NAMES})>)")

THINK = ("<think>\n", "\n</think>\n")
NO_THOUGHT = "<think>\n</think>\n"
CALL = ("<tool_call>\n", "\n</tool_call>")
RESPONSE = ("<tool_response>\n", "\n</tool_response>")


def escape(text: str) -> str:
    """Write a text so that none of its own words is a tag.

    >>> escape("the <think> tag, or &lt;think>")
    'the &lt;think> tag, or &amp;lt;think>'
    """
    return PLAIN.sub(lambda match: "&lt;" if match.group() == "<" else "&amp;" + match.group()[1:], text)


def unescape(text: str) -> str:
    """Undo `escape` exactly.

    >>> unescape("the &lt;think> tag, or &amp;lt;think>")
    'the <think> tag, or &lt;think>'
    """
    return WRITTEN.sub(lambda match: f"&{match.group(1)[4:]}lt;" if match.group(1) else "<", text)


def has_tag(text: str) -> bool:
    """Say whether writing the text will need an escape."""
    return PLAIN.search(text) is not None


def thought(reasoning: str) -> str:
    """Write the block that opens every gpt turn; an empty one when nothing was thought."""
    return f"{THINK[0]}{escape(reasoning)}{THINK[1]}" if reasoning else NO_THOUGHT


def blocks(text: str, tag: tuple[str, str]) -> list[tuple[int, int, str]]:
    """Find the blocks of a tag as `(start, end, inside)`; an opening without its closing is no block."""
    found, position = [], 0
    while (start := text.find(tag[0], position)) >= 0:
        end = text.find(tag[1], start + len(tag[0]))
        if end < 0:
            break
        position = end + len(tag[1])
        found.append((start, position, text[start + len(tag[0]) : end]))
    return found
