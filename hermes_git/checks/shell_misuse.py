"""Shell commands that are ordinary by name and not by their arguments: rows by command, and addresses of strangers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hermes_git.checks.shell_call import Call
from hermes_git.checks.shell_commands import DATA_OPTIONS, DOWNLOADERS, EVERYTHING, ROOT
from hermes_git.checks.shell_network import is_announced, is_index
from hermes_git.checks.shell_table import MINES, MINING, ROWS
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import LEAKS, NETWORK, SECRET, Value, describe
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.shell_flow import Program

TRUST_STORES = pattern(r"/(?:ca-certificates|anchors|pki|trust-source)(?:/|$)")
ADDS_TRUST = pattern(
    r"^(?:security add-trusted-cert|update-ca-certificates|update-ca-trust|trust anchor|keytool .*-import|"
    r"certutil .*-A\b)"
)
BROWSERS = frozenset(
    "open xdg-open start sensible-browser wslview gio firefox google-chrome chromium chrome safari w3m lynx".split()
)
PACKAGE_TOOLS = frozenset("pip pip3 npm pnpm yarn bun uv go gem bundle poetry".split())
WHOLE_HOME = pattern(
    r"^(?:~|/root|/home/[\w$]+|/Users/[\w$]+)(?:/?|/\*|/(?:Documents|Desktop|Downloads|Pictures|Library)(?:/\*?)?)$|^/$"
)
INLINE_REMOTE = pattern(r"^:(?!local\b|memory\b|alias\b)[a-z]\w{1,20}[,:]")
PUBLIC_ADDRESS = pattern(
    r"(?<![\w.-])(?!(?:0|10|127|22[4-9]|2[3-5]\d)\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|1\.1\.1\.1\b|"
    r"1\.0\.0\.1\b|8\.8\.[48]\.[48]\b|9\.9\.9\.9\b)(?:\d{1,3}\.){3}\d{1,3}(?![\w.-])"
)
"""A numeric address that is reached through the internet."""

NOT_SET = pattern(r"(?:^|[\s\"'])\$\{?([A-Za-z_]\w{0,60})\}?[\"']?/\*?(?=$|[\s\"'])")
"""A name of the environment in front of a slash: where it is empty, the root is meant."""

UNCHECKED = pattern(r"StrictHostKeyChecking[= ]no")
REPOSITORY = pattern(r"^(?:bundle create|archive|format-patch|fast-export|diff|log -p)\b")


def called(program: Program, call: Call, full: str) -> None:
    """Look at one command; `full` is its text in one line."""
    for shape, check, weight, message in ROWS.get(call.name, ()):
        if shape.search(full):
            program.found.sign(check, weight, call.line, message)
            break
    if " -" in full and MINING.search(full):
        program.found.sign("HG627", STRONG, call.line, MINES)
    _stands_out(program, call, full)
    if ADDS_TRUST.match(full):
        _trusted(program, call)
    elif call.name in ("tar", "bsdtar", "unzip", "7z"):
        _unpacked(program, call)
    elif call.name in ("rm", "shred", "unlink"):
        _removed(program, call, full)
    elif call.name in BROWSERS and call.urls:
        _opened(program, call)
    elif call.name in DOWNLOADERS and any(PUBLIC_ADDRESS.fullmatch(places.host_of(url)) for url in call.urls):
        if call.option(DATA_OPTIONS):
            program.found.sign("HG621", MEDIUM, call.line, "posts data to a bare address")
    elif call.name in PACKAGE_TOOLS and is_index(call):
        for url in call.urls:
            index(program, url, call.line)
    elif call.name in ("rsync", "rclone", "scp", "aws", "gsutil"):
        _home(program, call)
    elif call.name in ("ssh", "nc", "ncat") and call.stdin.origins & {SOURCES} and _is_bare(call):
        _piped(program, call, full)
    elif call.name in ("kubectl", "oc") and set(call.texts[:3]) & {"run", "exec"} and SECRET in call.stdin.origins:
        program.found.sign("HG621", MEDIUM, call.line, "hands credentials to a container")


LOCKS = pattern(
    r"^(?:gpg2? .*(?:-c\b|--symmetric|-e\b)|openssl enc\b(?!.* -d\b)|age (?!-d)|7z a .*-p|zip .*-(?:P|e)\b)"
)
CERTIFICATES = pattern(r"^\.?/?(?:assets|certs?|resources|scripts|files|data)/|\$\(dirname|\$\{?(?:SKILL|HERE|DIR)")
DOWNLOAD_RUN = pattern(r"\b(?:curl|wget)\s[^\n\"'`|]{4,300}\|\s{0,9}(?:sudo\s{1,9})?(?:ba|z|da)?sh\b")


def _stands_out(program: Program, call: Call, full: str) -> None:
    """Look at pairs of a command and its input or its place that only a few commands make."""
    if call.name in ("gpg", "gpg2", "openssl", "age", "7z", "zip") and LOCKS.match(full):
        program.locked.update(text.strip() for text in call.texts if "*" in text)
    elif call.name == "visudo" and re.search(r"NOPASSWD|!authenticate", call.stdin.text):
        program.found.sign("HG629", STRONG, call.line, "changes who may do what")
    elif call.name in ("cp", "install", "mv") and call.args and TRUST_STORES.search(call.texts[-1]):
        if any(CERTIFICATES.search(text) for text in call.texts[:-1]):
            program.found.sign("HG628", MEDIUM, call.line, "has the machine trust a certificate that it brings")
    elif call.name in AGENTS and "cron" in call.texts[:2]:
        for text in call.texts:
            if DOWNLOAD_RUN.search(text):
                program.found.sign("HG626", STRONG, call.line, "leaves an order to run downloads again and again")
    elif call.name == "gem" and set(call.texts) & {"--add", "-a"} and "sources" in call.texts[:1]:
        for url in call.urls:
            index(program, url, call.line)
    elif call.name == "go" and "-w" in call.texts[:2]:
        for match in re.finditer(r"\bGOPROXY=(https?://[^\s,]+)", full):
            index(program, match.group(1), call.line)


AGENTS = frozenset("hermes openclaw claude codex gemini".split())
SOURCES = "sources"
"""Origin of the content of a repository, or of a folder that is packed."""


def is_packed(name: str, texts: list[str]) -> frozenset[str]:
    """Return the origin of what packs a repository or a folder to its output."""
    if name == "find" and texts and EVERYTHING.match(texts[0]):
        return frozenset((ROOT,))
    packs = (name == "git" and REPOSITORY.match(" ".join(texts))) or (
        name in ("tar", "bsdtar", "zip") and texts and "c" in texts[0].lstrip("-")[:6]
    )
    return frozenset((SOURCES,)) if packs else frozenset()


def _is_bare(call: Call) -> bool:
    return any(PUBLIC_ADDRESS.search(text) for text in call.texts)


def _piped(program: Program, call: Call, full: str) -> None:
    weight = MEDIUM if UNCHECKED.search(full) or call.name != "ssh" else WEAK
    program.found.sign("HG621", weight, call.line, "sends packed files to a bare address")


def _trusted(program: Program, call: Call) -> None:
    """Look at a certificate that the machine is made to trust: one that has just been downloaded is a stranger's."""
    given = [program.read(arg) for arg in call.args if not arg.text.startswith("-")]
    given += [value for path, value in program.files.items() if TRUST_STORES.search(path)]
    fetched = [value for value in given if NETWORK in value.origins]
    brought = any(CERTIFICATES.search(text) for text in call.texts)
    own = fetched and all(is_announced(url, program.found.topic) for value in fetched for url in value.urls)
    weight = MEDIUM if (fetched and not own) or brought else WEAK
    program.found.sign("HG628", weight, call.line, "has the machine trust another certificate")


