"""Sections of a Markdown text: folded where another text proves to hold them, and one line added where it belongs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from hermes_git.curator.units import FENCE, Unit, blocks, units
from hermes_git.knowledge.frontmatter import BadHeader, read

Canonical = Callable[[str], str]
KNOWN_AS = "- Also known as "
KEPT_IN_LINE = ("name", "description")
"""Header keys whose values the line in the target keeps when the rest of a sibling is folded away."""


def fold(text: str, other: str, canonical: Canonical, canonical_other: Canonical) -> tuple[str, tuple[Unit, ...]]:
    """Remove the sections of `text` all of whose units stand in `other`; return the rest and the units folded.

    Links are compared by what they point to. The rest is "" when nothing is left but name, title and description. A
    text that is mostly new is kept whole: a reference with holes is harder to read than one that repeats a section.
    """
    known = {unit.key for unit in units(canonical_other(other))}
    found, spans = units(canonical(text)), sections(text)
    within = {span: [unit for unit in found if span[0] < unit.line <= span[1]] for span in spans}
    gone = [span for span in spans[1:] if all(unit.key in known for unit in within[span])]
    head = within[spans[0]]
    if len(gone) == len(spans) - 1 and all(unit.key in known or _is_kept(unit, text) for unit in head):
        return "", found
    folded = tuple(unit for span in gone for unit in within[span])
    lines = text.split("\n")
    dropped = {number for start, end in gone for number in range(start, end)}
    kept = [line for number, line in enumerate(lines) if number not in dropped]
    if not dropped or _weight(kept) > _weight(lines) / 2:
        return text, ()
    return "\n".join(kept).rstrip("\n") + "\n", folded


def _weight(lines: list[str]) -> int:
    return sum(1 for line in lines if line.strip())


def sections(text: str) -> list[tuple[int, int]]:
    """Return the 0-based line ranges of the sections; the first holds the header, the title and its introduction."""
    heads = [block.line - 1 for block in blocks(text) if block.kind == "heading"]
    edges = [0, *heads[1:], text.count("\n") + 1]
    return [(start, end) for start, end in pairwise(edges) if end > start]


def title(text: str) -> str:
    """Return the text of the first heading, or ""."""
    head = next((block for block in blocks(text) if block.kind == "heading"), None)
    return head.text.lstrip("# ") if head else ""


def _is_kept(unit: Unit, text: str) -> bool:
    """Say whether the line in the target keeps a unit: the title, and the header lines of name and description."""
    if unit.kind == "heading":
        return unit.text.lstrip("# ") == title(text)
    if unit.kind != "header":
        return False
    try:
        lines = read(text.removeprefix("\ufeff")).lines
    except BadHeader:
        return False
    owner = max(((line, key) for key, line in lines.items() if line <= unit.line), default=(0, ""))[1]
    return owner in KEPT_IN_LINE


def reference_line(name: str, inner: str, heading: str, description: str) -> str:
    """Return the line that says when to load a reference; without a file, what the sibling was called and was for."""
    reason = " ".join(description.split())
    if inner:
        return f"- [{name}]({inner}). Load when this fits: {reason}" if reason else f"- [{name}]({inner})"
    known_as = f"`{name}`" + (f" ({heading})" if heading else "")
    return f"{KNOWN_AS}{known_as}. {reason}".rstrip()


def insert_reference(text: str, line: str) -> str:
    """Return text with a line at the end of the list in its section `References`, or with that section at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    at = _end_of_references(text, lines)
    if at is not None:
        return "\n".join([*lines[:at], line + newline.removesuffix("\n"), *lines[at:]])
    fence = _open_fence(text)
    close = f"{newline}{fence}" if fence else ""
    return f"{text.rstrip()}{close}{newline}{newline}## References{newline}{newline}{line}{newline}"


def _open_fence(text: str) -> str:
    """Return the fence that would close a block left open at the end of a text, or ""."""
    last = next(reversed(list(blocks(text))), None)
    lines = text.split("\n")
    if last is None or last.kind != "code":
        return ""
    opening = FENCE.match(lines[last.line - 1])
    closing = lines[last.end - 1].strip(" >\r")
    is_closed = last.end > last.line and opening and closing.startswith(opening.group(1)) and not closing.strip("`~")
    return "" if is_closed or opening is None else opening.group(1)


def _end_of_references(text: str, lines: list[str]) -> int | None:
    """Return the 0-based line behind the last item of the section `References`, or None if there is no such list."""
    heads = [block for block in blocks(text) if block.kind == "heading"]
    start = next((head.line for head in heads if head.text.lower().strip("# ") == "references"), None)
    if start is None:
        return None
    end = next((head.line - 1 for head in heads if head.line > start), len(lines))
    last = max((number for number in range(start, end) if lines[number].strip()), default=start)
    is_open = last + 1 < len(lines)  # a last line without a newline would have to be changed
    return last + 1 if is_open and lines[last].startswith(("- ", "* ")) else None
