"""ShareGPT: Hermes' tags, LLaMA-Factory's roles, tags that are only text."""

from __future__ import annotations

from pathlib import Path

from tests.sessions.formats.reading import one, read, told, write_document, write_rows


def tag(name: str, text: str) -> str:
    return f"<{name}>\n{text}\n</{name}>\n"


HERMES = {
    "conversations": [
        {"from": "system", "value": 'You call functions.\n<tools>\n[{"name": "bash"}]\n</tools>'},
        {"from": "human", "value": "Fix it."},
        {
            "from": "gpt",
            "value": "<think>\nZone?\n</think>\nI run it.\n"
            + tag("tool_call", '{"name": "bash", "arguments": {"c": "a"}}')
            + tag("tool_call", '{"name": "ls", "arguments": {}}'),
        },
        {
            "from": "tool",
            "value": tag("tool_response", '{"tool_call_id": "x", "name": "bash", "content": "1 failed"}')
            + tag("tool_response", '{"content": {"n": 2}}'),
        },
        {"from": "gpt", "value": "<think>\n</think>\nDone."},
    ],
    "timestamp": "2026-09-01T08:00:00",
    "model": "m",
    "completed": True,
}


def test_hermes_tags(tmp_path: Path) -> None:
    session, report = one(write_rows(tmp_path / "a.jsonl", [HERMES]), "sharegpt")
    assert told(session) == [
        ("user", "Fix it."),
        ("assistant", "I run it."),
        ("tool", "1 failed"),
        ("tool", '{"n":2}'),
        ("assistant", "Done."),
    ]
    answer = session.messages[1]
    assert (answer.reasoning, [(c.name, c.arguments) for c in answer.tool_calls]) == (
        "Zone?",
        [("bash", '{"c":"a"}'), ("ls", "{}")],
    )
    assert [m.tool_call_id for m in session.messages[2:4]] == [c.id for c in answer.tool_calls]
    assert [m.tool_name for m in session.messages[2:4]] == ["bash", "ls"]
    assert (session.tools, session.end_reason, session.started_at) == (
        '[{"name": "bash"}]',
        "completed",
        "2026-09-01T08:00:00Z",
    )
    assert (report.kept, report.merged) == (4, 2)


def test_roles_of_llama_factory(tmp_path: Path) -> None:
    record = {
        "system": "s",
        "tools": '[{"name": "bash"}]',
        "conversations": [
            {"from": "human", "value": "go"},
            {"from": "function_call", "value": '[{"name": "bash", "arguments": {}}, {"name": "ls", "arguments": {}}]'},
            {"from": "observation", "value": "1 failed"},
            {"from": "gpt", "value": "done"},
        ],
    }
    session, _ = one(write_document(tmp_path / "a.json", [record]), "sharegpt")
    assert [len(m.tool_calls) for m in session.messages] == [0, 2, 0, 0]
    assert (session.system_prompt, session.tools) == ("s", '[{"name": "bash"}]')


def test_tags_that_are_no_json_stay_in_the_text(tmp_path: Path) -> None:
    value = "look: <tool_call>\n{broken}\n</tool_call>"
    rows = [
        {
            "conversations": [
                {"from": "human", "value": "x"},
                {"from": "gpt", "value": value},
                {"from": "tool", "value": "plain"},
                {"from": "alien", "value": "y"},
                {"from": "gpt", "value": ""},
            ]
        }
    ]
    session, report = one(write_rows(tmp_path / "a.jsonl", rows), "sharegpt")
    assert told(session) == [("user", "x"), ("assistant", value), ("tool", "plain")]
    assert report.dropped == {"empty:turn": 1, "unknown:from/alien": 1}
    assert report.notes == {"calls that are not JSON, kept as text": 1, "results without a call": 1}


def test_every_real_file_is_accounted_for(data: Path) -> None:
    found = [read(path, "sharegpt") for path in (data / "trajectories/hermes-format").glob("*.jsonl")]
    assert sum(len(sessions) for sessions, _ in found) == 176
