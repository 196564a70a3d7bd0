"""Objects that take something in and give it on: messages, archives, files by their path, logs with handlers."""

from __future__ import annotations

import ast
import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hermes_git.checks import python_staying as staying
from hermes_git.checks.python_values import value_of
from hermes_git.checks.sign import STRONG
from hermes_git.checks.taint import EMPTY, KEY, LEAKS, NETWORK, SECRET, Value, describe, file_origins, together
from hermes_git.patterns import places
from hermes_git.patterns import python_names as names

if TYPE_CHECKING:
    from hermes_git.checks.python_calls import Called
    from hermes_git.checks.python_flow import Program

MAX_FILES = 100
MAX_PATH = 300
WHOLE_HOME = ("~", "~/", "/root", "/home", "$HOME")
READS = frozenset(("r", "rb", "rt", "r:gz", "r:*", "r:bz2", "r:xz"))


@dataclass
class Held:
    """What objects hold: variable → path or buffer behind it, path → what was written there, and what was logged."""

    paths: dict[str, str] = field(default_factory=dict)
    files: dict[str, Value] = field(default_factory=dict)
    buffers: dict[str, ast.expr] = field(default_factory=dict)
    log_host: str = ""
    logged: list[tuple[ast.AST, frozenset[str]]] = field(default_factory=list)


def bound(program: Program, target: ast.expr, made: ast.expr | None) -> None:
    """Remember the file that a variable writes to."""
    if isinstance(made, ast.Call) and isinstance(target, ast.Name | ast.Attribute):
        path = _opened(program, made)
        if path:
            program.held.paths[ast.unparse(target)] = path
        elif made.args and program.dotted(made.func) in names.OPENED and isinstance(made.args[0], ast.Name):
            program.held.buffers[ast.unparse(target)] = made.args[0]


def _opened(program: Program, node: ast.Call) -> str:
    """Return the path of a file that a call opens for writing, or ""."""
    name = program.dotted(node.func)
    if isinstance(node.func, ast.Attribute) and name.startswith("pathlib.") and node.func.attr == "open":
        path, rest = value_of(node.func.value, program), node.args
    elif name in names.OPENED:
        given = node.args or [word.value for word in node.keywords if word.arg in ("name", "file", "filename")]
        path, rest = (value_of(given[0], program) if given else EMPTY), node.args[1:]
    else:
        return ""
    mode = rest[0] if rest else next((word.value for word in node.keywords if word.arg == "mode"), None)
    reads = mode is None or (isinstance(mode, ast.Constant) and mode.value in READS)
    return "" if reads else path.text.strip("\n")[:MAX_PATH]


def takes(program: Program, called: Called) -> None:
    """Give what a method is called with to the object it is called on, and to the file behind that."""
    func = called.node.func
    if not isinstance(func, ast.Attribute) or func.attr not in names.TAKERS:
        return
    value = together([*called.args, *called.named.values()])
    if called.name.startswith(("tarfile.", "zipfile.", "py7zr.")) and called.args:
        value = value.marked(*_origins_of_path(called.args[0]))
    if isinstance(func.value, ast.Name):
        program.tables.pop(func.value.id, None)
    program.add_to(func.value, value)
    key = func.value.id if isinstance(func.value, ast.Name) else ast.unparse(func.value)
    if key in program.held.buffers:
        program.add_to(program.held.buffers[key], value)
    path = program.held.paths.get(key, "")
    if not path and isinstance(func.value, ast.Call):
        path = _opened(program, func.value)
    if path:
        keep(program, path, value, called.node)
        staying.content(program, called.node, path, value)


def _origins_of_path(path: Value) -> frozenset[str]:
    whole = path.known and path.text.strip("\n") in WHOLE_HOME
    return file_origins(path.text) | (frozenset((SECRET,)) if whole else frozenset())


