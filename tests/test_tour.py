"""The tour plays to its end, and leaves what it promises."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
HEX = re.compile(r"\b[0-9a-f]{7,12}\b")


def plain(line: str) -> str:
    """Return a line without indentation, and with every id as #: those of commits depend on the time."""
    return HEX.sub("#", line.strip())


def strangers(page: str, played: str) -> list[str]:
    """Return the lines of a page's console blocks that the tour did not print; one ending in … is a beginning."""
    lines = {plain(line) for line in played.splitlines()}
    told = [
        plain(line) for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL) for line in block.splitlines()
    ]

    def is_told(line: str) -> bool:
        if line.endswith("…"):
            return any(other.startswith(line.removesuffix("…").rstrip()) for other in lines)
        return line in lines

    return [line for line in told if not is_told(line)]


def test_a_line_that_was_never_printed_is_found() -> None:
    page = "```console\n$ a\nsaid 1f3b9ac\n  long te…\n```\n```console\nnever\n```\n"
    assert strangers(page, "$ a\n  said 0000000\n  long text\n") == ["never"]


def test_the_tour_plays_to_its_end(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)  # a folder inside the reader's own repository
    folder = tmp_path / "tour"
    command = [sys.executable, "-m", "hermes_git", "tour", "--keep", str(folder)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "\x1b" not in done.stdout, "no terminal, no colour"
    assert "HG710" in done.stdout and "HG401" in done.stdout, "the gate refuses on stage"
    assert strangers(README.read_text(encoding="utf-8"), done.stdout) == [], "README.md shows what the tour prints"
    log = subprocess.run(["git", "-C", str(folder / "repo"), "log", "--format=%s"], capture_output=True, check=True)
    assert b"curator: archive devops/old-vpn" in log.stdout and b"curator: merge web/" in log.stdout
    manifest = json.loads((folder / "rows" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["format"] == 1
    assert subprocess.run([*command], capture_output=True, check=False).returncode == 2, "the folder is not empty now"
