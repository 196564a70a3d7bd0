"""Expressions of Python evaluated without running them: constants folded, names resolved, origins followed."""

from __future__ import annotations

import ast
import re
from typing import Any, Protocol
from urllib.parse import unquote

from hermes_git.checks import decode
from hermes_git.checks.taint import DECODED, EMPTY, FIXED, MAX_TEXT, NOW, NOWHERE, UNKNOWN, Value, join, together
from hermes_git.names import whole_number
from hermes_git.patterns.python_names import DANGEROUS_MODULES, DANGEROUS_NAMES, DECODERS

PLAIN_QUOTES = frozenset((2, 3, 6, 7))
"""Columns that quotes and a prefix add to a text written in one piece."""


class Scope(Protocol):
    """What evaluating an expression needs from the program around it."""

    def lookup(self, name: str) -> Value | None:
        """Return the value of a variable, or None."""

    def dotted(self, node: ast.expr) -> str:
        """Return the full name that an expression refers to, or ""."""

    def call(self, node: ast.Call) -> Value:
        """Look at a call and return what it gives."""

    def item(self, node: ast.Subscript) -> Value:
        """Return what a subscript gives."""

    def attribute(self, node: ast.Attribute) -> Value:
        """Return what an attribute gives."""

    def named(self, node: ast.NamedExpr) -> Value:
        """Give a name to a value inside an expression and return the value."""

    def each(self, node: ast.expr, generators: list[ast.comprehension]) -> list[Value]:
        """Return the values that a comprehension goes through and those that it makes, its own names bound."""


def value_of(node: ast.expr | None, scope: Scope) -> Value:
    """Return the value of an expression."""
    if node is None:
        return EMPTY
    handler = HANDLERS.get(type(node))
    if handler is not None:
        return handler(node, scope)
    parts = [value_of(child, scope) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return together(parts)


def _constant(node: Any, _scope: Scope) -> Value:
    content = node.value
    if isinstance(content, str):
        return Value(content[:MAX_TEXT], odd=_is_risky(content) and _is_in_pieces(node, len(content)))
    if isinstance(content, bytes):
        return Value(content[:MAX_TEXT].decode("latin-1"))
    return Value(str(content)) if isinstance(content, int) else UNKNOWN


def _is_risky(text: str) -> bool:
    return text in DANGEROUS_NAMES or text in DANGEROUS_MODULES


def _is_in_pieces(node: ast.Constant, length: int) -> bool:
    """Say whether a literal takes more columns than its text: pieces side by side, or escapes."""
    if node.end_lineno != node.lineno or node.end_col_offset is None:
        return node.end_lineno is not None
    return node.end_col_offset - node.col_offset - length not in PLAIN_QUOTES


def _name(node: Any, scope: Scope) -> Value:
    found = scope.lookup(node.id)
    return found if found is not None else UNKNOWN


def _joined(node: Any, scope: Scope) -> Value:
    parts = [
        value_of(part.value, scope) if isinstance(part, ast.FormattedValue) else Value(part.value[:MAX_TEXT])
        for part in node.values
    ]
    total = join([part if part.text or part.known else part.as_text("{}", known=False) for part in parts])
    return total._replace(odd=True) if len(parts) > 1 and total.known and _is_risky(total.text) else total


def _binary(node: Any, scope: Scope) -> Value:
    left, right = value_of(node.left, scope), value_of(node.right, scope)
    if isinstance(node.op, ast.Add):
        total = left.plus(right)
        both = left.known and right.known and left.text and right.text
        return Value(total.text, total.known, total.origins, total.urls, odd=bool(both) or total.odd)
    if isinstance(node.op, ast.Mod) and left.known and "%" in left.text:
        texts = right.text.rstrip("\n").split("\n")
        text = left.text
        for part in texts:
            text = re.sub(r"%[sdr]", lambda _match, part=part: part, text, count=1)  # type: ignore[misc]
        filled = left.plus(right).as_text(text, known=right.known)
        return filled._replace(odd=True) if _is_risky(text) else filled
    if isinstance(node.op, ast.Div):
        return left.plus(Value("/")).plus(right)
    if isinstance(node.op, ast.Mult) and left.known and (times := whole_number(right.text)) is not None and times < 200:
        return left.as_text(left.text * times)
    return Value("", False, left.origins | right.origins, left.urls + right.urls)


def _container(node: Any, scope: Scope) -> Value:
    return together([value_of(child, scope) for child in node.elts])


def _mapping(node: Any, scope: Scope) -> Value:
    return together([value_of(child, scope) for child in (*node.keys, *node.values) if child is not None])


def _choice(node: Any, scope: Scope) -> Value:
    one, other = value_of(node.body, scope), value_of(node.orelse, scope)
    return Value(one.text or other.text, False, one.origins | other.origins, one.urls + other.urls)


def _either(node: Any, scope: Scope) -> Value:
    return together([value_of(child, scope) for child in node.values])


def _test(node: Any, scope: Scope) -> Value:
    """Return the value of a comparison: its sides are looked at, and only whether a date is compared stays known."""
    sides = [value_of(node.left, scope), *(value_of(child, scope) for child in node.comparators)]
    origins = NOWHERE.union(*(side.origins for side in sides)) & {NOW, FIXED}
    return Value("", False, origins) if origins else UNKNOWN


def _named(node: Any, scope: Scope) -> Value:
    return scope.named(node)


def _call(node: Any, scope: Scope) -> Value:
    return scope.call(node)


def _subscript(node: Any, scope: Scope) -> Value:
    if isinstance(node.slice, ast.Slice):
        value = value_of(node.value, scope)
        if not _is_reversal(node.slice):
            return value
        return Value(value.text[::-1], value.known, value.origins | {DECODED}, value.urls, odd=value.known)
    return scope.item(node)


def _is_reversal(part: ast.Slice) -> bool:
    """Say whether a slice is `::-1`."""
    step = part.step.operand if isinstance(part.step, ast.UnaryOp) and isinstance(part.step.op, ast.USub) else None
    is_one = isinstance(step, ast.Constant) and step.value == 1
    return is_one and part.lower is None and part.upper is None


def _attribute(node: Any, scope: Scope) -> Value:
    return scope.attribute(node)


def _comprehension(node: Any, scope: Scope) -> Value:
    """Return the value of a comprehension; one that turns codes into characters is folded."""
    source = ast.unparse(node)
    codes = re.findall(r"\d{1,3}", source) if "chr(" in source else []
    if len(codes) > 3 and "ord(" not in source:
        text = "".join(chr(int(code)) for code in codes if int(code) < 256)
        return Value(text, True, frozenset((DECODED,)), odd=True)
    ciphered = bool(re.search(r"\^|chr\(|ord\(", source)) and ("^" in source or "chr(" in source)
    parts = scope.each(node, node.generators)
    return together(parts).marked(DECODED) if ciphered else together(parts)


def _starred(node: Any, scope: Scope) -> Value:
    return value_of(node.value, scope)


HANDLERS = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.JoinedStr: _joined,
    ast.BinOp: _binary,
    ast.List: _container,
    ast.Tuple: _container,
    ast.Set: _container,
    ast.Dict: _mapping,
    ast.IfExp: _choice,
    ast.BoolOp: _either,
    ast.Compare: _test,
    ast.Call: _call,
    ast.NamedExpr: _named,
    ast.Subscript: _subscript,
    ast.Attribute: _attribute,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.Starred: _starred,
    ast.Await: _starred,
}
"""Kind of expression → how it is evaluated."""


