"""The tour plays to its end, and leaves what it promises."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_the_tour_plays_to_its_end(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)  # a folder inside the reader's own repository
    folder = tmp_path / "tour"
    command = [sys.executable, "-m", "hermes_git", "tour", "--keep", str(folder)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "\x1b" not in done.stdout, "no terminal, no colour"
    assert "HG710" in done.stdout and "HG401" in done.stdout, "the gate refuses on stage"
    log = subprocess.run(["git", "-C", str(folder / "repo"), "log", "--format=%s"], capture_output=True, check=True)
    assert b"curator: archive devops/old-vpn" in log.stdout and b"curator: merge web/" in log.stdout
    manifest = json.loads((folder / "rows" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["format"] == 1
    assert subprocess.run([*command], capture_output=True, check=False).returncode == 2, "the folder is not empty now"
