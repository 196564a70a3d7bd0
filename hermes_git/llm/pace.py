"""How long to wait between requests: backoff with jitter, and what an endpoint's headers say about its limits. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

RETRIED = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))
"""Statuses after which the same request may succeed."""

SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
RESETS = (
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
)


@dataclass(frozen=True, slots=True)
class Patience:
    """Bounds on trying again: `attempts` in all, first and longest pause in seconds.

    `most_asked` is the longest pause that an endpoint may ask for; when it asks for more, the request is given up
    at once, since the caller can do something better than sleep.
    """

    attempts: int = 5
    first: float = 1.0
    longest: float = 60.0
    most_asked: float = 120.0


def backoff(patience: Patience, attempt: int, draw: Callable[[], float]) -> float:
    """Return the pause after the given attempt (from 1): exponential, with a random half so that no crowd forms.

    `draw` gives a number from 0 to 1.
    """
    whole: float = min(patience.longest, patience.first * 2.0 ** (attempt - 1))
    return whole / 2 + whole / 2 * draw()


def asked(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds an endpoint asks to wait before the request is repeated, or None where it says nothing."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    return _when(headers.get("retry-after", ""), now)


def exhausted(headers: Mapping[str, str], now: datetime) -> float:
    """Return the seconds until a used-up limit is reset, by what a reply says; 0 while something is left of all."""
    pauses = [
        _when(headers.get(reset, ""), now) or 0.0
        for remaining, reset in RESETS
        if _number(headers.get(remaining, "")) == 0
    ]
    return max(pauses, default=0.0)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,15}(?:\.\d{1,9})?", text.strip(), re.ASCII) else None


def _when(text: str, now: datetime) -> float | None:
    """Read seconds, a span such as `1m30s`, an epoch time, an HTTP date or an ISO date as seconds from now."""
    text = text.strip()
    number = _number(text)
    if number is not None:
        if number < 1e9:
            return number
        return max(0.0, (number / 1000 if number >= 1e11 else number) - now.timestamp())
    if text and len(text) < 40 and SPAN.sub("", text) == "":
        return sum(float(amount) * UNITS[unit] for amount, unit in SPAN.findall(text))
    moment = _date(text)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


def _date(text: str) -> datetime | None:
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(text)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None
