"""Single calls of a Python program: what is sent, run, loaded, written and removed."""

from __future__ import annotations

import ast
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_git.checks.shell_network import is_announced
from hermes_git.checks.shell_system import RISKY_CONTENT, STEERING, TRUSTING
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import DECODED, LEAKS, LISTING, NETWORK, UNKNOWN, Value, describe, file_origins, together
from hermes_git.patterns import places
from hermes_git.patterns import python_names as names
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.python_flow import Program

WATCHED = pattern(
    r"vmware|virtualbox|\bqemu\b|hyper-?v\b|\bvbox|sandbox|\bcuckoo\b|gettrace\(\)|debugger|wireshark|\bida\b|\bgdb\b|"
    r"/sys/hypervisor|malware|analyst|isdebuggerpresent|tracerpid"
)
POSTING = pattern(r"\.(?:post|put|patch|sendmail|send_message|upload_file|sendBeacon)$")
OPENERS = ("open", "io.open", "pathlib.Path.open", "os.open", "codecs.open")
WRITERS = ("pathlib.Path.write_text", "pathlib.Path.write_bytes", "shutil.copy", "shutil.copyfile", "shutil.move")
SHELL_TOOLS = pattern(r"^(?:\S*/)?(?:curl|wget|nc|ncat|scp|rsync|ssh|mail|sendmail|aws|gsutil|git|dig|nslookup)\b")


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
    node, name, args, given = called.node, called.name, called.args, called.given
    if names.SENDERS.match(name):
        _sent(program, node, name, args, given)
    if name == "urllib.request.urlretrieve" and len(args) > 1 and args[1].text:
        program.downloads[args[1].text] = args[0].text
    if name in names.RUNNERS:
        _started(program, node, args, given)
    if name in names.EVALUATORS:
        _evaluated(program, node, name, args)
    if (name in names.LOADERS or _is_unsafe_yaml(program, called)) and args:
        _loaded(program, node, name, args[0])
    _handed_over(program, called)
    if name.startswith("ctypes.") and name.endswith((".system", ".popen", ".execve", ".VirtualAlloc", ".CreateThread")):
        program.sign("HG615", STRONG, node, "calls the C library past Python")
        program.found.add_inner(given.text.strip(), program.line(node), "shell")
    _disguised(program, node, name, args)
    _stays(program, called)
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


UPLOADERS = pattern(r"\.(?:put|upload_file|upload_from_filename|upload_fileobj|fput_object)$")
"""Calls that are given the path of what they send."""


def _sent(program: Program, node: ast.Call, name: str, args: list[Value], given: Value) -> None:
    url = next((match.group() for match in [places.URL.search(given.text)] if match), "")
    if url:
        program.found.fact("host", places.host_of(url), program.line(node))
        has_body = any(keyword.arg in ("data", "json", "files") for keyword in node.keywords)
        if POSTING.search(name) or has_body or (name.endswith("urlopen") and len(args) > 1):
            program.found.fact("sends", places.host_of(url), program.line(node))
    paths = [file_origins(arg.text) for arg in args] if UPLOADERS.search(name) and not url else []
    kinds = given.origins.union(*paths) & LEAKS
    host = places.host_of(url) or "another machine"
    if kinds and not places.LOCAL.match(url):
        program.sign("HG611", STRONG, node, f"sends {describe(kinds)} to {host}")
    elif (
        places.DROP_HOSTS.search(url)
        and re.search(r"\.(?:post|put|urlopen|request)$", name)
        and len(args) + len(node.keywords) > 1
    ):
        program.sign("HG611", MEDIUM, node, f"posts data to {host}, which anybody may read")
    elif LISTING in given.origins and url and name.endswith((".post", ".put", ".urlopen", ".Request")):
        program.sign("HG611", WEAK, node, f"sends facts about the machine to {host}")


