"""Safe mends of a skill's header: each says what it does and for which hosts it takes something away.

Nothing moves that a host reads only where it stands. The gain is not claimed here: it is what the hosts' own rules say
before and after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hermes_git.errors import UserError
from hermes_git.knowledge import splice
from hermes_git.knowledge.frontmatter import BadHeader, Header, read
from hermes_git.knowledge.skill import NAME

MAX_ROUNDS = 20
OPENCLAW_TABLES = ("openclaw", "clawdbot", "clawdis")


@dataclass(frozen=True, slots=True)
class Fix:
    """One mend: what it is about, what was done, the text afterwards, and host → what that host loses by it."""

    about: str
    message: str
    text: str
    loses: Mapping[str, str] = field(default_factory=dict)


Mend = Callable[[str, str], Fix | None]
"""Given the text of SKILL.md and the folder's name, return one mend, or None when there is nothing to do."""


def mend(text: str, folder: str) -> tuple[Fix, ...]:
    """Return the mends that apply, one after the other; the text of the last is the result."""
    done: list[Fix] = []
    for rule in RULES:
        for _ in range(MAX_ROUNDS):
            fix = rule(text, folder)
            if fix is None or fix.text == text:
                break
            done.append(fix)
            text = fix.text
    return tuple(done)


def _header(text: str) -> Header | None:
    try:
        return read(text.removeprefix("\ufeff"))
    except BadHeader:
        return None


def drop_mark(text: str, _folder: str) -> Fix | None:
    """Drop a byte order mark, which some validators take for text above the header."""
    if not text.startswith("\ufeff"):
        return None
    return Fix("", "byte order mark dropped", text.removeprefix("\ufeff"))


def quote_value(text: str, _folder: str) -> Fix | None:
    """Quote a value with a colon in it, which no host can read as it stands."""
    try:
        read(text.removeprefix("\ufeff"))
    except BadHeader as error:
        problem = error.problem
    else:
        return None
    if not problem.hint.startswith("write ") or problem.line < 1:
        return None
    lines = text.split("\n")
    row = lines[problem.line - 1]
    if " #" in row:
        return None  # a comment would become part of the value
    indent = row[: len(row) - len(row.lstrip())]
    new = indent + problem.hint.removeprefix("write ").lstrip() + ("\r" if row.endswith("\r") else "")
    after = "\n".join([*lines[: problem.line - 1], new, *lines[problem.line :]])
    if not _reads_further(after, problem.line):
        return None
    return Fix(row.split(":", 1)[0].strip(), f"line {problem.line}: value quoted", after)


def _reads_further(text: str, line: int) -> bool:
    """Say whether a header can be read now, or at least past a line."""
    try:
        read(text.removeprefix("\ufeff"))
    except BadHeader as error:
        return error.problem.line > line
    return True


def brackets_to_lines(text: str, _folder: str) -> Fix | None:
    """Write a list or table in brackets in lines: the same value to every reader, and strict ones accept it."""
    header = _header(text)
    for path in _paths(dict(header.values) if header else {}):
        try:
            after = splice.in_lines(text, path)
        except UserError:
            continue
        return Fix(".".join(path), f"{'.'.join(path)} written in lines instead of brackets", after)
    return None


def _paths(values: Mapping[str, object], above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for key, value in values.items():
        if isinstance(value, dict | list):
            found.append((*above, key))
        if isinstance(value, dict):
            found += _paths(value, (*above, key))
    return found


def tools_to_text(text: str, _folder: str) -> Fix | None:
    """Write `allowed-tools` as one string, the only form the specification knows, where no name has a blank in it."""
    header = _header(text)
    tools = header.values.get("allowed-tools") if header else None
    if not isinstance(tools, list) or not tools or not all(isinstance(tool, str) for tool in tools):
        return None
    names = [str(tool) for tool in tools]
    if any(not re.fullmatch(r"[^\s,]+", name) for name in names):
        return None
    try:
        after = splice.set_value(text, ("allowed-tools",), " ".join(names))
    except UserError:
        return None
    return Fix("allowed-tools", "allowed-tools written as one string", after)


BELOW_METADATA: dict[str, tuple[str, ...]] = {
    "version": ("metadata", "version"),
    "author": ("metadata", "author"),
    "tags": ("metadata", "hermes", "tags"),
    "related_skills": ("metadata", "hermes", "related_skills"),
}
"""Keys that Hermes finds below metadata too, and where. `platforms` and others it reads at the top only, and stay."""

LOSES = {"version": {"openclaw": "ClawHub no longer finds a version in the file; give it when publishing"}}


def keys_below_metadata(text: str, _folder: str) -> Fix | None:
    """Move a key that strict validators refuse at the top to where the hosts that read it find it too."""
    header = _header(text)
    if header is None:
        return None
    metadata = header.values.get("metadata")
    is_openclaw = isinstance(metadata, dict) and any(name in metadata for name in OPENCLAW_TABLES)
    for key, target in BELOW_METADATA.items():
        if key not in header.values or (key == "version" and is_openclaw):
            continue
        try:
            after = splice.move_key(text, (key,), target)
        except UserError:
            continue
        return Fix(key, f"{key} moved to {'.'.join(target)}", after, LOSES.get(key, {}))
    return None


def name_as_folder(text: str, folder: str) -> Fix | None:
    """Write the name as the folder has it, where the two differ only in case, blanks and underscores."""
    header = _header(text)
    name = header.values.get("name") if header else None
    if not isinstance(name, str) or name == folder or not NAME.match(folder):
        return None
    if re.sub(r"[\s_]+", "-", name.strip()).lower() != folder:
        return None
    try:
        after = splice.set_value(text, ("name",), folder)
    except UserError:
        return None
    return Fix(
        "name", f"name written as its folder: {folder}", after, {"hermes": f"uses recorded for {name!r} stay there"}
    )


RULES: tuple[Mend, ...] = (
    drop_mark,
    quote_value,
    brackets_to_lines,
    tools_to_text,
    keys_below_metadata,
    name_as_folder,
)
"""The mends in the order in which they are tried."""
