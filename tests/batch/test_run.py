"""A run from the command line: one trajectory a prompt, nothing twice, nothing lost, whatever kills it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_git.batch import places, record
from hermes_git.batch.run import sitting
from hermes_git.batch.run_folder import RunFolder
from hermes_git.gitrepo.repository import Repository
from hermes_git.trajectories import validate
from hermes_git.trajectories.styles import STYLES
from tests.batch.test_executor import alive
from tests.conftest import Ran
from tests.llm.endpoint import Answer, failed, said, serving

SCRIPT = {
    "format": 1,
    "scripts": [
        {"match": "impossible", "replies": [{"error": "server"}]},
        {
            "match": "",
            "replies": [
                {
                    "reasoning": "Keep it.",
                    "tool_calls": [
                        {"name": "memory", "arguments": {"action": "add", "content": "Asked: {prompt}"}},
                        {"name": "skills_list", "arguments": {}},
                    ],
                },
                {"text": "Kept. {prompt}"},
            ],
        },
    ],
}
KILLS = int(os.environ.get("HERMES_GIT_KILLS", "2"))
PROMPTS = int(os.environ.get("HERMES_GIT_PROMPTS", "60"))
Hg = Callable[..., Ran]


def dataset(folder: Path, count: int, *lines: str) -> None:
    rows = [json.dumps({"prompt": f"Frage {number} 好", "tag": number}, ensure_ascii=False) for number in range(count)]
    (folder / "prompts.jsonl").write_text("\n".join([*rows, *lines]) + "\n", encoding="utf-8")


@pytest.fixture
def place(repo: Repository, write: Callable[..., Path], commit: Callable[..., str]) -> Path:
    write("knowledge/memory/MEMORY.md", "Deploys go through make release.\n")
    commit()
    folder = repo.work_tree()
    (folder / "demo.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
    return folder


def arguments(name: str, *more: str) -> list[str]:
    base = ["batch", "run", "--dataset", "prompts.jsonl", "--run-name", name, "--model", "script:demo.json"]
    return [*base, "--now", "2026-11-29T12:00:00Z", *more]


def rows(folder: Path, name: str, file: str = "trajectories.jsonl") -> list[dict[str, Any]]:
    text = (folder / "data" / name / file).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def results(folder: Path, name: str) -> dict[str, bytes]:
    kept = ("trajectories.jsonl", "failures.jsonl", "statistics.json", "checkpoint.json")
    found = {file: (folder / "data" / name / file).read_bytes() for file in kept}
    return {file: data.replace(name.encode(), b"NAME") for file, data in found.items()}


def test_each_prompt_gets_one_trajectory(place: Path, hg: Hg) -> None:
    dataset(place, 6, "", "{", '{"x": 1}', '{"prompt": "Frage 0 好", "tag": 0}')
    done = hg(*arguments("one", "--workers", "2", "--batch-size", "3", "--json"))
    assert done.code == 1, "two lines are no prompts"
    assert "prompts.jsonl:8: not valid JSON" in done.err and "prompts.jsonl:9: no prompt" in done.err
    report = done.json
    assert (report["trajectories"], report["ran"], report["done_before"]) == (7, 7, 0)
    assert report["invalid"] == {"no prompt": 1, "not valid JSON": 1}
    assert report["tool_statistics"]["memory"]["count"] == 7
    assert report["reasoning_statistics"] == {
        "total_assistant_turns": 14,
        "turns_with_reasoning": 7,
        "turns_without_reasoning": 7,
    }
    found = rows(place, "one")
    assert [row["prompt_index"] for row in found] == list(range(7))
    assert not [objection for row in found for objection in validate.llamafactory(row)]
    assert found[3]["conversations"][1]["value"] == "Frage 3 好" and json.loads(found[3]["dataset"]) == {"tag": 3}
    assert found[0]["toolsets_used"] == ["memory", "skills", "sessions"]
    assert len({json.dumps(row["metadata"]) for row in found}) == 7, "equal prompts stay apart"
    assert sorted(path.name for path in (place / "data" / "one").glob("batch_*")) == [
        "batch_0.jsonl", "batch_1.jsonl", "batch_2.jsonl",
    ]  # fmt: skip
    checkpoint = json.loads((place / "data" / "one" / "checkpoint.json").read_text())
    assert checkpoint["completed_prompts"] == list(range(7)) and checkpoint["remaining"] == 0


def test_workers_do_not_change_the_result(place: Path, hg: Hg) -> None:
    """Neither what is drawn for a prompt nor what comes of it depends on who works on it, or when."""
    dataset(place, 30, '{"prompt": "impossible"}')
    (place / "mixed.toml").write_text("[percent]\nmemory = 60\nskills = 40\nsessions = 20\n", encoding="utf-8")
    runs = (("qx1", "1", "inline"), ("qx2", "1", "processes"), ("qx3", "2", "processes"), ("qx4", "8", "processes"))
    for name, workers, engine in runs:
        options = ("--distribution", "mixed.toml", "--workers", workers, "--engine", engine)
        assert hg(*arguments(name, *options)).code == 1
    assert results(place, "qx1") == results(place, "qx2") == results(place, "qx3") == results(place, "qx4")
    assert [row["reason"] for row in rows(place, "qx1", "failures.jsonl")] == ["server"]
    drawn = [tuple(row["toolsets_used"]) for row in rows(place, "qx1")]
    assert len(set(drawn)) > 3 and all(drawn)


def test_a_resumed_run_repeats_nothing_and_tries_failures_again(place: Path, hg: Hg) -> None:
    dataset(place, 4, '{"prompt": "impossible"}')
    assert hg(*arguments("r")).code == 1
    before = results(place, "r")["trajectories.jsonl"]
    refused = hg(*arguments("r"))
    assert refused.code == 2 and "--resume" in refused.err
    other = hg(*arguments("r", "--resume", "--max-turns", "3"))
    assert other.code == 2 and "max_turns: 10 -> 3" in other.err
    (place / "demo.json").write_text(json.dumps(SCRIPT).replace("impossible", "no such prompt"), encoding="utf-8")
    again = hg(*arguments("r", "--resume", "--json"))
    assert again.code == 0 and (again.json["ran"], again.json["done_before"], again.json["trajectories"]) == (1, 4, 5)
    assert results(place, "r")["trajectories.jsonl"].startswith(before)
    assert again.json["tool_statistics"]["memory"]["count"] == 5, "statistics are those of the whole run"
    assert hg(*arguments("r", "--resume", "--json")).json["ran"] == 0


def test_a_dataset_may_grow_and_be_put_in_another_order(place: Path, hg: Hg) -> None:
    dataset(place, 4)
    assert hg(*arguments("g")).code == 0
    lines = (place / "prompts.jsonl").read_text(encoding="utf-8").splitlines()
    (place / "prompts.jsonl").write_text("\n".join([*lines[:0:-1], '{"prompt": "new"}']) + "\n", encoding="utf-8")
    again = hg(*arguments("g", "--resume", "--json")).json
    assert (again["ran"], again["done_before"], again["not_in_dataset"]) == (1, 3, 1)
    found = rows(place, "g")
    assert [row["prompt_index"] for row in found] == [0, 1, 2, 3]
    assert [json.loads(row["dataset"]).get("tag") for row in found] == [3, 2, 1, None]


def test_torn_lines_are_counted_and_run_again(place: Path, hg: Hg) -> None:
    dataset(place, 3)
    assert hg(*arguments("t")).code == 0
    whole = results(place, "t")
    path = place / "data" / "t" / "batch_0.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    again = hg(*arguments("t", "--resume", "--json"))
    assert (again.json["ran"], again.json["torn_lines"]) == (1, 1) and results(place, "t") == whole


def test_two_processes_do_not_run_the_same(place: Path, hg: Hg) -> None:
    """The second one leaves the scratch folders of the first alone."""
    dataset(place, 1)
    assert hg(*arguments("l")).code == 0
    folder = RunFolder(place / "data" / "l")
    with sitting(folder) as root:
        (root / "in-use").mkdir()
        second = hg(*arguments("l", "--resume"))
        assert second.code == 2 and "running this batch" in second.err and (root / "in-use").is_dir()
    assert not root.exists() and folder.left_scratch() is None


def test_what_a_killed_run_left_is_removed(place: Path, hg: Hg) -> None:
    dataset(place, 1)
    assert hg(*arguments("l")).code == 0
    left = places.new_root()
    RunFolder(place / "data" / "l").remember_scratch(left)
    assert hg(*arguments("l", "--resume")).code == 0 and not left.exists()


def test_progress_is_shown_on_a_terminal_only(place: Path, hg: Hg) -> None:
    dataset(place, 3)
    assert "[" not in hg(*arguments("quiet")).err
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "hermes_git", "-C", str(place), *arguments("seen", "--engine", "inline")]
    with os.fdopen(theirs, "wb") as terminal:
        done = subprocess.run(command, stderr=terminal, stdout=subprocess.DEVNULL, check=False)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert done.returncode == 0 and "[####################] 3/3" in shown and "/s, 0 failed" in shown


def started(place: Path, name: str, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "hermes_git", "-C", str(place), *arguments(name, *more)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def children(pid: int) -> list[int]:
    """Return all processes below one, where the system tells."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    below = [int(word) for word in path.read_text().split()] if path.exists() else []
    return [*below, *(inner for child in below for inner in children(child))]


