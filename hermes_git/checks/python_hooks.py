"""What a Python program hangs into other programs: steps of a build, replaced functions, tracing, programs in texts."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING

from hermes_git.checks.python_timing import POSTS, reached
from hermes_git.checks.python_tree import parse
from hermes_git.checks.python_values import value_of
from hermes_git.checks.sign import MEDIUM, STRONG
from hermes_git.patterns import python_names as names
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.python_flow import Program

STEP = pattern(r"^(?:setuptools|distutils)\.command\.(\w+)|^setuptools\.(?:Command|Distribution)$")
INSTALLS = frozenset("install develop egg_info bdist_egg install_lib install_scripts easy_install dist_info".split())
"""Steps of a build that run on the machine of everybody who installs the package, without anybody asking for them."""

REPLACED = pattern(
    r"^(?:builtins|__builtins__)\.(?:input|open|print|__import__)$|^getpass\.(?:getpass|unix_getpass)$|"
    r"^sys\.(?:stdin|stdout|displayhook)$|^os\.(?:getenv|open|read)$|^json\.(?:loads|dumps)$"
)
"""Functions through which what a person types and reads passes."""

TRACERS = frozenset(
    "sys.addaudithook sys.settrace sys.setprofile threading.settrace threading.setprofile "
    "sys.monitoring.register_callback threading.setprofile_all_threads threading.settrace_all_threads".split()
)
IMPORT_LINE = pattern(r"(?m)^[ \t]{0,12}(?:import [a-z]\w*|from [a-z][\w.]* import \w)")
SHEBANG = pattern(r"^\s{0,9}#!\s{0,9}/\S{0,60}?(?:\s\S{0,20}?)?(python|bash|sh|zsh|node|perl|ruby|php)[\d.]*\s*\n")
LANGUAGES = {"bash": "shell", "sh": "shell", "zsh": "shell", "node": "javascript"}
MODULES = (".py", ".pyc", ".so", ".pyd", ".zip", ".whl")
MIN_PROGRAM, MAX_PROGRAM, MAX_PROGRAMS = 24, 40_000, 40


def at_end(program: Program, nodes: list[ast.AST]) -> None:
    """Look at the whole program."""
    for node in nodes:
        if isinstance(node, ast.ClassDef) and node.bases:
            _step(program, node)
        elif isinstance(node, ast.Assign):
            _replaced(program, node, [program.dotted(target) for target in node.targets], node.value)
        elif isinstance(node, ast.Call):
            _hooked(program, node)
    if program.fetches:
        for node in program.evaluated:
            program.sign("HG613", MEDIUM, node, "runs text with eval in a program that takes text from the network")
    _programs_in_texts(program, nodes)
    _imported(program, nodes)
    if "pyperclip" in program.aliases.values() or "pyperclip.copy" in program.aliases.values():
        _copied(program, nodes)


def decorated(program: Program, decorator: ast.expr) -> None:
    """Look at a function of the library in the place of a decorator, which is called without a call being seen."""
    name = program.dotted(decorator)
    if name in names.RUNNERS or name in names.EVALUATORS:
        program.sign("HG614", STRONG, decorator, f"calls {name} by way of a decorator")


def _imported(program: Program, nodes: list[ast.AST]) -> None:
    """Look for modules that are imported from files which came from the network."""
    stems = {path.rsplit("/", 1)[-1].split(".")[0] for path in program.downloads if path.endswith(MODULES)}
    for node in nodes if stems else ():
        parts = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        parts += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for part in parts:
            if part.split(".")[0] in stems:
                program.sign("HG612", STRONG, node, f"imports {part[:40]}, a file that came from the network")


def _copied(program: Program, nodes: list[ast.AST]) -> None:
    """Look for a program that watches what is copied and puts something else in its place."""
    for node in nodes:
        if isinstance(node, ast.While):
            calls = reached(program, node.body)
            if "pyperclip.paste" in calls and "pyperclip.copy" in calls:
                program.sign("HG611", MEDIUM, node, "watches the clipboard and changes what was copied")


def _step(program: Program, node: ast.ClassDef) -> None:
    """Look at a step of a build that starts programs or speaks to the network."""
    match = next((found for base in node.bases if (found := STEP.match(program.dotted(base)))), None)
    if match is None:
        return
    step = (match.group(1) or "").lower()
    calls = reached(program, node.body)
    speaks = sorted(name for name in calls if names.SENDERS.match(name) or name in names.EVALUATORS)
    starts = sorted(name for name in calls if name in names.RUNNERS)
    if speaks or (starts and step in INSTALLS):
        weight = STRONG if step in INSTALLS else MEDIUM
        program.sign("HG616", weight, node, f"calls {(speaks or starts)[0]} whenever the package is installed or built")


def _sends(program: Program, value: ast.expr | None) -> bool:
    """Say whether a function that is handed over sends something away."""
    if isinstance(value, ast.Lambda):
        calls = reached(program, [value.body])
    elif isinstance(value, ast.Name | ast.Attribute):
        name = program.dotted(value)
        function = program.functions.get(name) or program.functions.get(name.rsplit(".", 1)[-1])
        calls = reached(program, [function]) if function is not None else set()
    else:
        return False
    return any(names.SENDERS.match(name) and (POSTS.search(name) or name.endswith("urlopen")) for name in calls)


def _replaced(program: Program, node: ast.AST, targets: list[str], value: ast.expr | None) -> None:
    for target in targets:
        if REPLACED.match(target) and _sends(program, value):
            program.sign("HG611", STRONG, node, f"puts a function that sends data away in the place of {target}")


def _hooked(program: Program, node: ast.Call) -> None:
    name = program.dotted(node.func)
    if name in TRACERS and any(_sends(program, part) for part in node.args):
        program.sign("HG611", STRONG, node, f"has every step of the interpreter watched and sent away ({name})")
    elif name in ("setattr", "builtins.setattr") and len(node.args) == 3:
        key = value_of(node.args[1], program).text
        _replaced(program, node, [f"{program.dotted(node.args[0])}.{key}"], node.args[2])


def _programs_in_texts(program: Program, nodes: list[ast.AST]) -> None:
    """Hand on texts that are programs: what is written to a file, or handed to an interpreter, is run later."""
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    count = 0
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in told:
            continue
        text = node.value
        if (
            not MIN_PROGRAM <= len(text) <= MAX_PROGRAM
            or ("\n" not in text and ";" not in text)
            or count >= MAX_PROGRAMS
        ):
            continue
        language = _language(text)
        if language:
            count += 1
            program.found.add_inner(textwrap.dedent(text), program.line(node), language)


def _language(text: str) -> str:
    """Return the language of a text that is a program, or ""."""
    first = SHEBANG.match(text[:200])
    if first:
        return LANGUAGES.get(first.group(1), first.group(1))
    if IMPORT_LINE.search(text) and parse(textwrap.dedent(text)) is not None:
        return "python"
    return ""
