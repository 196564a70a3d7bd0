"""Pairing of calls and results: by id, by position where there is none, each call under an id of its own."""

from __future__ import annotations

from hermes_git.sessions.drafts import Draft, Pairing, blocks, finish, span
from hermes_git.sessions.loss import Tally


def test_results_follow_their_ids() -> None:
    pairing = Pairing(Tally("x"))
    assert [pairing.call("a", "ls"), pairing.call("b", "cat")] == ["a", "b"]
    assert [pairing.result("b"), pairing.result("a", "own name")] == [("b", "cat"), ("a", "own name")]
    assert pairing.tally.notes == {}


def test_without_ids_the_order_decides_and_is_said() -> None:
    pairing = Pairing(Tally("x"))
    assert [pairing.call("", "ls"), pairing.call(None, "cat")] == ["call-1", "call-2"]
    assert [pairing.result(""), pairing.result(7), pairing.result("")] == [
        ("call-1", "ls"),
        ("call-2", "cat"),
        ("", ""),
    ]
    assert pairing.tally.notes == {"results paired by position": 2, "results without a call": 1}


def test_an_id_used_again_becomes_another() -> None:
    pairing = Pairing(Tally("x"))
    assert [pairing.call("a", "ls"), pairing.call("a", "cat")] == ["a", "a.2"]
    assert [pairing.result("a"), pairing.result("a"), pairing.result("a")] == [("a", "ls"), ("a.2", "cat"), ("a", "ls")]
    assert pairing.call("a", "rm") == "a.3"
    assert pairing.tally.notes == {"ids used for more than one call": 2}


def test_blocks_are_text_or_marks() -> None:
    tally = Tally("x")
    content = [{"type": "text", "text": "a"}, "b", {"type": "image", "source": {}}, {"type": "text"}, 7]
    assert blocks(content, tally) == ["a", "b", "[image]", "", "[unknown part]"]
    assert (blocks("plain", tally), blocks(None, tally)) == (["plain"], [])
    assert tally.notes == {"parts that are not text": 2}


def test_drafts_are_numbered_in_order() -> None:
    drafts = [
        Draft("user", ["a", "", "b"], timestamp="2026-09-02"),
        Draft("tool", timestamp="2026-09-01", source_ids=["x", "x"]),
    ]
    messages = finish(drafts)
    assert [(m.id, m.content, m.source_ids) for m in messages] == [(1, "a\nb", ()), (2, "", ("x",))]
    assert span(messages) == ("2026-09-01", "2026-09-02")
    assert Draft("assistant", ["", ""]).is_empty and not Draft("tool").is_empty
