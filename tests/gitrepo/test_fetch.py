"""Getting a revision from elsewhere: a source that answers a byte at a time holds nobody for ever."""

from __future__ import annotations

import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hermes_git.errors import UserError
from hermes_git.gitrepo import create, fetch
from hermes_git.gitrepo.repository import Repository

HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\n\r\n"
MOST_BYTES = 400


class Dripping(socketserver.StreamRequestHandler):
    """Answers a byte each twentieth of a second."""

    sent = 0

    def handle(self) -> None:
        while self.rfile.readline().strip():
            pass
        try:
            self.wfile.write(HEADERS)
            for _ in range(MOST_BYTES):
                self.wfile.write(b"0")
                Dripping.sent += 1
                time.sleep(0.05)
        except ConnectionError:
            return  # the client gave up waiting


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


@pytest.fixture
def url() -> Iterator[str]:
    """Serve; yield the address."""
    Dripping.sent = 0
    with Server(("127.0.0.1", 0), Dripping) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/skills.git"
        server.shutdown()


@pytest.mark.parametrize("ask", ["fetch", "remote_commit"])
def test_a_source_that_drips_is_given_up(url: str, ask: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(fetch, "PATIENCE", 1)
    asked: dict[str, Callable[[], object]] = {
        "fetch": lambda: fetch.fetch(url, "", tmp_path / "new"),
        "remote_commit": lambda: fetch.remote_commit(tmp_path, url, ""),
    }
    with pytest.raises(UserError, match=r"(?i)too slow"):
        asked[ask]()
    assert 0 < Dripping.sent < MOST_BYTES, "every byte came in time, and the last was not waited for"


def test_a_revision_is_fetched_by_name_and_by_id(repo: Repository, commit: Callable[..., str], tmp_path: Path) -> None:
    first, second = commit("one"), commit("two")
    source = str(repo.work_tree())
    assert fetch.remote_commit(tmp_path, source, "main") == second
    assert fetch.fetch(source, "", tmp_path / "a")[1] == second
    assert fetch.fetch(source, first[:12], tmp_path / "b")[1] == first
    with pytest.raises(UserError, match="cannot fetch"):
        fetch.fetch(str(create.create(tmp_path / "empty").work_tree()), "", tmp_path / "c")
