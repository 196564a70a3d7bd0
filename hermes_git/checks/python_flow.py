"""A Python program followed without running it: names, values and their origins, through functions and attributes."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from hermes_git.checks import python_hooks as hooks
from hermes_git.checks import python_objects as objects
from hermes_git.checks import python_reached as reached
from hermes_git.checks import python_rules as rules
from hermes_git.checks import python_timing as timing
from hermes_git.checks import python_tree
from hermes_git.checks.python_objects import Held
from hermes_git.checks.python_tree import parse
from hermes_git.checks.python_values import value_of
from hermes_git.checks.sign import Found
from hermes_git.checks.taint import EMPTY, UNKNOWN, Value, file_origins, together

MAX_NODES = 60_000
MAX_DEPTH = 60
MAX_KEYS = 200
ASKING = ("input", "confirm", "ask", "prompt")
"""Calls that ask the person."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def trees(source: str) -> Iterator[tuple[ast.Module, int]]:
    """Yield what can be parsed of source that does not parse as a whole, each with its first line minus one."""
    tree = parse(source) or parse(textwrap.dedent(source))
    if tree is not None:
        yield tree, 0
        return
    wrapped = parse("async def _():\n" + textwrap.indent(textwrap.dedent(source), "    "))
    if wrapped is not None:
        yield wrapped, -1
        return
    rows = source.split("\n")
    start = 0
    for number in range(1, len(rows) + 1):
        if number == len(rows) or (
            rows[number][:1].strip() and not rows[number].startswith((")", "]", "}", "else", "except"))
        ):
            part = parse(textwrap.dedent("\n".join(rows[start:number])))
            if part is not None and part.body:
                yield part, start
            start = number


def analyse(source: str, found: Found) -> bool:
    """Follow Python source and fill in what it does; return whether it parsed as a whole."""
    whole = parse(source) is not None
    for tree, offset in trees(source.lstrip("\ufeff")):
        Program(found, offset).module(tree)
    return whole


