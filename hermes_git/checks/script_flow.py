"""A JavaScript or TypeScript program followed without running it: names, values, their origins, through functions.

Variables are kept in one table: a name that is used twice joins its values, which errs on the side of seeing a flow.
"""

from __future__ import annotations

import re
from typing import Any

from hermes_git.checks import grammar, script_objects, script_ways
from hermes_git.checks import script_rules as rules
from hermes_git.checks.script_ways import FUNCTIONS
from hermes_git.checks.sign import Found
from hermes_git.checks.taint import EMPTY, KEY, UNKNOWN, Value, join, together
from hermes_git.patterns.lazy import pattern
from hermes_git.patterns.places import SECRET_NAME

MAX_NODES = 120_000
MAX_DEPTH = 80
PLAIN_NAME = pattern(r"[A-Za-z_][\w./-]{2,60}")
"""A name that needs no escapes: spelt with some, it is disguised."""
ESCAPE = pattern(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))", re.S)


def analyse(text: str, found: Found, *, typescript: bool = False) -> None:
    """Follow source text and fill in what it does."""
    root = grammar.root("typescript" if typescript else "javascript", text, found.work)
    if root is None:
        found.incomplete = "the script is too tangled to be parsed"
        return
    program = Program(found)
    program.survey(root)
    program.visit(root)
    script_ways.at_end(program, text)
    if program.count > MAX_NODES:
        found.incomplete = f"more than {MAX_NODES:,} nodes of script"


def text_of(node: Any) -> str:
    """Return the source text of a node."""
    return str(node.text.decode("utf-8", "replace"))


def unescape(text: str) -> str:
    """Return the text that a string literal stands for."""

    def one(match: re.Match[str]) -> str:
        code = match.group(1) or match.group(2) or match.group(3)
        if code:
            number = int(code, 16)
            return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else ""
        return {"n": "\n", "t": "\t", "r": "\r", "\n": ""}.get(match.group(4), match.group(4))

    return ESCAPE.sub(one, text)


