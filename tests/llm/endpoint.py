"""A chat endpoint on the loopback address that misbehaves on purpose."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Answer:
    """One response: status, headers, body; `delay` seconds pass before it.

    With a `drip` of seconds the headers, or with `drip_body` the body alone, come one byte at a time.
    """

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    drip_body: float = 0.0


def said(text: str, **more: Any) -> Answer:
    """Return a well-formed response with a text."""
    message = {"role": "assistant", "content": text, **more}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15, "cost": 0.25}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return Answer(json.dumps({"id": "x", "model": "stub", "choices": [choice], "usage": usage}).encode())


def failed(status: int, message: str = "no", **headers: str) -> Answer:
    """Return an error response."""
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Answer(json.dumps({"error": {"message": message, "code": "bad"}}).encode(), status, named)


Decide = Callable[[dict[str, Any], int], Answer]
"""(request body, number of the request from 0) → the response."""


@dataclass
class Running:
    """A running endpoint: its URL and what it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    busiest: int = 0
    dripped: list[int] = field(default_factory=list)
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, body: dict[str, Any], headers: dict[str, str]) -> int:
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            self._now += 1
            self.busiest = max(self.busiest, self._now)
            return len(self.requests) - 1

    def leave(self) -> None:
        with self._lock:
            self._now -= 1


@contextmanager
def serving(decide: Decide) -> Iterator[Running]:
    """Serve until the block ends."""
    running = Running("")

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {key.lower(): value for key, value in self.headers.items()}
            number = running.enter(body, {**headers, "peer": str(self.client_address)})
            try:
                answer = decide(body, number)
                time.sleep(answer.delay)
            finally:
                running.leave()
            try:
                self.answer(answer)
            except ConnectionError:
                self.close_connection = True  # the client gave up waiting

        def answer(self, answer: Answer) -> None:
            named = {"content-length": str(len(answer.body)), **answer.headers}
            lines = [f"HTTP/1.1 {answer.status} X", *(f"{key}: {value}" for key, value in named.items()), "", ""]
            self.give("\r\n".join(lines).encode("latin-1"), answer.drip)
            self.give(answer.body, answer.drip_body)

        def give(self, data: bytes, seconds: float) -> None:
            if not seconds:
                self.wfile.write(data)
                return
            running.dripped.append(0)
            for byte in data:
                self.wfile.write(bytes([byte]))
                running.dripped[-1] += 1
                time.sleep(seconds)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