def _opened(program: Program, call: Call) -> None:
    kinds = call.origins & LEAKS
    if kinds:
        host = places.host_of(call.urls[0])
        program.found.sign(
            "HG621", STRONG, call.line, f"puts {describe(kinds)} into an address of {host} that it opens"
        )


def _home(program: Program, call: Call) -> None:
    """Look at a copy of a whole home to a place that is named by no more than a number or an inline remote."""
    plain = [text for text in call.texts if not text.startswith("-")]
    if made := CREATED.match(call.full):
        program.remotes.add(made.group(1))
    if any(WHOLE_HOME.match(text) for text in plain):
        remote = [text for text in plain if _is_stranger(program, call, text)]
        if remote:
            program.found.sign("HG621", MEDIUM, call.line, f"copies a whole home to {remote[0][:60]}")


PLACEHOLDER = pattern(r"example|your|my-?|<|\{|\$|\bhost\b|server|remote|backup|nas\b|\.local\b|\.lan\b", re.I)
CREATED = pattern(r"^rclone config create (\S+)")


def _is_stranger(program: Program, call: Call, text: str) -> bool:
    """Say whether a target of a copy is a machine that nobody has spoken of."""
    if INLINE_REMOTE.match(text) or (":" in text and PUBLIC_ADDRESS.search(text)):
        return True
    if call.name == "rclone":
        named = ":" in text and not text.startswith(("~", "/", "."))
        return named and (text.partition(":")[0] in program.remotes or "--config" in call.texts)
    host = re.match(r"^(?:rsync://)?(?:[\w.-]+@)?((?:[\w-]+\.)+[a-z]{2,12})(?:[:/]|$)", text)
    return host is not None and call.name in ("rsync", "scp") and not PLACEHOLDER.search(text)


