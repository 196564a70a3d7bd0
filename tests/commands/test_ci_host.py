"""A host that breaks off, sends garbage, or sends the job elsewhere: a sentence, and the token stays."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hermes_git.commands.ci_host import Host, from_environment
from hermes_git.errors import UserError

OK = b"HTTP/1.1 200 OK\r\nContent-Length: "


@contextmanager
def answering(raw: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Serve the same bytes to every request; yield the address and what was asked."""
    asked: list[bytes] = []

    class Raw(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            lines = []
            while (line := self.rfile.readline()).strip():
                lines.append(line)
            asked.append(b"".join(lines))
            self.wfile.write(raw)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Raw) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "does not answer"),
        (b"\x00\xff garbage\r\n\r\n", "does not answer"),
        (OK + b"90\r\n\r\n[]", "does not answer"),
        (OK + b"5\r\n\r\n<htm>", "not JSON"),
        (OK + b"2\r\n\r\n\xff\xfe", "not UTF-8"),
        (OK + b"200000\r\n\r\n" + b"[" * 200_000, "not JSON"),
        (OK + b"2\r\n\r\n{}", "no list of objects"),
        (OK + b"3\r\n\r\n[1]", "no list of objects"),
        (b"HTTP/1.1 500 Sorry\r\nContent-Length: 9\r\n\r\n[[[", "500"),
    ],
)
def test_an_odd_answer_is_a_sentence(raw: bytes, said: str) -> None:
    with answering(raw) as (url, _), pytest.raises(UserError, match=said):
        list(Host(url, "o/n", "secret").rows("pulls"))


def test_the_token_does_not_follow_a_redirect_to_another_host() -> None:
    with answering(OK + b"2\r\n\r\n[]") as (elsewhere, asked):
        moved = f"HTTP/1.1 302 Found\r\nLocation: {elsewhere}/x\r\nContent-Length: 0\r\n\r\n".encode()
        with answering(moved) as (url, _), pytest.raises(UserError, match="302"):
            list(Host(url, "o/n", "secret").rows("pulls"))
    assert not asked


@pytest.mark.parametrize(
    "api", ["http://127.0.0.1.example.invalid", "http://localhost.example.invalid", "ftp://x", "x"]
)
def test_a_token_is_not_sent_in_the_open(api: str) -> None:
    with pytest.raises(UserError, match="GITHUB_API_URL"):
        from_environment({"GITHUB_API_URL": api, "GITHUB_TOKEN": "t", "GITHUB_REPOSITORY": "o/n"})
