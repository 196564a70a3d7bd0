"""Without network, home folder or tokenizer cache: import, gate, search and export work, and say what counted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import hermes_git

SESSIONS = Path(hermes_git.__file__).parent / "data" / "tour" / "sessions"
BLOCKED = """
import json, os, socket, subprocess, sys, time
tried, slept, started = [], [], []
def no(*args, **kwargs):
    tried.append(repr(args))
    raise OSError("network used")
socket.socket.connect = no
socket.socket.connect_ex = no
socket.create_connection = no
socket.getaddrinfo = no
time.sleep = slept.append
class Popen(subprocess.Popen):
    def __init__(self, args, *more, **options):
        started.append([str(word) for word in args])
        super().__init__(args, *more, **options)
subprocess.Popen = Popen
from hermes_git.cli import main
code = main(sys.argv[1:])
with open(os.environ["SEEN"], "a", encoding="utf-8") as stream:
    row = {"command": sys.argv[3:5], "tried": tried, "slept": slept, "started": started}
    stream.write(json.dumps(row) + "\\n")
sys.exit(code)
"""
"""Runs the command line without a network, and notes what tried to use it, how long was slept, what was started."""

REMOTE = {"clone", "fetch", "pull", "push", "ls-remote", "remote", "submodule", "archive", "send-pack", "fetch-pack"}


def run(folder: Path, *args: str, seen: str = os.devnull) -> subprocess.CompletedProcess[str]:
    blind = {"HOME": "/nonexistent", "TIKTOKEN_CACHE_DIR": "", "HF_HUB_OFFLINE": "1", "LC_ALL": "C", "SEEN": seen}
    command = [sys.executable, "-c", BLOCKED, "-C", str(folder), *args]
    return subprocess.run(command, env={**os.environ, **blind}, capture_output=True, encoding="utf-8", check=False)


def test_the_loop_needs_no_network(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    assert run(tmp_path, "init", "repo").returncode == 0
    added = run(folder, "memory", "add", "Größe ist 12 ✓")
    assert added.returncode == 0, added.stderr
    imported = run(folder, "session", "import", str(SESSIONS), "--json")
    assert imported.returncode == 0, imported.stderr
    report = json.loads(imported.stdout)
    assert report["rows_in"] == report["kept"] + report["merged"] + sum(report["dropped"].values())
    found = json.loads(run(folder, "search", "date test fails", "--json").stdout)
    assert found["success"] and found["results"]
    sizes = []
    for name in ("one", "two"):
        done = run(folder, "export", "--out", str(tmp_path / name), "--budget", "1500")
        assert done.returncode == 0, done.stderr
        manifest = json.loads((tmp_path / name / "manifest.json").read_text(encoding="utf-8"))
        assert manifest["tokenizer"]["name"] == "cl100k_base" and manifest["tokenizer"]["exact"] is True
        sizes.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir() if path.is_file()})
    assert sizes[0] == sizes[1], "the same input gives the same bytes"


LOOP = [
    ("init", "."),
    ("memory", "add", "The host is alpha."),
    ("check", "--all"),
    ("session", "import", str(SESSIONS)),
    ("search", "date test fails"),
    ("curate",),
    ("export", "--out", "rows", "--budget", "1500"),
    ("compress", "rows", "small", "--budget", "1000"),
]


def test_nothing_waits_for_a_network_that_is_not_there(tmp_path: Path) -> None:
    folder, seen = tmp_path / "repo", tmp_path / "seen.jsonl"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    for words in LOOP:
        done = run(folder, *words, seen=str(seen))
        assert done.returncode == 0, (words, done.stderr)
    rows = [json.loads(line) for line in seen.read_text(encoding="utf-8").splitlines()]
    assert [row["command"] for row in rows] == [[*words[:2]] for words in LOOP]
    for row in rows:
        assert row["tried"] == [], f"{row['command']} tried to reach something, and went on when it could not"
        assert sum(row["slept"]) <= 1.0, row
        far = [words for words in row["started"] if Path(words[0]).name != "git" or REMOTE & set(words)]
        assert far == [], row["command"]
    assert sum(len(row["started"]) for row in rows) > 10, "what is started is noted"


def test_what_would_reach_out_or_wait_is_noted(tmp_path: Path) -> None:
    seen = tmp_path / "seen.jsonl"
    bad = "import socket, time\nsocket.getaddrinfo('example.invalid', 80)\n"
    code = BLOCKED.replace(
        "code = main(sys.argv[1:])", f"time.sleep(9)\ntry:\n    exec({bad!r})\nexcept OSError: code = 0"
    )
    env = {**os.environ, "SEEN": str(seen)}
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    row = json.loads(seen.read_text(encoding="utf-8"))
    assert row["slept"] == [9] and "example.invalid" in row["tried"][0]
