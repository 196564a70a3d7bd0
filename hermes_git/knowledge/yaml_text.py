"""Text as YAML that every loader reads back unchanged: plain where that is safe, quoted where it is not, in lines."""

from __future__ import annotations

import json
import re

PLAIN = re.compile(
    r"[A-Za-z(/\u00a0-\ud7ff][^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*\Z"
    r"|[0-9][^\x00-\x1f\x7f-\x9f]* [^\x00-\x1f]*\Z"
    r"|[0-9]+\.[0-9]+\.[0-9]+[A-Za-z0-9.+-]*\Z"
)
"""Text that may stand unquoted if nothing else speaks against it; a word that starts with a digit may be a number,
unless it has two dots as versions have."""

UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
WORDS_OF_YAML = frozenset("y n yes no on off true false null".split())


def quoted(value: str) -> str:
    """Return text as a double-quoted YAML scalar on one line.

    Three hyphens are written with an escape, because the reference validator of agentskills.io ends the header there.
    """
    out = UNPRINTABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(value, ensure_ascii=False))
    return out.replace("---", "\\u002d--")


def scalar(value: str) -> str:
    """Return text as a YAML scalar that every loader reads back unchanged: plain where that is safe, else quoted."""
    risky = ": " in value or " #" in value or "---" in value or value.endswith((":", " ")) or UNPRINTABLE.search(value)
    if risky or value.lower() in WORDS_OF_YAML or not PLAIN.match(value):
        return quoted(value)
    import yaml

    return value if yaml.load(value, yaml.SafeLoader) == value else quoted(value)


def block(value: object, indent: int = 0) -> str:
    """Return a value as it stands after `key:`, final newline included; tables and lists go below it, indented.

    Block style throughout: strict validators refuse lists and tables in brackets.
    """
    pad = " " * (indent + 2)
    if isinstance(value, dict) and value:
        rows = (f"{pad}{scalar(str(key))}:{block(inner, indent + 2)}" for key, inner in value.items())
        return "\n" + "".join(rows)
    if isinstance(value, list | tuple) and value:
        return "\n" + "".join(f"{pad}-{block(item, indent + 2)}" for item in value)
    return f" {inline(value)}\n"


def inline(value: object) -> str:
    """Return a plain value, or a list or table of them, on one line."""
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_in_brackets(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_in_brackets(str(key))}: {_in_brackets(item)}" for key, item in value.items()) + "}"
    return "null" if value is None else str(value).lower()


def _in_brackets(value: object) -> str:
    is_word = isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w .+-]*", scalar(value))
    return quoted(value) if isinstance(value, str) and not is_word else inline(value)
