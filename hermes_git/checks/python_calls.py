"""Single calls of a Python program: what is sent, run, loaded, written and removed."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_git.checks import python_native as native
from hermes_git.checks import python_objects as objects
from hermes_git.checks import python_running as running
from hermes_git.checks import python_sending as sending
from hermes_git.checks import python_staying as staying
from hermes_git.checks.shell_system import RISKY_CONTENT
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import DECODED, LEAKS, UNKNOWN, Value, describe, together
from hermes_git.patterns import python_names as names

if TYPE_CHECKING:
    from hermes_git.checks.python_flow import Program


MAX_DOWNLOADS = 100


@dataclass(frozen=True)
class Called:
    """A call: its node, the full name of what is called, the values it is given, and the object it is called on."""

    node: ast.Call
    name: str
    args: list[Value]
    named: dict[str, Value]
    owner: Value

    @property
    def given(self) -> Value:
        """Return all values that go in, as one."""
        return together([*self.args, *self.named.values()]) if self.args or self.named else UNKNOWN


def look(program: Program, called: Called) -> None:
    """Look at one call by its full name."""
    node, name, args = called.node, called.name, called.args
    sending.look(program, called)
    if (
        name == "urllib.request.urlretrieve"
        and len(args) > 1
        and args[1].text
        and len(program.downloads) < MAX_DOWNLOADS
    ):
        program.downloads[args[1].text] = args[0].text
    running.look(program, called)
    if (name in names.LOADERS or _is_unsafe_yaml(program, called)) and args:
        running.loaded(program, node, name, args[0])
    _handed_over(program, called)
    native.look(program, called)
    objects.written(program, called)
    objects.logs(program, called)
    _disguised(program, node, name, args)
    staying.look(program, called)
    _removes(program, node, name, args, called.owner)


def _is_unsafe_yaml(program: Program, called: Called) -> bool:
    """Say whether YAML is loaded by a loader that makes any object."""
    loaders = [*called.node.args[1:], *(word.value for word in called.node.keywords if word.arg == "Loader")]
    return called.name in ("yaml.load", "yaml.load_all") and any(
        program.dotted(node).endswith(("UnsafeLoader", ".Loader", ".FullLoader")) for node in loaders
    )


def _handed_over(program: Program, called: Called) -> None:
    """Look at a function that sends or runs, handed to a call that calls it: a thread, `map`, `partial`, a signal."""
    node = called.node
    given = [program.dotted(part) for part in (*node.args, *(word.value for word in node.keywords))]
    kinds = called.given.origins & LEAKS
    if kinds and not names.SENDERS.match(called.name) and any(names.SENDERS.match(name) for name in given):
        program.sign("HG611", STRONG, node, f"has {describe(kinds)} sent to another machine")
    if any(name in names.RUNNERS for name in given) and RISKY_CONTENT.search(called.given.text):
        program.found.add_inner(called.given.text.strip("\n"), program.line(node), "shell")


def _is_hidden(name: Value) -> bool:
    """Say whether the name of a module is put together, and is one worth hiding or comes out of a decoding step."""
    root = name.text.strip("\n").split(".")[0]
    return name.odd and (root in names.DANGEROUS_MODULES or DECODED in name.origins)


def _disguised(program: Program, node: ast.Call, name: str, args: list[Value]) -> None:
    """Report names that are put together from pieces."""
    if name in ("importlib.import_module", "__import__", "builtins.__import__") and args and _is_hidden(args[0]):
        program.sign("HG614", STRONG, node, f"imports {args[0].text[:40]!r} by a name put together from pieces")
    elif name in ("getattr", "builtins.getattr", "operator.attrgetter") and len(args) > 1 and args[1].odd:
        risky = program.dotted(node.args[0]).split(".")[0] in names.DANGEROUS_MODULES
        if args[1].text in names.DANGEROUS_NAMES or (risky and not args[1].known):
            program.sign("HG614", STRONG, node, f"reaches {args[1].text[:40]!r} by a name put together from pieces")
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "__subclasses__":
        if re.search(r"__(?:bases?|mro)__", ast.unparse(node.func.value)):
            program.sign("HG614", STRONG, node, "climbs from a value to every class of the interpreter")
    elif name in ("__import__", "importlib.import_module") and args and not args[0].known:
        program.sign("HG614", WEAK, node, "imports a module whose name is computed")


def _removes(program: Program, node: ast.Call, name: str, args: list[Value], owner: Value) -> None:
    path = (args[0].text if args else owner.text).strip("\n").rstrip("/")
    if (
        name == "shutil.rmtree"
        and path in ("", "~", "/", "/home", "/etc", "/usr", "/var")
        and args
        and args[0].known
        and args[0].text
    ):
        program.sign("HG618", STRONG, node, "removes a home or system folder")
    if name in ("os.remove", "os.unlink", "pathlib.Path.unlink") and path == "__file__":
        program.sign("HG617", MEDIUM, node, "removes itself after it ran")


def at_end(program: Program, nodes: list[ast.AST]) -> None:
    """Look for shapes that only the whole program shows: reverse shells, key loggers, objects that run when loaded."""
    called = {program.dotted(node.func): node for node in nodes if isinstance(node, ast.Call)}
    if "os.dup2" in called and any(name.startswith("socket.") for name in called):
        program.sign("HG615", STRONG, called["os.dup2"], "connects a shell to the network")
    elif any(name.startswith("socket.") and name.endswith(".connect") for name in called) and "pty.spawn" in called:
        program.sign("HG615", STRONG, called["pty.spawn"], "connects a shell to the network")
    for name, node in called.items():
        if names.KEYLOGGERS.match(name):
            program.sign("HG611", MEDIUM, node, "records what the person types")
    for part in nodes:
        if isinstance(part, ast.FunctionDef) and part.name in ("__reduce__", "__reduce_ex__"):
            text = ast.unparse(part)
            if re.search(r"\b(?:os\.system|os\.popen|subprocess|exec|eval|Popen)\b", text):
                program.sign("HG615", STRONG, part, "makes an object that runs a program when it is loaded")
