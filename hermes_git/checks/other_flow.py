"""PowerShell, batch files and Ruby: statements folded to plain text and judged by what stands together in one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hermes_git.checks import decode, grammar
from hermes_git.checks.piece import Piece, newlines
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK, Found
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

ENCODED = pattern(r"(?i)[-/]e(?:nc|ncodedcommand|c)?\s{1,9}[\"']?([A-Za-z0-9+/=]{16,})")
CONCATENATION = pattern(r"[\"']\s{0,9}\+\s{0,9}[\"']")
FETCH = pattern(
    r"\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|downloadfile|downloaddata|start-bitstransfer|bitsadmin|"
    r"certutil\b.{0,60}-urlcache|curl|wget|net\.webclient|open-uri|uri\.open|net::http)\b",
    re.I,
)
RUN = pattern(
    r"\b(?:iex|invoke-expression|start-process|invoke-item|cmd /c|mshta|rundll32|regsvr32)\b|\|\s*iex\b|"
    r"\.invoke\(\)|\[scriptblock\]::create|(?:^|[\s;|(])&\s*\(",
    re.I,
)
SEND = pattern(
    r"(?:-method\s+(?:post|put)|-body\b|-infile\b|uploadstring|uploadfile|uploaddata|send-mailmessage|net::http\.post)",
    re.I,
)
GATHER = pattern(
    r"(?:get-childitem|gci|dir|ls)\s+env:|\$env:\*|\[environment\]::getenvironmentvariables|get-clipboard|ENV\.to_h|get-credential|"
    r"convertfrom-securestring|cmdkey\s+/list|\bENV\.each|promptforcredential|getnetworkcredential|passwordvault|"
    r"protecteddata\]::unprotect|cryptunprotectdata|vaultcmd\b|get-storedcredential|get-storedkey",
    re.I,
)
WEAKEN = pattern(
    r"set-mppreference\b.{0,200}-disable|add-mppreference\b.{0,200}-exclusion|netsh\s+advfirewall\s+set\b.{0,80}\boff|"
    r"amsiutils|amsiinitfailed|bcdedit\b.{0,60}(?:testsigning|recoveryenabled)|vssadmin\s+delete\s+shadows|wevtutil\s+cl\b|"
    r"sc\s+(?:stop|config|delete)\s+(?:windefend|sense|wuauserv)|taskkill\b.{0,60}(?:msmpeng|defender)",
    re.I,
)
VAULT = pattern(
    r"\.retrievepassword\(|passwordvault\)?\.retrieveall|vaultcmd\b.{0,60}/listcreds|"
    r"(?:copy-item|copy|cp|xcopy|robocopy|esentutl)\b.{0,120}(?:\\login data|\bdefault\\(?:network\\)?cookies|"
    r"\bkey4\.db|\blogins\.json|user data\\local state)\b",
    re.I,
)
"""Reads of the vault of the account, and copies of the stores of a browser."""

SOCKET = pattern(r"net\.sockets\.(?:tcp|udp)client", re.I)
GIVEN = pattern(r"\bgetstream\(|\.readline\(|streamreader|\.receive\(", re.I)
STAY = pattern(
    r"new-scheduledtask|register-scheduledtask|schtasks\s+/create|currentversion\\\\?run\b|"
    r"start menu\\\\?programs\\\\?startup|"
    r"new-service\b|sc\s+create\b|\$profile\b",
    re.I,
)
ASSIGNED = pattern(r"\s{0,40}\$(\w{1,60})\s{0,9}=\s{0,9}(.{1,4000})", re.S)
HIDDEN = pattern(r"-w(?:indowstyle)?\s+h(?:idden)?\b|-nop(?:rofile)?\b.{0,80}-w", re.I)
KERNEL = pattern(r"\bsc\s+create\b.{0,200}type=\s*kernel", re.I)


def powershell(piece: Piece, found: Found) -> None:
    """Look at each statement of PowerShell."""
    root = grammar.root("powershell", piece.text, found.work)
    if root is None:
        found.incomplete = "the PowerShell text is too tangled to be parsed"
        return
    downloaded: set[str] = set()
    held: dict[str, str] = {}
    socket = SOCKET.search(piece.text)
    if socket and (run := RUN.search(piece.text)) and GIVEN.search(piece.text):
        found.sign("HG645", STRONG, newlines(piece.text, run.start()) + 1, "runs what a connection tells it")
    for line, text in _statements(root):
        _held(text, line, found, held)
        _statement(text, line, found, downloaded)


def _held(text: str, line: int, found: Found, held: dict[str, str]) -> None:
    """Follow variables: one that holds a download and is run, one that holds secrets and is sent."""
    for name, what in held.items():
        if not re.search(rf"\$\{{?{re.escape(name)}\b", text, re.I):
            continue
        if what == "download" and RUN.search(text):
            found.sign("HG645", MEDIUM, line, "runs what it downloads")
        elif what == "secret" and SEND.search(text):
            found.sign("HG644", STRONG, line, "sends secrets away")
    match = ASSIGNED.match(text)
    if match:
        value = match.group(2)
        secret = GATHER.search(value) or places.STRONG.search(value.replace("\\", "/"))
        installer = (url := places.URL.search(value)) is not None and places.INSTALLERS.match(url.group())
        kind = "secret" if secret else "download" if FETCH.search(value) and not installer else ""
        held.pop(match.group(1).lower(), None)
        if kind:
            held[match.group(1).lower()] = kind


def _statements(root: Any) -> Iterator[tuple[int, str]]:
    """Yield `(line, text)` of statements, outermost first; a text without any is one statement."""
    stack, seen = [root], 0
    while stack and seen < 20_000:
        node = stack.pop(0)
        seen += 1
        if node.type in ("pipeline", "ERROR"):
            yield node.start_point[0] + 1, node.text.decode("utf-8", "replace")
        else:
            stack = node.named_children + stack


def batch(piece: Piece, found: Found) -> None:
    """Look at each line of a batch file, carets and continuation lines joined."""
    downloaded: set[str] = set()
    for number, row in enumerate(piece.text.split("\n"), start=1):
        if not re.match(r"\s*(?:rem\b|::)", row, re.I):
            _statement(row.replace("^", ""), number, found, downloaded)


def ruby(piece: Piece, found: Found) -> None:
    """Look at each line of Ruby; what it hands to a shell is judged as shell text."""
    for number, row in enumerate(piece.text.split("\n"), start=1):
        code = row.split(" # ", 1)[0]
        for match in re.finditer(
            r"(?:\bsystem|\bexec|\bspawn|%x|IO\.popen|"
            r"Open3\.\w+)\s{0,4}[({\[ ]\s{0,4}[\"'](.{4,1000}?)[\"']\s{0,4}[)},]?|`([^`]{4,1000})`",
            code,
        ):
            found.add_inner(match.group(1) or match.group(2), number, "shell")
        if re.search(r"\b(?:eval|instance_eval|Marshal\.load)\b", code) and (
            FETCH.search(code) or "Base64" in code or "unpack" in code
        ):
            found.sign("HG645", STRONG, number, "runs code that it decodes or downloads")
        if SEND.search(code) and (GATHER.search(code) or places.STRONG.search(code)):
            found.sign("HG644", STRONG, number, "sends secrets away")


def _statement(raw: str, line: int, found: Found, downloaded: set[str]) -> None:
    """Look at one statement."""
    text = CONCATENATION.sub("", raw.replace("`", ""))
    for match in ENCODED.finditer(text):
        decoded = decode.as_text(decode.from_base64(match.group(1)))
        found.sign("HG645", STRONG, line, "runs an encoded command")
        if decoded:
            found.add_inner(decoded, line, "powershell", "base64")
    fetches, runs = FETCH.search(text), RUN.search(text)
    url = places.URL.search(text)
    installer = url is not None and places.INSTALLERS.match(url.group())
    if fetches and runs:
        message = f"runs what it downloads from {places.host_of(url.group()) if url else 'the network'}"
        found.sign("HG645", WEAK if installer else MEDIUM, line, message)
    names = re.findall(
        r"(?i)-o(?:utfile)?\s+[\"']?([^\s\"';|]{2,120})|-destination(?:path)?\s+[\"']?([^\s\"';|]{2,120})", text
    )
    if fetches and not installer:
        downloaded.update(part for pair in names for part in pair if part)
    elif any(name in text for name in downloaded) and re.search(
        r"(?i)start-process|^\s*&|^\s*\.[\\/]|invoke-item|expand-archive|msiexec", text
    ):
        found.sign(
            "HG645",
            MEDIUM if not re.search(r"(?i)expand-archive", text) else WEAK,
            line,
            "runs a program that it downloaded",
        )
    if SEND.search(text) and (GATHER.search(text) or places.STRONG.search(text)):
        found.sign("HG644", STRONG, line, "sends secrets away")
    elif places.DROP_HOSTS.search(text) and SEND.search(text):
        found.sign("HG644", MEDIUM, line, "posts data to a place that anybody may read")
    for shape, check, weight, message in (
        (KERNEL, "HG646", STRONG, "loads code into the kernel"),
        (WEAKEN, "HG646", STRONG, "switches protection off"),
        (VAULT, "HG644", MEDIUM, "reads the passwords that the system or a browser keeps"),
        (STAY, "HG646", WEAK, "installs something that starts by itself"),
        (HIDDEN, "HG645", WEAK, "runs out of sight"),
    ):
        if shape.search(text):
            found.sign(check, weight, line, message)
