"""What a Python program leaves behind: files and settings that are run or obeyed later."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from hermes_git.checks.python_sending import is_public_number
from hermes_git.checks.shell_system import RISKY_CONTENT, STEERING, TRUSTING
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import NETWORK, Value, together
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.python_calls import Called
    from hermes_git.checks.python_flow import Program

OPENERS = ("open", "io.open", "pathlib.Path.open", "os.open", "codecs.open")
WRITERS = ("pathlib.Path.write_text", "pathlib.Path.write_bytes", "shutil.copy", "shutil.copyfile", "shutil.move")
REGISTRY = pattern(r"^winreg\.(?:OpenKey|OpenKeyEx|CreateKey|CreateKeyEx)$")
RUN_KEY = pattern(r"CurrentVersion\\{1,2}(?:Run|RunOnce|Winlogon|Policies\\{1,2}Explorer\\{1,2}Run)\b", re.I)


def look(program: Program, called: Called) -> None:
    """Look at files that are written where they are run or obeyed later."""
    if REGISTRY.match(called.name):
        _registered(program, called)
    node, name, args, owner = called.node, called.name, called.args, called.owner
    mode = args[1].text if len(args) > 1 else called.named.get("mode", Value("")).text
    if name.startswith("pathlib.") and name.endswith(".open"):
        path, mode = owner.text, args[0].text if args else mode
    elif name in OPENERS:
        path = args[0].text if args else ""
    elif name in WRITERS or (name.startswith("pathlib.") and name.endswith((".write_text", ".write_bytes"))):
        path, mode = (owner.text if name.startswith("pathlib") else args[-1].text if args else ""), "w"
    else:
        return
    if not any(letter in mode for letter in "wax+"):
        return
    program.found.fact("writes", path.strip("\n")[:100], program.line(node))
    if re.search(r"authorized_keys|/etc/(?:sudoers|ld\.so|pam\.d|cron)", path):
        program.sign("HG616", STRONG, node, "lets another key or job in")
    elif re.search(r"(?:^|/)[\w.-]+\.pth$|(?:site|user)customize\.py$", path.strip("\n")):
        program.sign("HG616", STRONG, node, "writes a file that every start of Python runs")
    elif places.STARTUP.search(path):
        program.sign(
            "HG616",
            MEDIUM if "~" in path or "Start Menu" in path else WEAK,
            node,
            "writes to a place that is run later",
        )
    elif STEERING.search(path) or places.CONTROL.search(path):
        own = path.startswith(("~", "/root", "/home", "/Users")) or "expanduser" in path
        content = together(args).text if args else ""
        weight = STRONG if own or TRUSTING.search(content) else WEAK
        program.sign("HG616", weight, node, "writes instructions or settings of an agent")


def _registered(program: Program, called: Called) -> None:
    """Look at a key of the registry that starts programs and is opened to be changed."""
    changes = called.name.rsplit(".", 1)[-1].startswith("Create") or re.search(
        r"KEY_SET_VALUE|KEY_ALL_ACCESS|KEY_WRITE", ast.unparse(called.node)[:600]
    )
    if changes and RUN_KEY.search(called.given.text):
        program.sign("HG616", MEDIUM, called.node, "registers a program that starts with every login")


def content(program: Program, node: ast.AST, path: str, value: Value) -> None:
    """Look at what is written to a place that is run or obeyed later."""
    text = value.text
    if "/etc/hosts" in path:
        if any(is_public_number(word) for word in text.split()[:200]):
            program.sign("HG616", MEDIUM, node, "sends the name of a host to another machine")
    elif places.STARTUP.search(path) and (RISKY_CONTENT.search(text) or NETWORK in value.origins):
        program.sign("HG616", STRONG, node, "writes a command to a place that is run later")
