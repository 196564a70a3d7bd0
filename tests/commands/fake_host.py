"""The few endpoints of GitHub that the workflows use, on loopback; the state is plain dictionaries."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

NAME = "team/knowledge"
BOT = {"login": "github-actions[bot]", "type": "Bot"}
Row = dict[str, Any]


@dataclass
class FakeHost:
    """What the host knows, and every request it got as `METHOD path`."""

    pulls: list[Row] = field(default_factory=list)
    comments: dict[int, list[Row]] = field(default_factory=dict)
    reviews: dict[int, list[Row]] = field(default_factory=dict)
    statuses: list[Row] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    may_open: bool = True
    token: str = "t0ken"
    url: str = ""

    def pull(self, number: int, head: str, base: str, *, ref: str = "topic", author: str = "codex-bot",
             fork: bool = False) -> Row:  # fmt: skip
        """Add an open pull request."""
        row = {
            "number": number,
            "state": "open",
            "user": {"login": author, "type": "User"},
            "head": {"sha": head, "ref": ref, "repo": {"full_name": "someone/fork" if fork else NAME}},
            "base": {"sha": base, "ref": "main"},
        }
        self.pulls.append(row)
        return row

    def answer(self, method: str, path: str, query: Row, body: Row) -> tuple[int, Any]:
        """Answer one request."""
        for pattern, wanted, handle in ROUTES:
            match = re.fullmatch(pattern, path)
            if match and method == wanted:
                return handle(self, query, body, *match.groups())
        return 404, {"message": "Not Found"}

    def list_pulls(self, query: Row, _body: Row) -> tuple[int, Any]:
        return 200, _page([row for row in self.pulls if row["state"] == query.get("state", "open")], query)

    def open_pull(self, _query: Row, body: Row) -> tuple[int, Any]:
        if not self.may_open:
            return 403, {"message": "GitHub Actions is not permitted to create or approve pull requests."}
        row = self.pull(len(self.pulls) + 100, "", "", ref=body["head"], author="github-actions[bot]")
        row |= {"title": body["title"], "body": body["body"]}
        return 201, row

    def close_pull(self, _query: Row, body: Row, number: str) -> tuple[int, Any]:
        row = next(row for row in self.pulls if row["number"] == int(number))
        row.update(body)
        return 200, row

    def list_comments(self, query: Row, _body: Row, number: str) -> tuple[int, Any]:
        return 200, _page(self.comments.get(int(number), []), query)

    def add_comment(self, _query: Row, body: Row, number: str) -> tuple[int, Any]:
        rows = self.comments.setdefault(int(number), [])
        rows.append({"id": 1000 + len(rows), "user": BOT, **body})
        return 201, rows[-1]

    def edit_comment(self, _query: Row, body: Row, wanted: str) -> tuple[int, Any]:
        row = next(row for rows in self.comments.values() for row in rows if row["id"] == int(wanted))
        row.update(body)
        return 200, row

    def list_reviews(self, query: Row, _body: Row, number: str) -> tuple[int, Any]:
        return 200, _page(self.reviews.get(int(number), []), query)

    def permissions(self, _query: Row, _body: Row) -> tuple[int, Any]:
        return 200, {"default_workflow_permissions": "read", "can_approve_pull_request_reviews": self.may_open}

    def add_status(self, _query: Row, body: Row, commit: str) -> tuple[int, Any]:
        self.statuses.append({"sha": commit, **body})
        return 201, body


def _page(rows: list[Row], query: Row) -> list[Row]:
    size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
    return rows[(page - 1) * size : page * size]


ROUTES: list[tuple[str, str, Callable[..., tuple[int, Any]]]] = [
    (r"pulls", "GET", FakeHost.list_pulls),
    (r"pulls", "POST", FakeHost.open_pull),
    (r"pulls/(\d+)", "PATCH", FakeHost.close_pull),
    (r"pulls/(\d+)/reviews", "GET", FakeHost.list_reviews),
    (r"issues/(\d+)/comments", "GET", FakeHost.list_comments),
    (r"issues/(\d+)/comments", "POST", FakeHost.add_comment),
    (r"issues/comments/(\d+)", "PATCH", FakeHost.edit_comment),
    (r"actions/permissions/workflow", "GET", FakeHost.permissions),
    (r"statuses/([0-9a-f]{40})", "POST", FakeHost.add_status),
]


def serve(host: FakeHost) -> ThreadingHTTPServer:
    """Serve the host on a free port of loopback; `host.url` says where."""

    class Answer(BaseHTTPRequestHandler):
        def _run(self) -> None:
            parts = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else {}
            path = parts.path.removeprefix(f"/repos/{NAME}/")
            host.requests.append(f"{self.command} {path}")
            status, said = (401, {"message": "Bad credentials"})
            if self.headers.get("Authorization") == f"Bearer {host.token}":
                status, said = host.answer(self.command, path, query, body)
            data = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _run

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    host.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
