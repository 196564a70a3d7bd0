"""Parameter expansions of a shell program that change a known value: substrings, patterns, letter case."""

from __future__ import annotations

import re

from hermes_git.patterns.lazy import pattern

SHAPE = pattern(r"\$\{(!?)([A-Za-z_]\w{0,80})(?:\[[@*0-9]{1,4}\])?(.{0,400})\}", re.S)
SLICE = pattern(r":\s{0,4}(-?\d{1,5})(?::(\d{1,5}))?")
BRACES = pattern(r"\{([^{}\s]{1,2000},[^{}\s]{0,2000})\}")


def shape(raw: str) -> tuple[bool, str, str]:
    """Return whether an expansion is indirect, the name it is of, and the operation that follows; "" for no name."""
    match = SHAPE.fullmatch(raw)
    return (match.group(1) == "!", match.group(2), match.group(3)) if match else (False, "", "")


def changed(text: str, operation: str) -> str:
    """Return what an operation makes of a known text; patterns with wild cards leave it as it is."""
    if cut := SLICE.fullmatch(operation):
        start = int(cut.group(1))
        rest = text[start:]
        return rest[: int(cut.group(2))] if cut.group(2) else rest
    if operation in (",", ",,"):
        return text.lower() if operation == ",," else text[:1].lower() + text[1:]
    if operation in ("^", "^^"):
        return text.upper() if operation == "^^" else text[:1].upper() + text[1:]
    if operation[:1] == "%":
        return text.removesuffix(operation.lstrip("%"))
    if operation[:1] == "#":
        return text.removeprefix(operation.lstrip("#"))
    if operation[:1] == "/":
        old, _, new = operation.lstrip("/").partition("/")
        return text.replace(old, new, -1 if operation.startswith("//") else 1) if old else text
    return text


DEFAULT = pattern(r":?[-=](.{1,400})", re.S)
HOME = pattern(r"\$\{?HOME\}?(?=/|$)")


def default(operation: str) -> str:
    """Return the text that an expansion gives when its name is not set, such as `${NAME:-text}`; "" without one."""
    match = DEFAULT.fullmatch(operation)
    return HOME.sub("~", match.group(1).strip("\"'")) if match else ""


def braces(text: str) -> list[str]:
    """Return the words that a word wholly in braces stands for: `{a,b}` is `a b`; none for any other word."""
    match = BRACES.fullmatch(text)
    return [part for part in match.group(1).split(",") if part] if match else []
