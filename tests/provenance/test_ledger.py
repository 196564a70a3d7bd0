"""Rows of the ledger: round trip, folding, damage reported and skipped, files that merge by union."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.errors import UserError
from hermes_git.provenance import ledger
from hermes_git.provenance.ledger import OUTCOMES, SUBJECTS, Use

TEXT = st.text(max_size=40)
USES = st.builds(
    Use,
    time=st.integers(0, 4_000_000_000),
    subject=st.sampled_from(SUBJECTS),
    key=st.text(min_size=1, max_size=40),
    outcome=st.sampled_from(OUTCOMES),
    subject_id=TEXT,
    session=TEXT,
    message=st.integers(0, 10**9),
    agent=TEXT,
    maintenance=st.booleans(),
)
ONE = Use(1_767_323_045, "skill", "devops/deploy", "applied", session="s", message=3)
FROZEN = (
    b'{"v":1,"id":"222b7ed58c90622e","time":"2026-01-02T03:04:05Z","subject":"skill","key":"devops/deploy",'
    b'"outcome":"applied","session":"s","message":3}\n'
)


@given(USES)
def test_a_row_reads_back_as_it_was_written(use: Use) -> None:
    line = ledger.encode(use)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert ledger.decode(line) == use


def test_a_row_of_format_1_is_read_for_ever() -> None:
    assert ledger.decode(FROZEN) == ONE
    assert ledger.encode(ONE) == FROZEN


@given(st.lists(USES, max_size=6), st.lists(USES, max_size=6))
def test_appending_in_any_order_says_the_same(one: list[Use], other: list[Use]) -> None:
    forward = ledger.appended(ledger.appended(b"", one), other)
    backward = ledger.appended(ledger.appended(b"", other), one)
    assert ledger.read([("x", forward)]).uses == ledger.read([("x", backward)]).uses
    assert ledger.appended(forward, [*one, *other]) == forward


def test_a_union_merge_folds_repeated_rows() -> None:
    reading = ledger.read([("ledger/2026-01.jsonl", ledger.encode(ONE) * 3)])
    assert (reading.uses, reading.folded, reading.damaged) == ((ONE,), 2, ())


DAMAGE = [
    (b"not json\n", "not JSON"),
    (b'{"v":1,"id":"x","ti', "not JSON"),
    (b'{"v":2}\n', "version 1"),
    (b"[1]\n", "version 1"),
    (FROZEN.replace(b"applied", b"liked"), "outcome"),
    (FROZEN.replace(b"2026-01-02T03:04:05Z", b"yesterday"), "ISO-8601"),
    (FROZEN.replace(b'"devops/deploy"', b"7"), "another type"),
    (b'{"v":1,"x":"' + b"a" * 20_000 + b'"}\n', "longer"),
]


@pytest.mark.parametrize(("line", "reason"), DAMAGE)
def test_damage_is_named_by_line_and_skipped(line: bytes, reason: str) -> None:
    data = FROZEN + line.rstrip(b"\n") + b"\n" + ledger.encode(ONE)
    reading = ledger.read([("ledger/2026-03.jsonl", data)])
    assert reading.uses == (ONE,)
    assert len(reading.damaged) == 1
    assert reading.damaged[0].startswith("ledger/2026-03.jsonl:2: ") and reason in reading.damaged[0]
    assert reading.damaged_months == frozenset({"2026-03"})


def test_appending_ends_a_torn_last_line_first() -> None:
    torn = FROZEN + b'{"v":1,"ti'
    after = ledger.appended(torn, [Use(5, "entry", "memory", "viewed", "abc")])
    assert after.startswith(torn + b"\n") and after.endswith(b"\n")
    assert len(ledger.read([("x", after)]).uses) == 2


@pytest.mark.parametrize("text", [None, 5, "", "12 o'clock", "2026-13-01T00:00:00Z"])
def test_what_is_no_time_is_refused(text: object) -> None:
    with pytest.raises(UserError):
        ledger.seconds(text)


@pytest.mark.parametrize(
    ("text", "seconds"), [("1970-01-02", 86_400), ("1970-01-01T01:00:00+01:00", 0), ("1970-01-01T00:00:07Z", 7)]
)
def test_times_are_read_in_utc(text: str, seconds: int) -> None:
    assert ledger.seconds(text) == seconds
