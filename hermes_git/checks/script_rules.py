"""What a script must not do: the rules that look at calls, members and assignments as they are followed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from hermes_git.checks import decode, script_objects, script_ways
from hermes_git.checks.shell_commands import SHELLS
from hermes_git.checks.shell_system import RISKY_CONTENT, STEERING, TRUSTING
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import (
    DECODED,
    ENVIRONMENT,
    LEAKS,
    NETWORK,
    PRIVATE,
    SECRET,
    UNKNOWN,
    Value,
    describe,
    file_origins,
    together,
)
from hermes_git.names import whole_number
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.script_flow import Program

SENDERS = pattern(
    r"^(?:fetch|node-fetch|cross-fetch|axios(?:\.(?:post|put|patch|request|get))?|got(?:\.\w+)?|superagent\.\w+|ky(?:\.\w+)?|request(?:\.\w+)?|"
    r"(?:https?|http2)\.(?:request|get|\w+\.(?:write|end))|navigator\.sendBeacon|\$\.(?:post|ajax|get)|jQuery\.\w+|"
    r"(?:\w+\.)*(?:sendBeacon|sendMail)|WebSocket\.send|XMLHttpRequest\.(?:send|open)|net\.\w+\.write|dgram\.\w+\.send|"
    r"dns\.(?:lookup|resolve\w*)|nodemailer\.\w+\.sendMail|undici\.(?:fetch|request))$"
)
FETCHERS = pattern(r"^(?:fetch|node-fetch|cross-fetch|axios(?:\.get)?|got|https?\.get|undici\.fetch|request)$")
READERS = pattern(
    r"^(?:fs|fs/promises|fs-extra|fsPromises|Deno|Bun)(?:\.promises)?\.(?:read\w*|createReadStream|file)$"
)
WRITERS = pattern(r"^(?:fs|fs/promises|fs-extra)(?:\.promises)?\.(?:write\w*|append\w*|createWriteStream|copyFile\w*)$")
RUNNERS = pattern(
    r"^(?:child_process|execa|shelljs|zx|cross-spawn)(?:\.\w+)?\.?(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|fork|command|\$)?$"
)
BARE_RUNNERS = frozenset("exec execSync spawn spawnSync execFile execFileSync".split())
"""Names that a fragment without its imports most likely takes from child_process."""

EVALUATORS = frozenset(
    "eval Function Function.constructor vm.runInThisContext vm.runInNewContext vm.runInContext vm.compileFunction "
    "vm.Script vm.SourceTextModule".split()
)
SECRETS = pattern(r"^document\.cookie$|^(?:window\.)?(?:local|session)Storage\b|^chrome\.cookies\b|^browser\.cookies\b")


def made_by(program: Program, node: Any) -> str:
    """Return the full name of what a call makes: a required module, or the call's own name."""
    function = node.child_by_field_name("function")
    if function is None:
        return ""
    name = program.dotted(function) if function.type != "import" else "import"
    if name in ("require", "import", "module.require", "process.binding", "process.mainModule.require"):
        arguments = node.child_by_field_name("arguments")
        first = arguments.named_children[0] if arguments is not None and arguments.named_child_count else None
        return program.value(first).text.removeprefix("node:") if first is not None else ""
    arguments = node.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_child_count else None
    if name.endswith("promisify") and first is not None:
        return program.dotted(first)
    if name == "Object.getPrototypeOf" and script_ways.is_function(first):
        return "Function"
    return name if "." in name else ""


def member(program: Program, node: Any) -> Value:
    """Return what a member gives: the environment, cookies, an item of a list of strings."""
    name = program.dotted(node)
    if name == "process.env" or name in ("Deno.env", "Bun.env", "import.meta.env"):
        return Value("", False, frozenset((ENVIRONMENT,)))
    if name.startswith("process.env."):
        return program.environment_item(name.rsplit(".", 1)[-1], node)
    if SECRETS.match(name):
        return Value("", False, frozenset((SECRET,)))
    owner = program.value(node.child_by_field_name("object"))
    index = node.child_by_field_name("index")
    if index is not None:
        key = reached(program, index)
        parts = owner.text.split("\n")
        at = whole_number(key.text)
        if at is not None and 1 < len(parts) > at:
            return owner.as_text(parts[at])
    read = script_ways.event_part(node, owner.origins)
    return Value(owner.text, owner.known, owner.origins | read, owner.urls, owner.odd)


