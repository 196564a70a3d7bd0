"""Sessions for tests: short ways to write messages."""

from __future__ import annotations

from hermes_git.sessions.model import Message, Role, Session, State, ToolCall


def message(
    role: Role,
    content: str = "",
    *,
    calls: tuple[tuple[str, str, str], ...] = (),
    answers: str = "",
    reasoning: str = "",
    state: State = "active",
    finish: str = "",
) -> Message:
    """Return a message; `calls` are (id, name, arguments), `answers` is the id of the call a tool message answers."""
    made = tuple(ToolCall(*call) for call in calls)
    return Message(0, role, content, reasoning, made, answers, state=state, finish_reason=finish)


def session(*messages: Message, **fields: str) -> Session:
    """Return a session of these messages, numbered in order."""
    numbered = tuple(
        Message(number, *(getattr(row, name) for name in Message.__struct_fields__[1:]))
        for number, row in enumerate(messages, 1)
    )
    return Session(**({"id": "s1", "agent": "hermes"} | fields), messages=numbered)


def call(number: int, name: str = "read", arguments: str = '{"path": "a.py"}') -> tuple[str, str, str]:
    """Return one call with id `c<number>`."""
    return (f"c{number}", name, arguments)


FLAKY = session(
    message("user", "The date test is flaky. Fix it."),
    message("assistant", reasoning="Probably time zone.", calls=(call(1, "terminal", '{"command": "pytest -q"}'),)),
    message("tool", "1 failed", answers="c1"),
    message("assistant", "It compares local time with UTC."),
    model="some-model",
    started_at="2026-09-01T08:00:00Z",
)
