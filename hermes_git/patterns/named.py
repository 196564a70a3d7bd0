"""Values that a name beside them says are secret: `password = …`, `"api_key": "…"`, `.env` lines, `Bearer …`.

A name alone proves nothing: code is full of `token = self.token` and forms of `password: string`. So a value must also
look like one: not a placeholder, not a reference to a variable, mixed in its characters, and random enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hermes_git.patterns.spans import Match, entropy

NAME = re.compile(
    r"p(?:ass(?:w(?:or)?d|phrase|wort)|wd|rivate[_-]?key)|secret(?:[_-]?(?:access[_-]?)?key)?|token(?![s\w])|"
    r"a(?:pi|ccess|ccount|uth)[_-]?key|authorization|bearer|credentials?"
)
ENVIRONMENT = re.compile(r"_(?:KEY|PASS|DSN|PAT)(?==)")
FOREIGN = ("пароль", "密码", "密碼", "口令", "密钥", "パスワード", "비밀번호")
PASSWORDS = ("pass", "pwd", "_pass", *FOREIGN)

SIGN = r"([\\\"'`\])]{0,4}[ \t]{0,8}(?:=>|:=|={1,3}|:|：|>)[ \t]{0,8})"
QUOTED = re.compile(SIGN + r"\\{0,3}[\"'`]([^\n\"'`\\]{4,512})(?=\\{0,3}[\"'`])")
WORD = r"([^\s\"'`,;<>(){}\[\]|&\\]{6,512})"
REST = re.compile(r"[^\s\"'`,;<>(){}\[\]|&\\]*")
BARE = re.compile(SIGN + r"\\{0,3}[\"'`]?" + WORD)
FLAG = re.compile(r"([= \t]{1,4}[\"']?)" + WORD)
SCHEME = re.compile(
    r"[\\\"']{0,4}+[ \t]{0,4}+[:=]?+[ \t]{0,4}+[\\\"']{0,4}+(?:(?:bearer|basic|token|apikey)[ \t]{1,4})?"
    r"([A-Za-z0-9._~+/=-]{12,4000})",
    re.IGNORECASE,
)
ENVIRONMENT_NAME = re.compile(r"[A-Z][A-Z0-9_]*\Z")
REFERENCE = re.compile(
    r"[$%@!{<*&]|(?:process\.env|os\.environ|env|secrets?|vars|self|this|config|settings)\.|(?:op|vault|arn|file|ref|"
    r"https?|s3|gs|sm|ssm|keychain|keyring):|\.{0,2}/[\w.-]+/|~/|(?<![\w.])[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)+\Z"
)
BLANK_PARTS = tuple(
    "fake your xxxx changeme change-me change_me placeholder redacted masked example dummy ... … *** < insert replace "
    "todo fixme notset not-set".split()
)
BLANK_ENDS = ("here", "none", "null", "undefined", "true", "false", "string", "required")
BLANK_VALUES = ("abc123", "abc123xyz")
ADDRESS = re.compile(r"0x[0-9a-f]{1,16}\Z")
AWS_SECRET = re.compile(r"[A-Za-z0-9/+]{40}")
JUDGED = 128
"""How many characters of a value are looked at; the whole value is what is matched."""
IDENTIFIER = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+)*_?\d?")
"""A bare word that is more likely the name of a variable than a value: `token`, `password_1`."""


class Hit(NamedTuple):
    """A name that was found: how it is spelt in the text, and the range it covers."""

    name: str
    start: int
    end: int


def find(text: str) -> Iterator[Match]:
    """Yield the values beside names of secrets."""
    done = 0
    for hit in sorted(_names(text), key=lambda hit: hit.start):
        is_header = hit.name.lower() in ("authorization", "bearer")
        match = None if hit.start < done else _credentials(text, hit) if is_header else _value(text, hit)
        if match:
            done = match.end
            yield match


def _names(text: str) -> Iterator[Hit]:
    lower = text.lower()
    if len(lower) != len(text):  # one letter is longer in lower case
        lower = text.replace("İ", "i").lower()
    yield from (Hit(text[match.start() : match.end()], *match.span()) for match in NAME.finditer(lower))
    if "_" in text:
        yield from (Hit(match.group(), *match.span()) for match in ENVIRONMENT.finditer(text))
    if not text.isascii():
        yield from (Hit(name, *match.span()) for name in FOREIGN if name in lower for match in re.finditer(name, lower))


def _credentials(text: str, hit: Hit) -> Match | None:
    match = SCHEME.match(text, hit.end)
    value = match.group(1)[:JUDGED] if match else ""
    if match is None or not _is_mixed(value) or is_blank(value) or is_reference(value) or entropy(value) < 3.0:
        return None
    return Match("bearer-token", *match.span(1))


def _value(text: str, hit: Hit) -> Match | None:
    quoted = QUOTED.match(text, hit.end)
    found = quoted or (_is_flag(text, hit.start) and FLAG.match(text, hit.end)) or BARE.match(text, hit.end)
    if not found:
        return None
    value, (start, end) = found.group(2)[:JUDGED], found.span(2)
    if quoted and " " in value:
        return None
    if not quoted and (text[end : end + 1] in ("(", "[") or _is_variable(text, hit, found)):
        return None
    kind = _judge(hit, value, _is_environment(text, hit))
    rest = REST.match(text, end) if kind and not quoted else None
    return Match(kind, start, rest.end() if rest else end) if kind else None


def _is_variable(text: str, hit: Hit, found: re.Match[str]) -> bool:
    """Say whether a bare word is more likely a variable, as in `password = password_1` and `f(token=token2)`."""
    if not IDENTIFIER.fullmatch(found.group(2)) or _is_environment(text, hit):
        return False
    tight = "=" not in found.group(1) or found.group(1).endswith("=")
    return not tight or found.group(2).isalpha() or text[found.end(2) : found.end(2) + 1] in (")", ",", ";")


def _judge(hit: Hit, value: str, in_environment: bool) -> str:
    """Return the kind of secret that a value is under its name, or ""."""
    name = hit.name.lower()
    if AWS_SECRET.fullmatch(value) and "secret" in name and _is_mixed(value):
        return "aws-secret-key"
    if value.isalpha() and not in_environment:
        return ""
    if name.startswith("_") and not in_environment:
        return ""
    kind = "password" if name.startswith(PASSWORDS) else "secret"
    convincing = _is_convincing(value, kind, in_environment) and not is_blank(value) and not is_reference(value)
    return kind if convincing else ""


def _is_convincing(value: str, kind: str, in_environment: bool) -> bool:
    if value.isdigit() and kind == "secret":
        return False
    if in_environment:
        return len(value) >= 6 and (_is_mixed(value) or len(value) >= 10) and entropy(value) >= 2.0
    if kind == "password":
        return _is_mixed(value) and entropy(value) >= 2.3
    return len(value) >= 8 and any(map(str.isdigit, value)) and _is_mixed(value) and entropy(value) >= 3.0


def _is_mixed(value: str) -> bool:
    """Say whether letters stand beside digits or signs: words of prose and names in code do not."""
    return any(map(str.isalpha, value)) and any(not char.isalpha() and char not in " _-.:" for char in value)


def _is_flag(text: str, start: int) -> bool:
    word = text[max(0, start - 24) : start].rsplit(None, 1)
    return bool(word) and word[-1].startswith("--")


def _is_environment(text: str, hit: Hit) -> bool:
    """Say whether the name is written like an environment variable and assigned at once: `DB_PASSWORD=…`."""
    if not hit.name.isupper() or text[hit.end : hit.end + 1] != "=":
        return False
    before = text[max(0, hit.start - 60) : hit.start]
    return before == "" or bool(ENVIRONMENT_NAME.search(before)) or before[-1] in " \t\n\"'`"


def is_blank(value: str) -> bool:
    """Say whether a value is a form to be filled in: `<your-token>`, `xxxxxxxx`, `changeme`, `[REDACTED]`."""
    lower = value.lower()
    if lower in BLANK_VALUES or lower.endswith(BLANK_ENDS) or ("0x" in lower and ADDRESS.search(lower)):
        return True
    return any(part in lower for part in BLANK_PARTS) or len(set(value)) <= 3


def is_reference(value: str) -> bool:
    """Say whether a value only names where the secret is: `$TOKEN`, `os.environ[…]`, `op://…`, a path, a URL."""
    return bool(REFERENCE.match(value))