def reached(program: Program, key: Any) -> Value:
    """Look at the name by which a member is reached, and return it."""
    if key.type == "computed_property_name" and key.named_child_count:
        key = key.named_children[0]
    elif key.type in ("property_identifier", "shorthand_property_identifier_pattern", "pair_pattern"):
        return UNKNOWN
    value = program.value(key)
    if (value.odd or DECODED in value.origins) and value.known and re.fullmatch(r"[A-Za-z_$][\w$]*", value.text):
        program.sign("HG634", STRONG, key, f"reaches {value.text[:40]!r} by a name put together from pieces")
    return value


def call(program: Program, node: Any) -> Value:
    """Look at one call: what it is, what goes in, what comes out."""
    function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    arguments = node.child_by_field_name("arguments")
    children = arguments.named_children if arguments is not None else []
    name = program.dotted(function) or _method(function)
    if function is not None and function.type == "import":
        name = "import"
    if name in BARE_RUNNERS and name not in program.functions:
        name = f"child_process.{name}"
    owner = UNKNOWN
    if function is not None and function.type in ("member_expression", "subscript_expression"):
        owner = program.value(function.child_by_field_name("object"))
        if function.type == "subscript_expression":
            member(program, function)
    if name.endswith(".then"):
        _handed_on(program, children, owner, name.removesuffix(".then"))
    if arguments is not None and arguments.type == "template_string" and name in ("Bun.$", "$", "zx.$"):
        program.found.add_inner(program.value(arguments).text, node.start_point[0] + 1, "shell")
    script_ways.before_call(program, name, function, children, owner)
    args = [program.value(child) for child in children]
    given = together(args) if args else UNKNOWN
    if function is not None and function.type in ("call_expression", "new_expression"):
        program.value(function)
    else:
        look(program, node, name, args, given)
    if name == "JSON.stringify" and children:
        return Value(script_objects.render(program, children[0]), False, given.origins, given.urls, given.odd)
    if (
        name.endswith((".map", ".replace", ".replaceAll", ".reduce"))
        and arguments is not None
        and b"from" in arguments.text
        and b"Code" in arguments.text
    ):
        return owner.as_text("", known=False).marked(DECODED)
    return _result(program, name, args, owner, given)


def _method(function: Any) -> str:
    """Return the name of a method of something that has no name itself, such as `.split` of a literal."""
    found = function.child_by_field_name("property") if function is not None else None
    return "." + str(found.text.decode("utf-8", "replace")) if found is not None else ""


def _handed_on(program: Program, functions: list[Any], value: Value, module: str) -> None:
    """Give a value, or a module, to the first parameter of functions that are called with it later."""
    for function in functions:
        if NETWORK in value.origins and program.dotted(function) in EVALUATORS:
            program.sign("HG632", STRONG, function, "runs code that it downloads")
        parameters = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
        first = parameters if parameters is None or parameters.type == "identifier" else parameters.named_children[:1]
        for target in first if isinstance(first, list) else [first]:
            if target is not None:
                program.bind(target.child_by_field_name("pattern") or target, value, module)


DARK = frozenset("spawn_sync process_wrap fs natives".split())
"""Parts of Node that only its own library uses."""


def _odd_ways(program: Program, node: Any, name: str, args: list[Value]) -> None:
    """Look at ways to the interpreter that only a disguise needs."""
    function = node.child_by_field_name("function")
    if function is not None and (
        function.text.endswith(b"constructor.constructor") or script_ways.is_disguised_maker(function)
    ):
        program.sign("HG634", STRONG, node, "climbs from a value to the constructor of functions")
    elif name == "process.binding" and args and args[0].text in DARK:
        program.sign("HG634", STRONG, node, f"reaches Node's own {args[0].text}")


