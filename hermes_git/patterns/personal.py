"""Personal data in text: e-mail addresses, telephone numbers, bank accounts and payment cards.

Account and card numbers must pass their checksum and the lengths of their country or brand. Addresses and numbers
reserved for documentation (RFC 2606, RFC 6761, 555-01xx) and the mailboxes of machines name nobody and are left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hermes_git.patterns.spans import Match

KINDS = {
    "email": "an e-mail address of a person",
    "phone": "a telephone number",
    "iban": "an international bank account number with a valid checksum",
    "card": "a payment card number with a valid checksum",
}

DOMAIN = re.compile(r"@((?:[A-Za-z0-9-]{1,63}\.){1,8}([A-Za-z]{2,24}))(?![A-Za-z0-9@-])")
LOCAL = re.compile(r"[A-Za-z0-9._%+-]+\Z")
LONGEST_LOCAL = 64
RESERVED_DOMAIN = re.compile(
    r"(?:^|\.)(?:example\.(?:com|org|net)|example|invalid|test|localhost|local)$", re.IGNORECASE
)
MACHINES = frozenset("git noreply no-reply donotreply do-not-reply root postmaster mailer-daemon actions".split())
LONG_TLDS = frozenset(
    "com org net edu gov mil int info biz name pro dev app cloud online site xyz tech store blog email live news "
    "company agency digital academy systems solutions software network group team work today world studio design "
    "museum aero coop jobs mobi travel asia page chat tools services consulting engineering institute foundation "
    "ngo eus berlin wien london paris tokyo moscow gmbh ltd law legal health care bank insurance".split()
)

INTERNATIONAL = re.compile(r"\+[1-9][\d ().-]{6,20}\d(?![\w/=])", re.ASCII)
PHONE = re.compile(
    r"\+(?:1|[2-9]\d{0,2})(?: ?\(\d{1,4}\))?(?:[ -]?\d{2,8}){1,5}|\+[1-9]\d{0,2}(?:\.\d{2,6}){2,4}", re.ASCII
)
"""A country code, perhaps an area in brackets, and groups that blanks or hyphens, or else only dots, keep apart."""
DIGITS = re.compile(r"\d[\d -]{9,}\d", re.ASCII)
NORTH_AMERICAN = re.compile(r"(?:1[ -])?[2-9]\d\d[ -][2-9]\d\d[ -]\d{4}")
PARENTHESISED = re.compile(r"\([2-9]\d\d\) ?[2-9]\d\d-\d{4}(?!\w)", re.ASCII)
CHINESE_MOBILE = re.compile(r"1[3-9]\d{9}|1[3-9]\d[ -]\d{4}[ -]\d{4}")
FICTIONAL = re.compile(
    r"555\D?01\d\d$|^\(?(?:\+?1\D{0,2})?555\D|^\+?1?(?:555\d{7}|\D?234\D?567\D?890\d?)$|^\+?1234567890$"
)
"""Numbers of films and manuals: 555-01xx, area code 555, and counting."""

IBAN = re.compile(r"[A-Z][A-Z]\d\d[ A-Z0-9]{11,40}", re.ASCII)
IBAN_LENGTHS = {
    **dict.fromkeys(("NO",), 15),
    **dict.fromkeys(("BE",), 16),
    **dict.fromkeys(("DK", "FI", "FO", "GL", "NL"), 18),
    **dict.fromkeys(("MK", "SI"), 19),
    **dict.fromkeys(("AT", "BA", "EE", "KZ", "LT", "LU", "XK"), 20),
    **dict.fromkeys(("CH", "HR", "LI", "LV"), 21),
    **dict.fromkeys(("BG", "BH", "CR", "DE", "GB", "GE", "IE", "ME", "RS"), 22),
    **dict.fromkeys(("AE", "GI", "IL", "IQ", "TL"), 23),
    **dict.fromkeys(("AD", "CZ", "ES", "MD", "PK", "RO", "SA", "SE", "SK", "TN", "VG"), 24),
    **dict.fromkeys(("PT", "ST"), 25),
    **dict.fromkeys(("IS", "TR"), 26),
    **dict.fromkeys(("FR", "GR", "IT", "MC", "MR", "SM"), 27),
    **dict.fromkeys(("AL", "AZ", "BY", "CY", "DO", "GT", "HU", "LB", "PL", "SV"), 28),
    **dict.fromkeys(("BR", "EG", "PS", "QA", "UA"), 29),
    **dict.fromkeys(("JO", "KW", "MU"), 30),
    "MT": 31,
    "SC": 31,
}

BRANDS = re.compile(
    r"4\d{12}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14,17}"
)


def find(text: str) -> Iterator[Match]:
    """Yield all personal data of a text, kind by kind."""
    if "@" in text:
        yield from _emails(text)
    if "+" in text:
        yield from (Match("phone", *match.span()) for match in INTERNATIONAL.finditer(text) if _is_phone(text, match))
    if "(" in text:
        found = PARENTHESISED.finditer(text)
        yield from (Match("phone", *match.span()) for match in found if not FICTIONAL.search(match.group()))
    for match in DIGITS.finditer(text):
        yield from _number(text, match)
    yield from (Match("iban", *span) for match in IBAN.finditer(text) if (span := _iban(text, match)))


def _emails(text: str) -> Iterator[Match]:
    """Start from the domains, which are rare, and look back for the mailbox."""
    for match in DOMAIN.finditer(text):
        domain, suffix = match.group(1), match.group(2).lower()
        if (len(suffix) > 2 and suffix not in LONG_TLDS) or RESERVED_DOMAIN.search(domain):
            continue
        start = _mailbox(text, match.start())
        if start is not None and text[start : match.start()].lower() not in MACHINES:
            yield Match("email", start, match.end())


def _mailbox(text: str, end: int) -> int | None:
    """Return where the mailbox before an @ begins; a letter that belongs to an escape such as \\n is not part of it."""
    local = LOCAL.search(text, max(0, end - LONGEST_LOCAL - 1), end)
    if local is None or end - local.start() > LONGEST_LOCAL:
        return None
    start = local.start()
    while start < end and text[start] in ".-%+":
        start += 1
    escaped = text[start - 1 : start] == "\\" and text[start] in "nrt"
    return start + escaped if start + escaped < end else None


def _is_phone(text: str, match: re.Match[str]) -> bool:
    found = match.group()
    before = text[match.start() - 1 : match.start()]
    digits = re.sub(r"\D", "", found)
    alone = not (before.isascii() and (before.isalnum() or before in ("_", "+", "/", "=")))
    shaped = PHONE.fullmatch(found) is not None and 9 <= len(digits) <= 15
    return alone and shaped and not FICTIONAL.search(found)


def _number(text: str, match: re.Match[str]) -> Iterator[Match]:
    """Judge one run of digits, blanks and hyphens that stands alone."""
    start, end = match.span()
    before, after = text[start - 1 : start], text[end : end + 1]
    if _joins(before, text[start - 2 : start - 1]) or _joins(after, text[end + 1 : end + 2]):
        return
    run = match.group()
    digits = run.replace(" ", "").replace("-", "")
    if BRANDS.fullmatch(digits) and is_luhn(digits) and _evenly_grouped(run):
        yield Match("card", start, end)
    elif (NORTH_AMERICAN.fullmatch(run) and not FICTIONAL.search(run)) or CHINESE_MOBILE.fullmatch(run):
        yield Match("phone", start, end)


def _joins(near: str, beyond: str) -> bool:
    """Say whether the character beside a number makes it part of something longer: a word, a decimal, a path."""
    return near.isascii() and (near.isalnum() or near in ("_", "/", "+", "=")) if near != "." else beyond.isdigit()


def _evenly_grouped(run: str) -> bool:
    """Accept how people write card numbers: no separators, or groups of three to six digits."""
    groups = re.split(r"[ -]", run)
    return len(groups) == 1 or all(3 <= len(group) <= 7 for group in groups)


def is_luhn(digits: str) -> bool:
    """Say whether the last digit is the Luhn check digit of the others (ISO/IEC 7812-1)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _iban(text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """Return the span of a valid account number; the pattern may have run on into a following word."""
    start = match.start()
    before, wanted = text[start - 1 : start], IBAN_LENGTHS.get(match.group()[:2], 0)
    if not wanted or (before.isascii() and before.isalnum()):
        return None
    seen = 0
    for place, char in enumerate(match.group(), start=1):
        seen += char != " "
        if seen == wanted:
            after = text[start + place : start + place + 1]
            alone = not (after.isascii() and after.isalnum())
            return (start, start + place) if alone and is_iban(match.group()[:place].replace(" ", "")) else None
    return None


def is_iban(text: str) -> bool:
    """Say whether an account number without blanks has a valid ISO 13616 checksum."""
    moved = text[4:] + text[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1
