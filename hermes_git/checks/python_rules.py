"""What a Python program must not do: the rules that look at calls, names and branches as they are followed."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from hermes_git.checks import python_calls as calls
from hermes_git.checks import python_hooks as hooks
from hermes_git.checks import python_objects as objects
from hermes_git.checks import python_reached as reached
from hermes_git.checks import python_timing as timing
from hermes_git.checks.python_values import decoded, method, value_of
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import (
    ACCOUNT,
    ASKED,
    DECODED,
    ENVIRONMENT,
    FIXED,
    KEY,
    LISTING,
    MODEL,
    NETWORK,
    NOW,
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
SOURCES = (
    (names.SECRETS, SECRET),
    (names.ACCOUNTS, ACCOUNT),
    (names.PRIVATE, PRIVATE),
    (names.LISTINGS, LISTING),
)
ENVIRONS = ("os.environ", "os.environb")


def builtin(program: Program, name: str) -> Value | None:
    """Return the value of a name that no scope holds."""
    if program.aliases.get(name) in ENVIRONS:
        return Value("", False, frozenset((ENVIRONMENT,)))
    return Value("__main__") if name == "__name__" else Value("__file__", False) if name == "__file__" else None


def call(program: Program, node: ast.Call) -> Value:
    """Look at one call: what it is, what goes in, what comes out."""
    if isinstance(node.func, ast.Call) and (plain := reached.by_caller(program, node)) is not None:
        return call(program, plain)
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
    if name in program.classes:
        made = program.functions.get(f"{name}.__init__")
        if made is not None:
            program.invoke(made, args, named)
    elif name in program.functions or (last in program.functions and name.startswith(("self.", "cls."))):
        return program.invoke(program.functions.get(name) or program.functions[last], args, named)
    if name in names.DECODERS:
        extra = args[1].text if len(args) > 1 else ""
        return decoded(name, args[0] if args else UNKNOWN, extra)
    known = _known_result(program, node, name, (args, owner))
    if known is not None:
        return known
    if isinstance(node.func, ast.Attribute):
        folded = method(node.func.attr, owner, args)
        objects.takes(program, called)
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
        program.fetches = True
        url = next((match.group() for arg in args if (match := places.URL.search(arg.text))), "")
        return Value("", False, frozenset((NETWORK,)), (url,) if url else ())
    source = _from_source(name, first, all(arg.known for arg in args) and bool(args))
    if source is not None:
        return source
    if name in ("reversed", "builtins.reversed") and first.known:
        return Value(first.text[::-1], True, first.origins | {DECODED}, first.urls, odd=True)
    if name == "chr" and args and not args[0].known:
        return Value("", False, args[0].origins | {DECODED}, odd=True)
    if name in ("chr", "bytes", "bytearray", "map") or name.endswith("getpass.getpass"):
        return _characters(name, args)
    return None


def _from_source(name: str, first: Value, known: bool) -> Value | None:
    """Return what a call gives that is a source of secrets, of what a model says, or of the time."""
    if name in names.CLOCKS:
        return Value("", False, frozenset((NOW,)))
    if name in names.DATES and known:
        return Value("", False, frozenset((FIXED,)))
    if names.MODELS.match(name):
        return Value("", False, frozenset((MODEL,)))
    for pattern, origin in SOURCES:
        if pattern.match(name):
            return Value(first.text, False, frozenset((origin,)) | first.origins)
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
    if key.text in names.FOLDERS:
        return Value(names.FOLDERS[key.text])
    found = [part for part in key.text.split("\n") if places.SECRET_NAME.search(part.strip())]
    if len(found) > 1:
        return Value("", False, frozenset((ENVIRONMENT,)))
    return Value("", False, frozenset((KEY, f"key={found[0].strip()[:60]}")) if found else frozenset())


def item(program: Program, node: ast.Subscript) -> Value:
    """Return what a subscript gives; a computed key into a table of names is a disguise."""
    key = value_of(node.slice, program)
    owner = value_of(node.value, program)
    name = program.dotted(node.value)
    if name in ENVIRONS:
        return _environment_item(program, node, key)
    if reached.is_table(program, node.value):
        if key.text in names.DANGEROUS_NAMES | names.DANGEROUS_MODULES and (key.odd or key.text.startswith("__")):
            program.sign("HG614", STRONG, node, f"reaches {key.text} through a table of names")
        elif key.odd or not key.known:
            program.sign("HG614", WEAK, node, "reaches a computed name through a table of names")
    if key.known and isinstance(node.value, ast.Name) and key.text in program.tables.get(node.value.id, ()):
        return program.tables[node.value.id][key.text]
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


def attribute(program: Program, node: ast.Attribute) -> Value | None:
    """Return what an attribute of the library gives, where that is known."""
    name = program.dotted(node)
    if name in ENVIRONS:
        return Value("", False, frozenset((ENVIRONMENT,)))
    if name == "sys.executable":
        return Value("python3")
    asked = names.REQUESTS.match(name) or node.attr == "rfile"
    return Value("", False, frozenset((NETWORK, ASKED))) if asked else None


def assigned_item(program: Program, target: ast.Subscript, value: Value) -> None:
    """Look at an assignment to an item, such as a variable of the environment."""
    if program.dotted(target.value) in ENVIRONS:
        key = value_of(target.slice, program).text
        if key in ("LD_PRELOAD", "PYTHONSTARTUP", "BASH_ENV") or (
            key.endswith("_BASE_URL") and value.text.startswith("http")
        ):
            program.sign("HG616", MEDIUM, target, f"sets {key} for every program that follows")


def loop(program: Program, node: ast.For | ast.AsyncFor) -> None:
    """Look at a loop that asks one and the same address very often."""
    timing.loop(program, node)
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
    objects.at_end(program)
    hooks.at_end(program, nodes)
