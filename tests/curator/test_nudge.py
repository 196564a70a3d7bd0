"""What in a session is worth saving, what settles it, and that looking consumes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes_git import cli
from hermes_git.curator.nudge import signals
from hermes_git.sessions.model import Message, Session, ToolCall

TIME = "2026-03-04T05:06:07Z"


def user(id: int, text: str) -> Message:
    return Message(id, "user", text)


def said(id: int, text: str = "done") -> Message:
    return Message(id, "assistant", text)


def call(id: int, tool: str, /, **arguments: object) -> Message:
    return Message(id, "assistant", tool_calls=(ToolCall(f"c{id}", tool, json.dumps(arguments)),))


def result(id: int, of: int, text: str = "ok", *, error: bool = False) -> Message:
    return Message(id, "tool", text, tool_call_id=f"c{of}", is_error=error)


def session(*messages: Message) -> Session:
    return Session("s1", "claude-code", started_at=TIME, messages=messages)


BUILD = {"command": "make build"}
TROUBLE = (
    call(2, "Bash", **BUILD), result(3, 2, "Error: no rule"), call(4, "Bash", command="make -C src build"),
    result(5, 4, "exit code 2"), call(6, "Bash", command="make -f x.mk build"), result(7, 6, "built"),
)  # fmt: skip
LOOPS = tuple(row for n in range(10) for row in (call(2 * n + 2, "Read", path="x"), result(2 * n + 3, 2 * n + 2)))

FIRES = [
    ((user(1, "go"), said(2), user(3, "No, use the staging host")), [(3, "correction")]),
    ((user(1, "go"), said(2), user(3, "不对，应该先备份")), [(3, "correction")]),
    ((user(1, "From now on always run make lint first"),), [(1, "preference")]),
    ((user(1, "My time zone is UTC+2"),), [(1, "preference")]),
    ((user(1, "go"), *TROUBLE), [(6, "recovery")]),
    ((user(1, "go"), *LOOPS), [(20, "loop"), (20, "skill-counter")]),
    ((user(1, "go"), call(2, "Skill", skill="deploy"), result(3, 2), user(4, "Wrong, that is the old host")),
     [(2, "wrong-skill"), (4, "correction")]),
    ((user(1, "go"), call(2, "skill_view", name="deploy"), result(3, 2, "gone", error=True)), [(2, "wrong-skill")]),
    (tuple(user(n, f"message {n}") for n in range(1, 11)), [(10, "memory-counter")]),
]  # fmt: skip
QUIET = [
    (user(1, "go"), said(2), user(3, "Nice, thank you")),
    (user(1, "No problem with the old one, please add a test"), said(2)),
    (user(1, "go"), *TROUBLE[:2], call(4, "Bash", **BUILD), result(5, 4)),
    (user(1, "go"), *LOOPS[:10], user(15, "I like option C"), *LOOPS[14:]),
    tuple(user(n, f"message {n}") for n in range(1, 10)),
    (user(1, "go"), said(2), Message(3, "user", "No, stop", state="rewound")),
]


@pytest.mark.parametrize(("messages", "expected"), FIRES)
def test_signals(messages: tuple[Message, ...], expected: list[tuple[int, str]]) -> None:
    assert [(signal.message, signal.kind) for signal in signals(session(*messages))] == expected


@pytest.mark.parametrize("messages", QUIET)
def test_no_signal(messages: tuple[Message, ...]) -> None:
    assert signals(session(*messages)) == ()


CORRECTED = (user(1, "go"), said(2), user(3, "No, use port 81"))
WRITES = [
    call(4, "memory", action="add", content="x"),
    call(4, "Bash", command="hermes-git memory add 'port 81'"),
    call(4, "Edit", file_path="knowledge/memory/MEMORY.md", new_string="port 81"),
    call(4, "Write", file_path="skills/dev/x/SKILL.md", content="x"),
    call(4, "skill_manage", action="patch"),
]


@pytest.mark.parametrize("write", WRITES)
def test_a_write_that_succeeds_settles_what_came_before(write: Message) -> None:
    assert signals(session(*CORRECTED, write, result(5, 4))) == ()


@pytest.mark.parametrize("write", WRITES)
def test_a_write_that_was_refused_settles_nothing(write: Message) -> None:
    found = signals(session(*CORRECTED, write, result(5, 4, "Error: over budget", error=True)))
    assert [signal.kind for signal in found] == ["correction"]


def test_reading_memory_settles_nothing() -> None:
    look = call(4, "Read", file_path="knowledge/memory/MEMORY.md")
    assert len(signals(session(*CORRECTED, look, result(5, 4)))) == 1


def test_looking_twice_says_the_same_and_a_counter_can_be_off() -> None:
    many = session(*(user(n, f"message {n}") for n in range(1, 12)))
    assert signals(many) == signals(many) != ()
    assert signals(many, memory_interval=0) == ()
    assert [signal.kind for signal in signals(many, memory_interval=3)] == ["memory-counter"]


def test_the_command_reads_a_transcript(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "No, that is the wrong branch"},
    ]
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"messages": rows}), encoding="utf-8")
    assert cli.main(["nudge", str(path), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert [(row["message"], row["kind"]) for row in table["signals"]] == [(3, "correction")]
    assert cli.main(["nudge", str(path), "--session", "x"]) == 2
    (tmp_path / "x.bin").write_bytes(b"\0\1")
    assert cli.main(["nudge", str(tmp_path / "x.bin")]) == 2


def test_real_transcripts_yield_signals_that_name_their_message(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted((data / "sessions" / "claude-code").rglob("*.jsonl"))
    found = 0
    for path in files[:12]:
        if cli.main(["nudge", str(path), "--json"]) == 0:
            found += len(json.loads(capsys.readouterr().out)["signals"])
        capsys.readouterr()
    assert found >= 3
