"""Characters that nobody sees, judged by the script they stand in: a joiner in Persian is spelling, in English a trick.

Rules follow the Unicode standard: joiners belong to Arabic, Indic and Mongolian words and to emoji sequences, variation
selectors follow a symbol or an ideograph, tags spell the flags of regions, direction marks belong to lines that hold
right-to-left letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from hermes_git.patterns.lazy import pattern

SUSPECT = pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Every character that this module judges."""

INVISIBLE = pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ufe00-\ufe0f]+"
)

JOINERS = "\u200c\u200d"
OVERRIDES = "\u202d\u202e"
DIRECTION = "\u202a\u202b\u202c\u2066\u2067\u2068\u2069"
MARKS = "\u200e\u200f\u061c"
FILLERS = "\u115f\u1160\u3164\uffa0\u17b4\u17b5\u180e"
RTL = pattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
JOINING_SCRIPTS = (
    "ARABIC SYRIAC MANDAIC THAANA NKO MONGOLIAN DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA "
    "MALAYALAM SINHALA KHMER MYANMAR TIBETAN PHAGS-PA BALINESE JAVANESE TAI LAO THAI HEBREW ADLAM ROHINGYA"
).split()
PRIVATE = pattern("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]{8,}")
FLAG = pattern("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,7}\U000e007f")
TAGS = pattern("[\U000e0000-\U000e007f]+")
SELECTORS = pattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")


@dataclass(frozen=True, slots=True)
class Hidden:
    """Hidden characters at an offset: what kind, how many, and the text they spell, if any."""

    kind: str
    offset: int
    count: int
    decoded: str = ""


def find(line: str) -> Iterator[Hidden]:
    """Yield what is hidden in one line, at most one of each kind."""
    if line.isascii() or not (SUSPECT.search(line) or PRIVATE.search(line)):
        return
    yield from _tags(line)
    yield from _selectors(line)
    yield from _direction(line)
    yield from _inside_words(line)
    yield from _soft_hyphens(line)
    private = PRIVATE.search(line)
    if private:
        yield Hidden("private", private.start(), len(private.group()))


def _tags(line: str) -> Iterator[Hidden]:
    rest = FLAG.sub(lambda match: " " * len(match.group()), line)
    found = TAGS.search(rest)
    if found:
        characters = [char for char in rest if "\U000e0020" <= char <= "\U000e007e"]
        yield Hidden("tags", found.start(), len(characters), "".join(chr(ord(char) - 0xE0000) for char in characters))


def _selectors(line: str) -> Iterator[Hidden]:
    """Yield runs of selectors, which can spell bytes, and selectors after something that has no variants."""
    odd, payload, first = 0, bytearray(), -1
    for match in SELECTORS.finditer(line):
        before = line[match.start() - 1] if match.start() else ""
        run = match.group()
        if len(run) == 1 and _takes_variants(before, run):
            continue
        odd += len(run)
        payload += bytes(_selector_byte(char) for char in run)
        first = match.start() if first < 0 else first
    if odd:
        yield Hidden("selectors", first, odd, payload.decode("utf-8", "replace") if odd > 3 else "")


def _takes_variants(before: str, selector: str) -> bool:
    if not before:
        return False
    category = unicodedata.category(before)
    if selector >= "\U000e0100":
        return category == "Lo" and "CJK" in unicodedata.name(before, "")
    return category in ("So", "Sm", "Sk", "Po", "Lo", "Mn", "Pd", "Sc") or before in "#*0123456789\u200d©®™ℹ‼⁉"


def _selector_byte(char: str) -> int:
    code = ord(char)
    return code - 0xFE00 if code <= 0xFE0F else code - 0xE0100 + 16


def _direction(line: str) -> Iterator[Hidden]:
    for offset, char in enumerate(line):
        if char in OVERRIDES:
            yield Hidden("override", offset, sum(line.count(other) for other in OVERRIDES))
            return
    if RTL.search(line):
        return
    for offset, char in enumerate(line):
        if char in DIRECTION:
            yield Hidden("direction", offset, sum(line.count(other) for other in DIRECTION))
            return


def _inside_words(line: str) -> Iterator[Hidden]:
    """Yield zero-width characters that split what is not a word of a joining script or an emoji sequence."""
    odd, first, kind = 0, -1, "zero-width"
    for match in INVISIBLE.finditer(line):
        run = "".join(char for char in match.group() if char not in OVERRIDES + DIRECTION and not _is_other(char))
        if not run or (match.start() == 0 and run == "\ufeff"):
            continue
        before = line[match.start() - 1] if match.start() else ""
        after = line[match.end()] if match.end() < len(line) else ""
        if _is_spelling(run, before, after, line):
            continue
        odd += len(run)
        first = match.start() if first < 0 else first
        kind = "filler" if any(char in FILLERS for char in run) else kind
    if odd:
        yield Hidden(kind, first, odd)


def _is_other(char: str) -> bool:
    """Say whether a character is judged elsewhere: tags, selectors, soft hyphens."""
    return char == "\u00ad" or "\ufe00" <= char <= "\ufe0f" or char >= "\U000e0000"


def _is_spelling(run: str, before: str, after: str, line: str) -> bool:
    """Say whether invisible characters between two neighbours are part of correct writing."""
    if all(char in MARKS for char in run):
        return bool(RTL.search(line)) or not (_is_plain(before) and _is_plain(after))
    if all(char in JOINERS for char in run):
        return _joins(before) or _joins(after) or not (_is_plain(before) or _is_plain(after))
    if "\u180b" <= run[0] <= "\u180e":
        return "MONGOLIAN" in unicodedata.name(before or " ", "")
    if all(char in "\u200b\u2060\ufeff" for char in run):
        return not (_is_plain(before) and _is_plain(after)) and len(run) < 4
    return False


def _is_plain(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _joins(char: str) -> bool:
    """Say whether a joiner belongs beside this character: a letter of a joining script, or a symbol of an emoji."""
    if not char:
        return False
    if unicodedata.category(char) in ("So", "Sk") or "\ufe00" <= char <= "\ufe0f" or char in "\u2640\u2642":
        return True
    return unicodedata.name(char, "").split(" ", 1)[0] in JOINING_SCRIPTS


LETTER_BY_LETTER = pattern("(?:[A-Za-z]\u00ad+){4}")


def _soft_hyphens(line: str) -> Iterator[Hidden]:
    """Yield soft hyphens after every single letter; between syllables they are honest typography."""
    found = LETTER_BY_LETTER.search(line)
    if found:
        yield Hidden("soft hyphens", found.start(), line.count("\u00ad"))


CONTROL = pattern("\x1b[\\[\\]PX^_]|[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]|\x08(?<=[^\x08]\x08)|\u009b")
"""Terminal escape sequences and control characters that change what a terminal shows."""
