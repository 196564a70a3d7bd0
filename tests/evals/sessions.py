"""Sessions for exams of search: agents that tune limits of programs, in words, calls and results."""

from __future__ import annotations

import json

from hermes_git.sessions.model import Message, Session, ToolCall

FILES = "zones clock parser ledger report invoice export login".split()


def session(seed: int, name: str = "") -> Session:
    """Return a session with one round for each file; `seed` changes names and numbers."""
    messages = [Message(1, "user", f"The date tests of release {seed}.4.2 fail at random. Find out why and mend them.")]
    for number, file in enumerate(FILES):
        value = seed * 100 + number
        said = (
            f"I will open src/app{seed}/{file}.py because the trace names compare_{file}{seed}_dates twice. "
            f"The limit in {file} is set to {value + 37} seconds and that is far too long for tests."
        )
        command = f"pytest -q tests/test_{file}{seed}.py --maxfail={value + 3} after changing limits again"
        call = ToolCall(f"c{number}", "Bash", json.dumps({"command": command}))
        result = f"FAILED tests/test_{file}{seed}.py::test_{file}_today because {value + 512} is not near enough to 3"
        place = len(messages) + 1
        messages += [Message(place, "assistant", said, tool_calls=(call,)), Message(place + 1, "tool", result)]
    made = tuple(messages)
    return Session(
        name or f"s{seed}", "hermes", title=f"dates {seed}", started_at="2026-09-01T08:00:00Z", messages=made
    )
