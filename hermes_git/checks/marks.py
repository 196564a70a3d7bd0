"""Signs that a text carries whatever its language: addresses that carry data, directives of hosts, known gadgets."""

from __future__ import annotations

import re
from urllib.parse import unquote

from hermes_git.checks import decode
from hermes_git.checks.piece import Piece, newlines
from hermes_git.checks.sign import MEDIUM, STRONG, Found
from hermes_git.patterns import places
from hermes_git.patterns.lazy import Pattern, pattern

CARRIES = pattern(
    r"https?://[^\s\"'<>?#]{3,300}[?#](?:[^\s\"'<>&]{0,200}&){0,8}(?!(?:api[_-]?key|key|token|access_token|app_?id|auth\w{0,10}|\w{0,20}key|"
    r"client_\w{1,8}|sig|signature|code|state|id)=)[\w.-]{1,40}=(?:\$\{?\{?\s?(?:env\.|secrets\.)?[A-Z_]{0,60}(?:TOKEN|SECRET|API_KEY|PASSWORD)|"
    r"\{\{?\s?(?:env_vars|environ|secrets?|api_?keys?|tokens?|all_env|credentials|password|history|conversation|system_prompt|document\.cookie)\b|"
    r"<(?:secrets?|token|api_?key|password|conversation|system.prompt)>)",
)
INSIDE_HOST = pattern(
    r"<(?:password|passwd|secret|token|api_?key|key|data|payload|base64)>\.[\w.-]{3,120}\.[a-z]{2,12}\b|"
    r"\{[^{}\s]{0,60}(?:env|secret|token|key|data|base64|payload)[^{}\s]{0,60}\}\.[\w.-]{3,120}\.[a-z]{2,12}\b",
    re.I,
)
MEDIA = pattern(r"(?:\b|(?<=\\n))(?:MEDIA|ATTACH(?:MENT)?|FILE|IMAGE):\s?(?:file://)?[~/][\w./~-]{2,200}")
DIRECTIVES = ("MEDIA:", "ATTACH:", "ATTACHMENT:", "FILE:", "IMAGE:")
METADATA = pattern(r"ffff:(?:a9fe:a9fe|169\.254\.169\.254)\]?[:/]", re.I)
"""The address where a cloud hands out credentials, written so that a search for it finds nothing."""
GADGET = pattern(r"__class__[\w.\[\]()]{0,80}__(?:init|mro|subclasses|bases)__|__globals__\s{0,4}\[|__subclasses__\(\)")
PASTE = pattern(
    r"https?://(?:www\.)?(?:glot\.io/snippets|pastebin\.com/raw|rentry\.(?:co|org)/[\w-]+/raw|paste\.ee/r|hastebin\.com/raw)/?\S{0,80}",
    re.I,
)
PROGRAM = pattern(
    r"\bh(?:tt|xx)ps?://(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5})?/[^\s\"'<>`]{0,200}\.(?:sh|exe|ps1|bin|dmg|zip|py|elf|bat)\b",
    re.I,
)

DEEP_LINK = pattern(
    r"\b(?:cursor|vscode|vscode-insiders|vscodium|windsurf|claude|kiro|goose|lmstudio|zed|trae):(?://)?[^\s\"'<>)\]`]{0,120}"
    r"(?:\bmcp\b|mcp[-/]|McpServer|extension)[^\s\"'<>)\]`?]{0,60}\?([^\s\"'<>)\]`]{8,4000})",
    re.I,
)
"""An address that has an editor install a server, with what it is told to install."""