def test_killed_at_any_moment_and_resumed_it_is_the_same(place: Path, hg: Hg) -> None:
    dataset(place, PROMPTS)
    assert hg(*arguments("qxw", "--workers", "4", "--batch-size", "16")).code == 0
    options = ("--workers", "4", "--batch-size", "16", "--resume")
    generator = random.Random(7)
    orphans: list[int] = []
    folder = place / "data" / "qxk"
    for _ in range(KILLS):
        process = started(place, "qxk", *options)
        deadline = time.monotonic() + 60
        wanted = generator.randrange(1, 2 * PROMPTS // max(KILLS, 3) + 2)
        size = sum(path.stat().st_size for path in folder.glob("batch_*")) if folder.exists() else 0
        while process.poll() is None and time.monotonic() < deadline:
            grown = sum(path.stat().st_size for path in folder.glob("batch_*")) - size if folder.exists() else 0
            if grown > wanted * 3000:
                break
            time.sleep(0.002)
        orphans += children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
    again = hg(*arguments("qxk", *options, "--json"))
    assert again.code == 0 and again.json["ran"] + again.json["done_before"] == PROMPTS
    assert results(place, "qxk") == results(place, "qxw")
    assert [row["prompt_index"] for row in rows(place, "qxk")] == list(range(PROMPTS))
    lines = [record.decode(line) for path in folder.glob("batch_*") for line in path.read_bytes().split(b"\n")]
    finished = [one.id for one in lines if one is not None]
    assert len(finished) == len(set(finished)) == PROMPTS, "nothing that was finished ran twice"
    time.sleep(0.5)
    assert not [pid for pid in orphans if alive(pid)], "workers end with the one that started them"


def test_commands_need_a_word_of_the_user(place: Path, hg: Hg) -> None:
    dataset(place, 1)
    refused = hg(*arguments("x", "--distribution", "development"))
    assert refused.code == 2 and "nothing says where commands may run" in refused.err
    refused = hg(*arguments("x", "--distribution", "development", "--env", "local"))
    assert refused.code == 2 and "--allow-local-exec" in refused.err
    refused = hg(*arguments("x", "--distribution", "browser_only"))
    assert refused.code == 2 and "toolsets that are not here: browser" in refused.err
    assert not (place / "data").exists()


def test_commands_run_in_a_scratch_folder_that_goes(place: Path, hg: Hg) -> None:
    dataset(place, 2)
    script = {"format": 1, "scripts": [{"match": "", "replies": [
        {"tool_calls": [{"name": "write_file", "arguments": {"path": "a/x.txt", "content": "{prompt}"}}]},
        {"tool_calls": [{"name": "terminal", "arguments": {"command": "pwd; cat a/x.txt; git rev-parse --git-dir"}}]},
        {"text": "It said {last}"},
    ]}]}  # fmt: skip
    (place / "demo.json").write_text(json.dumps(script), encoding="utf-8")
    assert hg(*arguments("s", "--distribution", "terminal_only", "--allow-local-exec")).code == 0
    for row in rows(place, "s"):
        last = row["conversations"][-1]["value"]
        assert "Frage" in last and "not a git repository" in last and str(place) not in last
        folder = Path(last.split('"output": "')[1].split("\\n")[0])
        assert folder.is_absolute() and not folder.exists() and not folder.parent.exists()


def test_a_command_that_kills_its_worker_costs_its_own_prompt(place: Path, hg: Hg) -> None:
    dataset(place, 4, '{"prompt": "murder"}')
    deadly = [{"tool_calls": [{"name": "terminal", "arguments": {"command": "kill -9 $PPID; sleep 5"}}]}]
    script = {"format": 1, "scripts": [
        {"match": "murder", "replies": deadly}, {"match": "", "replies": [{"text": "Calm: {prompt}"}]},
    ]}  # fmt: skip
    (place / "demo.json").write_text(json.dumps(script), encoding="utf-8")
    done = hg(*arguments("m", "--distribution", "terminal_only", "--allow-local-exec", "--workers", "2", "--json"))
    assert done.code == 1 and done.json["trajectories"] == 4 and done.json["failed"] == {"worker-died": 1}
    assert "signal 9" in rows(place, "m", "failures.jsonl")[0]["message"]


@pytest.mark.parametrize("style", ["hermes", "sharegpt", "trl", "axolotl", "openai"])
def test_every_style_obeys_its_trainer(place: Path, hg: Hg, style: str) -> None:
    dataset(place, 2)
    assert hg(*arguments("y", "--style", style, "--engine", "inline")).code == 0
    trainer = STYLES[style].trainer
    found = rows(place, "y")
    assert len(found) == 2 and not [one for row in found for one in validate.TRAINERS[trainer](row)]
    assert all(row["completed"] is True and row["toolsets_used"] for row in found)


def test_rows_without_thought_can_be_left_out(place: Path, hg: Hg) -> None:
    dataset(place, 2)
    (place / "demo.json").write_text(json.dumps(
        {"format": 1, "scripts": [{"match": "1", "replies": [{"text": "no thought"}]},
                                  {"match": "", "replies": [{"reasoning": "hm", "text": "thought"}]}]}))  # fmt: skip
    done = hg(*arguments("n", "--require-reasoning", "--engine", "inline", "--json"))
    assert done.code == 1 and done.json["dropped"] == {"no reasoning": 1} and done.json["trajectories"] == 1
    assert hg(*arguments("n", "--require-reasoning", "--engine", "inline", "--resume", "--json")).json["ran"] == 0


@pytest.mark.parametrize(
    ("options", "said_"),
    [
        (["--run-name", "../x"], "is no name of a run"),
        (["--dataset", "none.jsonl"], "cannot read"),
        (["--dataset", "empty.jsonl"], "no line holds a prompt"),
        (["--distribution", "nothing"], "no distribution called"),
        (["--model", "script:none.json"], "no such file"),
        (["--model", "small"], "no model is configured"),
        (["--distribution", "own.toml"], "no such file"),
    ],
)
def test_what_is_wrong_is_said_before_anything_runs(place: Path, hg: Hg, options: list[str], said_: str) -> None:
    dataset(place, 1)
    (place / "empty.jsonl").write_text("\n")
    done = hg(*arguments("w"), *options)
    assert done.code == 2 and said_ in done.err


def test_an_endpoint_that_misbehaves_is_accounted_for(place: Path, hg: Hg) -> None:
    pytest.importorskip("httpx")
    dataset(place, 8)

    def decide(body: dict[str, Any], number: int) -> Answer:
        which = int(body["messages"][-1]["content"].split()[1])
        if which == 1:
            return failed(429, retry_after_ms="1")
        if which == 2:
            return failed(400, "context too long")
        if which == 3:
            return Answer(b'{"choices": [')
        if which == 4 and number % 2:
            return failed(503, retry_after_ms="1")
        answer = said(f"Answer {which}.", reasoning_content="Think.")
        answer.delay = 0.05 if which == 5 else 0.0
        return answer

    with serving(decide) as running:
        found = hg(
            *arguments("e", "--workers", "2", "--retries", "1", "--distribution", "knowledge", "--json"),
            *("--model", "stub", "--endpoint", running.url),
        )
        requests = len(running.requests)
    report = found.json
    assert found.code == 1 and report["trajectories"] + sum(report["failed"].values()) == 8
    assert report["failed"] in (
        {"malformed": 1, "rate-limit": 1, "refused": 1},
        {"malformed": 1, "rate-limit": 1, "refused": 1, "server": 1},
    )
    assert 8 <= requests <= 16 and report["api_calls"] == requests and report["usage"]["cost"] > 0
    assert {row["reason"] for row in rows(place, "e", "failures.jsonl")} == set(report["failed"])
    assert all("context too long" in row["message"] for row in rows(place, "e", "failures.jsonl") if row["index"] == 2)


def test_a_wrong_key_stops_the_run(place: Path, hg: Hg, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("httpx")
    monkeypatch.setenv("STUB_KEY", "k-1")
    dataset(place, 40)
    with serving(lambda *_: failed(401, "bad key")) as running:
        found = hg(
            *arguments("k", "--workers", "2"),
            *("--model", "stub", "--endpoint", running.url, "--key-variable", "STUB_KEY"),
        )
        assert len(running.requests) < 40
    assert found.code == 2 and "refuses every prompt" in found.err and "k-1" not in found.err
    for path in (place / "data" / "k").iterdir():
        assert b"k-1" not in path.read_bytes()


def test_distributions_are_shown_and_sampled(hg: Hg) -> None:
    listed = hg("batch", "distributions", "list")
    assert listed.code == 0 and "development" in listed.out and "not here: web, vision" in listed.out
    shown = hg("batch", "distributions", "show", "reasoning", "--json").json
    assert shown["percent"] == {"file": 60.0, "terminal": 20.0} and shown["unmapped"] == {"web": 90.0}
    assert "not here: left out" in hg("batch", "distributions", "show", "browser_only").out
    sampled = hg("batch", "distributions", "sample", "2000", "--name", "balanced", "--json")
    assert sampled.code == 0 and all(row["within"] for row in sampled.json["toolsets"])
    assert "chi-square" in hg("batch", "distributions", "sample", "100").out
