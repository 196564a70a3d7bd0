"""Rows out of dirty lines: nothing is lost without being said, nothing is read twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git import files
from hermes_git.sessions import rows
from hermes_git.sessions.loss import Tally

BOM = b"\xef\xbb\xbf"


def record(number: int) -> bytes:
    return json.dumps({"id": number, "role": "user", "content": f"marker{number}"}).encode()


def read(data: bytes) -> tuple[list[int], Tally]:
    tally = Tally("s.jsonl")
    lines = [line + b"\n" for line in data.split(b"\n")]
    return [row.value.get("id", 0) for row in rows.records(lines, tally)], tally


EXPECTED = " where an object is expected"
CASES = [
    (record(1) + b"\n" + record(2) + b"\n", [1, 2], []),
    (BOM + record(1) + b"\n\n \t\r\n" + record(2) + b"\r\n", [1, 2], []),
    (record(1) + record(2) + b"\n", [1, 2], []),
    (record(1) + b" , " + record(2), [1, 2], []),
    (b"\0" * 500 + b"\n" + record(3), [3], ["s.jsonl:1: 500 NUL bytes"]),
    (b"\0\0" + record(3) + b"\0\n", [3], []),
    (b'{"id":4,"ro' + record(5), [5], ["s.jsonl:1: torn at column 1: Expecting ':' delimiter"]),
    (b'{"id":7,"content":"cut', [], ["s.jsonl:1: Unterminated string starting at"]),
    (record(1) + b'{"id":7,"content":"cut', [1], ["s.jsonl:1: Unterminated string starting at"]),
    (b"hello\n" + record(1), [1], ["s.jsonl:1: Expecting value"]),
    (b"[1]\n3", [], ["s.jsonl:1: a JSON array" + EXPECTED, "s.jsonl:2: a JSON number" + EXPECTED]),
    (b'null "x"', [], ["s.jsonl:1: a JSON null" + EXPECTED, "s.jsonl:1: a JSON string" + EXPECTED]),
    ('{"id":8,"content":"a\u2028b\u0085c"}'.encode(), [8], []),
    (b'{"id":9,"content":"\xff"}', [9], []),
    (b'{"id":10,"content":"\\ud83d"}', [10], []),
    (b'{"id":11,"x":NaN}', [11], []),
    (b"[" * 200_000, [], ["s.jsonl:1: nested too deeply"]),
    (b"", [], []),
]  # fmt: skip


@pytest.mark.parametrize(("data", "found", "damaged"), CASES)
def test_each_byte_is_a_record_or_a_counted_damage(data: bytes, found: list[int], damaged: list[str]) -> None:
    ids, tally = read(data)
    assert ids == found
    assert tally.damaged == damaged
    assert tally.rows == len(found) + len(damaged)
    assert tally.dropped["damaged"] == len(damaged)


def test_undecodable_bytes_are_said() -> None:
    _, tally = read(b'{"id":9,"content":"\xff"}')
    assert tally.notes == {"undecodable bytes read as U+FFFD": 1}


@given(st.lists(st.integers(1, 99), max_size=8), st.binary(max_size=30))
def test_a_dirty_line_never_hides_its_neighbours(numbers: list[int], dirt: bytes) -> None:
    lines = [record(number) for number in numbers]
    ids, tally = read(b"\n".join([*lines, dirt.replace(b"\n", b""), *lines]))
    assert ids[: len(numbers)] == numbers
    assert ids[len(ids) - len(numbers) :] == numbers
    assert tally.rows == len(ids) + sum(tally.dropped.values())


def test_a_line_longer_than_the_limit_is_damage_not_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LONGEST_LINE", 100)
    path = tmp_path / "big.jsonl"
    path.write_bytes(record(1) + b"\n" + b'{"id":2,"content":"' + b"x" * 1000 + b'"}\n' + record(3) + b"\n")
    tally = Tally("big.jsonl")
    found = [row.value["id"] for row in rows.records(files.raw_lines(path, longest=100), tally)]
    assert found == [1, 3]
    assert tally.damaged == ["big.jsonl:2: longer than 100 bytes"]
