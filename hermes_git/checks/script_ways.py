"""Ways of scripts that the whole program shows: functions in the place of others, shells on sockets, browsers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hermes_git.checks.shell_commands import SHELLS
from hermes_git.checks.shell_misuse import PUBLIC_ADDRESS
from hermes_git.checks.shell_network import is_announced
from hermes_git.checks.sign import MEDIUM, STRONG
from hermes_git.checks.taint import DECODED, KEY, NETWORK, PRIVATE, SECRET, UNKNOWN, Value, describe, together
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.script_flow import Program

FUNCTIONS = frozenset(
    "function_declaration arrow_function function_expression method_definition generator_function_declaration "
    "generator_function".split()
)
GLOBALS = frozenset("globalThis global window self".split())
"""Names of the object that holds all global names."""

TRAFFIC = "traffic"
"""Origin of what passes through a function that was put in the place of another: requests, headers."""

WRAPPED = pattern(
    r"^(?:fetch|XMLHttpRequest\.prototype\.\w+|https?\.(?:request|get)|axios\.(?:request|get|post)|"
    r"WebSocket\.prototype\.send|Headers\.prototype\.(?:set|append)|console\.log|process\.stdin\.\w+|"
    r"(?:\w+\.)*interceptors\.request\.use)$"
)
SOCKETS = pattern(
    r"^(?:WebSocket|ws|EventSource|io|socket\.io-client|(?:net|tls)\.(?:\w+)|dgram\.\w+)\.(?:on|once|addEventListener|"
    r"addListener|onmessage)$"
)
STORAGE = pattern(r"^(?:local|session)Storage\.(getItem|setItem|removeItem|key|clear)$")
SENSITIVE = pattern(r"token|auth|session|jwt|secret|passw|wallet|seed|credential|api.?key|mnemonic", re.I)
EVENT = "event"
"""Origin of an event of the keyboard."""

KEY_EVENTS = frozenset("keydown keypress keyup".split())
KEY_HANDLER = pattern(r"(?:^|\.)onkey(?:down|press|up)$")
PASSWORDS = pattern(r"type\s{0,3}=\s{0,3}[\\\"']{0,2}password", re.I)
EACH = frozenset("forEach map filter some every flatMap".split())
LISTENERS = frozenset("on once addEventListener addListener".split())
REQUESTS = pattern(r"^(?:https?|http2)\.(?:get|request)$")
IN_PAGE = frozenset("evaluate evaluateHandle $eval $$eval evaluateOnNewDocument addInitScript".split())
PROFILE = pattern(
    r"google-chrome|Google/Chrome|chrome/user data|\bchromium\b|BraveSoftware|Microsoft/?.?Edge|\.mozilla|"
    r"Mozilla/Firefox|Application Support/Firefox|\\User Data",
    re.I,
)
ALL_COOKIES = pattern(r"^(?:Network\.getAllCookies|Storage\.getCookies|Network\.getCookies)\b")
SHELL_NAMES = SHELLS | frozenset("cmd cmd.exe powershell powershell.exe pwsh".split())
PIPED_SHELL = pattern(
    r"\.pipe\(\s{0,9}[\w.]{1,60}\.stdin\b|\.stdin\??\.write\(|\.stdout\??\.pipe\(|"
    r"\bstdio\s{0,4}:\s{0,4}\[\s{0,4}(?!['\"\d])[a-z]\w{0,40}\s{0,4},"
)
CONNECTED = pattern(
    r"\b(?:net|tls)\b.{0,60}\b(?:connect|createConnection)\(|\bSocket\(|\b(?:createConnection|connect)\(\s{0,9}\{?\s{0,9}"
    r"(?:port\s{0,4}:\s{0,4})?\d{2,5}\b|require\([\"'](?:node:)?(?:net|tls)[\"']\)\.(?:connect|createConnection)\(",
    re.S,
)


def named(name: str) -> str:
    """Return a full name without the object that holds all names, and `Function` for what makes functions."""
    head, dot, rest = name.partition(".")
    while dot and rest and head in GLOBALS:
        name = rest
        head, dot, rest = name.partition(".")
    if name.startswith("[].") and name.endswith(".constructor"):
        return "Function"
    return name


def is_function(node: Any) -> bool:
    """Say whether an expression is a function, parentheses aside."""
    while node is not None and node.type == "parenthesized_expression" and node.named_child_count:
        node = node.named_children[0]
    return node is not None and node.type in FUNCTIONS


def before_assignment(program: Program, target: Any, source: Any) -> None:
    """Give the parameters of a function that is put in the place of another what will pass through it."""
    if target is None or source is None or source.type not in FUNCTIONS or target.type == "identifier":
        return
    name = program.dotted(target)
    if WRAPPED.match(name):
        program.give(source, [Value("", False, frozenset((TRAFFIC,)))] * 4)
    elif SOCKETS.match(name):
        program.give(source, [Value("", False, frozenset((NETWORK,)))])
    elif KEY_HANDLER.search(name):
        program.give(source, [Value("", False, frozenset((EVENT,)))])


def global_value(name: str) -> Value:
    """Return the value of a name that the program does not set: the storage of a page is a secret as a whole."""
    return Value("", False, frozenset((SECRET,))) if name in ("localStorage", "sessionStorage") else UNKNOWN


def event_part(node: Any, origins: frozenset[str]) -> frozenset[str]:
    """Return the origin of a part of an event: which key it was."""
    if EVENT not in origins or node.type != "member_expression":
        return frozenset()
    return frozenset((PRIVATE,)) if node.text.endswith((b".key", b".code", b".keyCode", b".which")) else frozenset()


def is_disguised_maker(function: Any) -> bool:
    """Say whether a call reaches the maker of functions through a function that is no more than that."""
    key, owner = function.child_by_field_name("property"), function.child_by_field_name("object")
    if key is None or key.text != b"constructor" or not is_function(owner):
        return False
    return b"async" not in owner.text[:12] and b"*" not in owner.text[:20]


def before_call(program: Program, name: str, function: Any, children: list[Any], owner: Value) -> None:
    """Give the parameters of functions among the arguments what they will be called with."""
    last = name.rsplit(".", 1)[-1]
    functions = [child for child in children if child.type in FUNCTIONS]
    if last in IN_PAGE and functions:
        program.give(functions[0], [program.value(child) for child in children[1:]])
    elif last in EACH and functions and (owner.text or owner.origins):
        program.give(functions[0], [owner])
    elif last in LISTENERS and functions and children[0].text.strip(b"\"'`").decode("utf-8", "replace") in KEY_EVENTS:
        program.give(functions[0], [Value("", False, frozenset((EVENT,)))])
    elif WRAPPED.match(name) and last == "use":
        for one in functions:
            program.give(one, [Value("", False, frozenset((TRAFFIC,)))])
    elif (
        REQUESTS.match(name) or SOCKETS.match(name) or (last in LISTENERS and owner.origins & {NETWORK})
    ) and "createServer" not in name:
        for one in functions:
            program.give(one, [Value("", False, frozenset((NETWORK,)))])
    elif is_function(function) and children:
        while function.type == "parenthesized_expression":
            function = function.named_children[0]
        program.give(function, [program.value(child) for child in children])


def called(program: Program, node: Any, name: str, given: Value) -> None:
    """Look at one call."""
    url = next((match.group() for match in [places.URL.search(given.text)] if match), "")
    host = places.host_of(url)
    if TRAFFIC in given.origins and url and not places.LOCAL.match(url):
        program.sign("HG631", STRONG, node, f"sends on to {host} what passes through a function it replaced")
    posts = re.search(rb"[\"'`](?:POST|PUT|PATCH)[\"'`]", node.text[:800]) or name.endswith((".post", "sendBeacon"))
    if posts and (PUBLIC_ADDRESS.fullmatch(host) or (not url and PUBLIC_ADDRESS.search(given.text[:400]))):
        program.sign("HG631", MEDIUM, node, "posts data to a bare address")


def loaded(program: Program, node: Any, value: Value) -> None:
    """Look at what `require` and `import` are given."""
    if DECODED in value.origins or (value.odd and value.known):
        what = f"{value.text[:40]!r}" if value.text else "a module"
        program.sign("HG634", STRONG, node, f"loads {what} by a name put together from pieces")
    if NETWORK in value.origins:
        program.sign("HG632", STRONG, node, "loads code that it downloads")
    elif value.text.startswith(("http://", "https://")) and not _is_expected(program, value.text):
        program.sign("HG632", MEDIUM, node, f"loads code from {places.host_of(value.text)} as it runs")


def _is_expected(program: Program, url: str) -> bool:
    known = places.INSTALLERS.match(url) or places.LOCAL.match(url)
    return known is not None or is_announced(url, program.found.topic)


def result(program: Program, name: str, args: list[Value], given: Value) -> Value | None:
    """Return what a call of a browser gives, None for any other call."""
    last = name.rsplit(".", 1)[-1]
    if stored := STORAGE.match(name):
        sensitive = stored.group(1) == "getItem" and args and SENSITIVE.search(args[0].text)
        return Value("", False, frozenset((KEY,)) if sensitive else frozenset())
    if last in IN_PAGE and KEY in given.origins:
        return Value("", False, given.origins | {SECRET})
    if last == "querySelectorAll" and args and PASSWORDS.search(args[0].text):
        return Value("", False, frozenset((TRAFFIC,)))
    if last in ("launch", "launchPersistentContext") and PROFILE.search(given.text):
        program.own_browser = True
    own = last in ("cookies", "storageState") and program.own_browser
    asked = last in ("send", "sendCommand") and args and ALL_COOKIES.match(args[0].text)
    return Value("", False, frozenset((SECRET,))) if own or asked else None


def started(program: Program, node: Any, args: list[Value]) -> None:
    """Look at a program that is started: a shell without a command, or a file that was downloaded."""
    names = {line.strip().rsplit("/", 1)[-1].lower() for line in args[0].text.split("\n") if line.strip()}
    words = args[1].text.split() if len(args) > 1 else []
    if names & SHELL_NAMES and not {"-c", "/c", "-Command"} & set(words):
        program.shells.append(node)
    if args[0].text.strip() in program.downloaded:
        program.sign("HG632", MEDIUM, node, "starts a program that it downloaded")
    if TRAFFIC in args[0].origins:
        program.sign("HG631", MEDIUM, node, f"starts a program with {describe(frozenset((PRIVATE,)))}")


def at_end(program: Program, text: str) -> None:
    """Look at a whole program: a shell on a connection, and code that is run beside downloads."""
    if program.shells and PIPED_SHELL.search(text) and CONNECTED.search(text):
        program.sign("HG632", STRONG, program.shells[0], "connects a shell to the network")
    if program.fetches:
        for node in program.evaluated[:20]:
            program.sign("HG632", MEDIUM, node, "runs code that is nowhere written, in a program that downloads")


def listed(node: Any, values: list[Value]) -> Value:
    """Return the value of a list: its items on lines; the letters of a text that is spread."""
    if len(values) == 1 and node.named_children[0].type == "spread_element" and values[0].known:
        return values[0].as_text("\n".join(values[0].text.strip("\n")))
    total = together(values)
    return Value(total.text, all(value.known for value in values), total.origins, total.urls, total.odd)