def _started(program: Program, node: ast.Call, args: list[Value], given: Value) -> None:
    """Look at a program that is started: its command line is judged as shell text."""
    command = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg in ("args", "cmd")), None)
    if isinstance(command, ast.List | ast.Tuple):
        from hermes_git.checks.python_values import value_of

        words = [value_of(child, program) for child in command.elts]
        text = " ".join(shlex.quote(word.text) if word.text else "?" for word in words)
        text = f"python3{text[1:]}" if text.startswith("? -m ") else text
    else:
        text = args[0].text.strip("\n") if args else ""
    if given.origins & LEAKS and SHELL_TOOLS.match(text):
        program.sign("HG611", STRONG, node, f"hands {describe(given.origins & LEAKS)} to {text.split()[0]}")
    if args and args[0].origins & {NETWORK, DECODED}:
        origin = "decoded" if DECODED in args[0].origins else "downloaded"
        program.sign("HG612", STRONG, node, f"starts a {origin} command")
    for path, url in program.downloads.items():
        if path in text.split() and not is_announced(url, program.found.topic):
            program.sign("HG612", MEDIUM, node, f"runs a file from {places.host_of(url) or 'the network'}")
    if args and args[0].odd and RISKY_CONTENT.search(text):
        program.sign("HG614", STRONG, node, "starts a command that is put together from pieces")
    if text:
        program.found.add_inner(text, program.line(node), "shell")
        program.found.fact("runs", text.split()[0][:60] if text.split() else "?", program.line(node))


def _evaluated(program: Program, node: ast.Call, name: str, args: list[Value]) -> None:
    """Look at source that is run."""
    source = args[0] if args else Value("", False)
    if NETWORK in source.origins:
        program.sign(
            "HG612", STRONG, node, f"runs code from {places.host_of(source.urls[0]) if source.urls else 'the network'}"
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
    elif name in ("eval", "builtins.eval", "runpy.run_path"):
        program.sign("HG613", WEAK, node, f"runs code with {name}")
    if source.text.strip() and "\n" not in name:
        layer = "decoded" if DECODED in source.origins else ""
        program.found.add_inner(source.text.strip("\n"), program.line(node), "python", layer)


def _loaded(program: Program, node: ast.Call, name: str, source: Value) -> None:
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


def _disguised(program: Program, node: ast.Call, name: str, args: list[Value]) -> None:
    """Report names that are put together from pieces."""
    if name in ("importlib.import_module", "__import__", "builtins.__import__") and args and args[0].odd:
        program.sign("HG614", STRONG, node, f"imports {args[0].text[:40]!r} by a name put together from pieces")
    elif name in ("getattr", "builtins.getattr", "operator.attrgetter") and len(args) > 1 and args[1].odd:
        if args[1].text in names.DANGEROUS_NAMES or not args[1].known:
            program.sign("HG614", STRONG, node, f"reaches {args[1].text[:40]!r} by a name put together from pieces")
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "__subclasses__":
        if re.search(r"__(?:bases?|mro)__", ast.unparse(node.func.value)):
            program.sign("HG614", STRONG, node, "climbs from a value to every class of the interpreter")
    elif name in ("__import__", "importlib.import_module") and args and not args[0].known:
        program.sign("HG614", WEAK, node, "imports a module whose name is computed")


def _stays(program: Program, called: Called) -> None:
    """Look at files that are written where they are run or obeyed later."""
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
        program.sign("HG616", MEDIUM if "~" in path else WEAK, node, "writes to a place that is run later")
    elif STEERING.search(path) or places.CONTROL.search(path):
        own = path.startswith(("~", "/root", "/home", "/Users")) or "expanduser" in path
        content = together(args).text if args else ""
        weight = STRONG if own or TRUSTING.search(content) else WEAK
        program.sign("HG616", weight, node, "writes instructions or settings of an agent")


def _removes(program: Program, node: ast.Call, name: str, args: list[Value], owner: Value) -> None:
    path = (args[0].text if args else owner.text).strip("\n").rstrip("/")
    if (
        name == "shutil.rmtree"
        and path in ("", "~", "/", "/home", "/etc", "/usr", "/var")
        and args
        and ((args[0].known and path) or args[0].text == "/")
    ):
        program.sign("HG618", STRONG, node, "removes a home or system folder")
    if name in ("os.remove", "os.unlink", "pathlib.Path.unlink") and path == "__file__":
        program.sign("HG617", MEDIUM, node, "removes itself after it ran")


def leaves(body: list[ast.stmt]) -> bool:
    """Say whether a branch ends the program or the function."""
    text = " ".join(ast.unparse(statement)[:200] for statement in body[:3])
    return bool(re.search(r"sys\.exit|os\._exit|raise SystemExit|\bexit\(|quit\(", text))


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
