"""What reaches a terminal: text from a repository is shown, never obeyed; nouns agree with numbers. Pure."""

from __future__ import annotations

import re

UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]|\r(?!\n)"
)
"""Characters that steer a terminal, turn the direction of a line, or cannot be seen or written; joiners stay."""

COLOUR = re.compile("(\x1b\\[[0-9;]{0,8}m)")


def amount(count: int, one: str) -> str:
    """Return `1 entry`, `2 entries`, `1,000 files`."""
    many = f"{one[:-1]}ies" if one.endswith("y") and one[-2] not in "aeiou" else f"{one}s"
    return f"{count:,} {one if count == 1 else many}"


def printable(text: str) -> str:
    r"""Return text with what steers or hides as `\u` escapes (UTF-16, as in JSON); line ends and tabs stay."""
    return UNSEEN.sub(_escape, text)


def coloured(text: str) -> str:
    """Return text as `printable` does, but with its colours: for text whose colours are our own."""
    return "".join(part if number % 2 else printable(part) for number, part in enumerate(COLOUR.split(text)))


def _escape(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
