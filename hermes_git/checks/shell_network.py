"""Shell commands that speak to the network: downloads that are run, and data that leaves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hermes_git.checks.shell_call import Call
from hermes_git.checks.shell_commands import (
    ACCOUNT,
    COPIERS,
    DATA_OPTIONS,
    DOWNLOADERS,
    LOOKUPS,
    MAILERS,
    OUTPUT_OPTIONS,
    RAW_SENDERS,
    UPLOAD_OPTIONS,
)
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import KEY, LEAKS, LISTING, NETWORK, Value, describe, join
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.shell_flow import Program

FORGES = pattern(
    r"(?:^|[/@.])(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|huggingface\.co|sr\.ht|gitee\.com|"
    r"googlesource\.com|kernel\.org|gnu\.org|apache\.org|savannah\.gnu\.org|dev\.azure\.com)\b",
    re.I,
)
METADATA = pattern(r"169\.254\.169\.254|a9fe:a9fe|metadata\.google\.internal|100\.100\.100\.200")

HEADER_OPTIONS = frozenset("-H --header -b --cookie -A --user-agent -e --referer".split())
LOGS_IN = pattern(r"^(?:authorization|proxy-authorization|[\w-]{0,30}(?:token|api-?key|auth))\s*:", re.I)

NAMED_FILE = pattern(r"(?i)^(?:FILE|OPEN|GOPEN|CREATE):")
BATCH_PUT = pattern(r"(?:^|[\n;])\s{0,9}m?put\s{1,9}(?:-\w\s{1,9})?(\S{1,300})")
INLINE_FILE = pattern(r"^(?:[\w.-]{1,60}=)?[@<](.+)$")


def called(program: Program, call: Call) -> None:
    """Look at one command for what it fetches and what it sends."""
    name = call.name
    for url in call.urls:
        program.found.fact("host", places.host_of(url), call.line)
    if name in DOWNLOADERS:
        _downloader(program, call)
    elif name in RAW_SENDERS:
        _raw(program, call)
    elif (
        name in COPIERS or (name == "aws" and "s3" in call.texts) or (name in ("gh", "az", "gcloud") and _uploads(call))
    ):
        _copied(program, call)
    elif name in LOOKUPS:
        _lookup(program, call)
    elif name in MAILERS:
        _leak(program, call, join([call.stdin, *call.args]), "by mail")
    elif name == "git":
        _git(program, call)
    elif name in ("pip", "pip3", "npm", "npx", "uv", "uvx", "pnpm", "yarn", "bunx", "gem", "cargo", "brew", "go"):
        _package(program, call)


def _uploads(call: Call) -> bool:
    words = set(call.texts)
    return bool(words & {"gist", "upload", "upload-batch", "cp", "release"})


def _leak(program: Program, call: Call, value: Value, way: str) -> bool:
    """Report origins that must not leave; return whether there were any."""
    kinds = value.origins & LEAKS
    if not kinds:
        return False
    target = next((url for url in call.urls if not places.LOCAL.match(url)), "")
    if call.urls and not target and call.name in DOWNLOADERS and not _is_test_port(call.urls):
        return False
    host = places.host_of(target) or "another machine"
    program.found.sign("HG621", STRONG, call.line, f"sends {describe(kinds)} to {host} {way}")
    return True


def _is_test_port(urls: list[str]) -> bool:
    """Say whether a loopback address is still suspect: secrets posted to a port of this machine go to some program."""
    return any(re.match(r"https?://(?:127\.|localhost)", url) for url in urls)


def _downloader(program: Program, call: Call) -> None:
    data = call.option(DATA_OPTIONS)
    sent = [program.read(value) for value in call.option(UPLOAD_OPTIONS)]
    for value in data:
        inline = INLINE_FILE.match(value.text)
        sent.append(_file(program, call, inline.group(1)) if inline else value)
        sent.append(value)
    if any(value.text in ("-", "@-", ".") or value.text.endswith(("=@-", "=<-")) for value in data):
        sent.append(call.stdin)
    addresses = [arg for arg in call.args if places.URL.search(arg.text) or arg.text.count(".") > 1]
    sent += [arg for arg in addresses if arg.origins & LEAKS]
    sent += _headers(call)
    leaked = _leak(program, call, join(sent), "with " + call.name)
    if any(METADATA.search(text) for text in call.texts):
        program.found.sign("HG621", MEDIUM, call.line, "asks the cloud for the credentials of this machine")
    for url in call.urls if data or any(value.text in ("POST", "PUT") for value in call.args) else ():
        program.found.fact("sends", places.host_of(url), call.line)
    for value in data:
        name = INLINE_FILE.match(value.text)
        if name and name.group(1) != "-":
            program.found.fact("uploads", name.group(1).split(";")[0][:100], call.line)
    for value in call.option(UPLOAD_OPTIONS):
        program.found.fact("uploads", value.text[:100], call.line)
    if any(ACCOUNT in value.origins for value in (*data, *addresses)) and _is_elsewhere(program, call):
        program.found.sign("HG621", MEDIUM, call.line, "sends a credential of the account to another service")
    if not leaked:
        _odd_send(program, call, sent, addresses, data)
    _remember_output(program, call)


SERVICES = pattern(
    r"(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|googleapis\.com|google\.com|azure\.com|microsoft\.com|amazonaws\.com)$"
)


def _is_elsewhere(program: Program, call: Call) -> bool:
    url = call.urls[0] if call.urls else ""
    return _is_foreign(program, url) and not SERVICES.search(places.host_of(url))


def _headers(call: Call) -> list[Value]:
    """Return headers and cookies that carry data; one that logs in carries the key it is meant to carry."""
    given = call.option(HEADER_OPTIONS)
    return [value for value in given if value.origins & LEAKS and not LOGS_IN.search(value.text)]


def _file(program: Program, call: Call, name: str) -> Value:
    return call.stdin if name == "-" else program.read(Value(name.split(";", maxsplit=1)[0]))


def _is_foreign(program: Program, url: str) -> bool:
    return bool(url) and not places.LOCAL.match(url) and not is_announced(url, program.found.topic)


def _odd_send(program: Program, call: Call, sent: list[Value], addresses: list[Value], data: list[Value]) -> None:
    """Report lesser data that goes to a place where anybody can receive it, and a key put into an address."""
    url = call.urls[0] if call.urls else ""
    if sent and places.DROP_HOSTS.search(url):
        program.found.sign("HG621", MEDIUM, call.line, f"posts data to {places.host_of(url)}, which anybody may read")
    elif (
        sent
        and _is_foreign(program, url)
        and (
            any(value.text.startswith(("@", "-")) or "=@" in value.text for value in data)
            or call.option(UPLOAD_OPTIONS)
        )
    ):
        program.found.sign(
            "HG621", MEDIUM, call.line, f"uploads a file to {places.host_of(url)}, which the text is not about"
        )
    elif any(value.origins & {LISTING} for value in [*sent, *addresses]) and sent and not places.LOCAL.match(url):
        program.found.sign("HG621", MEDIUM, call.line, "sends facts about the machine or its files")
    if any(KEY in arg.origins for arg in addresses) and (places.RAW_IP.match(url) or url.startswith("http://")):
        program.found.sign("HG621", MEDIUM, call.line, "puts a key into an unencrypted address")


def _remember_output(program: Program, call: Call) -> None:
    """Note the file that a download is written to."""
    url = call.urls[0] if call.urls else ""
    options = OUTPUT_OPTIONS - {"-O"} if call.name == "curl" else OUTPUT_OPTIONS
    names = [value.text for value in call.option(options) if value.text != "-"]
    remote = call.name == "wget" or any(
        re.fullmatch(r"-[a-zA-Z]*O[a-zA-Z]*|--remote-name", text) for text in call.texts
    )
    if not names and url and remote and call.name in ("wget", "curl"):
        names = [re.split(r"[?#]", url.rstrip("/"))[0].rsplit("/", 1)[-1]]
    for name in names:
        program.files[name] = Value("", False, frozenset((NETWORK,)), (url,))


def download_run(program: Program, value: Value, call: Call) -> None:
    """Judge a download that is run: by where it comes from."""
    url = value.urls[0] if value.urls else ""
    host = places.host_of(url)
    if not url and any(text in ("...", "…", "URL", "<url>") for text in [*call.texts, *value.urls, value.text]):
        return
    program.found.fact("runs-download", host or "an address", call.line)
    if url and places.INSTALLERS.match(url):
        program.found.sign("HG622", WEAK, call.line, f"runs the published installer of {host}")
    elif places.LOCAL.match(url):
        program.found.sign("HG622", WEAK, call.line, "runs what a program of this machine serves")
    elif is_announced(url, program.found.topic):
        program.found.sign("HG622", WEAK, call.line, f"runs an installer from {host}, which the text is about")
    else:
        program.found.sign("HG622", MEDIUM, call.line, f"runs what it downloads from {host or 'the network'} unseen")


GENERIC = frozenset(
    "example test demo my your domain server host site web cloud online com org net io dev app sh ai co www "
    "get install raw api cdn download downloads dl main master script scripts latest "
    "releases release github githubusercontent gitlab refs heads bin linux macos setup install.sh https http "
    "storage".split()
)


def is_announced(url: str, topic: frozenset[str]) -> bool:
    """Say whether a text names the project that an HTTPS address belongs to, so that it is no surprise there."""
    host = places.host_of(url)
    if not url.startswith("https://") or places.RAW_IP.match(url) or places.DROP_HOSTS.search(url):
        return False
    if host in ("example.com", "example.org", "example.net"):
        return True
    labels = host.split(".")
    if labels[-1] in ("example", "invalid", "test", "zip", "mov", "tk", "top", "xyz", "ru", "cn"):
        return False
    forge = FORGES.search(host) or "githubusercontent" in host
    names = re.split(r"[/?#]", url.split("//", 1)[-1])[1:3] if forge else labels[-2:-1]
    plain = [name.lower().replace("_", "-") for name in names if len(name) > 1]
    joined = {word.replace("-", "") for word in topic}
    return any(
        name in topic or name.replace("-", "") in joined or any(word.startswith(f"{name}-") for word in topic)
        for name in plain
        if name not in GENERIC
    )


def _raw(program: Program, call: Call) -> None:
    texts = call.texts
    shell = any(
        text in ("-e", "-c", "--exec", "--sh-exec") or "exec:" in text.lower() or "pty" in text for text in texts
    )
    listens = any(re.fullmatch(r"-[a-zA-Z]*l[a-zA-Z]*", text) for text in texts)
    if call.name != "openssl" and shell and any("sh" in text for text in texts):
        program.found.sign("HG624", STRONG, call.line, "connects a shell to the network")
    elif call.name == "openssl" and "s_client" not in texts:
        return
    elif not listens:
        named = [NAMED_FILE.sub("", text) for text in texts if NAMED_FILE.match(text)]
        files = [program.read(Value(name.split(",")[0])) for name in named]
        _leak(program, call, join([call.stdin, *call.args, *files]), f"with {call.name}")


def _copied(program: Program, call: Call) -> None:
    """Look at copies to another machine: their sources stand first."""
    sources = [program.read(arg) for arg in call.args if not arg.text.startswith("-")]
    sources += [program.read(Value(name)) for name in BATCH_PUT.findall(call.stdin.text)]
    remote = bool(BATCH_PUT.search(call.stdin.text)) or any(
        re.search(r"^[\w.-]+@?[\w.-]*:|^\w+://|^s3:|^:(?!local\b|memory\b)\w+[,:]", arg.text) for arg in call.args
    )
    if call.name in ("gh", "croc", "magic-wormhole", "wormhole") or remote:
        _leak(program, call, join([call.stdin, *sources]), f"with {call.name}")


def _lookup(program: Program, call: Call) -> None:
    """Look at name lookups whose name carries data."""
    kinds = call.origins & LEAKS
    if kinds:
        program.found.sign("HG621", STRONG, call.line, f"sends {describe(kinds)} inside host names")


def _git(program: Program, call: Call) -> None:
    texts = call.texts
    where = f"{program.folder}/ {' '.join(texts)}"
    if "push" in texts and places.STRONG.search(where):
        program.found.sign("HG621", STRONG, call.line, "pushes a credential folder to a repository")
    if "clone" in texts and call.urls:
        url = call.urls[0]
        folder = re.sub(r"\.git$", "", url.rstrip("/")).rsplit("/", 1)[-1]
        program.files[folder] = Value("", False, frozenset((NETWORK,)), (url,))
        if not FORGES.search(places.host_of(url)) and not places.LOCAL.match(url):
            program.found.sign("HG622", MEDIUM, call.line, f"clones code from {places.host_of(url)}, no known forge")
    if "--no-verify" in texts and "commit" in texts:
        program.found.sign("HG628", WEAK, call.line, "commits past the hooks with --no-verify")


def _package(program: Program, call: Call) -> None:
    """Look at packages from elsewhere than the registry."""
    program.found.fact("installs", " ".join([call.name, *call.texts])[:100], call.line)
    if is_index(call):
        return
    runs = call.name in ("npx", "uvx", "bunx", "pipx")
    if not runs and not set(call.texts) & {"install", "add", "i", "-g", "exec", "run", "tool"}:
        return
    for url in call.urls:
        known = FORGES.search(places.host_of(url)) or places.LOCAL.match(url) or _is_registry(url)
        if not known and (
            url.startswith("http://")
            or places.RAW_IP.match(url)
            or url.endswith((".tgz", ".zip", ".tar.gz"))
            or any(text.startswith("git+") for text in call.texts)
        ):
            program.found.sign("HG622", MEDIUM, call.line, f"installs a package from {places.host_of(url)}")


def is_index(call: Call) -> bool:
    """Say whether a package tool is told to take packages from elsewhere from now on."""
    return "set" in call.texts and any(re.search(r"(?i)index-url|registry", text) for text in call.texts)


def _is_registry(url: str) -> bool:
    return bool(
        re.search(r"//(?:[\w-]+\.)*(?:pypi\.org|npmjs\.(?:org|com)|pythonhosted\.org|pytorch\.org|nvidia\.com)", url)
    )
