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
import socket, sys
def no(*args, **kwargs):
    raise OSError("network used")
socket.socket.connect = no
socket.create_connection = no
socket.getaddrinfo = no
from hermes_git.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HOME": "/nonexistent", "TIKTOKEN_CACHE_DIR": "", "HF_HUB_OFFLINE": "1", "LC_ALL": "C"}
    command = [sys.executable, "-c", BLOCKED, "-C", str(folder), *args]
    return subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=False)


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
