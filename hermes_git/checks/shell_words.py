"""Words of a shell program evaluated without running it: quotes, escapes, expansions, substitutions of constants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol

from hermes_git.checks import shell_expand
from hermes_git.checks.taint import EMPTY, KEY, SECRET, UNKNOWN, Value, join
from hermes_git.patterns.lazy import pattern
from hermes_git.patterns.places import SECRET_NAME

ANSI = pattern(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|(.))", re.S)
PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}
GLOB_LETTER = pattern(r"\[([A-Za-z0-9_.-])\]")


class Runner(Protocol):
    """What evaluating a word needs from the program around it."""

    def lookup(self, name: str) -> Value | None:
        """Return the value of a variable, or None."""

    def inherited(self, name: str, node: Any) -> None:
        """Note that a variable is read which the program did not set."""

    def substitute(self, node: Any) -> Value:
        """Return what a command substitution prints."""


def text_of(node: Any) -> str:
    """Return the source text of a node."""
    return str(node.text.decode("utf-8", "replace"))


def unescape(text: str) -> str:
    """Return the text of a `$'...'` string, or of printf's format."""

    def one(match: re.Match[str]) -> str:
        hexadecimal, unicode_point, octal, plain = match.groups()
        if hexadecimal or unicode_point:
            return chr(int(hexadecimal or unicode_point, 16))
        if octal:
            return chr(int(octal, 8) & 0xFF)
        return PLAIN_ESCAPES.get(plain, plain)

    return ANSI.sub(one, text)


def value_of(node: Any, runner: Runner) -> Value:
    """Return the value of a word node."""
    kind = node.type
    if kind in ("word", "number", "variable_name", "extglob_pattern", "regex"):
        return _word(text_of(node))
    if kind in ("raw_string", "string_content", "heredoc_content"):
        raw = text_of(node)
        return Value(raw[1:-1] if kind == "raw_string" else raw.replace('\\"', '"').replace("\\$", "$"))
    if kind == "ansi_c_string":
        raw = text_of(node)[2:-1]
        return Value(unescape(raw), odd="\\x" in raw or "\\u" in raw or re.search(r"\\[0-7]{2}", raw) is not None)
    if kind in ("simple_expansion", "expansion"):
        return _expansion(node, runner)
    if kind in ("command_substitution", "process_substitution"):
        return runner.substitute(node)
    if kind == "concatenation":
        return _concatenation(node, runner)
    if kind == "array":
        return join([part for child in node.named_children for part in (value_of(child, runner), Value(" "))])
    if kind in ("string", "translated_string", "command_name", "heredoc_body"):
        return _string(node, runner)
    return UNKNOWN if node.named_child_count else Value(text_of(node), known=False)


def _word(raw: str) -> Value:
    """Return a bare word with its backslashes taken out; one before a letter is a disguise."""
    if "\\" not in raw and "[" not in raw:
        return Value(raw)
    text = re.sub(r"\\\n", "", raw)
    odd = (
        re.search(r"\\[A-Za-z]", text) is not None and not re.match(r"^[A-Za-z]:\\|^\\\\", text) and "/" not in text[:1]
    )
    text = re.sub(r"\\(.)", r"\1", text)
    plain = GLOB_LETTER.sub(r"\1", text)
    return Value(plain, odd=odd or plain != text)


def _expansion(node: Any, runner: Runner) -> Value:
    raw = text_of(node)
    indirect, name, operation = shell_expand.shape(raw)
    if "[" in raw and not _is_command(node):
        name = operation = ""
    name = name or next((text_of(child) for child in node.named_children if child.type == "variable_name"), "")
    if indirect and (target := runner.lookup(name)) is not None and target.known:
        name = target.text
    if name == "IFS":
        return Value(" ", odd=True)
    if name in ("HOME", "PWD", "OLDPWD", "TMPDIR"):
        return Value({"HOME": "~", "TMPDIR": "/tmp"}.get(name, "."))  # noqa: S108 - a name in analysed text
    found = runner.lookup(name) if name else None
    if found is not None:
        plain = shell_expand.changed(found.text, operation) if operation and found.known else found.text
        return found if plain == found.text else Value(plain, True, found.origins, found.urls, odd=True)
    runner.inherited(name, node)
    raw = shell_expand.default(operation) or ("sh" if name == "SHELL" else raw)
    if name and SECRET_NAME.search(name):
        return Value(raw, known=False, origins=frozenset((KEY,)))
    return Value(raw, known=False, origins=frozenset((SECRET,)) if "secrets" in raw else frozenset())


def _is_command(node: Any) -> bool:
    """Say whether a list stands where the name of a command does: only there its words are known to be one command."""
    for _ in range(3):
        node = node.parent
        if node is None or node.type == "command_name":
            return node is not None
    return False


def _concatenation(node: Any, runner: Runner) -> Value:
    """Join the parts of a word; quotes in the middle of letters are a disguise."""
    whole = text_of(node)
    if node.named_child_count and GLOB_LETTER.search(whole) and not re.search(r"[\"'$`]", whole):
        return _word(whole)
    parts = [value_of(child, runner) for child in node.named_children]
    joined = join(parts)
    quoted = [child.type in ("raw_string", "string", "ansi_c_string") for child in node.named_children]
    if spelt_out(node.named_children, parts):
        return Value(joined.text, True, joined.origins, joined.urls, odd=True)
    if any(quoted) and joined.known and re.fullmatch(r"[A-Za-z0-9_.~/-]{2,60}", joined.text):
        short = all(len(part.text) < 12 for part in parts)
        empty = any(not part.text for part in parts)
        letters = sum(part.text.isalpha() for part in parts)
        if short and (empty or (letters > 1 and "/" not in joined.text)):
            return Value(joined.text, True, joined.origins, joined.urls, odd=True)
    return joined


SPELT = pattern(r"[A-Za-z]{1,9}")


def spelt_out(nodes: Sequence[Any], parts: Sequence[Value]) -> bool:
    """Say whether a word is put together from letters that variables hold: `$a$b`, `${a}rl`."""
    held = sum(node.type in ("simple_expansion", "expansion") for node in nodes)
    return (
        held > 0
        and len(parts) > 1
        and all(part.known and not part.origins and SPELT.fullmatch(part.text) for part in parts)
    )


def _string(node: Any, runner: Runner) -> Value:
    """Evaluate a quoted string, keeping the blanks between its parts."""
    if not node.named_child_count:
        return Value(text_of(node).strip("\"'"))
    total, position = EMPTY, node.start_byte + (1 if node.type == "string" else 0)
    source, parts, gaps = node.text, [], False
    for child in node.named_children:
        gap = source[position - node.start_byte : child.start_byte - node.start_byte]
        parts.append(value_of(child, runner))
        gaps = gaps or bool(gap)
        total = total.plus(Value(gap.decode("utf-8", "replace"))).plus(parts[-1])
        position = child.end_byte
    odd = node.type == "string" and not gaps and spelt_out(node.named_children, parts)
    return Value(total.text, True, odd=True) if odd else total
