"""Programs and source that a Python program starts: commands, evaluated text, loaded objects."""

from __future__ import annotations

import ast
import re
import shlex
from typing import TYPE_CHECKING

from hermes_git.checks import python_objects as objects
from hermes_git.checks.python_values import value_of
from hermes_git.checks.shell_network import is_announced
from hermes_git.checks.shell_system import RISKY_CONTENT
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import ASKED, DECODED, LEAKS, MODEL, NETWORK, UNKNOWN, Value, describe, together
from hermes_git.patterns import places
from hermes_git.patterns import python_names as names
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.python_calls import Called
    from hermes_git.checks.python_flow import Program

STRINGS = ("os.system", "os.popen")
INTERPRETERS = pattern(
    r"^(?:\S*/)?(?:(?:ba|z|da|k)?sh|cmd(?:\.exe)?|powershell|pwsh|python[\d.]*|node|perl|ruby|php|eval|sudo|env|osascript)\b"
)
NAMED_PROGRAM = pattern(r"^[\w./~-]{2,60}\s+\S")
"""A command line that begins with the name of its program."""
INTO_SHELL = pattern(r"[|;&]\s{0,9}(?:sudo\s{1,9})?(?:ba|z|da)?sh\b")

SHELL_TOOLS = pattern(r"^(?:\S*/)?(?:curl|wget|nc|ncat|scp|rsync|ssh|mail|sendmail|aws|gsutil|git|dig|nslookup)\b")


END = "END-OF-INPUT"
FEEDS = ("subprocess.Popen.communicate", "subprocess.Popen.stdin.write", "os.popen.write")
INSTALLERS = frozenset(
    "pip.main pip._internal.main pip._internal.cli.main.main pip._internal.main.main "
    "setuptools.command.easy_install.main".split()
)
SEARCHED = frozenset("sys.path.insert sys.path.append sys.path.extend site.addsitedir".split())


def look(program: Program, called: Called) -> None:
    """Look at one call by its full name."""
    if called.name in names.RUNNERS:
        started(program, called)
    elif called.name in FEEDS and program.started:
        _fed(program, program.started, called.args[0] if called.args else UNKNOWN, called.node)
    elif called.name in names.EVALUATORS:
        _evaluated(program, called.node, called.name, called.args)
    elif called.name in INSTALLERS:
        _installed(program, called)
    elif called.name in SEARCHED:
        _on_path(program, called)


def _command(program: Program, called: Called) -> tuple[str, Value]:
    """Return a command line as text, and as a value the part of it that says what is run."""
    node, args = called.node, called.args
    command = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg in ("args", "cmd")), None)
    if isinstance(command, ast.Starred):
        command = command.value
    if isinstance(command, ast.List | ast.Tuple):
        words = [value_of(child, program) for child in command.elts]
        text = " ".join(shlex.quote(word.text) if word.text else "?" for word in words)
        text = f"python3{text[1:]}" if text.startswith(("? -m ", "? -c ")) else text
        head = words[:1]
        if words and (called.name in STRINGS or INTERPRETERS.match(words[0].text)):
            head = words
        return text, together(head) if head else UNKNOWN
    given = args[0] if args else called.named.get("args", called.named.get("cmd", UNKNOWN))
    return given.text.strip("\n"), given


def _is_filled(text: str) -> bool:
    """Say whether a command line names its program itself, and only arguments come from elsewhere."""
    return NAMED_PROGRAM.match(text) is not None and not INTERPRETERS.match(text) and not INTO_SHELL.search(text)


def started(program: Program, called: Called) -> None:
    """Look at a program that is started: its command line is judged as shell text."""
    node, args = called.node, called.args
    text, head = _command(program, called)
    kinds = together([*args, *(value for key, value in called.named.items() if key != "env")]).origins & LEAKS
    if SHELL_TOOLS.match(text):
        kinds |= objects.leaks_of_paths(program, text)
        if kinds:
            program.sign("HG611", STRONG, node, f"hands {describe(kinds)} to {text.split()[0]}")
    if head.origins & {NETWORK, DECODED}:
        origin = "decoded" if DECODED in head.origins else "downloaded"
        filled = _is_filled(text) and DECODED not in head.origins
        message = "fills an answer of the network into a command" if filled else f"starts a {origin} command"
        shown = ASKED in head.origins and program.found.piece.before
        program.sign("HG612", WEAK if filled or shown else STRONG, node, message)
    elif MODEL in head.origins and not _is_filled(text):
        weight = WEAK if program.found.piece.before or program.asks else MEDIUM
        program.sign("HG612", weight, node, "starts whatever command a model answers, and nobody is asked")
    for path, url in program.downloads.items():
        if objects.runs_path(path, text) and not is_announced(url, program.found.topic):
            program.sign("HG612", MEDIUM, node, f"runs a file from {places.host_of(url) or 'the network'}")
    if args and args[0].odd and RISKY_CONTENT.search(text):
        program.sign("HG614", STRONG, node, "starts a command that is put together from pieces")
    if text:
        _fed(program, text, called.named.get("input", UNKNOWN), node)
        program.started = text
        program.found.add_inner(text, program.line(node), "shell")
        program.found.fact("runs", text.split()[0][:60] if text.split() else "?", program.line(node))


