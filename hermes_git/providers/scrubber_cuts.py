"""Cuts: places where a text falls into two parts that can be searched for secrets one by one.

Whether a place is a cut depends on the characters right before it and the one after it alone, never on how the text
came in. A cut follows a line break, the stop of a Chinese or Japanese sentence, or the blank between two words of
prose; but not closely behind the name of a secret or the id of an AWS key, nor inside an address: what they announce
would be cut off.
"""

from __future__ import annotations

import re

from hermes_git.patterns import named, sieve
from hermes_git.patterns.secrets import AWS_REACH

CANDIDATE = re.compile(r"\n|(?:(?<=[^\W\d_A-Z])|(?<=[.,;!?])) (?=[^\W\d_])|[。，、；！？]")
"""Upper-case letters and digits do not count before a blank: they may be groups of an account number."""
NAME_REACH = 40
"""No cut this closely behind a name; sign, blanks and scheme between a name and its value are shorter."""
IN_PLACEHOLDER = re.compile(r"[a-z-]*:\d+\]")
"""The end of a placeholder, whose kind is no name: what it names was replaced."""
OPTION = re.compile(r"(?:^|\s)--\S*\s\Z")
AWS_ID = re.compile(r"A(?:KIA|SIA|BIA|CCA)[A-Z2-7][A-Z0-9]{15}")
CONTEXT = AWS_REACH + 20
"""How many characters before a place decide whether it is a cut."""


def is_cut(text: str, place: int) -> bool:
    """Say whether a candidate is a cut; the text must reach back `CONTEXT` characters before it, or to its start."""
    before = text[max(0, place - CONTEXT) : place]
    if AWS_ID.search(before):
        return False
    if before[-1] == "\n":
        return True
    near = IN_PLACEHOLDER.sub("", before[-NAME_REACH:])
    in_address = before[-1] != " " and "://" in before
    return not (in_address or _names_secret(near) or OPTION.search(near))


def _names_secret(text: str) -> bool:
    return bool(named.NAME.search(text.lower()) or (not text.isascii() and next(sieve.foreign_names(text), -1) >= 0))


def first_cut(text: str, low: int, high: int) -> int:
    """Return the first cut behind `low`, at `high` at the latest, or -1."""
    found = (match.end() for match in CANDIDATE.finditer(text, low, high + 1))
    return next((place for place in found if place <= high and is_cut(text, place)), -1)


def last_cut(text: str, low: int, high: int) -> int:
    """Return the last cut behind `low`, at `high` at the latest, or -1; looks from the end, further back by and by."""
    span = 32
    while high > low:
        start = max(low, high - span)
        found = [match.end() for match in CANDIDATE.finditer(text, start, high + 1)]
        cut = next((place for place in reversed(found) if place <= high and is_cut(text, place)), -1)
        if cut > 0:
            return cut
        high, span = start, span * 4
    return -1
