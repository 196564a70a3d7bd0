"""Encoded text decoded within bounds: base64 and its kin, hex, compression, rot13, reversal, lists of character codes.

A result counts only when it is text of some length; nothing decoded is ever run.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import zlib
from collections.abc import Callable, Iterator

from hermes_git.patterns.lazy import Pattern, pattern

MAX_IN = 256 * 1024
MAX_OUT = 256 * 1024
MIN_RUN = 16

BASE64_RUN = pattern(r"(?<![A-Za-z0-9+/=_-])(?:[A-Za-z0-9+/]{20,}|[A-Za-z0-9_-]{20,})={0,2}(?![A-Za-z0-9+/=])")
HEX_RUN = pattern(r"(?<![A-Za-z0-9])(?:0x)?((?:[0-9A-Fa-f]{2}){12,})(?![A-Za-z0-9])")
LONG_WORD = pattern(r"\S{20,}")
"""Characters without a blank, as many as the shortest run of base64, hexadecimal or base32 has."""
FEWEST_CODES = 12
CODES = pattern(r"(?<![\w.])(?:\d{2,3}\s{0,3},\s{0,3}){11,}\d{2,3}(?![\w.])")
BASE32_RUN = pattern(r"(?<![A-Za-z0-9])[A-Z2-7]{32,}={0,6}(?![A-Za-z0-9=])")


def inflate(data: bytes) -> bytes | None:
    """Return decompressed data (zlib, gzip, raw deflate), at most `MAX_OUT` bytes of it; None when it is none."""
    for bits in (47, -15):
        try:
            out = zlib.decompressobj(bits).decompress(data[:MAX_IN], MAX_OUT)
        except zlib.error:
            continue
        if out:
            return out
    return None


def from_base64(text: str | bytes) -> bytes | None:
    """Decode base64, plain or URL-safe, blanks and missing padding forgiven; None when it is none."""
    raw = text.encode("ascii", "ignore") if isinstance(text, str) else text
    raw = re.sub(rb"\s", b"", raw[:MAX_IN]).translate(bytes.maketrans(b"-_", b"+/")).rstrip(b"=")
    if len(raw) % 4 == 1:
        raw = raw[:-1]
    try:
        return base64.b64decode(raw + b"=" * (-len(raw) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def from_hex(text: str) -> bytes | None:
    """Decode hexadecimal digits, blanks, `\\x` and commas between them forgiven."""
    digits = re.sub(r"\\x|0x|[\s,:]", "", text[:MAX_IN])
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return None


def from_base32(text: str) -> bytes | None:
    """Decode base32 with missing padding forgiven."""
    raw = text[:MAX_IN].rstrip("=")
    try:
        return base64.b32decode(raw + "=" * (-len(raw) % 8), casefold=True)
    except (binascii.Error, ValueError):
        return None


def from_base85(data: bytes) -> bytes | None:
    """Decode base85 as Python writes it."""
    try:
        return base64.b85decode(data[:MAX_IN])
    except (binascii.Error, ValueError):
        return None


def rot13(text: str) -> str:
    """Return text rotated by 13 letters."""
    return codecs.encode(text, "rot13")


def as_text(data: bytes | None) -> str:
    """Return data as text when it is text: UTF-8, or UTF-16 as PowerShell encodes it; else ""."""
    if not data or len(data) < 6:
        return ""
    packed = inflate(data) if data[:1] in (b"\x1f", b"x") else None
    data = packed or data
    encodings = ("utf-16-le",) if data[1:2] == b"\0" and data[3:4] == b"\0" else ("utf-8",)
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if is_readable(text):
            return text
    return ""


def is_readable(text: str) -> bool:
    """Say whether text reads like writing or code: printable, mostly ASCII letters and signs."""
    head = text[:2000]
    good = sum(char.isprintable() or char in "\n\r\t" for char in head)
    ascii_count = sum(char.isascii() for char in head)
    return good >= len(head) * 0.97 and ascii_count >= len(head) * 0.7


ENCODINGS: tuple[tuple[str, Pattern, Callable[[str], bytes | None]], ...] = (
    ("base64", BASE64_RUN, from_base64),
    ("hex", HEX_RUN, from_hex),
    ("base32", BASE32_RUN, from_base32),
)


def runs(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield `(layer, offset, decoded text)` of encoded runs in text that decode to something readable."""
    words = [word.span() for word in LONG_WORD.finditer(text)] if LONG_WORD.search(text) else []
    for layer, shape, decode in ENCODINGS if words else ():
        for match in (match for span in words for match in shape.within(text, *span)):
            decoded = as_text(decode(match.group()))
            if len(decoded) >= 8 and _says_something(decoded):
                yield layer, match.start(), decoded
    for match in CODES.finditer(text) if text.count(",") >= FEWEST_CODES - 1 else ():
        codes = [int(code) for code in match.group().split(",")]
        decoded = "".join(chr(code) for code in codes if 9 <= code < 127)
        if len(decoded) == len(codes) and _says_something(decoded):
            yield "character codes", match.start(), decoded


def _says_something(text: str) -> bool:
    """Say whether decoded text is more than noise: it has words, or signs that commands are made of."""
    if not is_readable(text):
        return False
    letters = sum(char.isalpha() or char == " " for char in text)
    return letters >= len(text) * 0.5 and (" " in text.strip() or "/" in text or "(" in text)