def keep(program: Program, path: str, value: Value, node: ast.AST) -> None:
    """Remember what is written to a path."""
    path = path.strip("\n")
    if not path or len(path) > MAX_PATH or len(program.held.files) >= MAX_FILES or not value.origins:
        return
    old = program.held.files.get(path, EMPTY)
    program.held.files[path] = Value("", False, old.origins | value.origins, old.urls or value.urls)
    if value.origins & LEAKS:
        program.found.fact("keeps", path[:100], program.line(node))
    if NETWORK in value.origins:
        program.downloads[path] = value.urls[0] if value.urls else ""


def written(program: Program, called: Called) -> None:
    """Look at a call that writes a file as a whole, copies one, packs a folder, or dumps a value into a file."""
    name, args, node = called.name, called.args, called.node
    if name.startswith("pathlib.") and name.endswith((".write_text", ".write_bytes")):
        keep(program, called.owner.text, together(args), node)
        staying.content(program, node, called.owner.text, together(args))
    elif name in names.COPIES and len(args) > 1:
        source = program.read(args[0])
        target = args[1].text.strip("\n")
        base = posixpath.basename(args[0].text.strip("\n"))
        for path in (target, posixpath.join(target, base)):
            keep(program, path, source, node)
    elif name == "shutil.make_archive" and len(args) > 1:
        folder = args[2] if len(args) > 2 else called.named.get("root_dir", EMPTY)
        suffix = {"gztar": ".tar.gz", "bztar": ".tar.bz2", "xztar": ".tar.xz"}.get(args[1].text, f".{args[1].text}")
        keep(program, args[0].text.strip("\n") + suffix, Value("", False, _origins_of_path(folder)), node)
    elif name in names.DUMPS:
        target_node = next((word.value for word in node.keywords if word.arg in ("file", "fp", "stream")), None)
        target_node = target_node or (node.args[1] if len(node.args) > 1 else None)
        if target_node is not None and called.given.origins:
            keep(program, program.held.paths.get(ast.unparse(target_node), ""), called.given, node)
            program.add_to(target_node, Value("", False, called.given.origins, called.given.urls))


def logs(program: Program, called: Called) -> None:
    """Look at a log: where its handlers send lines to, and what is logged."""
    name = called.name
    if names.LOG_SENDERS.match(name):
        text = called.given.text.strip("\n").split("\n")[0]
        if text and not text.startswith("/") and not places.LOCAL.match(text):
            program.held.log_host = text[:60]
    elif name.rsplit(".", 1)[-1] in names.LOG_CALLS:
        kinds = called.given.origins & (LEAKS | {KEY})
        if kinds and name.startswith(("logging.", "self.", "log.", "logger.")):
            program.held.logged.append((called.node, kinds))


def at_end(program: Program) -> None:
    """Report secrets that were logged where a handler sends every line away."""
    if program.held.log_host:
        for node, kinds in program.held.logged:
            message = f"logs {describe(kinds)}, and a handler sends every line to {program.held.log_host}"
            program.sign("HG611", STRONG, node, message)


def leaks_of_paths(program: Program, text: str) -> frozenset[str]:
    """Return the origins of what was written to files that a command line names."""
    found: frozenset[str] = frozenset()
    for path, value in program.held.files.items():
        if value.origins & LEAKS and path in text:
            found |= value.origins & LEAKS
    return found


STARTERS = (
    r"(?:sudo|sh|bash|zsh|dash|python[\d.]*|node|bun|deno|perl|ruby|php|pwsh|powershell|msiexec|start|exec|nohup|source|\.|"
    r"rundll32|regsvr32|wscript|cscript|mshta|java|setsid|dpkg|installer|open)"
)


def runs_path(path: str, text: str) -> bool:
    """Say whether a command line runs the file of a path: as the program, or by an interpreter."""
    start = rf"(?:^|[;&|]\s{{0,9}}|\b{STARTERS}\s{{1,9}}(?:-[\w-]{{1,20}}\s{{1,9}}){{0,3}}(?:-[fF]ile\s{{1,9}})?)"
    return path in text and re.search(rf"{start}['\"]?{re.escape(path)}(?![\w/])", text) is not None
