"""A labelled estimate for when no vocabulary is at hand: it counts pieces that a byte-pair vocabulary would hold."""

from __future__ import annotations

import re

from hermes_git.tokens.counter import Counter

NAME = "estimate"
PIECES = re.compile(r"[A-Za-z]{1,9}|\d{1,3}|\n+|[ \t]{2,}|[^\sA-Za-z\d]")
ERROR = "about +13 % against cl100k_base on agent sessions, -10 % on Chinese and Japanese"


def count(text: str) -> int:
    """Estimate the tokens of a text.

    >>> count("pytest -q tests")
    4
    """
    return sum(1 for _ in PIECES.finditer(text))


def counter(reason: str = "") -> Counter:
    """Return the estimator as a counter; `reason` says why no real tokenizer was used."""
    return Counter(NAME, "", count, exact=False, error=ERROR, reason=reason)
