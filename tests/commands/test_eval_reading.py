"""Exams that a model sets, sits and grades, over a real connection to an endpoint on this machine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from tests.evals.transcripts import long_row
from tests.llm.endpoint import Answer, Running, failed, said, serving

QUOTE = re.compile(r"I will open (src/app/(\w+)\.py) because the trace names the function compare_\w+_dates twice\.")


def student(body: dict[str, Any], number: int) -> Answer:
    """Write questions, grade and answer like a model that reads well and is sometimes wordy."""
    system, text = (message["content"] for message in body["messages"])
    if system.startswith("Below is a stretch"):
        rows = [
            {"question": f"Which file was opened for {name}?", "answer": path, "quote": found, "kind": "artefact"}
            for found, path, name in ((match.group(), *match.groups()) for match in QUOTE.finditer(text))
        ]
        return said(f"```json\n{json.dumps([{'question': 'Why?'}, *rows])}\n```")
    if system.startswith("You grade"):
        right, given = re.findall(r"(?:Right answer|Answer): (.*)", text)
        return said("2" if right in given else "0")
    context, _, question = text.partition("\n\n---\nQuestion: ")
    left, _, right = question.partition("____")
    line = next((line for line in context.split("\n") if left.strip() and left.strip() in line), "")
    if line and right.strip(" .") in line:
        return said("it is " + line.split(left.strip())[1].split(right.strip(" .") or "\0")[0].strip())
    opened = re.search(r"Which file was opened for (\w+)\?", question)
    path = f"src/app/{opened.group(1)}.py" if opened else ""
    return said(path if path and path in context else "NOT IN CONTEXT")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    (tmp_path / "rows.jsonl").write_bytes(b"".join(json.dumps(long_row(s)).encode() + b"\n" for s in (0, 7)))
    return tmp_path


def run(folder: Path, running: Running, *more: str, out: str = "out") -> tuple[int, dict[str, Any]]:
    fixed = ["--input", "rows.jsonl", "--budgets", "3000", "--policies", "uncompressed,closed-book,six-step"]
    model = ["--reader", "model", "--model", "stub", "--endpoint", running.url, "--questions", "8"]
    status = main(["eval", "compression", "-C", str(folder), "-q", *fixed, *model, "--out", out, *more])
    card = folder / out / "scorecard.json"
    return status, json.loads(card.read_bytes()) if card.exists() else {}


def recall(card: dict[str, Any]) -> dict[str, float]:
    return {line["policy"]: line["recall"] for line in card["lines"]}


def test_a_model_reads_and_a_judge_sees_what_is_right_in_other_words(rows: Path) -> None:
    with serving(student) as running:
        plain, judged = (run(rows, running, *more, out=out)[1] for out, *more in (("a",), ("b", "--judge")))
    assert recall(plain)["closed-book"] == recall(judged)["closed-book"] == 0
    assert recall(judged)["uncompressed"] > recall(plain)["uncompressed"] + 20
    assert judged["options"]["judge"]["asked"] > 0
    assert judged["options"]["judge"]["unread"] == 0
    cost = plain["options"]["model"]
    assert cost["requests"] > 16
    assert cost["cost_usd"] == 0.25 * cost["requests"]
    assert cost["input_tokens"] == 10 * cost["requests"]


def test_a_model_writes_questions_that_the_record_bears_out(rows: Path) -> None:
    with serving(student) as running:
        status, card = run(rows, running, "--generator", "model", "--workers", "2")
    assert status == 0
    papers = [json.loads(line) for line in (rows / "out/questions.jsonl").read_text("utf-8").splitlines()]
    written = [one for paper in papers for one in paper["questions"] if one["form"] == "open"]
    assert len(written) == 6
    assert all(one["gold"] in one["source"] for one in written)
    assert card["options"]["questions_refused"] == {"not an object with these keys": 6}
    assert card["options"]["generator"] == "model"


def test_a_judge_does_not_make_a_reader(rows: Path) -> None:
    with serving(student) as running:
        card = run(rows, running, "--judge", "--reader", "extractive")[1]
        asked = [one["messages"][0]["content"] for one in running.requests]
    assert card["options"]["reader"] == "extractive"
    assert all(text.startswith("You grade") for text in asked)


def test_a_model_writes_the_summaries_of_a_policy(rows: Path) -> None:
    def writes(body: dict[str, Any], number: int) -> Answer:
        found = QUOTE.search(body["messages"][1]["content"])
        return said(f"It said: {found.group()}" if found else "nothing")

    more = ("--reader", "extractive", "--policies", "six-step-model,six-step-placeholder", "--match", "six-step")
    with serving(writes) as running:
        status, card = run(rows, running, *more)
        asked = len(running.requests)
    assert status == 0
    assert recall(card)["six-step-model"] > recall(card)["six-step-placeholder"]
    assert card["options"]["summaries"]["requests"] == asked == 2
    assert card["options"]["summaries"]["cost_usd"] == 0.5
    assert card["options"]["summaries"]["cost_usd_per_compaction"] == 0.25
    assert "model" not in card["options"]


def test_an_exam_that_broke_off_goes_on_where_it_stopped(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    until = 10

    def breaks(body: dict[str, Any], number: int) -> Answer:
        return student(body, number) if number < until else failed(401, "wrong key")

    with serving(breaks) as running:
        assert run(rows, running, "--cache", "kept")[0] == 2
        assert "wrong key" in capsys.readouterr().err
        asked = len(running.requests)
        until = 10**6
        status, card = run(rows, running, "--cache", "kept")
        again = run(rows, running, "--cache", "kept", out="again")[1]
        whole = run(rows, running, out="whole")[1]
    assert status == 0
    assert recall(card) == recall(again) == recall(whole)
    costs = [one["options"]["model"] for one in (card, again, whole)]
    assert [one["cost_usd"] == 0 for one in costs] == [False, True, False]
    assert costs[1]["requests"] == 0
    assert costs[0]["requests"] + costs[0]["from_cache"] == costs[2]["requests"]
    assert asked > 10


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (("--generator", "model", "--reader", "extractive"), "need a reader that is a model"),
        (("--endpoint", "gopher://x"), "endpoint"),
    ],
)
def test_mistakes_are_named(rows: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], text: str) -> None:
    assert run(rows, Running("http://127.0.0.1:9/v1"), *more)[0] == 2
    assert text in capsys.readouterr().err
