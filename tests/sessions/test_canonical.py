"""The canonical format: exact round trip, same bytes for the same session, damage named with its line."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.errors import UserError
from hermes_git.sessions import canonical
from hermes_git.sessions.model import Message, Session, ToolCall

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)
CALLS = st.builds(ToolCall, id=TEXT, name=TEXT, arguments=TEXT)
MESSAGES = st.builds(
    Message,
    id=st.integers(1, 10**6),
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    content=TEXT,
    reasoning=TEXT,
    tool_calls=st.lists(CALLS, max_size=3).map(tuple),
    usage=st.dictionaries(st.text(string.ascii_lowercase, min_size=1, max_size=5), st.integers(0, 10**9), max_size=3),
    state=st.sampled_from(["active", "compacted", "rewound", "branch", "harness"]),
    source_ids=st.lists(TEXT, max_size=3).map(tuple),
)
SESSIONS = st.builds(
    Session,
    id=st.text(string.ascii_letters + string.digits, min_size=1, max_size=12),
    agent=TEXT,
    title=TEXT,
    system_prompt=TEXT,
    tools=TEXT,
    messages=st.lists(MESSAGES, max_size=4).map(tuple),
)

SAMPLE = Session(
    id="s-1",
    agent="claude-code",
    started_at="2026-09-01T08:00:00Z",
    system_prompt="You are a careful engineer.",
    messages=(
        Message(1, "user", "The date test is flaky.\u2028Fix it. 修复它"),
        Message(2, "assistant", reasoning="Zone?", tool_calls=(ToolCall("c1", "bash", '{"b":1,"a":2}'),)),
        Message(3, "tool", "1 failed", tool_call_id="c1", tool_name="bash", is_error=True),
    ),
)

FROZEN = (
    b'{"format":1,"id":"s-1","agent":"claude-code","started_at":"2026-09-01T08:00:00Z",'
    b'"system_prompt":"sha256:4968d5ad961d1566c1a22aee249105def2667e2e37a8f121f19f7d82bb7ca6c5","messages":3}\n'
    b'{"id":1,"role":"user","content":"The date test is flaky.\xe2\x80\xa8Fix it. '
    b'\xe4\xbf\xae\xe5\xa4\x8d\xe5\xae\x83"}\n'
    b'{"id":2,"role":"assistant","reasoning":"Zone?",'
    b'"tool_calls":[{"id":"c1","name":"bash","arguments":"{\\"b\\":1,\\"a\\":2}"}]}\n'
    b'{"id":3,"role":"tool","content":"1 failed","tool_call_id":"c1","tool_name":"bash","is_error":true}\n'
)


def shared(session: Session) -> dict[str, str]:
    return {name: data.decode("utf-8") for name, data in canonical.texts(session).items()}


@given(SESSIONS)
def test_every_session_comes_back_equal(session: Session) -> None:
    data = canonical.encode(session)
    assert canonical.decode(data, shared(session)) == session
    assert data.count(b"\n") == 1 + len(session.messages)
    assert canonical.encode(canonical.decode(data, shared(session))) == data


def test_the_frozen_sample_of_format_1_is_written_and_read() -> None:
    assert canonical.encode(SAMPLE) == FROZEN
    assert canonical.decode(FROZEN, shared(SAMPLE)) == SAMPLE


def test_usage_keys_have_one_order() -> None:
    one = Session("a", "x", messages=(Message(1, "assistant", usage={"output": 1, "input": 2}),))
    other = Session("a", "x", messages=(Message(1, "assistant", usage={"input": 2, "output": 1}),))
    assert canonical.encode(one) == canonical.encode(other)


def test_shared_texts_are_named_not_repeated() -> None:
    data = canonical.encode(SAMPLE)
    assert b"careful engineer" not in data
    assert canonical.references(data) == (canonical.digest(SAMPLE.system_prompt),)
    assert canonical.decode(data).system_prompt == ""
    assert canonical.decode_header(data).messages == ()


def test_fields_of_a_later_minor_version_are_ignored() -> None:
    data = FROZEN.replace(b'"agent"', b'"mood":"good","agent"').replace(b'"role":"user"', b'"role":"user","tags":[1]')
    assert canonical.decode(data, shared(SAMPLE)) == SAMPLE


DAMAGE = [
    (FROZEN[:-1].rsplit(b"\n", 1)[0] + b"\n", "x.jsonl:4: torn: 2 of 3 messages are here"),
    (FROZEN[:-20], "x.jsonl:4: "),
    (FROZEN.replace(b'"role":"tool"', b'"role":"robot"'), "x.jsonl:4: Invalid enum value 'robot'"),
    (b"", "x.jsonl:1: not a session header"),
    (b"hello\n", "x.jsonl:1: not a session header"),
    (FROZEN.replace(b'"agent":"claude-code"', b'"agent":7'), "x.jsonl:1: "),
    (FROZEN.replace(b'"format":1', b'"format":2'), "x.jsonl: format 2, this tool reads format 1"),
    (FROZEN, "x.jsonl: the text 4968d5ad"),
]


@pytest.mark.parametrize(("data", "said"), DAMAGE)
def test_damage_is_one_error_that_names_the_line(data: bytes, said: str) -> None:
    with pytest.raises(UserError) as caught:
        canonical.decode(data, {}, where="x.jsonl") if data == FROZEN else canonical.decode(data, where="x.jsonl")
    assert str(caught.value).startswith(said)
    assert caught.value.hint