CONFIG = pattern(r"(?:^|&)config=([^&]{8,4000})")
INSTALLS = pattern(r"\"command\"\s{0,4}:|(?:^|&)(?:cmd|command)=", re.I)
GATEWAY = pattern(
    r"\b(?:gateway_?url|gateway)=(?:wss?|https?)(?:://|%3a%2f%2f)(?!localhost|127\.|\[?::1|0\.0\.0\.0|<|\{|\$)[\w.-]{3,200}",
    re.I,
)
APPROVALS = pattern(
    r"\bexec\.approvals\.set\b[^\n]{0,200}[\"'`=: ](?:off|full|never|allow|none|false)\b|"
    r"\b(?:approvals|tools)\.(?:exec\.)?(?:ask|security)\b[\"'`=: ]{1,6}(?:off|full)\b",
    re.I,
)
PLAIN_SCRIPT = pattern(
    r"\bdocument\.cookie\b|\b(?:getAllCookies|Storage\.getCookies)\b|\b(?:local|session)Storage\b|\bchild_process\b|\buserDataDir\b|"
    r"\blaunchPersistentContext\b"
)
SCRIPT_LOOK = pattern(r"\bawait \w|\b(?:const|let|var) [\w{}\[\], ]{1,80}= |=> ?[{(\w]|\bfunction\b|\brequire\(")
SOCKETS = pattern(
    r"\bIO::Socket\b|\bfsockopen\s?\(|\bstream_socket_client\s?\(|\bsocket\.tcp\s?\(|/inet/tcp/|\bnet\.Dial\(|\bTcpStream::connect\(|"
    r"\brequire\(?\s?[\"']socket[\"']\)|\bnew (?:java\.net\.)?Socket\(|\bTCPSocket\.(?:new|open)\b|\bgen_tcp:connect\("
)
SOCKET_PARTS = ("ocket", "fsockopen", "/inet/tcp/", "net.Dial", "TcpStream", "gen_tcp")
"""Of these every connection above holds one."""
SHELL_RUN = pattern(
    r"\bexec\b[^\n]{0,20}[\"'/]{1,2}(?:bin/)?(?:ba|z|k|da)?sh\b|\bexec\.Command\(\s{0,4}\"(?:/bin/)?(?:ba)?sh\"|\bCommand::new\(\s{0,4}\"(?:/bin/)?"
    r"(?:ba)?sh\"|\bproc_open\s?\(|\bshell_exec\s?\(|\bProcessBuilder\(\s{0,4}\"(?:/bin/)?(?:ba)?sh\"|\bgetRuntime\(\)\.exec\(|"
    r"\b(?:io|IO)\.popen\s?\(|\|& ?getline|\bos\.execute\s?\("
)
"""A connection and a shell in one program, in languages without an analysis of their own."""

STATEMENT_END = pattern(r"[;{}]\n")
FOLLOWED = frozenset("python javascript typescript shell powershell batch json yaml toml html".split())


def analyse(piece: Piece, found: Found) -> None:
    """Look for marks in any text."""
    text = piece.text
    if "://" in text:
        _search(CARRIES, "HG310", text, found, "an address that carries a secret")
        for match in PASTE.finditer(text):
            found.sign(
                "HG407", MEDIUM, newlines(text, match.start()) + 1, "points to what anybody left on a paste site"
            )
        _search(METADATA, "HG403", text, found, "the address of the cloud's credentials in disguise")
        _search(PROGRAM, "HG407", text, found, "points to a program on a bare address")
        _deep_links(text, found)
    elif "mcp" in text and ":" in text:
        _deep_links(text, found)
    if "ateway" in text:
        _search(GATEWAY, "HG641", text, found, "hands the agent's gateway to another machine")
    if "approvals" in text or "tools." in text:
        _search(APPROVALS, "HG641", text, found, "switches the questions before commands off")
    if piece.role == "fence" and not piece.language and PLAIN_SCRIPT.search(text) and SCRIPT_LOOK.search(text):
        found.add_inner(text, 1, "javascript")
    has_socket = any(part in text for part in SOCKET_PARTS)
    if has_socket and _is_program(piece) and (socket := SOCKETS.search(text)) and SHELL_RUN.search(text):
        found.sign("HG645", STRONG, newlines(text, socket.start()) + 1, "connects a shell to the network")
    if "}." in text or ">." in text:
        _search(INSIDE_HOST, "HG310", text, found, "a host name that carries data")
    for match in MEDIA.finditer(text) if ":" in text and any(word in text for word in DIRECTIVES) else ():
        if places.CREDENTIALS.search(match.group()) or places.STRONG.search(match.group()):
            found.sign("HG403", MEDIUM, newlines(text, match.start()) + 1, "attaches a credential file by a directive")
    if piece.language != "python" and "__" in text:
        _search(GADGET, "HG614", text, found, "climbs from a template to the interpreter")


def _is_program(piece: Piece) -> bool:
    """Say whether a piece is program text in a language without an analysis of its own."""
    rows = len(STATEMENT_END.findall(piece.text)) if piece.role == "prose" else 2
    return rows > 1 and piece.role in ("code", "fence", "prose") and piece.language not in FOLLOWED


def _deep_links(text: str, found: Found) -> None:
    """Look at addresses that have an editor install something: a command among it runs on this machine."""
    for match in DEEP_LINK.finditer(text):
        told = unquote(match.group(1))
        packed = CONFIG.search(match.group(1))
        plain = decode.as_text(decode.from_base64(unquote(packed.group(1)))) if packed else ""
        if INSTALLS.search(told) or INSTALLS.search(plain or ""):
            line = newlines(text, match.start()) + 1
            found.sign("HG407", MEDIUM, line, "has an editor install a server that runs a command")


def _search(pattern: Pattern, check: str, text: str, found: Found, message: str) -> None:
    match = pattern.search(text)
    if match:
        found.sign(check, MEDIUM, newlines(text, match.start()) + 1, message)
