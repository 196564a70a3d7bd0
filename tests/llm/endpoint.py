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
    """One response: status, headers, body; `delay` seconds pass before it."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0


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
            number = running.enter(body, {key.lower(): value for key, value in self.headers.items()})
            try:
                answer = decide(body, number)
                time.sleep(answer.delay)
            finally:
                running.leave()
            try:
                self.send_response(answer.status)
                for key, value in {"content-length": str(len(answer.body)), **answer.headers}.items():
                    self.send_header(key, value)
                self.end_headers()
                self.wfile.write(answer.body)
            except ConnectionError:
                self.close_connection = True  # the client gave up waiting

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
