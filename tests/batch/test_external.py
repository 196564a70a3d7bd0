"""Agents of others: run with their own settings and no secrets, their session found among all others."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.trajectories import validate
from tests.batch.repositories import repository
from tests.conftest import Ran

Hg = Callable[..., Ran]

AGENT = """#!{python}
import json, os, pathlib, sys, time
prompt = sys.argv[-1]
home = pathlib.Path(os.environ["HOME"]) / ".claude" / "projects" / "p"
home.mkdir(parents=True, exist_ok=True)
cwd = os.getcwd()
session = "s-" + str(os.getpid())
def row(kind, message, number):
    return {{"parentUuid": None if number == 1 else str(number - 1), "isSidechain": False, "cwd": cwd, "type": kind,
            "sessionId": session, "version": "2.1.30", "uuid": str(number), "message": message,
            "timestamp": "2026-09-01T08:00:0%d.000Z" % number}}
def said(number, *content):
    return row("assistant", {{"id": "m%d" % number, "type": "message", "role": "assistant", "model": "sonnet",
               "content": list(content), "usage": {{"input_tokens": 10, "output_tokens": 2}}}}, number)
rows = [
    row("user", {{"role": "user", "content": prompt}}, 1),
    said(2, {{"type": "thinking", "thinking": "Write it.", "signature": "x"}},
         {{"type": "tool_use", "id": "t1", "name": "Write", "input": {{"file_path": "made.txt"}}}}),
    row("user", {{"role": "user", "content": [
        {{"type": "tool_result", "tool_use_id": "t1", "content": "written"}}]}}, 3),
    said(4, {{"type": "text", "text": "Done: " + prompt + " " + " ".join(sorted(os.environ))}}),
]
if "silent" not in prompt:
    pathlib.Path("made.txt").write_text(prompt)
    (home / (session + ".jsonl")).write_text("".join(json.dumps(one) + "\\n" for one in rows))
sys.exit(5 if "fail" in prompt else 0)
"""


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the command of an agent that writes sessions as Claude Code does, into a home of its own."""
    home = tmp_path / "home"
    old = home / ".claude" / "projects" / "p"
    old.mkdir(parents=True)
    (old / "old.jsonl").write_text('{"type": "user"}\n')
    (old / "notes.jsonl").write_text("not a session\n")
    path = tmp_path / "claude"
    path.write_text(AGENT.format(python=sys.executable))
    path.chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("EXAMPLE_API_KEY", "hidden-value")
    monkeypatch.setenv("WANTED_KEY", "given-value")
    return str(path)


def rows_of(folder: Path, file: str = "trajectories.jsonl") -> list[dict[str, Any]]:
    text = (folder / "data" / "x" / file).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_sessions_of_other_agents_become_trajectories(repo: Repository, agent: str, hg: Hg) -> None:
    place = repo.work_tree()
    prompts = ['Write 好; rm -rf "$HOME" $(touch ran)', "another", "be silent", "fail here"]
    (place / "p.jsonl").write_text("".join(json.dumps({"prompt": one}) + "\n" for one in prompts), encoding="utf-8")
    options = ["batch", "run", "--dataset", "p.jsonl", "--run-name", "x", "--workers", "2", "--json"]
    refused = hg(*options, "--agent", f"command:{agent} -p {{prompt}}")
    assert refused.code == 2 and "--allow-local-exec" in refused.err
    done = hg(*options, "--agent", f"command:{agent} -p {{prompt}}", "--allow-local-exec", "--pass-env", "WANTED_KEY")
    assert done.code == 1 and done.json["failed"] == {"agent": 1} and done.json["trajectories"] == 3
    assert done.json["tool_statistics"]["Write"]["count"] == 3 and done.json["usage"]["output"] > 0
    first, second, stopped = rows_of(place)
    assert first["conversations"][1]["value"] == prompts[0] and first["completed"]
    assert second["conversations"][1]["value"] == "another"
    assert not stopped["completed"] and stopped["metadata"]["outcome"] == "stopped"
    last = first["conversations"][-1]["value"]
    assert "EXAMPLE_API_KEY" not in last and "WANTED_KEY" in last
    assert first["metadata"]["agent"] == "claude-code" and not list(validate.llamafactory(first))
    (failure,) = rows_of(place, "failures.jsonl")
    assert "left no session" in failure["message"]
    assert not list(place.rglob("ran")) and not (place / "made.txt").exists()


def test_other_agents_work_on_tasks_too(tmp_path: Path, repo: Repository, agent: str, hg: Hg) -> None:
    place = repo.work_tree()
    _, commit = repository(tmp_path / "source", {"README.md": "x\n"})
    task = {"repository": str(tmp_path / "source"), "commit": commit, "instruction": "Make it.",
            "test_command": "grep -q Make made.txt"}  # fmt: skip
    (place / "t.jsonl").write_text(json.dumps(task) + "\n", encoding="utf-8")
    done = hg(
        "batch", "swe", "--tasks", "t.jsonl", "--run-name", "x", "--env", "local", "--allow-local-exec",
        "--agent", f"command:{agent} -p", "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    (row,) = rows_of(place)
    assert row["metadata"]["task"] == "resolved" and "+Make it." in row["patch"] and row["tests"]["passed"]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("gpt", "no agent called 'gpt'"),
        ("command:", "names no program"),
        ("command:'", "No closing quotation"),
        ("command:my-agent -x", "not known where my-agent keeps its sessions"),
    ],
)
def test_agents_that_cannot_be_run_are_said(repo: Repository, hg: Hg, named: str, said: str) -> None:
    (repo.work_tree() / "p.jsonl").write_text('{"prompt": "x"}\n')
    done = hg("batch", "run", "--dataset", "p.jsonl", "--run-name", "x", "--allow-local-exec", "--agent", named)
    assert done.code == 2 and said in done.err


def test_a_program_that_is_not_there_is_a_failure(repo: Repository, hg: Hg) -> None:
    place = repo.work_tree()
    (place / "p.jsonl").write_text('{"prompt": "x"}\n')
    (place / "s").mkdir()
    options = ["--agent", "command:/nowhere/agent", "--agent-sessions", "s", "--allow-local-exec", "--engine", "inline"]
    assert hg("batch", "run", "--dataset", "p.jsonl", "--run-name", "x", *options).code == 1
    assert "cannot start /nowhere/agent" in rows_of(place, "failures.jsonl")[0]["message"]
