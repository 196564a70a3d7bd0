"""Cutting sessions into passages and finding the way back."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.recall.passage import (
    OVERLAP,
    TARGET,
    Span,
    cut,
    message_unit,
    pack,
    readable,
    session_units,
    slices,
    unpack,
)
from hermes_git.sessions.model import Message, Session, ToolCall

SPANS = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**7), st.integers(0, 10**7)))


@given(SPANS)
def test_spans_round_trip(rows: list[tuple[int, int, int]]) -> None:
    spans = tuple(Span(unit, start, start + length) for unit, start, length in rows)
    assert unpack(pack(spans)) == spans


@pytest.mark.parametrize("data", [b"\x80", b"\x02", b"\x02\x02", b"\x02\x02\x82"])
def test_spans_that_end_early(data: bytes) -> None:
    with pytest.raises(ValueError, match="end early"):
        unpack(data)


@given(st.text(st.sampled_from("ab \n界"), max_size=3 * TARGET))
def test_slices_cover_everything(text: str) -> None:
    found = list(slices(text))
    assert not found if not text else (found[0][0] == 0 and found[-1][1] == len(text))
    for (_, end), (start, _) in pairwise(found):
        assert end - OVERLAP <= start < end
    assert all(end - start <= TARGET + OVERLAP for start, end in found)


MESSAGES = st.lists(
    st.builds(
        lambda role, content, reasoning, calls: (role, content, reasoning, calls),
        st.sampled_from(["user", "assistant", "tool", "system"]),
        st.text(max_size=200) | st.just("long word " * 900),
        st.text(max_size=20),
        st.lists(st.sampled_from(['{"a": "x\\ny"}', "broken {", "[1, 2]"]), max_size=2),
    ),
    max_size=12,
)


@given(MESSAGES)
def test_every_passage_is_where_its_spans_say(rows: list[tuple[str, str, str, list[str]]]) -> None:
    messages = tuple(
        Message(number, role, content, reasoning, tuple(ToolCall("c", "run", call) for call in calls))  # type: ignore[arg-type]
        for number, (role, content, reasoning, calls) in enumerate(rows, start=1)
    )
    texts = {message.id: message_unit(message).text for message in messages}
    covered: dict[int, set[int]] = {number: set() for number in texts}
    for passage in cut(session_units(Session("s", "hermes", messages=messages))):
        assert passage.text == "\n".join(texts[span.unit][span.start : span.end] for span in passage.spans)
        for span in passage.spans:
            covered[span.unit] |= set(range(span.start, span.end))
    for number, text in texts.items():
        missed = {at for at in range(len(text)) if at not in covered[number]}
        assert not {text[at] for at in missed} - {"\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"output": "a\\nb", "exit_code": 0}', "output: a\nb\nexit_code: 0"),
        ('[{"name": "x"}, {"name": "y"}]', "name: x\nname: y"),
        ("plain {text}", "plain {text}"),
        ('{"cut": "a\\nb', '{"cut": "a \nb'),
        ("{}", ""),
        ("[" * 100_000, "[" * 100_000),
        ('{"a": null, "b": "", "c": true}', "c: True"),
    ],
)
def test_readable(text: str, expected: str) -> None:
    assert readable(text) == expected


def test_lanes_roles_and_tools() -> None:
    call = ToolCall("c1", "Terminal", '{"command": "ls"}')
    messages = (
        Message(1, "user", "look", timestamp="2026-05-01T10:00:00Z"),
        Message(2, "assistant", "looking", tool_calls=(call,)),
        Message(3, "tool", "a b", tool_name="Terminal"),
        Message(4, "user", "reminder", state="harness"),
        Message(5, "user", "undone", state="rewound"),
    )
    said, tool = cut(session_units(Session("s", "hermes", messages=messages)))
    assert (said.lane, said.text, said.tags, said.time) == (
        "said",
        "look\nlooking",
        ("role:user", "role:assistant"),
        1777629600,
    )
    assert (tool.lane, tool.text) == ("tool", "Terminal\ncommand: ls\na b\nreminder")
    assert tool.tags == ("role:assistant", "tool:terminal", "role:tool", "role:user")