class Program:
    """The state of a program that is followed: variables by scope, functions, imported names, what was found."""

    def __init__(self, found: Found, offset: int = 0) -> None:
        self.found = found
        self.offset = offset
        self.scopes: list[dict[str, Value]] = [{}]
        self.aliases: dict[str, str] = {}
        self.functions: dict[str, Function] = {}
        self.fields: dict[str, Value] = {}
        self.downloads: dict[str, str] = {}
        self.reached: dict[int, frozenset[str]] = {}
        self.tables: dict[str, dict[str, Value]] = {}
        self.classes: set[str] = set()
        self.held = Held()
        self.dialled = ""
        self.loops = 0
        self.looked = 0
        self.changes = 0
        self.results: dict[tuple[int, int], Value] = {}
        self.started = ""
        self.fetches = False
        self.evaluated: list[ast.AST] = []
        self.asks = False
        self.running: list[str] = []
        self.returned: list[Value] = []
        self.followed: set[int] = set()
        self.count = 0

    def sign(self, check: str, weight: int, node: ast.AST, message: str) -> None:
        """Add a sign at a node."""
        self.found.sign(check, weight, getattr(node, "lineno", 1) + self.offset, message)

    def line(self, node: ast.AST) -> int:
        """Return the line of a node within the piece."""
        return getattr(node, "lineno", 1) + self.offset

    def module(self, tree: ast.Module) -> None:
        """Follow a module: functions and imports are known first, then statements run in order."""
        nodes = list(python_tree.nodes(tree))
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self._import(node)
            elif isinstance(node, ast.ClassDef):
                self._class(node)
            elif isinstance(node, ast.Call):
                name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
                self.asks = self.asks or name in ASKING
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                self._lambda(node.targets[0], node.value)
        self.block(tree.body)
        for function in list(self.functions.values()):
            if id(function) not in self.followed:
                self.invoke(function, [], {})
        rules.at_end(self, nodes)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                self.aliases[name] = alias.name if alias.asname else alias.name.split(".")[0]
                self.found.fact("imports", alias.name.split(".")[0], self.line(node))
            return
        for alias in node.names:
            self.aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}" if node.module else alias.name
        if node.module:
            self.found.fact("imports", node.module.split(".")[0], self.line(node))

    def _class(self, node: ast.ClassDef) -> None:
        self.classes.add(node.name)
        for part in node.body:
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions[f"{node.name}.{part.name}"] = part

    def _lambda(self, target: ast.expr, value: ast.Lambda) -> None:
        """Treat a lambda with a name as the function it is."""
        if isinstance(target, ast.Name):
            body: list[ast.stmt] = [ast.copy_location(ast.Return(value.body), value)]
            made = ast.FunctionDef(target.id, value.args, body, [], None, None)
            self.functions[target.id] = ast.copy_location(made, value)

    def block(self, body: list[ast.stmt]) -> None:
        """Follow statements in order."""
        for statement in body:
            self.count += 1
            if self.count > MAX_NODES:
                self.found.incomplete = f"more than {MAX_NODES:,} Python statements"
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                value_of(decorator, self)
                hooks.decorated(self, decorator)
        elif isinstance(node, ast.ClassDef):
            self.block(node.body)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
            self._assign(node)
        elif isinstance(node, ast.Return):
            self.returned.append(value_of(node.value, self))
        elif isinstance(node, ast.For | ast.AsyncFor):
            self._bind(node.target, value_of(node.iter, self))
            rules.loop(self, node)
            self.loops += 1
            self.block([*node.body, *node.orelse])
            self.loops -= 1
        elif isinstance(node, ast.With | ast.AsyncWith):
            self._with(node)
        elif isinstance(node, ast.Try | ast.TryStar):
            handlers = [statement for handler in node.handlers for statement in handler.body]
            self.block([*node.body, *handlers, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.If | ast.While):
            timing.branch(self, node, value_of(node.test, self))
            self.loops += isinstance(node, ast.While)
            self.block([*node.body, *node.orelse])
            self.loops -= isinstance(node, ast.While)
        elif isinstance(node, ast.Expr):
            value_of(node.value, self)
        elif isinstance(node, ast.Match):
            value_of(node.subject, self)
            self.block([statement for case in node.cases for statement in case.body])
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    value_of(child, self)

    def _assign(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr) -> None:
        table: dict[str, Value] = {}
        if isinstance(node.value, ast.Dict):
            value, table = self._mapping(node.value)
        else:
            value = value_of(node.value, self)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(node, ast.AugAssign):
                value = value_of(target, self).plus(value)
            name = self.dotted(node.value) if node.value is not None else ""
            if name == "functools.partial" and isinstance(node.value, ast.Call) and node.value.args:
                name = self.dotted(node.value.args[0])
            if isinstance(target, ast.Name):
                self.tables.pop(target.id, None)
                self.tables.update({target.id: table} if table else {})
            if name and isinstance(target, ast.Name):
                self.aliases[target.id] = name
            elif name and isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                self.aliases[f"{target.value.id}.{target.attr}"] = name
            self._bind(target, value)
            objects.bound(self, target, node.value)

    def _mapping(self, node: ast.Dict) -> tuple[Value, dict[str, Value]]:
        """Return the value of a dictionary as a whole, and by its keys where each key is a plain text or number."""
        values = [value_of(part, self) for part in node.values]
        whole = together([*(value_of(key, self) for key in node.keys if key is not None), *values])
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys[: MAX_KEYS + 1]]
        plain = len(keys) <= MAX_KEYS and all(isinstance(key, str | int) for key in keys)
        return whole, dict(zip(map(str, keys), values, strict=True)) if plain else {}

    def _bind(self, target: ast.expr, value: Value) -> None:
        """Give a value to a target; what goes into a container taints the container."""
        self._changed(target, value)
        if isinstance(target, ast.Name):
            self.scopes[-1][target.id] = value
        elif isinstance(target, ast.Attribute):
            self.fields[target.attr] = self.fields.get(target.attr, EMPTY).plus(value) if self.running else value
        elif isinstance(target, ast.Subscript):
            key = value_of(target.slice, self)
            if isinstance(target.value, ast.Name) and target.value.id in self.tables:
                if key.known:
                    self.tables[target.value.id][key.text] = value
                else:
                    del self.tables[target.value.id]
            self.add_to(target.value, Value(value.text, False, value.origins | key.origins, value.urls))
            rules.assigned_item(self, target, value)
        elif isinstance(target, ast.Tuple | ast.List):
            for child in target.elts:
                self._bind(child, value.as_text(value.text, known=False))
        elif isinstance(target, ast.Starred):
            self._bind(target.value, value)

    def _changed(self, target: ast.expr | None, value: Value) -> None:
        """Note that something changed which a function called again could find changed."""
        local = isinstance(target, ast.Name) and len(self.scopes) > 1
        self.changes += not local and bool(value.origins or value.text)

    def add_to(self, container: ast.expr, value: Value) -> None:
        """Add a value to a container that a name or attribute refers to."""
        self._changed(None, value)
        if isinstance(container, ast.Name):
            old = self.lookup(container.id) or EMPTY
            self._store(container.id, together([old, value]))
        elif isinstance(container, ast.Attribute):
            self.fields[container.attr] = together([self.fields.get(container.attr, EMPTY), value])
        elif isinstance(container, ast.Subscript):
            self.add_to(container.value, value)

    def _store(self, name: str, value: Value) -> None:
        scope = next((scope for scope in reversed(self.scopes) if name in scope), self.scopes[-1])
        scope[name] = value

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = value_of(item.context_expr, self)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, value)
                objects.bound(self, item.optional_vars, item.context_expr)
                name = self.dotted(item.context_expr)
                if name and isinstance(item.optional_vars, ast.Name):
                    self.aliases[item.optional_vars.id] = name
        self.block(node.body)

    def lookup(self, name: str) -> Value | None:
        """Return the value of a variable from the innermost scope that has it."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return rules.builtin(self, name)

    def dotted(self, node: ast.expr | None) -> str:
        """Return the full name that an expression refers to; a call stands for what it makes, as in `socket.socket`."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            owner = self.dotted(node.value)
            full = f"{owner}.{node.attr}" if owner else ""
            return self.aliases.get(full, full)
        if isinstance(node, ast.Call):
            return reached.made_by(self, node)
        if isinstance(node, ast.Subscript):
            return reached.named_by_item(self, node)
        if isinstance(node, ast.Await):
            return self.dotted(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return "pathlib.Path" if self.dotted(node.left).startswith("pathlib.") else ""
        return ""

    def call(self, node: ast.Call) -> Value:
        """Look at a call and return what it gives."""
        if len(self.running) > MAX_DEPTH:
            return UNKNOWN
        return rules.call(self, node)

    def invoke(self, function: Function, args: list[Value], named: dict[str, Value]) -> Value:
        """Follow a function of the program with the values it is given; a function that calls itself stops there."""
        known = (id(function), self.changes)
        plain = not any(value.origins or value.text for value in (*args, *named.values()))
        if plain and known in self.results:
            return self.results[known]
        if self.running.count(function.name) > 0 or len(self.running) > 12 or self.count > MAX_NODES:
            return together([*args, *named.values()]) if args or named else UNKNOWN
        names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
        if names and names[0] in ("self", "cls"):
            names = names[1:]
        defaults = dict(
            zip(reversed(names), [value_of(d, self) for d in reversed(function.args.defaults)], strict=False)
        )
        self.scopes.append(
            {**dict.fromkeys(names, UNKNOWN), **defaults, **dict(zip(names, args, strict=False)), **named}
        )
        self.running.append(function.name)
        kept, self.returned = self.returned, []
        self.block(function.body)
        result = together(self.returned) if len(self.returned) > 1 else (self.returned or [UNKNOWN])[0]
        self.returned = kept
        self.running.pop()
        self.scopes.pop()
        self.followed.add(id(function))
        if plain and known[1] == self.changes:
            self.results[known] = result
        return result

    def named(self, node: ast.NamedExpr) -> Value:
        """Give a name to a value inside an expression and return the value."""
        self._assign(node)
        return self.lookup(node.target.id) or UNKNOWN

    def each(self, node: ast.expr, generators: list[ast.comprehension]) -> list[Value]:
        """Return the values that a comprehension goes through and those that it makes, its own names bound."""
        self.scopes.append({})
        parts = []
        for generator in generators:
            parts.append(value_of(generator.iter, self))
            self._bind(generator.target, parts[-1])
            for test in generator.ifs:
                value_of(test, self)
        made = [getattr(node, name, None) for name in ("elt", "key", "value")]
        parts += [value_of(child, self) for child in made if isinstance(child, ast.expr)]
        timing.each(self, node, generators)
        self.scopes.pop()
        return parts

    def item(self, node: ast.Subscript) -> Value:
        """Return what a subscript gives."""
        return rules.item(self, node)

    def attribute(self, node: ast.Attribute) -> Value:
        """Return what an attribute gives."""
        special = rules.attribute(self, node)
        if special is not None:
            return special
        owner = value_of(node.value, self)
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") and node.attr in self.fields:
            return self.fields[node.attr]
        return Value(owner.text, False, owner.origins, owner.urls)

    def read(self, path: Value) -> Value:
        """Return what reading a file gives."""
        kept = self.held.files.get(path.text.strip("\n"), EMPTY)
        return Value("", False, path.origins | file_origins(path.text) | kept.origins, path.urls or kept.urls)
