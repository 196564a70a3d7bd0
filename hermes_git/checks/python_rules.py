"""What a Python program must not do: the rules that look at calls, names and branches as they are followed."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from hermes_git.checks import python_calls as calls
from hermes_git.checks.python_values import decoded, method, value_of
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import (
    DECODED,
    ENVIRONMENT,
    KEY,
    LISTING,
    NETWORK,
    PRIVATE,
    SECRET,
    UNKNOWN,
    Value,
    together,
)
from hermes_git.names import whole_number
from hermes_git.patterns import places
from hermes_git.patterns import python_names as names

if TYPE_CHECKING:
    from hermes_git.checks.python_flow import Program

MANY_TIMES = 200
ENVIRONS = ("os.environ", "os.environb")
IMPORTERS = ("importlib.import_module", "__import__", "builtins.__import__", "importlib.__import__")
TABLES = ("globals", "locals", "vars", "builtins.globals", "builtins.vars")
SAFE_ATTRIBUTES = ("read", "write", "text", "content", "json", "items", "copy", "name", "parent", "stem", "home")


def builtin(program: Program, name: str) -> Value | None:
    """Return the value of a name that no scope holds."""
    if program.aliases.get(name) in ENVIRONS:
        return Value("", False, frozenset((ENVIRONMENT,)))
    return Value("__main__") if name == "__name__" else Value("__file__", False) if name == "__file__" else None


def call(program: Program, node: ast.Call) -> Value:
    """Look at one call: what it is, what goes in, what comes out."""
    name = program.dotted(node.func)
    args = [value_of(arg, program) for arg in node.args]
    named = {keyword.arg or "**": value_of(keyword.value, program) for keyword in node.keywords}
    owner = value_of(node.func.value, program) if isinstance(node.func, ast.Attribute) else UNKNOWN
    if not isinstance(node.func, ast.Name | ast.Attribute):
        value_of(node.func, program)
    called = calls.Called(node, name, args, named, owner)
    calls.look(program, called)
    return _result(program, called)


def _result(program: Program, called: calls.Called) -> Value:
    """Return what a call gives."""
    node, name, args, named, owner = called.node, called.name, called.args, called.named, called.owner
    last = name.rsplit(".", 1)[-1]
    if name in program.functions or (last in program.functions and name.startswith(("self.", "cls."))):
        return program.invoke(program.functions[last], args, named)
    if name in names.DECODERS:
        extra = args[1].text if len(args) > 1 else ""
        return decoded(name, args[0] if args else UNKNOWN, extra)
    known = _known_result(program, node, name, (args, owner))
    if known is not None:
        return known
    if isinstance(node.func, ast.Attribute):
        folded = method(node.func.attr, owner, args)
        if node.func.attr in ("append", "add", "update", "extend", "insert", "setdefault"):
            program.add_to(node.func.value, together([*args, *named.values()]))
        if folded is not None:
            return folded
    parts = [*args, *named.values(), *([owner] if isinstance(node.func, ast.Attribute) else [])]
    total = together(parts) if parts else UNKNOWN
    return Value(total.text if len(parts) == 1 else "", False, total.origins, total.urls, total.odd)


def _known_result(program: Program, node: ast.Call, name: str, given: tuple[list[Value], Value]) -> Value | None:
    """Return what a call of the library gives, where that is known; `given` holds its arguments and its owner."""
    args, owner = given
    first = args[0] if args else UNKNOWN
    if name in (
        "open",
        "io.open",
        "codecs.open",
        "pathlib.Path.read_text",
        "sqlite3.connect",
        "shutil.copy",
        "os.open",
    ):
        return program.read(first)
    if name.endswith((".read_text", ".read_bytes", ".open")) and name.startswith("pathlib."):
        return program.read(owner)
    if name in ("os.getenv", "os.environ.get", "os.environ.pop", "os.environ.setdefault"):
        return _environment_item(program, node, first)
    if name in ("os.environ.copy", "os.environ.items", "os.environ.values", "dict", "str", "list", "repr") and (
        name.startswith("os.") or ENVIRONMENT in first.origins
    ):
        return Value("", False, frozenset((ENVIRONMENT,)) | first.origins)
    if name in (
        "os.path.join",
        "pathlib.Path",
        "pathlib.PurePath",
        "os.path.expanduser",
        "os.path.abspath",
        "glob.glob",
    ):
        text = "/".join(arg.text.strip("\n") for arg in args)
        return Value(text, all(arg.known for arg in args), together(args).origins if args else frozenset())
    if name in ("pathlib.Path.home", "os.path.expandvars"):
        return Value("~") if name.endswith("home") else first
    if names.FETCHERS.match(name):
        url = next((match.group() for arg in args if (match := places.URL.search(arg.text))), "")
        return Value("", False, frozenset((NETWORK,)), (url,) if url else ())
    for pattern, origin in ((names.SECRETS, SECRET), (names.PRIVATE, PRIVATE), (names.LISTINGS, LISTING)):
        if pattern.match(name):
            return Value(first.text, False, frozenset((origin,)) | first.origins)
    if name == "chr" and args and not args[0].known:
        return Value("", False, args[0].origins | {DECODED}, odd=True)
    if name in ("chr", "bytes", "bytearray", "map") or name.endswith("getpass.getpass"):
        return _characters(name, args)
    return None


def _characters(name: str, args: list[Value]) -> Value:
    """Return text that is built from character codes."""
    source = args[-1].text if args else ""
    parts = [part.strip() for part in source.replace(",", "\n").split("\n") if part.strip()]
    codes = [code for code in map(whole_number, parts) if code is not None and code < 256]
    if codes and len(codes) == len(parts):
        return Value("".join(map(chr, codes)), True, frozenset(("decoded",)), odd=True)
    total = together(args) if args else UNKNOWN
    return Value(args[0].text if len(args) == 1 and name != "chr" else "", False, total.origins)


def _environment_item(program: Program, node: ast.AST, key: Value) -> Value:
    """Return what one variable of the environment gives; several secret names at once are as good as all of it."""
    for part in key.text.split("\n") if key.known or "\n" in key.text else ():
        if part.strip():
            program.found.fact("env", part.strip()[:100], program.line(node))
    found = [part for part in key.text.split("\n") if places.SECRET_NAME.search(part.strip())]
    if len(found) > 1:
        return Value("", False, frozenset((ENVIRONMENT,)))
    return Value("", False, frozenset((KEY,)) if found else frozenset())


def item(program: Program, node: ast.Subscript) -> Value:
    """Return what a subscript gives; a computed key into a table of names is a disguise."""
    key = value_of(node.slice, program)
    owner = value_of(node.value, program)
    name = program.dotted(node.value)
    if name in ENVIRONS:
        return _environment_item(program, node, key)
    if _is_table(program, node.value):
        if key.text in names.DANGEROUS_NAMES | names.DANGEROUS_MODULES and (key.odd or key.text.startswith("__")):
            program.sign("HG614", STRONG, node, f"reaches {key.text} through a table of names")
        elif key.odd or not key.known:
            program.sign("HG614", WEAK, node, "reaches a computed name through a table of names")
    back = whole_number(key.text.removeprefix("-"))
    if owner.text and key.known and back is not None and "\n" in owner.text:
        parts = owner.text.split("\n")
        position = -back if key.text.startswith("-") else back
        if -len(parts) <= position < len(parts):
            return owner.as_text(parts[position])
    at = whole_number(key.text)
    if owner.known and at is not None and at < len(owner.text):
        return owner.as_text(owner.text[at])
    return Value(owner.text, False, owner.origins, owner.urls)


def _is_table(program: Program, node: ast.expr) -> bool:
    """Say whether an expression is a dictionary of names: `globals()`, `vars(x)`, `x.__dict__`, `__builtins__`."""
    if isinstance(node, ast.Call):
        return program.dotted(node.func) in TABLES
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__" or program.dotted(node) == "sys.modules"
    if isinstance(node, ast.Subscript):
        return _is_table(program, node.value)
    return isinstance(node, ast.Name) and node.id == "__builtins__"


def attribute(program: Program, node: ast.Attribute) -> Value | None:
    """Return what an attribute of the library gives, where that is known."""
    name = program.dotted(node)
    if name in ENVIRONS:
        return Value("", False, frozenset((ENVIRONMENT,)))
    if name.endswith(".parent") or node.attr in SAFE_ATTRIBUTES:
        return None
    return None


def made_by(program: Program, node: ast.Call) -> str:
    """Return the full name of what a call makes: an imported module, a looked-up attribute, or an instance."""
    name = program.dotted(node.func)
    if name in IMPORTERS and node.args:
        return value_of(node.args[0], program).text
    if name in ("getattr", "builtins.getattr") and len(node.args) > 1:
        owner, key = program.dotted(node.args[0]), value_of(node.args[1], program)
        return f"{owner}.{key.text}" if owner and key.text else ""
    if name in ("pathlib.Path", "pathlib.Path.home", "Path") or name.startswith("pathlib."):
        return "pathlib.Path"
    return name if "." in name else ""


def named_by_item(program: Program, node: ast.Subscript) -> str:
    """Return the full name that a subscript of a table of names refers to."""
    if not _is_table(program, node.value):
        return ""
    key = value_of(node.slice, program).text
    owner = program.dotted(node.value.args[0]) if isinstance(node.value, ast.Call) and node.value.args else ""
    return f"{owner}.{key}" if owner else program.aliases.get(key, key)


def assigned_item(program: Program, target: ast.Subscript, value: Value) -> None:
    """Look at an assignment to an item, such as a variable of the environment."""
    if program.dotted(target.value) in ENVIRONS:
        key = value_of(target.slice, program).text
        if key in ("LD_PRELOAD", "PYTHONSTARTUP", "BASH_ENV") or (
            key.endswith("_BASE_URL") and value.text.startswith("http")
        ):
            program.sign("HG616", MEDIUM, target, f"sets {key} for every program that follows")


def branch(program: Program, node: ast.If | ast.While) -> None:
    """Look at a branch that leaves when it is watched."""
    if not isinstance(node, ast.If):
        return
    if calls.WATCHED.search(ast.unparse(node.test)[:400].lower()) and calls.leaves(node.body):
        program.sign("HG617", MEDIUM, node, "stops when it is run in a sandbox or under a debugger")


def loop(program: Program, node: ast.For | ast.AsyncFor) -> None:
    """Look at a loop that asks one and the same address very often."""
    times = re.findall(r"range\((\d{3,9})\)", ast.unparse(node.iter))
    if not times or int(times[0]) < MANY_TIMES:
        return
    body = " ".join(ast.unparse(statement) for statement in node.body)[:2000]
    fixed = re.search(r"requests\.\w+\(\s*['\"]https?://|urlopen\(\s*['\"]http|socket\.\w*connect", body)
    if fixed and "sleep" not in body:
        program.sign("HG619", MEDIUM, node, f"asks one address {times[0]} times without a pause")


def at_end(program: Program, nodes: list[ast.AST]) -> None:
    """Look at what only the whole program shows."""
    calls.at_end(program, nodes)
