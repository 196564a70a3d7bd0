from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hermes_git.tokens import choose
from hermes_git.trajectories import atif_steps, row
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.convert import convert
from hermes_git.trajectories.model import Drop
from hermes_git.trajectories.plan import protect
from hermes_git.trajectories.styles import STYLES
from tests.trajectories.sessions import FLAKY
from tests.trajectories.test_convert import BROKEN, hostile
from tests.trajectories.test_styles import LONG

COUNTER = choose.default()
Document = dict[str, Any]
OWN = [STYLES["atif"].row(convert(source))[1] for source in (FLAKY, LONG, *map(hostile, BROKEN))]
FULL = {
    "schema_version": "ATIF-v1.7",
    "session_id": "s",
    "agent": {"name": "a", "version": "1", "tool_definitions": [{"type": "function", "function": {"name": "read"}}]},
    "steps": [
        {"step_id": 1, "source": "system", "message": "Be brief.", "timestamp": "2026-01-01T00:00:00Z"},
        {"step_id": 2, "source": "user", "message": "go", "extra": {"from": "ci"}},
        *(
            {
                "step_id": number,
                "source": "agent",
                "message": "",
                "model_name": "m",
                "tool_calls": [
                    {"tool_call_id": f"{number}{end}", "function_name": "read", "arguments": {"n": number}}
                    for end in "ab"
                ],
                "observation": {
                    "results": [
                        {"source_call_id": f"{number}{end}", "content": f"value {number} " + "word " * 200}
                        for end in "ab"
                    ]
                },
                "metrics": {"prompt_tokens": number},
            }
            for number in range(3, 12)
        ),
        {"step_id": 12, "source": "agent", "message": [{"type": "text", "text": "done"}]},
    ],
    "final_metrics": {"total_steps": 12},
    "extra": {"mine": 1},
}


def real(data: Path) -> list[Document]:
    paths = sorted((data / "trajectories/atif").rglob("*.json"))
    return [found for path in paths if atif_steps.is_document(found := json.loads(path.read_bytes()))]


def check(before: Document, budget: int, mode: Any = "auto") -> Document:
    after, metrics = Compressor(Options(budget, summary_turn=mode), COUNTER)(before)
    steps = after["steps"]
    assert [step["step_id"] for step in steps] == list(range(1, len(steps) + 1)) or after is before
    for step in steps:
        answers = [result.get("source_call_id") for result in (step.get("observation") or {}).get("results") or ()]
        asked = {call["tool_call_id"] for call in step.get("tool_calls") or ()}
        assert set(answers) - {None} <= asked
    assert metrics.compressed_tokens <= budget or metrics.still_over_limit
    turns = row.read(before).turns
    protected = protect(
        [turn.role for turn in turns], [COUNTER.count(turn.text) for turn in turns], Options(1).policy, 1
    )
    kept = [{**step, "step_id": 0} for step in steps]
    for place in {raw["step"] for number in protected for raw in turns[number].raw}:
        step = {**before["steps"][place], "step_id": 0}
        first = next(iter(step.get("observation", {}).get("results", [{}])), {}).get("content")
        assert step in kept or (metrics.was_compressed and first)  # a result may hold the summary, nothing else may
    if metrics.was_compressed:
        assert after["extra"]["compression_metrics"]["was_compressed"]
        assert "left out" in after["notes"]
    return dict(after)


@pytest.mark.parametrize("document", [*OWN, FULL], ids=range(len(OWN) + 1))
def test_what_is_kept_whole_comes_back_as_it_was(document: Document) -> None:
    assert atif_steps.document(document, atif_steps.messages(document), {}) == document


@pytest.mark.parametrize("mode", ["auto", "human", "fold"])
@pytest.mark.parametrize("budget", [300, 900, 1500, 3000])
def test_whole_steps_go_and_the_summary_stands_in_one(budget: int, mode: str) -> None:
    after = check(FULL, budget, mode)
    told = json.dumps(after["steps"])
    assert told.count("[CONTEXT SUMMARY]:") == 1
    assert after["final_metrics"] == FULL["final_metrics"]
    assert after["extra"]["mine"] == 1
    steps = after["steps"]
    assert (steps[0], steps[1]) == (FULL["steps"][0], FULL["steps"][1])  # type: ignore[index]
    assert steps[-1]["message"] == [{"type": "text", "text": "done"}]


def test_tags_that_a_document_speaks_of_are_quoted_as_they_are() -> None:
    before = json.loads(json.dumps(FULL))
    before["steps"][4]["message"] = "Mind the <tool_call> tag of parser_37."
    before["steps"][5]["observation"]["results"][0]["content"] += "<tool_response>\nx\n</tool_response>"
    after, metrics = Compressor(Options(1500), COUNTER)(before)
    view = row.read(after)
    told = sum(COUNTER.count(turn.text) for turn in view.turns) + COUNTER.count(view.overhead)
    assert told == metrics.compressed_tokens
    assert "&lt;" not in json.dumps(after)
    assert "&amp;" not in json.dumps(after)


def test_a_step_that_is_none_is_named() -> None:
    with pytest.raises(Drop, match="a step is not a JSON object"):
        row.read({**FULL, "steps": ["x"]})
    with pytest.raises(Drop, match="unknown role"):
        row.read({**FULL, "steps": [{"source": "moon", "message": ""}]})


def test_real_documents(data: Path) -> None:
    documents = real(data)
    assert len(documents) > 5
    for document in documents:
        assert atif_steps.document(document, atif_steps.messages(document), {}) == document
        for budget in (2000, 8000):
            check(document, budget)
