"""Long work shows its progress on a terminal, and only there."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

ROW = {"conversations": [{"from": "human", "value": "Is it done?"}, {"from": "gpt", "value": "It is."}]}


def rows(folder: Path) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(ROW) + "\n" for _ in range(3)), encoding="utf-8")
    return path


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


WORK = [
    ("compress", "ROWS", "OUT", "--budget", "8000"),
    ("trajectory", "validate", "ROWS"),
    ("trajectory", "stats", "ROWS"),
    ("check", "ROWS"),
]


@pytest.mark.parametrize("words", WORK, ids=lambda words: " ".join(words[:2]))
def test_progress_is_shown_on_a_terminal_only(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = rows(tmp_path)
    filled = [{"ROWS": str(path), "OUT": str(tmp_path / "small.jsonl")}.get(word, word) for word in words]
    code, seen = on_a_terminal(*filled)
    assert code == 0 and (": 1" in seen) and seen.endswith("\x1b[K"), "the line of progress is taken away at the end"
    code, seen = on_a_terminal(*filled, "--quiet")
    assert (code, seen) == (0, "")
    done = subprocess.run([sys.executable, "-m", "hermes_git", *filled], capture_output=True, check=True)
    assert b"\r" not in done.stderr