def _fed(program: Program, text: str, given: Value, node: ast.AST) -> None:
    """Hand on a command line together with what it is given to read."""
    if given.text.strip() and END not in given.text:
        program.found.add_inner(f"{text} <<'{END}'\n{given.text.strip()}\n{END}\n", program.line(node), "shell")


def _is_made_source(program: Program, node: ast.Call) -> bool:
    """Say whether source is compiled as statements and handed to eval."""
    inner = node.args[0] if node.args else None
    if not isinstance(inner, ast.Call) or program.dotted(inner.func) not in ("compile", "builtins.compile"):
        return False
    given = [*inner.args, *(word.value for word in inner.keywords)]
    as_statements = any(isinstance(part, ast.Constant) and part.value == "exec" for part in given)
    return as_statements and not program.found.piece.before


def _installed(program: Program, called: Called) -> None:
    """Judge an installation that is started inside of Python as the command it stands for."""
    words = " ".join(shlex.quote(word) for word in called.given.text.split("\n") if word)
    program.found.add_inner(f"pip {words}", program.line(called.node), "shell")


def _on_path(program: Program, called: Called) -> None:
    """Look at a folder or an archive from which modules are imported afterwards."""
    for path, url in program.downloads.items():
        if path and path in called.given.text.split("\n") and not is_announced(url, program.found.topic):
            host = places.host_of(url) or "the network"
            program.sign("HG612", MEDIUM, called.node, f"imports modules from a file that came from {host}")


def _evaluated(program: Program, node: ast.Call, name: str, args: list[Value]) -> None:
    """Look at source that is run."""
    source = args[0] if args else Value("", False)
    if NETWORK in source.origins:
        shown = ASKED in source.origins and program.found.piece.before
        program.sign(
            "HG612",
            WEAK if shown else STRONG,
            node,
            f"runs code from {places.host_of(source.urls[0]) if source.urls else 'the network'}",
        )
    elif DECODED in source.origins:
        program.sign("HG613", STRONG, node, "decodes code and runs it")
    elif source.odd and source.text and name not in ("compile", "builtins.compile"):
        program.sign("HG613", STRONG, node, "runs code that is put together from pieces")
    elif name.startswith("runpy.") and (url := program.downloads.get(source.text)):
        if not is_announced(url, program.found.topic):
            program.sign("HG612", MEDIUM, node, f"runs a file from {places.host_of(url) or 'the network'}")
    elif name in ("exec", "builtins.exec"):
        weight = WEAK if program.found.piece.before else MEDIUM
        program.sign("HG613", weight, node, "runs code that is made at run time with exec")
    elif name in ("eval", "builtins.eval") and _is_made_source(program, node):
        program.sign("HG613", MEDIUM, node, "runs code that is made at run time with eval")
    elif name in ("eval", "builtins.eval", "runpy.run_path"):
        program.sign("HG613", WEAK, node, f"runs code with {name}")
        if not source.known and name.endswith("eval") and "__builtins__" not in ast.unparse(node)[:400]:
            program.evaluated.append(node)
    if source.text.strip() and "\n" not in name:
        layer = "decoded" if DECODED in source.origins else ""
        program.found.add_inner(source.text.strip("\n"), program.line(node), "python", layer)


def loaded(program: Program, node: ast.Call, name: str, source: Value) -> None:
    """Look at objects that are made from bytes."""
    if name in ("torch.load", "numpy.load", "joblib.load", "pandas.read_pickle", "shelve.open"):
        if NETWORK in source.origins:
            program.sign("HG615", MEDIUM, node, f"{name} of a download, which can run code while it is loaded")
        return
    literal = bool(node.args) and isinstance(node.args[0], ast.Constant)
    if source.origins & {NETWORK, DECODED} or literal:
        program.sign("HG615", STRONG, node, f"{name} of data that can run code while it is loaded")
        found = re.findall(r"[\x20-\x7e]{12,}", source.text)
        if found:
            program.found.add_inner(
                "\n".join(part.lstrip("S'(") for part in found), program.line(node), "shell", "pickle"
            )
    else:
        program.sign("HG615", WEAK, node, f"{name} runs code from its input")
