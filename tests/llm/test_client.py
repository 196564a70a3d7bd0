"""The client against a loopback endpoint that delays, errors, limits and answers nonsense."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from hermes_git.llm.client import Client, Limits
from hermes_git.llm.endpoint import Endpoint
from hermes_git.llm.pace import Patience
from hermes_git.llm.protocol import ChatError, Message, Sampling, Tool
from tests.llm.endpoint import Answer, Decide, Running, failed, said, serving

pytest.importorskip("httpx")

ASK = (Message("user", "Is the date test flaky?"),)


def client(running: Running, pauses: list[float] | None = None, *, key: str = "", **limits: object) -> Client:
    noted = pauses if pauses is not None else []
    bounds = Limits(**{"seconds": 5.0, "patience": Patience(attempts=3), **limits})  # type: ignore[arg-type]
    return Client(Endpoint(running.url, "stub", key), bounds, draw=lambda: 0.5, sleep=noted.append)


@contextmanager
def asked(decide: Decide, *, key: str = "", pauses: list[float] | None = None, **limits: object) -> Iterator[Pair]:
    """Yield the running endpoint and a client of it."""
    with serving(decide) as running, client(running, pauses, key=key, **limits) as chat:
        yield running, chat


Pair = tuple[Running, Client]


def test_a_reply_comes_back_whole() -> None:
    calls = [{"id": "a", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "ls"}'}}]
    sampling = Sampling(max_tokens=9, temperature=0.0, seed=3)
    with asked(lambda *_: said("好", reasoning_content="think", tool_calls=calls), key="k-123") as (running, chat):
        found = chat.complete(ASK, tools=[Tool("terminal", "Run it.")], sampling=sampling)
    assert (found.text, found.reasoning, found.tool_calls[0].name, found.attempts) == ("好", "think", "terminal", 1)
    assert (found.usage.input, found.usage.output, found.usage.cost) == (10, 5, 0.25)
    body, headers = running.requests[0], running.headers[0]
    assert (
        body["max_tokens"] == 9 and body["temperature"] == 0.0 and body["seed"] == 3 and "reasoning_effort" not in body
    )
    assert body["tools"][0]["function"]["name"] == "terminal"
    assert headers["authorization"] == "Bearer k-123"


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        (failed(500), "server"),
        (failed(429), "rate-limit"),
        (failed(503, "<html>"), "server"),
        (Answer(b'{"choices": [{"mess'), "malformed"),
        (Answer(b"[]"), "malformed"),
        (Answer(b'{"choices": []}'), "malformed"),
        (Answer(b'{"choices": [{"message": {"tool_calls": [{"id": "x"}]}}]}'), "malformed"),
        (Answer(b'{"error": {"code": 429, "message": "upstream is busy"}}'), "rate-limit"),
        (Answer(b"not gzip", headers={"content-encoding": "gzip"}), "malformed"),
    ],
)
def test_what_may_pass_is_tried_again_and_bounded(first: Answer, kind: str) -> None:
    pauses: list[float] = []
    with serving(lambda _, number: first if number == 0 else said("ok")) as running, client(running, pauses) as chat:
        found = chat.complete(ASK)
        assert (found.text, found.attempts) == ("ok", 2)
    assert pauses == [0.75]
    with serving(lambda *_: first) as running, client(running, pauses) as chat:
        with pytest.raises(ChatError) as caught:
            chat.complete(ASK)
        assert caught.value.kind == kind and caught.value.is_transient and caught.value.attempts == 3
        assert len(running.requests) == 3
        again = pickle.loads(pickle.dumps(caught.value))
        assert str(again) == str(caught.value) and again.kind == kind


@pytest.mark.parametrize("status", [400, 401, 403, 404, 302])
def test_a_refusal_is_not_repeated(status: int) -> None:
    refusal = failed(status, "wrong", location="http://127.0.0.1:1/")
    with asked(lambda *_: refusal, key="k-1") as (running, chat), pytest.raises(ChatError) as caught:
        chat.complete(ASK)
    assert caught.value.kind == "refused" and not caught.value.is_transient and len(running.requests) == 1
    assert "wrong" in str(caught.value) and "k-1" not in str(caught.value)


def test_a_slow_endpoint_is_given_up() -> None:
    slow = Answer(b"{}", delay=0.6)
    bounds = {"seconds": 0.1, "patience": Patience(attempts=2)}
    with asked(lambda *_: slow, **bounds) as (_, chat), pytest.raises(ChatError) as caught:
        chat.complete(ASK)
    assert caught.value.kind == "timeout" and caught.value.attempts == 2


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"{}", headers={"x-long": "x" * 1000}, drip=0.02),
        Answer(b" " * 1000, drip_body=0.02),
        Answer(b"\x1f\x8b\x08\x10" + b"\0" * 6 + b"x" * 1000, headers={"content-encoding": "gzip"}, drip_body=0.02),
    ],
    ids=["headers", "body", "packed body of which nothing can be unpacked yet"],
)
def test_an_endpoint_that_drips_is_given_up_as_a_whole(answer: Answer) -> None:
    bounds = {"seconds": 0.2, "patience": Patience(attempts=2)}
    with asked(lambda *_: answer, **bounds) as (running, chat):
        with pytest.raises(ChatError, match=r"no whole response within 0\.2 s after 2 attempts") as caught:
            chat.complete(ASK)
        assert caught.value.kind == "timeout" and len(running.requests) == 2
        assert all(count < 1000 for count in running.dripped)  # each byte was in time, and the last was not waited for


def test_after_a_response_that_was_given_up_the_next_one_is_read() -> None:
    slow = Answer(b" " * 1000, drip_body=0.02)
    with asked(lambda _, number: said("ok") if number else slow, seconds=0.5, at_once=1) as (_, chat):
        assert (chat.complete(ASK).text, chat.complete(ASK).text) == ("ok", "ok")


def test_a_response_that_takes_its_time_is_read() -> None:
    answer = said("ok")
    answer.drip_body = 0.001
    with asked(lambda *_: answer, seconds=30.0) as (running, chat):
        assert chat.complete(ASK).text == "ok" and running.dripped == [len(answer.body)]


def test_connections_are_kept_and_closed() -> None:
    before = threading.active_count()
    with serving(lambda *_: said("ok")) as running, client(running) as chat:
        for _ in range(3):
            chat.complete(ASK)
        assert len({headers["peer"] for headers in running.headers}) == 1
    never_asked = client(running)
    never_asked.close()
    never_asked.close()
    dropped = client(running)
    del dropped
    assert _soon(lambda: threading.active_count() <= before)


def _soon(is_so: Callable[[], bool]) -> bool:
    for _ in range(500):
        if is_so():
            return True
        time.sleep(0.01)
    return False


def test_an_endpoint_that_is_not_there_is_said() -> None:
    chat = client(Running("http://127.0.0.1:9/v1"))
    with pytest.raises(ChatError) as caught:
        chat.complete(ASK)
    assert caught.value.kind == "unreachable" and caught.value.attempts == 3


def test_the_endpoint_says_how_long_to_wait() -> None:
    pauses: list[float] = []
    with asked(lambda _, number: said("ok") if number else failed(429, retry_after="7"), pauses=pauses) as (_, chat):
        chat.complete(ASK)
    assert pauses[0] == 7.0 and all(pause <= 7.0 for pause in pauses)


def test_a_wait_without_reason_is_not_waited() -> None:
    pauses: list[float] = []
    late = failed(429, retry_after="86400")
    with asked(lambda *_: late, pauses=pauses) as (running, chat), pytest.raises(ChatError, match="wait 86,400 s"):
        chat.complete(ASK)
    assert pauses == [] and len(running.requests) == 1


def test_a_used_up_limit_holds_the_next_request_back() -> None:
    pauses: list[float] = []
    used = said("one")
    used.headers = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m5s"}
    with serving(lambda _, number: used if number == 0 else said("two")) as running, client(running, pauses) as chat:
        chat.complete(ASK)
        assert pauses == []
        chat.complete(ASK)
    assert len(pauses) == 1 and 60 < pauses[0] <= 65


def test_requests_at_once_are_bounded() -> None:
    def slow(*_: object) -> Answer:
        answer = said("ok")
        answer.delay = 0.05
        return answer

    with serving(slow) as running, client(running, at_once=2) as chat, ThreadPoolExecutor(6) as pool:
        assert all(found.text == "ok" for found in pool.map(lambda _: chat.complete(ASK), range(8)))
    assert running.busiest <= 2


def test_an_endless_response_is_not_read() -> None:
    endless = Answer(b" " * (17 * 1024 * 1024))
    with asked(lambda *_: endless) as (running, chat), pytest.raises(ChatError) as caught:
        chat.complete(ASK)
    assert caught.value.kind == "too-large" and len(running.requests) == 1