def decoded(name: str, value: Value, extra: str = "") -> Value:
    """Return what a decoding call gives: the text where it can be worked out."""
    how = DECODERS.get(name, "other")
    text = _decode_text(how, value, extra) if value.known or value.text else ""
    return Value(text[:MAX_TEXT], bool(text), value.origins | {DECODED}, value.urls, odd=True)


def _decode_text(how: str, value: Value, extra: str) -> str:
    raw = value.text
    if how == "entities":
        import html

        return html.unescape(raw)
    if how == "percent":
        return unquote(raw)
    if how == "codec":
        return decode.rot13(raw) if "13" in extra else raw
    data = {
        "base64": lambda: decode.from_base64(raw),
        "hex": lambda: decode.from_hex(raw),
        "base32": lambda: decode.from_base32(raw),
        "base85": lambda: decode.from_base85(raw.encode("latin-1", "replace")),
        "inflate": lambda: decode.inflate(raw.encode("latin-1", "replace")),
    }.get(how, lambda: None)()
    return data.decode("latin-1") if data else ""


def method(name: str, value: Value, args: list[Value]) -> Value | None:
    """Return what a text method gives, or None when it is none that can be folded."""
    first = args[0].text if args else ""
    if name == "join":
        if args and args[0].known:
            return args[0]
        parts = [part for part in args[0].text.split("\n") if part] if args else []
        text = value.text.join(parts)
        odd = len(parts) > 1 and all(len(part) < 12 for part in parts)
        return Value(text, bool(args) and bool(parts), args[0].origins, args[0].urls, odd=odd) if args else value
    if name in ("encode", "decode", "strip", "lstrip", "rstrip", "lower", "upper", "expanduser", "resolve", "hex"):
        if name in ("lower", "upper") and value.known:
            return value.as_text(getattr(value.text, name)())
        return value
    if name == "replace" and len(args) > 1:
        changed = value.text.replace(first, args[1].text) if first else value.text
        return Value(changed, value.known, value.origins, value.urls, odd=True)
    if name == "format":
        text = value.text
        for arg in args:
            text = re.sub(r"\{[^{}]{0,40}\}", lambda _match, arg=arg: arg.text, text, count=1)  # type: ignore[misc]
        total = join([value, *args])
        known = all(arg.known for arg in args)
        odd = total.odd or (known and len(args) > 1 and text.isalpha())
        return Value(text, known, total.origins, total.urls, odd)
    if name in (
        "split",
        "splitlines",
        "items",
        "keys",
        "values",
        "copy",
        "get",
        "pop",
        "read",
        "readlines",
        "readline",
    ):
        return Value(value.text, False, value.origins, value.urls, value.odd)
    return None
