"""Prompts by content: duplicates stay apart, order does not matter, and lines that are none say why."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.batch.dataset import Dataset, read

Lines = list[tuple[int, bytes]]


def lines(*rows: object) -> Lines:
    texts = (row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode() for row in rows)
    return list(enumerate(texts, start=1))


def test_fields_are_kept() -> None:
    found = read(lines({"prompt": "好 🙂", "docker_image": "a", "image": "b", "cwd": "/x", "tag": [1, {"é": None}]}))
    (prompt,) = found.prompts
    assert (prompt.text, prompt.image, prompt.cwd, prompt.index) == ("好 🙂", "a", "/x", 0)
    assert json.loads(prompt.extra) == {"tag": [1, {"é": None}]}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not valid JSON"),
        (b"[1]", "not a JSON object"),
        (b"\xff{}", "not UTF-8"),
        (b"[" * 100_000, "not valid JSON"),
        ({"x": 1}, "no prompt"),
        ({"prompt": None}, "no prompt"),
        ({"prompt": 3}, "prompt is not a string"),
        ({"prompt": " \n"}, "prompt is empty"),
        ({"prompt": "x" * 4_200_000}, "prompt is too long"),
    ],
)
def test_what_is_no_prompt(line: object, reason: str) -> None:
    found = read(lines({"prompt": "good"}, line, b"", {"prompt": "good too"}))
    assert [prompt.text for prompt in found.prompts] == ["good", "good too"]
    assert [(row.line, row.reason) for row in found.invalid] == [(2, reason)] and found.reasons() == {reason: 1}


@pytest.mark.parametrize("first", ["\ufeff".encode() + b'{"prompt": "x"}', b'{"prompt": "x"}'])
def test_a_byte_order_mark_is_no_content(first: bytes) -> None:
    assert read([(1, first)]).prompts == read(lines({"prompt": "x"})).prompts


ROWS = st.lists(st.fixed_dictionaries({"prompt": st.text(min_size=1).filter(str.strip), "n": st.integers(0, 2)}))


@given(ROWS, st.randoms(use_true_random=False))
def test_ids_are_unique_and_do_not_depend_on_order(rows: list[dict[str, object]], random: object) -> None:
    encoded = [json.dumps(row).encode() for row in rows]
    found = read(enumerate(encoded, 1))
    ids = [prompt.id for prompt in found.prompts]
    assert len(set(ids)) == len(ids) == len(rows)
    random.shuffle(encoded)  # type: ignore[attr-defined]
    again = read(enumerate(encoded, 1))
    assert {prompt.id for prompt in again.prompts} == set(ids)
    assert read(enumerate(sorted(encoded), 1)).digest == read(enumerate(sorted(encoded), 1)).digest


def test_a_dataset_can_be_cut() -> None:
    found = read(lines(*({"prompt": str(number)} for number in range(5))))
    assert len(found.first(2).prompts) == 2 and found.first(0) == found
    assert isinstance(found.first(2), Dataset)