def _unpacked(program: Program, call: Call) -> None:
    """Note the folder into which a download is unpacked."""
    folder = call.option(frozenset(("-C", "--directory", "-d")))
    packed = [program.read(arg) for arg in call.args if not arg.text.startswith("-")]
    for value in (call.stdin, *packed):
        if NETWORK in value.origins and folder and len(folder[0].text.strip("./~")) > 1:
            program.unpacked[folder[0].text.rstrip("/") + "/"] = value


def unpacked(program: Program, path: str) -> Value | None:
    """Return the download that a program was unpacked from, or None."""
    for folder, value in program.unpacked.items():
        if path.startswith(folder):
            return value
    return None


def _removed(program: Program, call: Call, full: str) -> None:
    """Look at a removal below a name that a script takes from nowhere."""
    if program.folder in ("/", "~", "~/") and re.search(r"^rm -\w*r\w* (?:-\w+ )*(?:\./)?\*$", full):
        program.found.sign("HG627", STRONG, call.line, "deletes a home or system folder")
    if any("*" in text and text.strip() in program.locked for text in call.texts):
        program.found.sign("HG627", STRONG, call.line, "locks the person's files and deletes them")
    piece = program.found.piece
    if "$" not in full or "r" not in full[:12].lower():
        return
    name = NOT_SET.search(full)
    if name and piece.line == 1 and not piece.before and not piece.layers:
        given = re.search(
            rf"\b{name.group(1)}=|\b(?:read|for|local|declare)\b[^\n]{{0,60}}\b{name.group(1)}\b", piece.text
        )
        if given is None:
            message = f"deletes everything if {name.group(1)[:40]} is not set"
            program.found.sign("HG627", MEDIUM, call.line, message)


INDEX_NAMES = pattern(
    r"^(?:export )?(?:PIP_(?:EXTRA_)?INDEX_URL|UV_(?:DEFAULT_|EXTRA_)?INDEX(?:_URL)?|NPM_CONFIG_REGISTRY|"
    r"npm_config_registry|YARN_REGISTRY|YARN_NPM_REGISTRY_SERVER|GOPROXY|RUBYGEMS_HOST|BUNDLE_MIRROR\w*)$"
)
MIRRORS = pattern(
    r"//(?:[\w-]+\.)*(?:pypi\.org|npmjs\.(?:org|com)|pythonhosted\.org|pytorch\.org|nvidia\.com|yarnpkg\.com|"
    r"npmmirror\.com|taobao\.org|tsinghua\.edu\.cn|aliyun\.com|ustc\.edu\.cn|tencent\.com|huaweicloud\.com|douban\.com|"
    r"pkg\.github\.com|gitlab\.com|pkg\.dev|jfrog\.io|amazonaws\.com|azure\.com|visualstudio\.com|golang\.org|"
    r"goproxy\.(?:io|cn)|rubygems\.org|anaconda\.org|astral\.sh|internal|corp|company|local|lan)(?=[:/]|$)|[<{$]",
    re.I,
)


def index(program: Program, url: str, line: int) -> None:
    """Judge a place that packages are taken from, from now on."""
    if MIRRORS.search(url) or places.LOCAL.match(url):
        return
    known = is_announced(url, program.found.topic) and not places.RAW_IP.match(url)
    message = f"takes all packages from {places.host_of(url)} from now on"
    program.found.sign("HG622", WEAK if known else MEDIUM, line, message)
