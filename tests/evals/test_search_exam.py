from __future__ import annotations

from hermes_git.evals.search_exam import examined, sample
from hermes_git.evals.session_bank import Place, Query, queries
from tests.evals.sessions import session

SESSIONS = [session(number) for number in range(1, 6)]
QUERIES = queries(SESSIONS, SESSIONS, 4)


def nothing(text: str, limit: int) -> list[Place]:
    return []


def everything(text: str, limit: int) -> list[Place]:
    return sorted(place for query in QUERIES if query.text == text for place in query.places)[:limit]


def almost(text: str, limit: int) -> list[Place]:
    return [("other", 1), *((query.session, 10**6) for query in QUERIES if query.text == text)]


def test_a_search_that_knows_all_and_one_that_knows_nothing() -> None:
    found = examined(QUERIES, {"all": everything, "none": nothing})
    for form in ("sentence", "words"):
        for kind in ("session", "message"):
            assert found[f"all, {form}: {kind}"]["R@3"] == 100
            assert found[f"none, {form}: {kind}"]["R@10"] == 0
    assert found["all, sentence: session"]["asked"] == sum(query.form == "sentence" for query in QUERIES)


def test_the_right_session_with_the_wrong_message_is_half_of_it() -> None:
    found = examined(QUERIES, {"near": almost})
    assert found["near, sentence: session"]["R@1"] == 0
    assert found["near, sentence: session"]["R@3"] == 100
    assert found["near, sentence: message"]["R@10"] == 0


def test_a_sample_does_not_depend_on_the_order() -> None:
    assert sample(SESSIONS, 2) == sample(SESSIONS[::-1], 2)
    assert len(sample(SESSIONS, 0)) == 5
    assert isinstance(QUERIES[0], Query)
