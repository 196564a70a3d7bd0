from __future__ import annotations

from dataclasses import replace

import msgspec

from hermes_git.evals import shapes
from hermes_git.evals.session_bank import queries, utterances
from hermes_git.sessions.model import Message, Session
from tests.evals.sessions import session

SESSIONS = [session(1), session(2)]


def test_a_query_holds_words_of_its_sentence_and_never_the_answer() -> None:
    found = queries(SESSIONS, SESSIONS, 6)
    assert {query.form for query in found} == {"sentence", "words"}
    assert {query.session for query in found} == {"s1", "s2"}
    for query in found:
        told = query.text.split()
        assert set(told) <= set(shapes.words(query.question.source))
        assert query.question.gold.lower() not in query.text
        assert query.form == "sentence" or len(told) == 4


def test_the_place_is_the_message_that_holds_the_sentence() -> None:
    texts = {(one.id, message.id): f"{message.content} {message.tool_calls}" for one in SESSIONS
             for message in one.messages}  # fmt: skip
    for query in queries(SESSIONS, SESSIONS, 6):
        assert query.places
        assert all(query.question.source in texts[place] for place in query.places)


def test_a_copied_session_is_as_good_as_the_first() -> None:
    copied = [*SESSIONS, msgspec.structs.replace(SESSIONS[0], id="again")]
    found = [query for query in queries(copied, copied[:1], 4) if query.form == "sentence"]
    assert all(query.sessions == {"s1", "again"} for query in found)


def test_the_same_sessions_give_the_same_queries() -> None:
    assert queries(SESSIONS, SESSIONS, 4) == queries(SESSIONS, SESSIONS, 4)


def test_what_was_undone_or_is_no_speech_is_not_asked_about() -> None:
    messages = (
        Message(1, "user", "asked"),
        Message(2, "assistant", "undone", state="rewound"),
        Message(3, "assistant", "said", reasoning="thought"),
        Message(4, "system", "told"),
        Message(5, "tool", "got", tool_name="Bash"),
    )
    said = [(one.turn, one.kind, one.text) for one in utterances(Session("s", "hermes", messages=messages))]
    assert said == [(1, "asked", "asked"), (3, "said", "said"), (3, "thought", "thought"), (5, "result", "got")]
    assert queries([Session("s", "hermes")], [Session("s", "hermes")], 3) == []


def test_values_are_plain() -> None:
    query = queries(SESSIONS, SESSIONS, 1)[0]
    assert replace(query) == query
