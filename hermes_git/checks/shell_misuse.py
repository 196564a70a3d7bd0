"""Shell commands that are ordinary by name and not by their arguments: rows by command, and addresses of strangers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hermes_git.checks.shell_call import Call
from hermes_git.checks.shell_commands import DATA_OPTIONS, DOWNLOADERS
from hermes_git.checks.shell_network import is_announced, is_index
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import LEAKS, NETWORK, SECRET, Value, describe
from hermes_git.patterns import places
from hermes_git.patterns.lazy import Pattern, pattern

if TYPE_CHECKING:
    from hermes_git.checks.shell_flow import Program

Row = tuple[Pattern, str, int, str]

HOOK_CONTENT = pattern(r"(?:^|/)hooks/(?:pre|post|commit|prepare|update|applypatch|push)[\w-]{0,30}$")
"""A hook of git, wherever a template or another folder of hooks keeps it."""

GIT = (
    (
        pattern(r"\bconfig\b.*--(?:global|system)\b.* init\.templateDir (?:~|/|\$)"),
        "HG628",
        MEDIUM,
        "has every new repository start with the hooks of a template",
    ),
    (
        pattern(r"\bconfig\b.* credential\.helper !.*(?:>>|\btee\b|\bcurl\b|\bwget\b|\bnc\b)"),
        "HG626",
        STRONG,
        "has git hand passwords to a program of its own",
    ),
    (
        pattern(r"\bconfig\b.* url\.\S+\.insteadOf "),
        "HG628",
        WEAK,
        "has git fetch from another place than is written",
    ),
    (pattern(r"\bconfig\b.* http\.(?:\S+\.)?sslVerify (?:false|0)"), "HG628", WEAK, "has git trust any certificate"),
)
SSH = (
    (
        pattern(r" -\S*R\s?(?:[\w.*]*:)?\d+:[\w.-]+:(?:22|3389|5900|2375|6443)\b"),
        "HG624",
        MEDIUM,
        "hands a way into this machine to another one",
    ),
)
MINING = (
    (
        pattern(r"stratum\d?\+\w{2,4}://|--donate-level|--cpu-max-threads-hint|--randomx"),
        "HG627",
        STRONG,
        "uses the machine to mine coins",
    ),
)
ROWS: dict[str, tuple[Row, ...]] = {
    "git": GIT,
    "ssh": SSH,
    "autossh": SSH,
    "kubectl": (
        (
            pattern(r"\bcreate clusterrolebinding\b.*=cluster-admin\b.*--user=[\w.+-]+@[\w.-]+"),
            "HG629",
            MEDIUM,
            "gives the whole cluster to an account",
        ),
    ),
    "read": (
        (
            pattern(r"(?i)^read (?=.*-\w*s).*(?:\[sudo\]|\b(?:sudo|login) password|\bpassword for \$\{?USER|keychain)"),
            "HG629",
            MEDIUM,
            "asks for the password of the account in the system's name",
        ),
    ),
    "exec": (
        (
            pattern(r"^exec -\w*a (?:\[|sshd|systemd|launchd|kworker|cron|dbus)"),
            "HG625",
            STRONG,
            "runs a program under the name of another",
        ),
    ),
    "minerd": ((pattern(r""), "HG627", STRONG, "uses the machine to mine coins"),),
    "xmrig": ((pattern(r""), "HG627", STRONG, "uses the machine to mine coins"),),
}
"""Command → shapes of the whole command, each with its check, weight and message."""

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
    for shape, check, weight, message in (*ROWS.get(call.name, ()), *(MINING if "--" in full or "+" in full else ())):
        if shape.search(full):
            program.found.sign(check, weight, call.line, message)
    if ADDS_TRUST.match(full):
        _trusted(program, call)
    elif call.name in ("tar", "bsdtar", "unzip", "7z"):
        _unpacked(program, call)
    elif call.name == "rm" and "r" in full[:12].lower() and "$" in full:
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


SOURCES = "sources"
"""Origin of the content of a repository, or of a folder that is packed."""


def is_packed(name: str, texts: list[str]) -> frozenset[str]:
    """Return the origin of what packs a repository or a folder to its output."""
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
    own = fetched and all(is_announced(url, program.found.topic) for value in fetched for url in value.urls)
    weight = MEDIUM if fetched and not own else WEAK
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
    if any(WHOLE_HOME.match(text) for text in plain):
        remote = [text for text in plain if INLINE_REMOTE.match(text) or (":" in text and PUBLIC_ADDRESS.search(text))]
        if remote:
            program.found.sign("HG621", MEDIUM, call.line, f"copies a whole home to {remote[0][:60]}")


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
    piece = program.found.piece
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
INDEX_FILES = pattern(
    r"(?:^|/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|pip\.ini|\.pip/\S+|uv\.toml|\.bunfig\.toml|\.gemrc)$"
)
INDEX_LINE = pattern(
    r"(?m)^\s{0,9}(?:registry|index-url|extra-index-url|npmRegistryServer|index|PIP_INDEX_URL)\s{0,9}[=:]\s{0,9}"
    r"[\"']?(https?://[^\s\"']{4,200})"
)
EXPORTED_INDEX = pattern(r"\b([A-Za-z_]{4,40})=[\"']?(https?://[^\s\"']{4,200})")
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


def written(program: Program, path: str, value: Value, line: int) -> None:
    """Look at text that is written: hooks of git, settings of package tools, commands in the place of others."""
    if HOOK_CONTENT.search(path) and value.text and not places.STARTUP.search(path):
        program.found.add_inner(value.text, line, "shell")
    elif INDEX_FILES.search(path):
        for match in INDEX_LINE.finditer(value.text):
            index(program, match.group(1), line)
    elif places.STARTUP.search(path) and value.text:
        for match in EXPORTED_INDEX.finditer(value.text):
            if INDEX_NAMES.match(match.group(1)):
                index(program, match.group(2), line)
        _login_file(program, value.text, line)


STANDS_BEFORE = pattern(
    r"(?m)^\s{0,9}(?:function\s{1,4})?(?:sudo|su|doas|ssh|passwd|login|gpg|git|pass|op|aws|kubectl|docker|npm)\s{0,3}\(\)\s{0,4}\{"
)
TAKES = pattern(r"\bread\s[^\n;]{0,40}-\w{0,4}s|>>|\btee -a\b|\bcurl\b|\bwget\b|\bnc\b")
OTHER_PROGRAM = pattern(
    r"\balias\s{1,4}(?:sudo|su|doas|ssh|gpg|passwd|git|aws|kubectl|docker)=[\"']?(?:~|\$HOME|/tmp|/dev/shm|/var/tmp|/home|/Users)/"
)
EVERY_COMMAND = pattern(
    r"\btrap\b[^\n]{0,200}(?:>>|\bnc\b|\bcurl\b|BASH_COMMAND)[^\n]{0,200}\bDEBUG\b|"
    r"\b(?:PROMPT_COMMAND|precmd|preexec)\b[^\n]{0,200}(?:\bnc\b|\bcurl\b|\bwget\b|/dev/tcp)|"
    r"\b(?:LD_PRELOAD|DYLD_INSERT_LIBRARIES|BASH_ENV)=[\"']?[~$/.\w]"
)


def _login_file(program: Program, text: str, line: int) -> None:
    """Judge what a login file is given: commands in the place of trusted ones, and code before every command."""
    stands = STANDS_BEFORE.search(text)
    if (stands and TAKES.search(text[stands.end() : stands.end() + 600])) or OTHER_PROGRAM.search(text):
        program.found.sign("HG626", STRONG, line, "puts its own command in the place of a trusted one")
    if EVERY_COMMAND.search(text):
        program.found.sign("HG626", STRONG, line, "loads code into every command of a login")