class Program:
    """The state of a script that is followed."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.variables: dict[str, Value] = {}
        self.aliases: dict[str, str] = {}
        self.functions: dict[str, Any] = {}
        self.running: list[str] = []
        self.returned: list[Value] = []
        self.literals: dict[str, list[tuple[str, Any]]] = {}
        self.rendering: list[str] = []
        self.downloaded: set[str] = set()
        self.shells: list[Any] = []
        self.evaluated: list[Any] = []
        self.fetches = self.own_browser = False
        self.count = 0
        self.depth = 0
        self.limit = MAX_NODES

    def sign(self, check: str, weight: int, node: Any, message: str) -> None:
        """Add a sign at a node."""
        self.found.sign(check, weight, node.start_point[0] + 1, message)

    def survey(self, root: Any) -> None:
        """Note functions by their names, so that a call before the definition is followed too."""
        stack = [root]
        while stack and self.count < MAX_NODES:
            node = stack.pop()
            self.count += 1
            name = node.child_by_field_name("name") if node.type in (*FUNCTIONS, "variable_declarator") else None
            value = node.child_by_field_name("value") if node.type == "variable_declarator" else node
            if name is not None and value is not None and value.type in FUNCTIONS:
                self.functions[text_of(name)] = value
            stack += node.named_children
        self.count = 0

    def visit(self, node: Any) -> None:
        """Follow statements in order."""
        self.count += 1
        self.depth += 1
        if self.count > MAX_NODES or self.depth > MAX_DEPTH:
            self.depth -= 1
            return
        kind = node.type
        if kind == "variable_declarator":
            self._declare(node.child_by_field_name("name"), node.child_by_field_name("value"))
        elif kind == "import_statement":
            self._import(node)
        elif kind in ("assignment_expression", "augmented_assignment_expression") or kind in (
            "call_expression",
            "new_expression",
            "await_expression",
            "binary_expression",
            "template_string",
        ):
            self.value(node)
        elif kind == "return_statement":
            self.returned.append(together([self.value(child) for child in node.named_children]))
        elif kind in ("for_in_statement",):
            self._declare(node.child_by_field_name("left"), node.child_by_field_name("right"))
            self._children(node)
        else:
            self._children(node)
        self.depth -= 1

    def _children(self, node: Any) -> None:
        for child in node.named_children:
            self.visit(child)

    def _declare(self, target: Any, source: Any) -> None:
        if target is None or source is None:
            return
        value, name = self.value(source), self.dotted(source)
        if target.type == "identifier":
            script_objects.remember(self, text_of(target), source)
        self.bind(target, value, name)

    def bind(self, target: Any, value: Value, name: str) -> None:
        """Give a value and a full name to a target, taking patterns apart."""
        if target.type in ("identifier", "shorthand_property_identifier_pattern"):
            key = text_of(target)
            known = self.variables.get(key)
            self.variables[key] = value if known is None or not known.origins else known.plus(value)
            if name:
                self.aliases[key] = name
        elif target.type == "object_pattern":
            for child in target.named_children:
                key = child.child_by_field_name("key") or child
                inner = child.child_by_field_name("value") or child
                word = script_objects.key_of(self, key)
                rules.reached(self, key)
                part = self.environment_item(word, key) if name == "process.env" else value
                self.bind(inner, part, f"{name}.{word}" if name else "")
        elif target.type in ("array_pattern", "variable_declarator", "lexical_declaration"):
            for child in target.named_children:
                self.bind(child, value, "")
        elif target.type == "member_expression":
            rules.assigned(self, target, value)
            owner = target.child_by_field_name("object")
            if owner is not None and owner.type == "identifier":
                key = text_of(owner)
                self.variables[key] = together([self.variables.get(key, EMPTY), value])
        elif target.type == "subscript_expression":
            rules.assigned(self, target, value)
            rules.reached(self, target.child_by_field_name("index"))

    def _set(self, target: Any, source: Any) -> None:
        """Note a property that is set in a named object."""
        owner = target.child_by_field_name("object") if target is not None else None
        if owner is not None and owner.type == "identifier" and source is not None:
            key = target.child_by_field_name("property") or target.child_by_field_name("index")
            script_objects.changed(self, text_of(owner), script_objects.key_of(self, key), source)

    def environment_item(self, key: str, node: Any) -> Value:
        """Return what one variable of the environment gives, and note that it is read."""
        self.found.fact("env", key[:100], node.start_point[0] + 1)
        return Value("", False, frozenset((KEY,)) if SECRET_NAME.search(key) else frozenset())

    def _import(self, node: Any) -> None:
        source = node.child_by_field_name("source")
        module = text_of(source).strip("'\"").removeprefix("node:") if source is not None else ""
        for child in node.named_children:
            for part in (
                re.findall(r"[\w$]+(?:\s+as\s+[\w$]+)?", text_of(child)) if child.type == "import_clause" else ()
            ):
                original, _, alias = part.partition(" as ")
                plain = "{" in text_of(child)
                self.aliases[alias.strip() or original] = f"{module}.{original}" if plain else module

    def dotted(self, node: Any) -> str:
        """Return the full name that an expression refers to, such as `child_process.exec`, or ""."""
        if node is None:
            return ""
        if node.type in ("identifier", "this", "shorthand_property_identifier"):
            name = text_of(node)
            return self.aliases.get(name, name)
        if node.type == "member_expression":
            owner = self.dotted(node.child_by_field_name("object"))
            key = node.child_by_field_name("property")
            if key is None:
                return ""
            if key.text == b"constructor" and script_ways.is_function(node.child_by_field_name("object")):
                return "Function"
            return script_ways.named(f"{owner}.{text_of(key)}") if owner else ""
        if node.type == "subscript_expression":
            owner, key = self.dotted(node.child_by_field_name("object")), self.value(node.child_by_field_name("index"))
            return script_ways.named(f"{owner}.{key.text}") if owner and key.text else ""
        if node.type == "array":
            return "[]"
        if node.type == "call_expression":
            return rules.made_by(self, node)
        if node.type == "sequence_expression":
            return self.dotted(node.named_children[-1])
        if node.type in ("await_expression", "parenthesized_expression", "non_null_expression", "as_expression"):
            return self.dotted(node.named_children[0]) if node.named_child_count else ""
        if node.type == "new_expression":
            return self.dotted(node.child_by_field_name("constructor"))
        return ""

    def value(self, node: Any) -> Value:
        """Return the value of an expression."""
        if node is None:
            return EMPTY
        self.count += 1
        self.depth += 1
        result = UNKNOWN if self.count > MAX_NODES or self.depth > MAX_DEPTH else self._value(node)
        self.depth -= 1
        return result

    def _value(self, node: Any) -> Value:
        kind = node.type
        if kind == "string":
            raw = text_of(node)[1:-1]
            plain = unescape(raw)
            return Value(plain, odd="\\" in raw and PLAIN_NAME.fullmatch(plain) is not None)
        if kind == "number":
            return Value(text_of(node))
        if kind == "template_string":
            return self._template(node)
        if kind in ("identifier", "shorthand_property_identifier"):
            return self.variables.get(text_of(node)) or script_ways.global_value(text_of(node))
        if kind == "binary_expression":
            return self._binary(node)
        if kind in ("member_expression", "subscript_expression"):
            return rules.member(self, node)
        if kind in ("call_expression", "new_expression"):
            return rules.call(self, node)
        if kind in ("assignment_expression", "augmented_assignment_expression"):
            script_ways.before_assignment(self, node.child_by_field_name("left"), node.child_by_field_name("right"))
            value = self.value(node.child_by_field_name("right"))
            self.bind(node.child_by_field_name("left"), value, self.dotted(node.child_by_field_name("right")))
            self._set(node.child_by_field_name("left"), node.child_by_field_name("right"))
            return value
        if kind in FUNCTIONS:
            return Value("", False, self.visit_function(node).origins)
        if kind == "spread_element" and node.named_child_count:
            return self.value(node.named_children[0])
        if kind == "array":
            return script_ways.listed(node, [self.value(child) for child in node.named_children])
        if kind in ("regex", "comment"):
            return UNKNOWN
        return together([self.value(child) for child in node.named_children]) if node.named_child_count else UNKNOWN

    def visit_function(self, node: Any) -> Value:
        """Follow the body of a function that is written in place; return its value where it is one expression."""
        body = node.child_by_field_name("body")
        if body is None:
            return UNKNOWN
        if body.type != "statement_block":
            return self.value(body)
        self.visit(body)
        return UNKNOWN

    def give(self, function: Any, values: list[Value]) -> None:
        """Give values to the parameters of a function, in the place of what they held."""
        parameters = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
        if parameters is None:
            return
        targets = [parameters] if parameters.type == "identifier" else parameters.named_children
        for target, value in zip(targets, values, strict=False):
            inner = target.child_by_field_name("pattern") or target.child_by_field_name("left") or target
            if inner.type == "identifier":
                self.variables.pop(text_of(inner), None)
            self.bind(inner, value, "")

    def _template(self, node: Any) -> Value:
        parts = []
        position = node.start_byte + 1
        for child in node.named_children:
            gap = node.text[position - node.start_byte : child.start_byte - node.start_byte].decode("utf-8", "replace")
            parts.append(Value(unescape(gap)))
            if child.type == "template_substitution":
                parts.append(join([self.value(inner) for inner in child.named_children]))
            else:
                parts.append(Value(unescape(text_of(child))))
            position = child.end_byte
        tail = node.text[position - node.start_byte : -1].decode("utf-8", "replace")
        return join([*parts, Value(unescape(tail))])

    def _binary(self, node: Any) -> Value:
        left, right = self.value(node.child_by_field_name("left")), self.value(node.child_by_field_name("right"))
        operator = node.child_by_field_name("operator")
        if operator is None or text_of(operator) != "+":
            return Value("", False, left.origins | right.origins)
        total = left.plus(right)
        pieces = bool(left.known and right.known and left.text and right.text)
        return Value(total.text, total.known, total.origins, total.urls, odd=pieces or total.odd)

    def invoke(self, name: str, args: list[Value]) -> Value:
        """Follow a function of the program with the values it is given."""
        function = self.functions[name]
        if name in self.running or len(self.running) > 10:
            return together(args) if args else UNKNOWN
        self.give(function, args)
        self.running.append(name)
        kept, self.returned = self.returned, []
        plain = self.visit_function(function)
        result = together(self.returned) if len(self.returned) > 1 else self.returned[0] if self.returned else plain
        self.returned = kept
        self.running.pop()
        return result