def look(program: Program, node: Any, name: str, args: list[Value], given: Value) -> None:
    """Look at one call by its full name."""
    url = next((match.group() for match in [places.URL.search(given.text)] if match), "")
    if SENDERS.match(name):
        script_ways.called(program, node, name, given)
        program.fetches = program.fetches or (bool(url) and not places.LOCAL.match(url))
        if url:
            program.found.fact("host", places.host_of(url), node.start_point[0] + 1)
            posts = re.search(rb"[\"'](?:POST|PUT)[\"']", node.text[:600])
            if posts or re.search(r"\.(?:post|put|patch|sendBeacon)$", name):
                program.found.fact("sends", places.host_of(url), node.start_point[0] + 1)
        kinds = given.origins & LEAKS
        if kinds and not places.LOCAL.match(url):
            program.sign(
                "HG631", STRONG, node, f"sends {describe(kinds)} to {places.host_of(url) or 'another machine'}"
            )
        elif places.DROP_HOSTS.search(url) and len(args) > 1:
            program.sign("HG631", MEDIUM, node, f"posts data to {places.host_of(url)}, which anybody may read")
    if name.startswith(("child_process", "execa", "shelljs", "zx", "cross-spawn")) and RUNNERS.match(name) and args:
        _started(program, node, args, given)
    timed = name in ("setTimeout", "setInterval") and args
    if (
        name in EVALUATORS
        or name.endswith("._compile")
        or (timed and ((args[0].known and args[0].text) or NETWORK in args[0].origins))
    ):
        _evaluated(program, node, name, args)
    _odd_ways(program, node, name, args)
    if name in ("require", "import", "module.require", "process.mainModule.require") and args:
        script_ways.loaded(program, node, args[0])
    if WRITERS.match(name) and args:
        _written(program, node, args)


def _started(program: Program, node: Any, args: list[Value], given: Value) -> None:
    script_ways.started(program, node, args)
    arguments = node.child_by_field_name("arguments")
    options = arguments is not None and arguments.named_child_count > 1 and arguments.named_children[1].type == "object"
    text = " ".join(part.text.strip("\n").replace("\n", " ") for part in args[: 1 if options else 2])
    words = args[1].text.strip("\n").split("\n") if len(args) > 1 else []
    if args[0].text.rsplit("/", 1)[-1] in SHELLS and words[:1] == ["-c"] and len(words) > 1:
        text = "\n".join(words[1:])
    if args[0].origins & {NETWORK, DECODED}:
        program.sign("HG632", STRONG, node, "starts a command that is downloaded or decoded")
    if given.origins & LEAKS and re.match(r"\S*(?:curl|wget|nc|scp)\b", text):
        program.sign("HG631", STRONG, node, f"hands {describe(given.origins & LEAKS)} to {text.split()[0]}")
    if args[0].odd and RISKY_CONTENT.search(text):
        program.sign("HG634", STRONG, node, "starts a command that is put together from pieces")
    if text.strip():
        program.found.add_inner(text.strip(), node.start_point[0] + 1, "shell")
        program.found.fact("runs", text.split()[0][:60], node.start_point[0] + 1)


def _evaluated(program: Program, node: Any, name: str, args: list[Value]) -> None:
    source = args[-1] if name == "Function" and args else args[0] if args else UNKNOWN
    if NETWORK in source.origins:
        program.sign("HG632", STRONG, node, "runs code that it downloads")
    elif DECODED in source.origins:
        program.sign("HG633", STRONG, node, "decodes code and runs it")
    elif source.odd:
        program.sign("HG633", STRONG, node, "runs code that is put together from pieces")
    elif name in EVALUATORS:
        program.sign("HG633", WEAK, node, f"runs code with {name}")
        if args and not source.known:
            program.evaluated.append(node)
    if source.text.strip():
        layer = "decoded" if DECODED in source.origins else ""
        program.found.add_inner(source.text.strip(), node.start_point[0] + 1, "javascript", layer)


def _written(program: Program, node: Any, args: list[Value]) -> None:
    path, content = args[0].text, args[1].text if len(args) > 1 else ""
    program.found.fact("writes", path[:100], node.start_point[0] + 1)
    if path and NETWORK in args[-1].origins | args[min(1, len(args) - 1)].origins:
        program.downloaded.add(path)
    if script_objects.TRUST_OFF.search(content) and re.search(
        r"settings|config|tasks|\.vscode|\.claude|mcp", path, re.I
    ):
        program.sign("HG635", MEDIUM, node, "writes settings that let things run without a question")
    if (STEERING.search(path) or places.CONTROL.search(path)) and content.startswith(("{", "[")):
        program.found.add_inner(content, node.start_point[0] + 1, "json")
    if re.search(r"authorized_keys|/etc/(?:sudoers|ld\.so|cron)", path):
        program.sign("HG635", STRONG, node, "lets another key or job in")
    elif places.STARTUP.search(path):
        program.sign("HG635", MEDIUM, node, "writes to a place that is run later")
    elif STEERING.search(path) or places.CONTROL.search(path):
        own = re.match(r"~|/root|/home|/Users", path) or "homedir" in path
        program.sign(
            "HG635", STRONG if own or TRUSTING.search(content) else WEAK, node, "writes instructions of an agent"
        )


