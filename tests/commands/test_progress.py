"""Long work shows its progress on a terminal, and only there."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import hermes_git
from hermes_git.cli import main
from hermes_git.gitrepo import create
from tests.evals.transcripts import long_row

SESSIONS = Path(hermes_git.__file__).parent / "data" / "tour" / "sessions"
ROW = {"conversations": [{"from": "human", "value": "Is it done?"}, {"from": "gpt", "value": "It is."}]}


def rows(folder: Path) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(ROW) + "\n" for _ in range(3)), encoding="utf-8")
    return path


def long_rows(folder: Path) -> Path:
    """Write a row of which an exam can ask something and which outgrows a threshold of 2,000 tokens."""
    path = folder / "long.jsonl"
    path.write_bytes(json.dumps(long_row()).encode() + b"\n")
    return path


def repository(folder: Path) -> Path:
    """Make a repository with a skill, sessions and an index."""
    top = create.create(folder / "repo").work_tree()
    for words in (["init"], ["session", "import", "-q", str(SESSIONS)], ["search", "-q", "links"]):
        assert main(["-C", str(top), *words]) == 0
    return top


MADE = {"ROWS": rows, "LONG": long_rows, "REPO": repository, "OUT": lambda folder: folder / "out"}
"""Words that stand for places, and how these are made."""


def on_a_terminal(*words: str) -> tuple[int, str]:
    """Run with standard error on a terminal; return the exit code and what was written there."""
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "hermes_git", *words], stderr=theirs, stdout=subprocess.PIPE, check=False
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other end is closed, which Linux reports so
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    return done.returncode, seen.decode("utf-8")


EXAM = ("--input", "LONG", "--policies", "six-step,recency", "--out", "OUT")
WORK = [
    (": 1", ("compress", "ROWS", "OUT", "--budget", "8000")),
    (": 1", ("trajectory", "validate", "ROWS")),
    (": 1", ("trajectory", "stats", "ROWS")),
    (": 1", ("check", "ROWS")),
    ("runs: 1 of 2", ("eval", "cycles", *EXAM, "--threshold", "2000")),
    ("exams: 1 of 1", ("eval", "compression", *EXAM, "--budgets", "1500")),
    ("queries: 1 of", ("eval", "recall", "-C", "REPO")),
    ("planning for 1 skills", ("curate", "-C", "REPO")),
]


@pytest.mark.parametrize(("said", "words"), WORK, ids=lambda words: " ".join(words[:2]))
def test_progress_is_shown_on_a_terminal_only(tmp_path: Path, said: str, words: tuple[str, ...]) -> None:
    filled = [str(MADE[word](tmp_path)) if word in MADE else word for word in words]
    code, seen = on_a_terminal(*filled)
    assert code == 0 and said in seen and seen.endswith("\x1b[K"), "the line of progress is taken away at the end"
    code, seen = on_a_terminal(*filled, "--quiet")
    assert (code, seen) == (0, "")
    done = subprocess.run([sys.executable, "-m", "hermes_git", *filled], capture_output=True, check=True)
    assert b"\r" not in done.stderr


def test_the_line_is_taken_away_before_an_error_is_said(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(json.dumps(ROW).encode() + b"\n" + b"x" * 100)
    code, seen = on_a_terminal("eval", "cycles", "--input", f"{rows(tmp_path)},{bad}", "--out", str(tmp_path / "out"))
    last = seen.replace("\r\n", "\n").rstrip("\n").split("\r")[-1]
    assert code == 2 and last.startswith("\x1b[K") and "hermes-git: " in last
