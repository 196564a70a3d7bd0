"""Which message of a passage answers: the first that holds the phrase, else the one with most of the words."""

from __future__ import annotations

import pytest

from tests.recall.conftest import Search, Store, found, talk

TURNS = (
    "the alpha beta gamma was here",
    "unrelated words, then ALPHA\n  Beta gamma again",
    "beta without its neighbours, and alpha",
    "gamma delta",
)


@pytest.mark.parametrize(
    ("query", "role", "rung", "message"),
    [
        ('"alpha beta gamma"', "", "phrase", 1),
        ('"alpha beta gamma"', "assistant", "phrase", 2),
        ('"words, then alpha beta"', "", "phrase", 2),
        ('"gamma was here unrelated"', "", "phrase", 1),  # from one message into the next
        ('"gamma was here unrelated"', "assistant", "phrase", 2),
        ('"beta gamma" "gamma delta"', "", "phrase", 1),
        ('"beta gamma" "gamma delta"', "assistant", "phrase", 2),
        ("neighbours beta", "", "all", 3),
        ("neighbours beta", "assistant", "all", 2),
        ('"gamma alpha"', "", "all", 1),
    ],
)
def test_the_message_that_answers(store: Store, search: Search, query: str, role: str, rung: str, message: int) -> None:
    store([talk("one", *TURNS)])
    answer = search(query, role_filter=role)
    assert found(answer) == ["one"]
    assert (answer["rung"], answer["results"][0]["match_message_id"]) == (rung, message)


def test_every_phrase_must_be_there(store: Store, search: Search) -> None:
    store([talk("one", *TURNS), talk("two", "alpha beta gamma, and no more")])
    assert found(search('"beta gamma" "gamma delta"', limit=10)) == ["one"]