def assigned(program: Program, target: Any, value: Value) -> None:
    """Look at an assignment that loads something: an address that carries data, or a script."""
    text = target.text.decode("utf-8", "replace")
    if re.search(r"\.(?:src|href|action|location)$", text) and value.origins & LEAKS and "://" in value.text:
        program.sign("HG631", STRONG, target, f"puts {describe(value.origins & LEAKS)} into an address that is loaded")


def _result(program: Program, name: str, args: list[Value], owner: Value, given: Value) -> Value:
    """Return what a call gives."""
    last = name.rsplit(".", 1)[-1]
    first = args[0] if args else UNKNOWN
    if (browsed := script_ways.result(program, name, args, given)) is not None:
        return browsed
    if last in program.functions and name in (last, f"this.{last}"):
        return program.invoke(last, args)
    if READERS.match(name):
        return Value("", False, first.origins | file_origins(first.text), first.urls)
    if FETCHERS.match(name):
        url = places.URL.search(first.text)
        return Value("", False, frozenset((NETWORK,)), (url.group(),) if url else first.urls)
    if name.endswith("clipboard.readText"):
        return Value("", False, frozenset((PRIVATE,)))
    if name in ("os.homedir", "homedir"):
        return Value("~")
    if name in ("path.join", "path.resolve"):
        return together(args).as_text("/".join(arg.text for arg in args), known=all(arg.known for arg in args))
    folded = _decoded(name, last, args, owner)
    if folded is not None:
        return folded
    total = together([owner, *args]) if args or owner.origins else owner
    text = owner.text if last in ("toString", "trim", "text", "json", "then", "valueOf") else ""
    return Value(text, owner.known and bool(text), total.origins | given.origins, total.urls, owner.odd)


def _decoded(name: str, last: str, args: list[Value], owner: Value) -> Value | None:
    """Return the text that a decoding call gives."""
    first = args[0] if args else UNKNOWN
    if name in ("atob", "window.atob") or (
        name == "Buffer.from" and len(args) > 1 and args[1].text in ("base64", "base64url")
    ):
        return _found(first, decode.from_base64(first.text))
    if name == "Buffer.from" and len(args) > 1 and args[1].text == "hex":
        return _found(first, decode.from_hex(first.text))
    if name.endswith(("fromCharCode", "fromCodePoint")):
        codes = [code for arg in args for code in map(whole_number, arg.text.split()) if code is not None]
        text = "".join(chr(code) for code in codes if code < 0x10000)
        return Value(text, bool(codes), frozenset((DECODED,)) | together(args).origins, odd=True)
    if name in ("decodeURIComponent", "unescape", "decodeURI"):
        text = unquote(first.text)
        return first.as_text(text, known=first.known).marked(*((DECODED,) if text != first.text else ()))
    if last == "reverse":
        turned = "\n".join(reversed(owner.text.strip("\n").split("\n")))
        return owner.as_text(turned, known=owner.known).marked(DECODED)
    if last == "split":
        return owner.as_text(
            "\n".join(owner.text) if first.text == "" and first.known else owner.text, known=owner.known
        )
    if last == "join":
        return _joined(owner, first.text if args else ",")
    if last == "replace" and len(args) > 1:
        return owner
    return None


def _joined(owner: Value, between: str) -> Value:
    """Return the items of a list joined; pieces without anything between them were taken apart to hide something."""
    text = owner.text.removesuffix("\n")
    pieces = between == "" and "\n" in text and owner.known
    joined = text.replace("\n", between)
    return Value(joined, owner.known, owner.origins, owner.urls, owner.odd or pieces)


def _found(source: Value, data: bytes | None) -> Value:
    text = data.decode("utf-8", "replace") if data else ""
    return Value(text, bool(text), source.origins | {DECODED}, source.urls, odd=True)
