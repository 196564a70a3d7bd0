"""What a shell program must not do: the rules that look at single commands, writes and sockets as they are followed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hermes_git.checks import shell_misuse as misuse
from hermes_git.checks import shell_network as network
from hermes_git.checks import shell_system as system
from hermes_git.checks import shell_watched as watched
from hermes_git.checks.shell_call import Call
from hermes_git.checks.shell_commands import DOWNLOADERS, INTERPRETERS, LOOKUPS, RAW_SENDERS, ROOT, SHELLS
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import DECODED, LEAKS, NETWORK, Value, describe
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.shell_flow import Program

PROMPT = pattern(r"^[ \t]{0,8}(?:[\w.@~:-]{0,40}[$%#>]|>>>|PS>) (?=\S)", re.M)
RISKY_NAMES = (
    DOWNLOADERS | SHELLS | INTERPRETERS | RAW_SENDERS | frozenset("eval base64 rm ssh scp cat sudo dd".split())
)


WRAPPERS = frozenset(
    "sudo doas nohup env command exec xargs time setsid watch timeout systemd-run busybox stdbuf nice ionice unbuffer "
    "caffeinate".split()
)
"""Commands that run the command which follows them."""


def without_prompts(text: str) -> str:
    """Take shell prompts off lines; a line of output between them stays and is harmless."""
    found = PROMPT.findall(text)
    if not found or not any("$" in prompt or "%" in prompt or ">" in prompt for prompt in found):
        return text
    return PROMPT.sub(lambda match: " " * len(match.group()) if "#" not in match.group() else match.group(), text)


def called(program: Program, call: Call) -> None:
    """Look at one command."""
    if call.odd and call.name in RISKY_NAMES:
        message = f"the command {call.name} is spelled so that a search does not find it"
        program.found.sign("HG625", STRONG, call.line, message)
    if any(arg.odd and places.CREDENTIALS.search(arg.text) for arg in call.args):
        program.found.sign("HG625", STRONG, call.line, "the path of a credential store is spelled in disguise")
    if call.name in WRAPPERS:
        if call.name == "exec":
            misuse.called(program, call, call.full)
        inner = call.without_first()
        if call.name == "xargs" and call.stdin.origins & LEAKS and inner.name in SENDING:
            what = describe(call.stdin.origins & LEAKS)
            program.found.sign("HG621", STRONG, call.line, f"hands {what} to {inner.name}")
        if call.name == "xargs" and ROOT in call.stdin.origins and inner.name in ("rm", "shred", "truncate", "unlink"):
            program.found.sign("HG627", STRONG, call.line, "deletes everything below a home or the root")
        if call.name == "xargs" and NETWORK in call.stdin.origins and inner.name in SHELLS | INTERPRETERS:
            network.download_run(program, call.stdin, inner)
        if " " in "".join(call.texts[-1:]).strip() and call.name == "watch":
            program.found.add_inner(call.texts[-1], call.line, "shell")
        if inner.name:
            called(program, inner)
        return
    if call.name.startswith("python") and call.texts[:1] == ["-m"] and len(call.args) > 1:
        called(program, Call.build(call.args[1:], call.stdin, call.line))
    found = call.for_each_found() if call.name == "find" else None
    if found is not None:
        called(program, found)
    executed(program, call)
    network.called(program, call)
    system.called(program, call)
    misuse.called(program, call, call.full)


def executed(program: Program, call: Call) -> None:
    """Look at what is handed to a shell or an interpreter."""
    name = call.name
    if name in SHELLS or name in INTERPRETERS or name in ("eval", "source", "."):
        for value in _programs(program, call):
            _judge_program(program, value, call)
    elif call.path in program.files or call.path.removeprefix("./") in program.files:
        _judge_program(program, program.read(Value(call.path.removeprefix("./"))), call)
    elif (unpacked := misuse.unpacked(program, call.path)) is not None:
        _judge_program(program, unpacked, call)
    elif call.head & {NETWORK, DECODED}:
        program.found.sign("HG622", STRONG, call.line, "runs what a download or a decoder prints")


def _programs(program: Program, call: Call) -> list[Value]:
    """Return the texts that a shell or interpreter is given to run."""
    if call.name == "eval":
        total = [value for arg in call.args for value in (arg, Value(" "))]
        joined = total[0] if total else Value("")
        for value in total[1:]:
            joined = joined.plus(value)
        return [joined]
    given: list[Value] = []
    inline = False
    skip = False
    for index, arg in enumerate(call.args):
        if skip:
            skip = False
        elif arg.text in ("/dev/stdin", "/proc/self/fd/0"):
            given.append(call.stdin)
            inline = True
        elif (arg.text == "-r" and call.name == "php") or arg.text in (
            "-c",
            "-e",
            "-lc",
            "-ic",
            "-Command",
            "--eval",
            "eval",
            "-p",
            "-EncodedCommand",
        ):
            given += call.args[index + 1 : index + 2]
            skip = inline = True
        elif (not arg.text.startswith("-") and not inline) or arg.origins & {NETWORK, DECODED}:
            given.append(arg if NETWORK in arg.origins or DECODED in arg.origins else program.read(arg))
            inline = inline or not arg.origins
    return given if given and inline else [*given, call.stdin]


def _judge_program(program: Program, value: Value, call: Call) -> None:
    if DECODED in value.origins:
        program.found.sign("HG623", STRONG, call.line, f"decodes text and runs it with {call.name}")
    if NETWORK in value.origins:
        network.download_run(program, value, call)
    if value.origins & LEAKS and call.name == "eval":
        program.found.sign("HG621", MEDIUM, call.line, f"evaluates {describe(value.origins)}")
    if value.text and (DECODED in value.origins or call.name in SHELLS or call.name == "eval"):
        layer = "decoded" if DECODED in value.origins else ""
        if layer or len(value.text) > 8:
            program.found.add_inner(value.text, call.line, "shell", layer)
    elif value.text and call.name.startswith("python"):
        program.found.add_inner(value.text, call.line, "python")
    elif value.text and call.name == "osascript":
        for match in re.finditer(
            r"(?:doShellScript\s{0,9}\(\s{0,9}|do shell script\s{1,9})[\"']([^\"']{3,2000})", value.text
        ):
            program.found.add_inner(match.group(1), call.line, "shell")
    elif value.text and call.name in ("perl", "ruby") and "-e" in call.texts:
        program.found.add_inner(value.text, call.line, "perl")
        program.found.add_inner(value.text.replace("\\@", "@"), call.line, "ruby")
    elif value.text and call.name in ("lua", "php", "perl", "tclsh") and len(value.text) > 12:
        program.found.add_inner(value.text, call.line, call.name)
    elif value.text and call.name in ("node", "deno", "bun") and len(value.text) > 12:
        program.found.add_inner(value.text, call.line, "javascript")


def written(program: Program, path: str, value: Value, operator: str, line: int) -> None:
    """Look at what is written to a file."""
    system.written(program, path, value, operator, line)


def socket(program: Program, target: Value, _stdin: Value, line: int) -> None:
    """Look at a connection that the shell opens by itself."""
    if not re.search(r"/dev/(?:tcp|udp)/(?:localhost|127\.|\[?::1)", target.text):
        program.found.sign("HG624", STRONG, line, "opens a raw connection through /dev/tcp")


def assigned(program: Program, name: str, value: Value, line: int) -> None:
    """Look at a variable that steers other programs."""
    if name in ("LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PROMPT_COMMAND", "BASH_ENV"):
        brought = system.SPIES.search(value.text) if name == "PROMPT_COMMAND" else OWN_LIBRARY.match(value.text)
        program.found.sign(
            "HG626", MEDIUM if brought else WEAK, line, f"sets {name}, which loads code into every command"
        )
    if name == "GIT_TEMPLATE_DIR" and value.text[:1] in ("~", "/", "$"):
        program.found.sign("HG628", MEDIUM, line, "has every new repository start with the hooks of a template")
    if misuse.INDEX_NAMES.match(name) and value.text.startswith("http"):
        misuse.index(program, value.text, line)
    if name in MODEL_ENDPOINTS and value.text.startswith("http") and not places.LOCAL.match(value.text):
        program.found.fact("model-endpoint", value.text[:100], line)
    if name in ("HISTFILE", "HISTSIZE", "HISTFILESIZE") and value.text in ("", "0", "/dev/null"):
        program.found.sign("HG628", MEDIUM, line, "switches the history of commands off")


OWN_LIBRARY = pattern(r"^\s{0,4}(?:\.|~|assets/|lib/|\.{1,2}/|/tmp/|/dev/shm/|\$\{?(?:PWD|HOME))")
SENDING = DOWNLOADERS | RAW_SENDERS | LOOKUPS
MODEL_ENDPOINTS = ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_BASE")


MANY = re.compile(r"\{1\.\.(\d{3,9})\}|seq (?:1 )?(\d{3,9})|<\s*(\d{3,9})\s*;|while (?:true|:|\[ 1 \])")


def loop(program: Program, node: Any) -> None:
    """Look at a loop that asks the network very often without a pause, and at one that starts itself again."""
    text = node.text[:4000].decode("utf-8", "replace")
    head, _, body = text.partition("do")
    asks = re.search(r"\b(?:curl|wget|ping|nc|ab|hping3)\b", body) and "sleep" not in body
    if re.search(r"(?:\$0|\$\{?BASH_SOURCE\S*)[\"']?\s{0,4}&(?!&)", body) and MANY.search(head):
        program.found.sign("HG627", STRONG, node.start_point[0] + 1, "starts itself again and again")
    if MANY.search(head) and asks and not re.search(r"\bbreak\b|\bread\b|&& exit", body):
        message = "asks the network again and again without a pause"
        program.found.sign("HG627", MEDIUM, node.start_point[0] + 1, message)


SHELL_INTO_NET = pattern(
    r"\b(?:ba|z|k|da)?sh -i\b[^|]{0,60}\|&?\s{0,9}(?:nc|ncat|netcat|socat|telnet|openssl s_client)\b"
)


def pipe(program: Program, node: Any) -> None:
    """Look at a shell whose output goes into a connection."""
    if SHELL_INTO_NET.search(node.text[:2000].decode("utf-8", "replace")):
        program.found.sign("HG624", STRONG, node.start_point[0] + 1, "connects a shell to the network")


def defined(program: Program, name: str, body: Any) -> None:
    """Look at a function where it is defined."""
    watched.defined(program, name, body)


def at_end(program: Program, root: Any, source: str) -> None:
    """Look at the program as a whole, when every command has been followed."""
    watched.at_end(program, root, source)
