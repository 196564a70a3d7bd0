"""A fast sieve: where in a text a secret or personal data may be, so that plain text is passed over at once.

Every match of `secrets.find` has one of these places in its line. The text is looked at through an ASCII shadow of the
same length in a few searches for fixed strings, which cost a tenth of matching expressions. A place inside a part of a
text is a place of the whole text too, or there is one further left in the same word or number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import AnyStr

from hermes_git.patterns import named, personal
from hermes_git.patterns.secrets import LONGEST_DOTTED_PREFIX, MAY_START

LITERALS = (b"passw", b"passp", b"pwd", b"_pass=", b"_dsn=", b"_pat=", b"secret", b"authorization", b"bearer",
            b"credential", b"-----begin ", b"hooks.slack.com")  # fmt: skip
"""What names of secrets, key headers and hooks hold in lower case."""
KEY_NAME = re.compile(rb"(?:private|api|access|account|auth)[_-]?key|_key=")
LONGEST_BEFORE_KEY = len("private_")

SHORTEST_TOKEN = b"w" * 20
RUN = re.compile(b"w+")
PHONE = re.compile(r"\+[1-9][\d ().-]{6}", re.ASCII)


def _classes(**members: str) -> bytes:
    """Make a table that maps each listed character to the letter of its class, and every other to a blank."""
    table = bytearray(b" " * 256)
    for letter, characters in members.items():
        for char in characters:
            table[ord(char)] = ord(letter)
    return bytes(table)


UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGIT = "0123456789"
WORDS = _classes(w=UPPER + UPPER.lower() + DIGIT + "_-")
NUMBERS = _classes(**{"d": DIGIT, "U": UPPER, "+": "+", "(": "(", ")": ")"})


def places(text: str) -> list[int]:
    """Return the offsets near which something may be found, sorted; none means that `secrets.find` finds nothing."""
    shadow = text.encode("ascii", "replace")
    found = {*_names(shadow.lower()), *_addresses(shadow), *_long_words(text, shadow), *_numbers(text, shadow)}
    return sorted(found.union(foreign_names(text)))


def foreign_names(text: str) -> Iterator[int]:
    """Yield where words for a password in other scripts begin."""
    if text.isascii():
        return
    lower = text.lower()
    if len(lower) != len(text):  # one letter is longer in lower case
        lower = text.replace("İ", "i").lower()
    for name in named.FOREIGN:
        yield from _each(lower, name)


def _each(text: AnyStr, part: AnyStr) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + len(part))


def _names(lower: bytes) -> Iterator[int]:
    for literal in LITERALS:
        yield from _each(lower, literal)
    for place in _each(lower, b"token"):
        after = lower[place + 5 : place + 6]
        if after and not after.isalnum() and after != b"_":
            yield place
    for place in _each(lower, b"key"):
        if KEY_NAME.search(lower, max(0, place - LONGEST_BEFORE_KEY), place + 4):
            yield place


def _addresses(shadow: bytes) -> Iterator[int]:
    for place in _each(shadow, b"@"):
        before, after = shadow[max(0, place - 1) : place], shadow[place + 1 : place + 2]
        if before.strip() and (after.isalnum() or after == b"["):
            yield place


def _long_words(text: str, shadow: bytes) -> Iterator[int]:
    words = shadow.translate(WORDS)
    place = words.find(SHORTEST_TOKEN)
    while place >= 0:
        end = RUN.match(words, place).end()  # type: ignore[union-attr]
        if MAY_START.search(text, max(0, place - LONGEST_DOTTED_PREFIX), end):
            yield place
        place = words.find(SHORTEST_TOKEN, end)


def _numbers(text: str, shadow: bytes) -> Iterator[int]:
    classes = shadow.translate(NUMBERS)
    yield from _each(classes, b"(ddd)")
    yield from (place for place in _each(classes, b"+d") if PHONE.match(text, place))
    yield from (place for place in _each(classes, b"UUdd") if personal.IBAN.match(text, place))
    place = classes.find(b"ddd")
    while place >= 0:
        run = personal.DIGITS.match(text, place)
        if run:
            yield place
        place = classes.find(b"ddd", run.end() if run else place + 3)
