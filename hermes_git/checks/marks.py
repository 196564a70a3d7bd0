"""Signs that a text carries whatever its language: addresses that carry data, directives of hosts, known gadgets."""

from __future__ import annotations

import re

from hermes_git.checks.piece import Piece
from hermes_git.checks.sign import MEDIUM, Found
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


def analyse(piece: Piece, found: Found) -> None:
    """Look for marks in any text."""
    text = piece.text
    if "://" in text:
        _search(CARRIES, "HG310", text, found, "an address that carries a secret")
        for match in PASTE.finditer(text):
            found.sign(
                "HG407", MEDIUM, text.count("\n", 0, match.start()) + 1, "points to what anybody left on a paste site"
            )
        _search(METADATA, "HG403", text, found, "the address of the cloud's credentials in disguise")
        _search(PROGRAM, "HG407", text, found, "points to a program on a bare address")
    if "}." in text or ">." in text:
        _search(INSIDE_HOST, "HG310", text, found, "a host name that carries data")
    for match in MEDIA.finditer(text) if any(word in text for word in DIRECTIVES) else ():
        if places.CREDENTIALS.search(match.group()) or places.STRONG.search(match.group()):
            found.sign(
                "HG403", MEDIUM, text.count("\n", 0, match.start()) + 1, "attaches a credential file by a directive"
            )
    if piece.language != "python" and "__" in text:
        _search(GADGET, "HG614", text, found, "climbs from a template to the interpreter")


def _search(pattern: Pattern, check: str, text: str, found: Found, message: str) -> None:
    match = pattern.search(text)
    if match:
        found.sign(check, MEDIUM, text.count("\n", 0, match.start()) + 1, message)
