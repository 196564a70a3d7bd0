"""Machine instructions that a Python program makes and jumps to, past everything that Python shows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from hermes_git.checks.sign import MEDIUM, STRONG
from hermes_git.checks.taint import DECODED, NETWORK
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.python_calls import Called
    from hermes_git.checks.python_flow import Program

STARTS = pattern(
    r"^ctypes\.(?:\w+\.)*(?:system|popen|execve|execl|execvp|WinExec|ShellExecute[AW]?|CreateProcess[AW]?|CreateThread|"
    r"CreateRemoteThread|NtCreateThreadEx|VirtualAlloc(?:Ex)?|VirtualProtect(?:Ex)?|WriteProcessMemory|QueueUserAPC|"
    r"EnumSystemLocales[AW]|mprotect|ptrace|memfd_create|dlopen|SetWindowsHookEx[AW])$"
)
"""Functions of the C library and of Windows that start programs, or make memory that can be run."""

MAKERS = pattern(r"^ctypes\.(?:CFUNCTYPE|WINFUNCTYPE|PYFUNCTYPE)$")
ADDRESS = pattern(r"addressof|from_buffer|string_at|cast\(|\.value\b|_as_parameter_|buffer_info|0x[0-9a-f]{4}")
LIBRARIES = pattern(
    r"^ctypes\.(?:CDLL|PyDLL|WinDLL|OleDLL|cdll\.LoadLibrary|windll\.LoadLibrary|cdll\.__getitem__)$|^cffi\.(?:\w+\.)*dlopen$|"
    r"^importlib\.machinery\.(?:ExtensionFileLoader|SourceFileLoader|SourcelessFileLoader)$|^importlib\.util\.spec_from_file_location$|"
    r"^zipimport\.zipimporter$|^imp\.load_(?:dynamic|source|compiled)$"
)
"""Calls that load the program of a file."""


def look(program: Program, called: Called) -> None:
    """Look at one call by its full name."""
    name, node = called.name, called.node
    if name.startswith("ctypes.") and STARTS.match(name):
        program.sign("HG615", STRONG, node, "calls the C library past Python")
        program.found.add_inner(called.given.text.strip(), program.line(node), "shell")
    elif isinstance(node.func, ast.Call) and MAKERS.match(name):
        if node.args and ADDRESS.search(ast.unparse(node.args[0])[:400]):
            program.sign("HG615", STRONG, node, "jumps to bytes as if they were a function")
    elif name == "mmap.mmap":
        if "PROT_EXEC" in ast.unparse(node)[:400]:
            program.sign("HG615", STRONG, node, "makes memory whose bytes are run")
    elif name == "os.memfd_create":
        program.sign("HG615", MEDIUM, node, "makes a file without a name, from which a program can be run unseen")
    elif LIBRARIES.match(name):
        path = next((arg for arg in reversed(called.args) if arg.text.strip()), called.given)
        origins = program.read(path).origins
        if origins & {NETWORK, DECODED}:
            program.sign("HG615", STRONG, node, "loads a library that it downloaded or decoded")
