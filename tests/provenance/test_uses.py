"""Uses recognised in sessions: what loads a skill, what does not, and how it ended."""

from __future__ import annotations

import json

import pytest

from hermes_git.provenance.ledger import Use
from hermes_git.provenance.uses import as_maintenance, from_session, loads
from hermes_git.sessions.model import Message, Session, ToolCall

TIME = "2026-03-04T05:06:07Z"


def session(*messages: Message, agent: str = "claude-code") -> Session:
    return Session("s1", agent, started_at=TIME, messages=messages)


def call(name: str, arguments: object, id: int = 2) -> Message:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Message(id, "assistant", tool_calls=(ToolCall(f"c{id}", name, text),))


LOADS = [
    ("Skill", {"skill": "deploy"}, ["deploy"]),
    ("Skill", {"command": "plugin:deploy"}, ["deploy"]),
    ("skill_view", {"name": "devops/deploy"}, ["devops/deploy"]),
    ("mcp__hermes__skill_view", {"name": "deploy"}, ["deploy"]),
    ("Read", {"file_path": "/home/u/.claude/skills/deploy/SKILL.md"}, ["deploy"]),
    ("Read", {"file_path": "knowledge/skills/devops/deploy/SKILL.md", "limit": 50}, ["devops/deploy"]),
    ("shell", {"command": ["bash", "-lc", "cat skills/devops/deploy/SKILL.md"]}, ["devops/deploy"]),
    ("exec_command", {"cmd": "sed -n 1,80p ~/.codex/skills/deploy/SKILL.md && cat .agents/skills/ship/SKILL.md"},
     ["deploy", "ship"]),
    ("Bash", {"command": "hermes-git skill view deploy"}, ["deploy"]),
    ("Bash", {"command": "cd ~/notes && hermes-git -C . skill view --rev HEAD~1 devops/deploy references/a.md | head"},
     ["devops/deploy"]),
    ("shell", {"command": ["bash", "-lc", "hermes-git skill view 'deploy' --json; hermes-git skill view ship"]},
     ["deploy", "ship"]),
]  # fmt: skip
QUIET = [
    ("Bash", {"command": "hermes-git skill view deploy --maintenance"}),
    ("Bash", {"command": "hermes-git skill show deploy && hermes-git skill view --help"}),
    ("Write", {"file_path": "a.sh", "content": "hermes-git skill view deploy"}),
    ("Write", {"file_path": "skills/deploy/SKILL.md", "content": "x"}),
    ("Edit", {"file_path": "skills/deploy/SKILL.md"}),
    ("Grep", {"pattern": "x", "path": "skills/deploy/SKILL.md"}),
    ("Bash", {"command": "git add skills/deploy/SKILL.md"}),
    ("Bash", {"command": "ls skills/deploy"}),
    ("Read", {"file_path": "skills/deploy/SKILL.md.bak"}),
    ("Skill", {}),
    ("Skill", "{broken"),
    ("Skill", "[1]"),
    ("skill_view", {"name": 7}),
]


@pytest.mark.parametrize(("name", "arguments", "keys"), LOADS)
def test_loads_of_a_skill_are_recognised(name: str, arguments: object, keys: list[str]) -> None:
    assert [load.key for load in loads(session(call(name, arguments)))] == keys


@pytest.mark.parametrize(("name", "arguments"), QUIET)
def test_writing_and_searching_are_no_use(name: str, arguments: object) -> None:
    assert from_session(session(call(name, arguments))) == ()


OUTCOMES = [
    ((Message(3, "tool", "ok", tool_call_id="c2"), Message(4, "user", "thanks")), "succeeded"),
    ((Message(3, "user", "Works, now the second one"),), "succeeded"),
    ((Message(3, "user", "Now the second one"),), "applied"),
    ((Message(3, "tool", "Unknown skill", tool_call_id="c2", is_error=True),), "failed"),
    ((Message(3, "tool", "ok", tool_call_id="c2"), Message(4, "user", "No, that is not what I said")), "corrected"),
    ((Message(3, "user", "no such thing", state="harness"), Message(4, "user", "go on")), "applied"),
    ((Message(3, "user", "Nothing else, thanks"),), "applied"),
    ((Message(3, "user", "不对，应该先备份"),), "corrected"),
]  # fmt: skip


@pytest.mark.parametrize(("rest", "outcome"), OUTCOMES)
def test_the_outcome_comes_from_result_and_reply(rest: tuple[Message, ...], outcome: str) -> None:
    assert [use.outcome for use in from_session(session(call("Skill", {"skill": "deploy"}), *rest))] == [outcome]


def test_a_message_without_a_time_takes_the_one_before_it() -> None:
    early = Message(1, "user", "go", timestamp="2026-03-05T00:00:00Z")
    (use,) = from_session(session(early, call("Skill", {"skill": "deploy"})))
    assert use.iso == "2026-03-05T00:00:00Z"


def test_a_session_without_any_time_shows_nothing() -> None:
    assert from_session(Session("s", "codex", messages=(call("Skill", {"skill": "deploy"}),))) == ()


def test_an_entry_is_used_where_its_text_is_quoted() -> None:
    entries = {"aaa": "Deploys go\nthrough make release.", "bbb": "Never seen."}
    said = Message(3, "assistant", "As noted: Deploys go through make release. So I ran it.")
    assert from_session(session(said), entries) == (
        Use(1_772_600_767, "entry", "memory", "viewed", "aaa", "s1", 3, "claude-code"),
    )


def test_a_rewound_load_never_happened() -> None:
    undone = Message(2, "assistant", tool_calls=(ToolCall("c", "Skill", '{"skill":"x"}'),), state="rewound")
    assert from_session(session(undone)) == ()


def test_maintenance_is_a_mark_that_makes_another_row() -> None:
    (use,) = from_session(session(call("Skill", {"skill": "deploy"})))
    (marked,) = as_maintenance([use])
    assert marked.maintenance and marked.id != use.id
