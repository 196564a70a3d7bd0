"""Sessions by the handful, stored in a throw-away repository."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.recall.ask import ask
from hermes_git.recall.shapes import Parameters
from hermes_git.sessions.model import Message, Session
from hermes_git.sessions.store import open_store, session_files
from hermes_git.settings import DEFAULTS

Store = Callable[[Iterable[Session]], None]
Search = Callable[..., dict]


def talk(session_id: str, *turns: str, start: str = "2026-05-01T10:00:00Z", **more: object) -> Session:
    """Return a session in which user and assistant take turns; a turn may be `role: text`."""
    messages = []
    for number, turn in enumerate(turns, start=1):
        role, _, text = turn.partition(": ")
        if role not in ("user", "assistant", "tool", "system"):
            role, text = ("user", "assistant")[(number - 1) % 2], turn
        messages.append(Message(number, role, text, timestamp=start))  # type: ignore[arg-type]
    return Session(session_id, "hermes", started_at=start, messages=tuple(messages), **more)  # type: ignore[arg-type]


@pytest.fixture
def store(repo: Repository) -> Store:
    """Return a function that stores sessions on the branch of sessions."""

    def put(sessions: Iterable[Session]) -> None:
        files = {path: data for session in sessions for path, data in session_files(session).items()}
        open_store(repo, DEFAULTS).write(files, message="sessions")

    return put


@pytest.fixture
def search(repo: Repository) -> Search:
    """Return a function that calls recall with a query and parameters and returns its plain answer."""

    def call(query: str = "", **given: object) -> dict:
        return ask(repo, DEFAULTS, Parameters(query, **given))  # type: ignore[arg-type]

    return call


def found(answer: dict) -> list[str]:
    """Return the ids of the sessions of an answer, in order."""
    return [row["session_id"] for row in answer["results"]]
