"""What an expression of Python refers to: attributes and modules reached by name, by table, or through a maker."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from hermes_git.checks.python_values import value_of
from hermes_git.patterns import python_names as names

if TYPE_CHECKING:
    from hermes_git.checks.python_flow import Program

IMPORTERS = ("importlib.import_module", "__import__", "builtins.__import__", "importlib.__import__")
TABLES = ("globals", "locals", "vars", "builtins.globals", "builtins.vars")
GETTERS = ("getattr", "builtins.getattr", "object.__getattribute__", "inspect.getattr_static", "type.__getattribute__")
CALLERS = ("operator.methodcaller", "operator.attrgetter", "operator.itemgetter")
KEPT = ("get", "pop", "setdefault", "__getitem__")
"""Methods of a table that give the value of a key."""


def is_table(program: Program, node: ast.expr) -> bool:
    """Say whether an expression is a dictionary of names: `globals()`, `vars(x)`, `x.__dict__`, `__builtins__`."""
    if isinstance(node, ast.Call):
        name = program.dotted(node.func)
        return name in TABLES or (
            name in ("dict", "builtins.dict") and bool(node.args) and is_table(program, node.args[0])
        )
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__" or program.dotted(node) == "sys.modules"
    if isinstance(node, ast.Subscript):
        return is_table(program, node.value)
    return isinstance(node, ast.Name) and node.id == "__builtins__"


def made_by(program: Program, node: ast.Call) -> str:
    """Return the full name of what a call makes: an imported module, a looked-up attribute, or an instance."""
    name = program.dotted(node.func)
    if name in IMPORTERS and node.args:
        return value_of(node.args[0], program).text
    if name in GETTERS and len(node.args) > 1:
        owner, key = program.dotted(node.args[0]), value_of(node.args[1], program)
        return f"{owner}.{key.text}" if owner and key.text else ""
    if isinstance(node.func, ast.Attribute) and node.args:
        if node.func.attr in KEPT and is_table(program, node.func.value):
            return _in_table(program, node.func.value, value_of(node.args[0], program).text)
        if node.func.attr == "__getattribute__":
            owner = program.dotted(node.func.value)
            return f"{owner}.{value_of(node.args[0], program).text}" if owner else ""
    if name in ("pathlib.Path", "pathlib.Path.home", "Path") or name.startswith("pathlib."):
        return "pathlib.Path"
    return name if "." in name or name in program.classes or name in names.INSTANCES else ""


def named_by_item(program: Program, node: ast.Subscript) -> str:
    """Return the full name that a subscript of a table of names refers to."""
    if not is_table(program, node.value):
        return ""
    return _in_table(program, node.value, value_of(node.slice, program).text)


def _in_table(program: Program, table: ast.expr, key: str) -> str:
    while isinstance(table, ast.Call) and program.dotted(table.func) in ("dict", "builtins.dict") and table.args:
        table = table.args[0]
    owner = ""
    if isinstance(table, ast.Call) and table.args:
        owner = program.dotted(table.args[0])
    elif isinstance(table, ast.Attribute) and table.attr == "__dict__":
        owner = program.dotted(table.value)
    return f"{owner}.{key}" if owner else program.aliases.get(key, key)


def by_caller(program: Program, node: ast.Call) -> ast.Call | None:
    """Return the plain call that `methodcaller("system", "id")(os)` or `attrgetter("system")(os)(…)` stands for."""
    maker = node.func
    if isinstance(maker, ast.Call) and isinstance(maker.func, ast.Call) and program.dotted(maker.func.func) in CALLERS:
        key = value_of(maker.func.args[0], program).text if maker.func.args else ""
        if maker.args and key.isidentifier():
            made = ast.Attribute(maker.args[0], key, ast.Load())
            return ast.copy_location(ast.Call(ast.copy_location(made, node), node.args, node.keywords), node)
    if (
        isinstance(maker, ast.Call)
        and program.dotted(maker.func) == "operator.methodcaller"
        and maker.args
        and node.args
    ):
        key = value_of(maker.args[0], program).text
        if key.isidentifier():
            made = ast.Attribute(node.args[0], key, ast.Load())
            return ast.copy_location(ast.Call(ast.copy_location(made, node), maker.args[1:], maker.keywords), node)
    return None
