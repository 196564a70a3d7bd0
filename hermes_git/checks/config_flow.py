"""Configuration that runs programs or steers agents: hooks, servers, tasks, lifecycle scripts, workflows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hermes_git.checks.pairs import Pair, of_json, of_yaml
from hermes_git.checks.piece import Piece, newlines
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK, Found
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

COMMAND_KEYS = frozenset(
    "run script command cmd exec entrypoint shell before_script after_script preinstall postinstall install prepare "
    "prestart poststart postcreatecommand onstart initializecommand "
    "oncreatecommand updatecontentcommand poststartcommand postattachcommand "
    "pre_install post_install init statusline apikeyhelper".split()
)
COMMAND = pattern(
    r"(?:sudo |env |\$ )?(?:curl|wget|cat|bash|sh|nc|python3?|node|powershell|cmd|eval|echo|base64|scp|rm|"
    r"printenv|env)\b[^\n]{6,}",
    re.I,
)
"""A value that begins like a command line."""

LIFECYCLE = frozenset("preinstall install postinstall preprepare prepare postprepare".split())
LIFECYCLE_RISK = pattern(
    r"\b(?:curl|wget|node|npx|npm i|npm install|bash|sh|python3?|powershell|eval|base64|nc)\b", re.I
)
TRUST_KEYS = frozenset(
    "enableallprojectmcpservers autoapprove auto_approve yolo bypasspermissions dangerouslyskippermissions alwaysallow "
    "dangerouslydisablesandbox skipdangerousmodepermissionprompt autoaccept trustallprojects autoapproval".split()
)
ENDPOINTS = pattern(
    r"^(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE|AZURE_OPENAI|OPENROUTER|LLM)\w*_(?:BASE_URL|API_BASE|ENDPOINT)$"
)
MADE = pattern(
    r"!!python/(?:object/(?:apply|new)|object|name|module):([\w.]{2,100})|!ruby/(?:object|hash|struct|class):([\w:]{2,100})|"
    r"!!((?:javax?|com|org)\.[\w.]{4,100})|\"py/(?:reduce|object|function|type)\"\s{0,9}:\s{0,9}\[?[\s{]{0,9}"
    r"(?:\"py/(?:type|function)\"\s{0,9}:\s{0,9})?\"([\w.]{2,100})\"|\"\$type\"\s{0,9}:\s{0,9}\"([\w.]{4,100})"
)
"""An object of a program in YAML or JSON text."""

RUNNING = pattern(
    r"(?:os|posix|nt|subprocess|pty|runpy|shutil|socket|ctypes|importlib|webbrowser|requests|urllib|code|timeit|pip|commands)(?:\.|$)|"
    r"(?:builtins|__builtin__)\.(?:eval|exec|open|getattr|compile|__import__|map)|eval$|exec$|"
    r"(?:Gem::(?:Requirement|Installer|SpecFetcher|StubSpecification|Package\w*)|Net::\w+|ERB|Kernel|ActiveSupport::\w+|PTY)|"
    r"javax\.script\.ScriptEngineManager|com\.sun\.rowset|java\.(?:lang\.(?:Runtime|ProcessBuilder)|net\.URLClassLoader)|"
    r"org\.(?:springframework|apache\.(?:commons|xbean))|System\.(?:Diagnostics\.Process|Windows\.Data\.ObjectDataProvider|"
    r"Configuration\.Install|Management\.Automation)"
)
"""A class or a function that starts programs, or through which one can be started."""

QUOTED = pattern(r"\"((?:[^\"\\\n]|\\.){1,800})\"|'([^'\n]{1,800})'")
MAX_OBJECT = 2000
MOUNT = pattern(r"(?:^|[\s\"',])(?:source|src)=([^,\s\"']{1,200})|^[\"']?([~/$][^:\s\"']{0,200}):/[^\s]{0,200}$")
HOMES = pattern(
    r"^(?:\$\{localEnv:(?:HOME|USERPROFILE)\}(?:\$\{localEnv:USERPROFILE\})?|\$\{?HOME\}?|~|/|/home|/root|/Users|/etc)/?$"
)

UNTRUSTED = pattern(
    r"\$\{\{\s{0,5}(?:github\.event\.(?:pull_request|issue|comment|review|head_commit|discussion)\.(?:[\w.]*)(?:title|body|ref|message|"
    r"label|name|email)|github\.head_ref|steps\.\w+\.outputs\.[\w-]*ref)\b"
)
INLINE_REF = pattern(r"\{[^{}]{0,200}\bref:[ \t]{0,8}[\"']?\$\{\{[^}]{0,200}head")
"""The commit of a stranger in a mapping that is written on one line."""


def analyse(piece: Piece, found: Found) -> None:
    """Look at the pairs of a configuration text."""
    pairs = list(of_json(piece.text) if piece.language == "json" else of_yaml(piece.text))
    for pair in pairs:
        _pair(pair, found)
    _workflow(piece.text, pairs, found)
    _objects(piece, found)


def _objects(piece: Piece, found: Found) -> None:
    """Look at objects that a loader of the text would make, and at what they would run."""
    for match in MADE.finditer(piece.text):
        kind = next(group for group in match.groups() if group)
        line = newlines(piece.text, match.start()) + 1
        if not RUNNING.match(kind):
            continue
        found.sign("HG615", WEAK if piece.before else STRONG, line, f"makes {kind[:60]} run when it is loaded")
        rest = piece.text[match.end() : match.end() + MAX_OBJECT]
        words = [one.group(1) or one.group(2) for one in QUOTED.finditer(rest.split("\n\n", 1)[0])]
        if words:
            found.add_inner(" ".join(words), line, "shell")


def _mounted(pair: Pair, found: Found) -> None:
    """Look at what a container is given of the machine that it runs on."""
    for match in MOUNT.finditer(pair.value):
        source = next(group for group in match.groups() if group)
        if source == "/var/run/docker.sock":
            found.sign("HG641", WEAK, pair.line, "gives a container command of all containers")
        elif HOMES.match(source):
            found.sign("HG641", MEDIUM, pair.line, f"gives a container all of {source}")
        elif places.STRONG.search(source):
            found.sign("HG641", WEAK, pair.line, f"gives a container {source}")


def _pair(pair: Pair, found: Found) -> None:
    key, value = pair.key.lower(), pair.value
    if (key in COMMAND_KEYS or COMMAND.match(value)) and value not in ("", "{", "["):
        found.add_inner(value, pair.line, "shell")
        found.fact("runs", value.strip().split()[0][:60] if value.strip() else "?", pair.line)
    if pair.key in LIFECYCLE and value not in ("", "{", "["):
        weight = MEDIUM if LIFECYCLE_RISK.search(value) else WEAK
        found.sign("HG643", weight, pair.line, f"runs a command when a package is installed ({pair.key})")
    if key.replace("-", "") in TRUST_KEYS and value.lower() in ("true", "all", "*", "[", "1"):
        found.sign("HG641", MEDIUM, pair.line, f"lets the agent act without asking ({pair.key})")
    if key == "defaultmode" and value in ("bypassPermissions", "dontAsk"):
        found.sign("HG641", MEDIUM, pair.line, f"lets the agent act without asking ({value})")
    if ENDPOINTS.match(pair.key) and value.startswith("http") and not places.LOCAL.match(value):
        found.sign("HG641", MEDIUM, pair.line, f"sends the agent's own traffic to {places.host_of(value)} ({pair.key})")
        found.fact("model-endpoint", places.host_of(value), pair.line)
    if key == "runon" and value == "folderOpen":
        found.sign("HG641", MEDIUM, pair.line, "runs a task as soon as the folder is opened")
    if "/" in value and (pair.key in ("", "mounts", "volumes", "source", "workspaceMount") or "source=" in value):
        _mounted(pair, found)
    if key == "privileged" and value == "true":
        found.sign("HG641", WEAK, pair.line, "starts a container with the rights of the host")


def _workflow(text: str, pairs: Iterable[Pair], found: Found) -> None:
    """Look at what a continuous integration workflow gives to strangers."""
    if "toJSON(secrets)" in text.replace(" ", ""):
        line = newlines(text, text.find("secrets")) + 1
        found.sign("HG642", STRONG, line, "reads all secrets of the repository at once")
    if "pull_request_target" not in text:
        return
    for pair in pairs:
        risky = UNTRUSTED.search(pair.value)
        if risky and pair.key in ("run", "key", "restore-keys", "script", "ref"):
            message = f"text from a stranger's pull request decides what a privileged workflow does ({pair.key})"
            found.sign("HG642", MEDIUM, pair.line, message)
        if (pair.key == "ref" and "head" in pair.value) or INLINE_REF.search(pair.value):
            found.sign("HG642", MEDIUM, pair.line, "a privileged workflow checks out a stranger's code")
        if pair.key == "uses" and re.search(r"@(?:main|master|latest|dev)$", pair.value):
            found.sign("HG642", MEDIUM, pair.line, "a privileged workflow uses an action that is not pinned")
