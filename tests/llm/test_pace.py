"""Pauses: what headers ask for, and backoff that stays within its bounds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hermes_git.llm.pace import Patience, asked, backoff, exhausted

NOW = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sun, 29 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 29 Nov 2026 11:00:30 GMT"}, 0.0),
        ({"retry-after": "1m30s"}, 90.0),
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "9" * 400}, None),
    ],
)
def test_what_the_endpoint_asks(headers: dict[str, str], seconds: float | None) -> None:
    assert asked(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"}, 360.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) + 12)}, 12.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp() + 12) * 1000)}, 12.0),
        (
            {"anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2026-11-29T12:01Z"},
            60.0,
        ),
        ({"x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "9s"}, 0.0),
        ({"x-ratelimit-remaining-requests": "0"}, 0.0),
        ({}, 0.0),
    ],
)
def test_used_up_limits(headers: dict[str, str], seconds: float) -> None:
    assert exhausted(headers, NOW) == pytest.approx(seconds)


def test_backoff_grows_and_is_bounded() -> None:
    patience = Patience(first=1.0, longest=60.0)
    assert [backoff(patience, attempt, lambda: 1.0) for attempt in (1, 2, 3, 20)] == [1.0, 2.0, 4.0, 60.0]
    assert backoff(patience, 3, lambda: 0.0) == 2.0
