"""A third set of attempts, by somebody who had not seen the rules: how many of them are blocked, and where it was read.

At first 46 of 187 were blocked, 3 of the 93 in prose. Then every other attempt was read for its kind, and the rest was
left unread, so that `HELD` still measures: what was learnt from one half hardly helps against the other half's prose.
"""

from __future__ import annotations

from collections import Counter

import pytest

from hermes_git.finding import ERROR
from tests.checks.fresh_attempts import ATTEMPTS, HARMLESS
from tests.checks.fresh_form import Attempt
from tests.checks.judging import judge

SECURITY = ("HG1", "HG3", "HG4", "HG5", "HG6", "HG9")
READ = {"prose": (29, 47), "shell": (18, 18), "python": (14, 14), "javascript": (8, 8), "others": (5, 7)}
HELD = {"prose": (2, 46), "shell": (12, 19), "python": (10, 13), "javascript": (5, 8), "others": (6, 7)}
"""Kind → how many are blocked at least, and of how many, in the half that was read and in the other."""


def is_blocked(attempt: Attempt) -> bool:
    files = [(f"skill/{path}", text) for path, text in attempt[2]]
    return any(found.severity == ERROR for found in judge(*files, trust="community", select=SECURITY))


@pytest.mark.parametrize(("half", "floors"), [(ATTEMPTS[0::2], READ), (ATTEMPTS[1::2], HELD)])
def test_what_was_blocked_stays_blocked(half: tuple[Attempt, ...], floors: dict[str, tuple[int, int]]) -> None:
    blocked = Counter(attempt[1] for attempt in half if is_blocked(attempt))
    assert Counter(attempt[1] for attempt in half) == {kind: total for kind, (_least, total) in floors.items()}
    assert all(blocked[kind] >= least for kind, (least, _total) in floors.items()), blocked


@pytest.mark.parametrize("attempt", HARMLESS, ids=lambda attempt: attempt[0])
def test_what_only_looks_alike_passes(attempt: Attempt) -> None:
    assert not is_blocked(attempt)
