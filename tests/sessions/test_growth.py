"""Growth: known messages keep their numbers, new ones follow, nothing is lost, a repetition changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hermes_git.sessions.growth import grow, is_related
from hermes_git.sessions.model import Message, Session, ToolCall


def session(*messages: Message, path: str = "a.jsonl", **fields: str) -> Session:
    return Session("s", "hermes", source_path=path, messages=messages, **fields)  # type: ignore[arg-type]


def said(number: int, content: str, *ids: str, **fields: str) -> Message:
    return Message(number, "user", content, source_ids=ids, **fields)  # type: ignore[arg-type]


def test_a_longer_source_adds_after_what_was_known() -> None:
    old = session(said(1, "a", "u1"), said(2, "b", "u2"))
    new = session(said(1, "a", "u1"), said(2, "b", "u2"), said(3, "c", "u3"))
    assert grow(old, new).messages == new.messages


def test_a_message_that_went_on_keeps_its_number() -> None:
    old = session(said(1, "a", "line 1"), said(2, "b", "line 2"))
    new = session(said(1, "a", "line 1"), said(2, "b and more", "line 2", "line 3"))
    assert grow(old, new).messages == new.messages


def test_what_the_same_source_no_longer_holds_was_compacted_there_and_stays_here() -> None:
    old = session(said(1, "a", "7"), said(2, "b", "8"), said(3, "c", "9"))
    grown = grow(old, session(said(1, "[CONTEXT COMPACTION] …", "10", state="harness"), said(2, "c", "9")))
    assert [(m.id, m.content, m.state) for m in grown.messages] == [
        (1, "a", "compacted"),
        (2, "b", "compacted"),
        (3, "c", "active"),
        (4, "[CONTEXT COMPACTION] …", "harness"),
    ]


def test_another_source_only_adds_what_is_missing() -> None:
    old = session(said(1, "a", "message 1"), said(2, "b", "message 2"), path="x.json", title="kept")
    new = session(said(1, "b", "line 1", timestamp="2026-09-01T00:00:00Z"), said(2, "c", "line 2"), title="other")
    grown = grow(old, new)
    assert [(m.id, m.content) for m in grown.messages] == [(1, "a"), (2, "b"), (3, "c")]
    assert grown.title == "other"
    assert grow(grown, session(said(1, "a", "message 1"), path="x.json")) is grown


def test_places_in_a_list_identify_nothing_by_themselves() -> None:
    old = session(said(1, "a", "message 1"), said(2, "b", "message 2"))
    grown = grow(old, session(said(1, "b", "message 1"), said(2, "c", "message 2")))
    assert [(m.id, m.content, m.state) for m in grown.messages] == [
        (1, "a", "compacted"),
        (2, "b", "active"),
        (3, "c", "active"),
    ]


def test_calls_are_told_apart_by_their_ids() -> None:
    one = Message(1, "assistant", tool_calls=(ToolCall("c1", "ls"),))
    two = Message(2, "assistant", tool_calls=(ToolCall("c2", "ls"),))
    assert len(grow(session(one, two), session(one, two, path="b")).messages) == 2


def test_other_numbers_of_placeholders_do_not_make_another_message() -> None:
    old = session(said(1, "use [REDACTED:github-token:2]"), path="x")
    assert grow(old, session(said(1, "use [REDACTED:github-token:1]"))) is old


def test_sessions_without_a_common_message_are_not_related() -> None:
    assert is_related(session(said(1, "a")), session(said(5, "a"), path="b"))
    assert is_related(session(said(1, "a")), session(said(1, "b")))
    assert not is_related(session(said(1, "a")), session(said(1, "b"), path="b"))
    other_agent = Session("s", "codex", source_path="a.jsonl", messages=(said(1, "a"),))
    assert not is_related(session(said(1, "a")), other_agent)


TEXTS = st.lists(st.sampled_from("abc"), max_size=6)


@given(TEXTS, TEXTS)
def test_nothing_is_ever_lost_and_numbers_stay(before: list[str], after: list[str]) -> None:
    old = session(*(said(n, text, f"message {n}") for n, text in enumerate(before, 1)))
    new = session(*(said(n, text, f"message {n}") for n, text in enumerate(after, 1)))
    grown = grow(old, new)
    assert [m.content for m in grown.messages[: len(before)]] == before
    assert [m.id for m in grown.messages] == list(range(1, len(grown.messages) + 1))
    for text in "abc":
        assert sum(m.content == text for m in grown.messages) == max(before.count(text), after.count(text))
    assert grow(grown, new).messages == grown.messages
