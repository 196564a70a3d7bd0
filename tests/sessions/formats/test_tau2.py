from __future__ import annotations

from pathlib import Path
from typing import Any

from hermes_git.sessions.detect import detect
from hermes_git.sessions.loss import Tally, is_loss
from hermes_git.sessions.source import Source
from tests.sessions.formats.reading import read, write_document


def simulation(name: str, reward: float) -> dict[str, Any]:
    call = {"id": "c1", "name": "get_user", "arguments": {"id": "u1"}, "requestor": "assistant"}
    own = {"id": "u1", "name": "toggle_data", "arguments": {}, "requestor": "user"}
    return {
        "id": name,
        "task_id": "13",
        "start_time": "2026-01-01T00:00:00.1",
        "end_time": "2026-01-01T00:01:00.2",
        "termination_reason": "user_stop",
        "reward_info": {"reward": reward},
        "messages": [
            {"role": "assistant", "content": "Hi!", "tool_calls": None, "timestamp": "2026-01-01T00:00:01"},
            {"role": "user", "content": "Change my flight.", "tool_calls": None},
            {"role": "assistant", "content": None, "tool_calls": [call], "usage": {"prompt_tokens": 7}},
            {"role": "tool", "id": "c1", "content": "unknown id", "error": True, "requestor": "assistant"},
            {"role": "user", "content": None, "tool_calls": [own]},
            {"role": "tool", "id": "u1", "content": "data is on", "requestor": "user", "error": False},
            {"role": "assistant", "content": "Which id?", "tool_calls": None},
        ],
    }


def results(*simulations: Any) -> dict[str, Any]:
    place = {"domain_name": "airline", "policy": "Be kind.", "tool_defs": None}
    info = {"agent_info": {"llm": "m-1"}, "environment_info": place}
    return {"timestamp": "2026-01-01", "info": info, "tasks": [{"id": "13"}], "simulations": list(simulations)}


def test_each_simulation_is_a_session(tmp_path: Path) -> None:
    sessions, loss = read(
        write_document(tmp_path / "r.json", results(simulation("a", 1.0), simulation("b", 0.0))), "tau2"
    )
    assert [session.id for session in sessions] == ["a", "b"]
    assert [session.end_reason for session in sessions] == [
        "user_stop: task succeeded, reward 1.0",
        "user_stop: task failed, reward 0.0",
    ]
    first = sessions[0]
    assert (first.system_prompt, first.model, first.title) == ("Be kind.", "m-1", "task 13")
    assert [message.role for message in first.messages] == ["assistant", "user", "assistant", "tool", "assistant"]
    asked, answered = first.messages[2], first.messages[3]
    assert (asked.tool_calls[0].id, asked.tool_calls[0].name) == ("c1", "get_user")
    assert (answered.tool_call_id, answered.tool_name, answered.is_error) == ("c1", "get_user", True)
    assert loss.dropped == {"bookkeeping:user-tool": 4}


def test_what_is_no_simulation_is_damage(tmp_path: Path) -> None:
    empty = {**simulation("a", 1), "messages": []}
    sessions, loss = read(write_document(tmp_path / "r.json", results("x", empty)), "tau2")
    assert sessions == []
    assert loss.dropped == {"damaged": 1, "empty:session": 1}


def test_a_beginning_that_ends_before_the_simulations_is_enough(tmp_path: Path) -> None:
    long = results(simulation("a", 1.0)) | {"simulations": [simulation("a", 1.0)]}
    long["tasks"] = [{"id": str(number), "text": "x" * 500} for number in range(1000)]
    sessions, _ = read(write_document(tmp_path / "r.json", long), "tau2")
    assert len(sessions) == 1


def test_real_results(data: Path) -> None:
    found = 0
    for path in sorted((data / "trajectories/tau2-bench").glob("*.json")):
        source, tally = Source(path), Tally(path.name)
        module = detect(source.head)
        assert module is not None
        assert str(module.NAME) == "tau2"
        found += len(list(module.read(source, tally)))
        assert not [why for why in tally.report().dropped if is_loss(why)]
        assert tally.report().unaccounted == 0
    assert found == 200
